-- SPDX-License-Identifier: GPL-2.0
--
-- One row for each job, and what its records say. "So far" is what stands before
-- in the order of the events.

-- The records of jobs. seqno goes on from the record before of its context, so
-- that wraps are counted. A SUBMIT begins another job of the same key where there
-- was a SUBMIT or a COMPLETE of it before. An ERROR is about a job that is known.
CREATE TABLE record AS
WITH step AS (
  SELECT *, (seqno - lag(seqno) OVER c + 2147483648 & 4294967295) - 2147483648 AS by
  FROM event
  WHERE type IN ('submit', 'dep', 'blocked', 'pick', 'commit', 'start', 'end',
                 'complete', 'error') AND (ctx <> '0' OR seqno <> 0)
  WINDOW c AS (PARTITION BY ctx ORDER BY n)),
wide AS (
  SELECT *, first_value(seqno) OVER c + coalesce(sum(by) OVER c, 0) AS number
  FROM step WINDOW c AS (PARTITION BY ctx ORDER BY n)),
life AS (
  SELECT *, type = 'submit' AND coalesce(sum(type IN ('submit', 'complete')) OVER (
    PARTITION BY ring, ctx, number ORDER BY n
    ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) > 0 AS begins
  FROM wide),
numbered AS (
  SELECT *, sum(begins) OVER (PARTITION BY ring, ctx, number ORDER BY n) AS life FROM life)
SELECT min(n) FILTER (WHERE type <> 'error') OVER (
    PARTITION BY ring, ctx, number, life) AS job, *
FROM numbered;
-- One that comes first is an error of a job that was submitted before the capture, if it
-- is of one at all, but not its first record.
CREATE TABLE job_error AS
SELECT job, record.n, record.kind, record.code
FROM record JOIN event AS first ON first.n = job
WHERE record.type = 'error' AND (record.n > job OR first.type <> 'submit');
CREATE INDEX job_error_job ON job_error (job);
DELETE FROM record WHERE job IS NULL OR n < job;
CREATE INDEX record_job ON record (job, type, n);
CREATE INDEX record_ring ON record (ring, type, n);

-- What a ring tells, from which record on.
CREATE TABLE tells AS
SELECT ring, min(iif(type = 'pick', n, NULL)) AS tells_pick,
  min(iif(type = 'commit', n, NULL)) AS tells_commit,
  min(iif(type = 'start', n, NULL)) AS tells_start
FROM record GROUP BY ring;
CREATE UNIQUE INDEX tells_ring ON tells (ring);

-- What a first look says: the first of each, and COMPLETE, of the job's key or of
-- the out fence that SUBMIT named.
CREATE TABLE seen AS
SELECT job, ring, ctx, number AS seqno, min(fence_id) AS fence_id,
  max(iif(type = 'submit', n, NULL)) AS submit_n,
  max(iif(type = 'submit', ts, NULL)) AS submit_ts,
  min(iif(type = 'pick', n, NULL)) AS pick_n,
  min(iif(type = 'blocked', n, NULL)) AS blocked_n,
  max(iif(type = 'submit' AND names <> fence_id, names, NULL)) AS out_fence,
  min(iif(type = 'complete', n, NULL)) AS complete_n
FROM record GROUP BY job;

CREATE TABLE signal AS SELECT n, ts, fence_id FROM event
WHERE type IN ('fence', 'complete');
CREATE INDEX signal_fence ON signal (fence_id, n);

UPDATE seen SET complete_n = min(coalesce(complete_n, out_n), out_n)
FROM (SELECT job AS out_job, min(n) AS out_n FROM seen
      JOIN signal ON signal.fence_id = out_fence AND n > submit_n GROUP BY job)
WHERE job = out_job;

-- The hand-overs of each job: the COMMITs before its COMPLETE.
CREATE TABLE hand_over AS
SELECT job, n, ts, nullif(names, record.fence_id) AS fence,
  row_number() OVER (PARTITION BY job ORDER BY n) AS number,
  count(*) OVER (PARTITION BY job) AS hand_overs
FROM record JOIN seen USING (job)
WHERE type = 'commit' AND n < coalesce(complete_n, 1 << 62);
CREATE INDEX hand_over_job ON hand_over (job, number);

-- END: the earliest of the END records and the signal of the hardware fence that
-- the last COMMIT named. A second hand-over makes void what was known before it.
-- known_n: from which record on it is known.
CREATE TABLE ended AS
SELECT job, ts, max(n, coalesce(commit_n, 0)) AS known_n,
  row_number() OVER (PARTITION BY job ORDER BY ts, n) AS place
FROM (
  SELECT job, r.n, ts, h.n AS commit_n FROM record AS r LEFT JOIN
    (SELECT job, n FROM hand_over WHERE number = hand_overs AND number > 1) AS h
    USING (job)
  WHERE type = 'end' AND r.n > coalesce(h.n, 0)
  UNION ALL
  SELECT h.job, s.n, s.ts, h.n
  FROM hand_over AS h JOIN signal AS s ON s.fence_id = h.fence
  WHERE number = hand_overs AND (s.n > h.n OR s.n > h.job AND NOT EXISTS (
    SELECT * FROM hand_over AS before
    WHERE before.job = h.job AND before.number < h.number AND before.fence = h.fence)));
CREATE INDEX ended_job ON ended (job, place);

-- START, where a record tells it: the first since the last COMMIT, or the first of
-- all if there was only one COMMIT.
CREATE TABLE started AS
SELECT job, min(r.n) AS n, ts FROM record AS r LEFT JOIN
  (SELECT job, n FROM hand_over WHERE number = hand_overs AND number > 1) AS h USING (job)
WHERE type = 'start' AND r.n > coalesce(h.n, 0) GROUP BY job;
CREATE UNIQUE INDEX started_job ON started (job);

-- All of it together. A job was handed over if it has a COMMIT, a START or an END, or a
-- PICK and its ring has told no COMMIT, or if it began before the capture and was
-- complete without an error, or with that of a hang (kinds 1 and 2, ETIME and ETIMEDOUT),
-- which only the hardware can have. complete_counts: that was so when its COMPLETE came.
CREATE TABLE known AS
WITH fact AS (
  SELECT seen.*, coalesce(complete_n, 1 << 62) AS over_n, done.ts AS complete_ts,
    first.ts AS commit_ts, last.ts AS last_commit_ts,
    coalesce(first.hand_overs, 0) AS hand_overs,
    started.ts AS told_start_ts, started.n AS start_n,
    ended.ts AS end_ts, ended.known_n AS end_n,
    hung.job IS NOT NULL OR coalesce(done.code IN (-62, -110), 0) AS is_hung,
    seen.job = complete_n AND (coalesce(done.code, 0) = 0 OR hung.job IS NOT NULL
      OR done.code IN (-62, -110)) AS began_before,
    coalesce(tells_commit < coalesce(complete_n, 1 << 62), 0) AS ring_tells_commit
  FROM seen JOIN tells USING (ring)
  LEFT JOIN event AS done ON done.n = complete_n
  LEFT JOIN hand_over AS first ON first.job = seen.job AND first.number = 1
  LEFT JOIN hand_over AS last ON last.job = seen.job AND last.number = last.hand_overs
  LEFT JOIN ended ON ended.job = seen.job AND ended.place = 1
  LEFT JOIN started ON started.job = seen.job
  LEFT JOIN (SELECT DISTINCT job FROM job_error
             WHERE kind IN (1, 2) OR code IN (-62, -110)) AS hung ON hung.job = seen.job)
SELECT fact.*, pick.ts AS pick_ts, blocked.ts AS blocked_ts,
  hand_overs > 0 OR coalesce(start_n < over_n, 0) OR coalesce(end_n < over_n, 0)
    OR pick_n < over_n AND NOT ring_tells_commit OR began_before AS complete_counts,
  hand_overs > 0 OR start_n IS NOT NULL OR end_n IS NOT NULL
    OR pick_n IS NOT NULL AND NOT ring_tells_commit OR began_before AS handed_over
FROM fact LEFT JOIN event AS pick ON pick.n = pick_n
LEFT JOIN event AS blocked ON blocked.n = blocked_n;
CREATE UNIQUE INDEX known_job ON known (job);
