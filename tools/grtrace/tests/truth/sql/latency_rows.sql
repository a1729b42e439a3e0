-- SPDX-License-Identifier: GPL-2.0
--
-- grtrace timeline --latency-only. A job belongs to the innermost ioctl of its own
-- thread in whose time its SUBMIT is.
WITH call AS (
  SELECT n, pid, ts, max(ts - duration, 0) AS entry, min(duration, ts) AS duration, result, driver || ' ' || ioctl AS name
  FROM event WHERE type = 'ioctl'),
submit AS (
  SELECT job, complete_ts, (
    SELECT entry FROM call WHERE call.pid = e.pid AND entry <= e.ts AND call.ts >= e.ts
    ORDER BY entry DESC, call.ts LIMIT 1) AS entry
  FROM job JOIN event AS e ON e.n = submit_n),
back AS (  -- The first task to return from a wait that lasted until the job was complete.
  SELECT job, min(exit_n) AS n, exit_ts FROM job_wait JOIN job USING (job)
  WHERE enter_ts <= complete_ts AND exit_ts >= complete_ts GROUP BY job),
run AS (  -- COMMIT, or PICK where the ring tells no COMMIT.
  SELECT job, complete_ts, coalesce(commit_ts, iif(ring_tells_commit, NULL, pick_ts)) AS run_ts
  FROM job),
value AS (
  SELECT 1 AS part, name, duration AS ns, result < 0 AS failed, 1 AS weight FROM call
  UNION ALL SELECT 2, 'all', duration, result < 0, 1 FROM call
  UNION ALL SELECT 3, 'SUBMIT to COMPLETE', total, failed, weight
    FROM figure WHERE total IS NOT NULL
  UNION ALL SELECT 4, 'run to COMPLETE', complete_ts - run_ts, failed, weight
    FROM figure JOIN run USING (job) WHERE complete_ts >= run_ts
  UNION ALL SELECT 5, 'entry to COMPLETE', complete_ts - entry, failed, weight
    FROM submit JOIN figure USING (job) WHERE complete_ts >= entry
  UNION ALL SELECT 6, 'entry to waiter back', exit_ts - entry, failed, weight
    FROM submit JOIN back USING (job) JOIN figure USING (job) WHERE exit_ts >= entry),
ranked AS (
  SELECT *, sum(weight) OVER (PARTITION BY part, name ORDER BY ns
      ROWS UNBOUNDED PRECEDING) AS up_to,
    sum(weight) OVER (PARTITION BY part, name) AS n FROM value)
SELECT part, name, n AS N, sum(failed * weight) AS FAILED, min(ns) AS "MIN:ns",
  round(1.0 * sum(ns * weight) / n) AS "AVG:ns",
  min(iif(up_to * 1000 >= n * 500, ns, NULL)) AS "p50:p",
  min(iif(up_to * 1000 >= n * 900, ns, NULL)) AS "p90:p",
  min(iif(up_to * 1000 >= n * 990, ns, NULL)) AS "p99:p", max(ns) AS "MAX:ns"
FROM ranked GROUP BY part, name
UNION ALL
SELECT part, name, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL FROM (
  SELECT 2 AS part, 'all' AS name UNION SELECT 3, 'SUBMIT to COMPLETE'
  UNION SELECT 4, 'run to COMPLETE' UNION SELECT 5, 'entry to COMPLETE'
  UNION SELECT 6, 'entry to waiter back') WHERE part NOT IN (SELECT part FROM value)
ORDER BY part, name;
