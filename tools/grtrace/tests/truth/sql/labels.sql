-- SPDX-License-Identifier: GPL-2.0
--
-- Why each job took its time. may_be_slow and is_slow: with the percentile of the
-- histogram, which is up to 3 % high, and exactly.
--
-- Jobs come in the order in which they were over: by their COMPLETE, or by their END where
-- nothing but their own key can signal; last those of which neither is known.
CREATE TABLE handed_out AS
SELECT job, ring, exec, weight, row_number() OVER (ORDER BY min(
  coalesce(complete_n, 1 << 62), iif(out_fence IS NULL AND NOT EXISTS (
    SELECT * FROM hand_over AS h WHERE h.job = job.job AND fence IS NOT NULL),
    coalesce(end_n, 1 << 62), 1 << 62)), job) AS place
FROM job JOIN weight USING (job);
CREATE INDEX handed_out_ring ON handed_out (ring, place);

-- The 90th percentile of EXEC of all jobs of the ring before, from 20 recorded ones on.
CREATE TABLE usual AS
WITH long AS (SELECT * FROM handed_out WHERE exec > (SELECT auto_slow_ns FROM threshold)),
before AS (
  SELECT long.job, o.exec,
    sum(o.weight) OVER (PARTITION BY long.job ORDER BY o.exec) AS up_to,
    sum(o.weight) OVER (PARTITION BY long.job) AS weight,
    count(*) OVER (PARTITION BY long.job) AS jobs
  FROM long JOIN handed_out AS o ON o.ring = long.ring AND o.place < long.place
    AND o.exec IS NOT NULL)
SELECT job, min(exec) AS p90 FROM before
WHERE up_to * 10 >= weight * 9 AND jobs >= 20 GROUP BY job;

-- NULL: nothing is known to be wrong, but no record can have one of its ends.
CREATE TABLE label AS
SELECT job, iif(label = 'ok' AND lacks_an_end, NULL, label) AS label FROM (
SELECT job.job, no_completions AND complete_ts IS NULL
    OR no_submissions AND submit_ts IS NULL AS lacks_an_end, CASE
  WHEN failed THEN 'failed'
  WHEN end_ts IS NULL AND complete_ts IS NULL THEN 'incomplete'
  WHEN pick_ts - blocked_ts > blocked_ns AND 100 * (pick_ts - blocked_ts) > share * total
    THEN 'blocked by a dependency'
  WHEN preempted THEN 'preempted'
  WHEN host > host_ns AND 100 * host > share * total THEN 'host-bound'
  WHEN queue > long_queue_ns AND 100 * queue > share * total THEN 'long queue'
  WHEN slow_ns IS NOT NULL THEN iif(exec > slow_ns, 'slow execution', 'ok')
  WHEN 2 * exec > 3 * p90 AND exec > auto_slow_ns
    THEN iif(2000 * exec > 3 * 1032 * p90, 'slow execution', 'ok or slow execution')
  ELSE 'ok' END AS label
FROM job JOIN threshold LEFT JOIN usual USING (job)
JOIN result USING (job));
CREATE UNIQUE INDEX label_job ON label (job);
