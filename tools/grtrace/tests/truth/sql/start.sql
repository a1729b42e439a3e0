-- SPDX-License-Identifier: GPL-2.0
--
-- When each job left its ring, and when it began there: START, recorded or inferred.

-- The capture ends when the recording was stopped: what is not over then lasts until then.
CREATE TABLE capture AS
SELECT min(ts) AS first_ts, max(max(ts), stop_ts) AS last_ts, min(ts - time) AS start_ts
FROM event JOIN threshold;

-- left: END; else COMPLETE of a job that was handed over. until: how long, in the
-- order of records, others take COMPLETE for it, as its END is recorded later.
CREATE TABLE leaving AS
SELECT job, ring, end_n AS n, end_ts AS ts, 1 << 62 AS until, 1 AS is_last
FROM known WHERE end_n IS NOT NULL
UNION ALL
SELECT job, ring, complete_n, complete_ts, coalesce(end_n, 1 << 62), end_n IS NULL
FROM known WHERE complete_n < coalesce(end_n, 1 << 62) AND complete_counts;
CREATE INDEX leaving_ring ON leaving (ring, n);

-- The time from a job's first record to its last (to the end of the capture, if it
-- is not complete), and whether records were lost in it.
CREATE TABLE span AS
SELECT job, first_ts, last_record_ts, last_ts, EXISTS (
    SELECT * FROM hole WHERE hole.first_ts <= x.last_ts AND hole.last_ts >= x.first_ts
  ) AS lost
FROM (
  SELECT job, min(record.ts) AS first_ts, max(record.ts) AS last_record_ts,
    max(max(record.ts), coalesce(end_ts, 0), coalesce(complete_ts, 0),
        iif(complete_ts IS NULL,
            (SELECT last_ts FROM capture), 0)) AS last_ts
  FROM record JOIN known USING (job) GROUP BY job) AS x;
CREATE UNIQUE INDEX span_job ON span (job);

-- since: from when on the hardware had it; that is the beginning of the capture for one that
-- hung before it already. previous: the latest of those that left the ring before, as it was
-- known when this one left.
CREATE TABLE inferred AS
WITH candidate AS (
  SELECT known.*, l.n AS left_n, l.ts AS left_ts,
    CASE WHEN last_commit_ts <= l.ts THEN last_commit_ts
         WHEN hand_overs <= 1 AND pick_ts IS NOT NULL THEN pick_ts
         WHEN hand_overs = 0 AND is_hung AND submit_n IS NULL
           AND NOT EXISTS (SELECT * FROM hole WHERE hole.first_ts <= span.first_ts)
           AND NOT EXISTS (SELECT * FROM event WHERE type = 'sample' AND n < known.job)
           THEN (SELECT first_ts FROM capture) END AS since
  FROM known JOIN leaving AS l USING (job, ring) JOIN tells USING (ring) JOIN span USING (job)
  WHERE is_last AND told_start_ts IS NULL AND handed_over
    AND NOT (lost AND coalesce(tells_start < l.n, 0))),
before AS (
  SELECT c.job, max(o.ts) AS previous,
    max(o.ts > c.since AND k.ctx = c.ctx AND k.seqno > c.seqno) AS overtaken
  FROM candidate AS c JOIN leaving AS o
    ON o.ring = c.ring AND o.job <> c.job AND o.until > c.left_n
      AND (o.n < c.left_n OR o.n = c.left_n AND o.job < c.job)
  JOIN known AS k ON k.job = o.job
  GROUP BY c.job)
SELECT job, min(left_ts,
    iif(NOT coalesce(overtaken, 0) AND previous > since AND previous <= left_ts,
        previous, since)) AS start_ts
FROM candidate LEFT JOIN before USING (job) WHERE since IS NOT NULL;
CREATE UNIQUE INDEX inferred_job ON inferred (job);

-- The times of each job, and what lies between them. What would be negative is NA.
-- host: what of I2D and E2C is known. Where COMMIT is recorded after END, one goes over
-- into the other, and each moment counts once.
CREATE TABLE job AS
WITH timed AS (
  SELECT k.*, iif(end_n IS NOT NULL OR handed_over, coalesce(end_ts, complete_ts), NULL) AS left_ts,
    coalesce(end_n, iif(handed_over, complete_n, NULL)) AS left_n,
    iif(handed_over, coalesce(told_start_ts, inferred.start_ts), NULL) AS start_ts,
    told_start_ts IS NULL AND inferred.start_ts IS NOT NULL AS is_inferred,
    span.first_ts, span.last_record_ts, span.last_ts, span.lost
  FROM known AS k LEFT JOIN inferred USING (job) JOIN span USING (job)),
staged AS (
  SELECT *,
    iif(pick_ts >= submit_ts, pick_ts - submit_ts, NULL) AS q2i,
    iif(commit_ts >= pick_ts, commit_ts - pick_ts, NULL) AS i2d,
    iif(hand_overs > 1 AND last_commit_ts >= commit_ts, last_commit_ts - commit_ts, NULL) AS reset,
    CASE WHEN start_ts >= last_commit_ts THEN start_ts - last_commit_ts
         WHEN last_commit_ts IS NULL AND NOT coalesce(ring_tells_commit, 0)
           AND start_ts >= pick_ts THEN start_ts - pick_ts END AS d2b,
    iif(end_ts >= start_ts, end_ts - start_ts, NULL) AS exec,
    iif(complete_ts >= end_ts, complete_ts - end_ts, NULL) AS e2c,
    iif(complete_ts >= submit_ts, complete_ts - submit_ts, NULL) AS total,
    iif(commit_ts >= submit_ts, commit_ts - submit_ts, NULL) AS submit_host,
    iif(start_ts >= submit_ts, start_ts - submit_ts, NULL) AS queue
  FROM timed)
SELECT *, CASE
  WHEN e2c IS NULL THEN min(i2d, coalesce(complete_ts - pick_ts, i2d))
  WHEN end_ts < commit_ts AND i2d IS NOT NULL AND complete_ts >= pick_ts
    THEN complete_ts - min(pick_ts, end_ts)
  ELSE coalesce(i2d, 0) + e2c END AS host
FROM staged;
CREATE UNIQUE INDEX job_job ON job (job);
