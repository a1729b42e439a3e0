-- SPDX-License-Identifier: GPL-2.0
-- Ten questions to a file of "grtrace export --to sqlite": sqlite3 -box game.db <queries.sql
-- With several captures in one file add capture to the GROUP BY. Where jobs were sampled,
-- weight says how many a row stands for; percentiles are those of the rows.

-- query: slowest
-- The slowest jobs of each ring
SELECT dev, ring, ctx, seqno, comm, total FROM (
  SELECT *, complete_ts - submit_ts AS total,
    row_number() OVER (PARTITION BY dev, ring
                       ORDER BY complete_ts - submit_ts DESC) AS place
  FROM job_row WHERE complete_ts >= submit_ts)
WHERE place <= 3 ORDER BY dev, ring, place;

-- query: waited
-- Which process waited for which, and how long: tasks for jobs, and jobs for fences of other jobs
SELECT wait.who, waiter.tgid AS waiter, owner.tgid AS waited_for,
  count(*) AS times, sum(wait.ns) AS ns
FROM wait
JOIN job ON job.capture = wait.capture
  AND (wait.who = 'task' AND job.ctx = wait.ctx AND job.seqno = wait.seqno
    OR wait.who = 'job' AND job.ctx = wait.fence_ctx
      AND job.seqno & 4294967295 = wait.fence_seqno)
JOIN task AS waiter ON waiter.id = wait.task
JOIN task AS owner ON owner.id = job.task
GROUP BY 1, 2, 3 ORDER BY ns DESC, 1, 2, 3;

-- query: busy
-- How busy rings were, of the time of the capture
WITH span AS (
  SELECT capture, ring, start_ts AS a, coalesce(end_ts, complete_ts) AS b
  FROM job WHERE coalesce(end_ts, complete_ts) >= start_ts),
covered AS (
  SELECT *, max(b) OVER (PARTITION BY capture, ring ORDER BY a, b
    ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS until FROM span)
SELECT device.name AS dev, ring.name AS ring,
  sum(max(0, b - max(a, coalesce(until, a)))) AS busy_ns,
  round(100.0 * sum(max(0, b - max(a, coalesce(until, a))))
        / (capture.last_ts - capture.first_ts), 2) AS busy
FROM covered JOIN ring USING (capture, ring)
JOIN device ON device.id = ring.device
JOIN capture ON capture.id = covered.capture
GROUP BY covered.capture, ring.ring ORDER BY dev, ring;

-- query: percentiles
-- Percentiles of SUBMIT to COMPLETE by process, exact
WITH ranked AS (
  SELECT tgid, complete_ts - submit_ts AS total,
    row_number() OVER (PARTITION BY tgid
                       ORDER BY complete_ts - submit_ts) AS place,
    count(*) OVER (PARTITION BY tgid) AS jobs
  FROM job_row WHERE complete_ts >= submit_ts)
SELECT tgid, jobs,
  max(iif(place = (jobs * 50 + 99) / 100, total, NULL)) AS p50,
  max(iif(place = (jobs * 99 + 99) / 100, total, NULL)) AS p99
FROM ranked GROUP BY tgid ORDER BY tgid;

-- query: depth
-- The greatest depth of each queue, and its first time
WITH step AS (
  SELECT capture, ring, submit_ts AS ts, weight AS by FROM job
  WHERE submit_ts IS NOT NULL
  UNION ALL
  SELECT capture, ring, coalesce(end_ts, complete_ts), -weight FROM job
  WHERE submit_ts IS NOT NULL AND coalesce(end_ts, complete_ts) NOT NULL),
depth AS (
  SELECT capture, ring, ts, sum(by) OVER (PARTITION BY capture, ring
    ORDER BY ts, by ROWS UNBOUNDED PRECEDING) AS depth FROM step)
SELECT device.name AS dev, ring.name AS ring, max(depth) AS depth, ts
FROM depth JOIN ring USING (capture, ring)
JOIN device ON device.id = ring.device
GROUP BY depth.capture, ring.ring ORDER BY dev, ring;

-- query: engines
-- GPU time of each process on each engine, in ns
SELECT tgid, engine, sum(weight) AS jobs, sum(t_exec * weight) AS ns
FROM job_row GROUP BY tgid, engine ORDER BY tgid, engine;

-- query: labels
-- How many jobs have which label and error
SELECT dev, ring, label, error, sum(weight) AS jobs FROM job_row
GROUP BY dev, ring, label, error ORDER BY dev, ring, label, error;

-- query: chain
-- The dependencies of the slowest job, and theirs
WITH RECURSIVE chain (level, capture, ctx, ring, seqno) AS (
  SELECT * FROM (SELECT 0, capture, ctx, ring, seqno FROM job
                 WHERE complete_ts >= submit_ts
                 ORDER BY complete_ts - submit_ts DESC, id LIMIT 1)
  UNION
  SELECT level + 1, capture, on_ctx, on_ring, on_seqno
  FROM chain JOIN dependency USING (capture, ctx, ring, seqno)
  WHERE on_ctx IS NOT NULL AND level < 1000)
SELECT level, ctx, seqno, submit_ts, complete_ts
FROM chain JOIN job USING (capture, ctx, ring, seqno)
ORDER BY level, ctx, seqno;

-- query: rate
-- Jobs that each process submitted in each tenth of a millisecond
SELECT (submit_ts - capture.start_ts) / 100000 AS slot, tgid,
  sum(weight) AS jobs
FROM job_row JOIN capture ON capture.name = job_row.capture
WHERE submit_ts IS NOT NULL
GROUP BY slot, tgid ORDER BY slot, tgid;

-- query: losses
-- Losses, and the number of jobs in flight at that time
SELECT loss.cpu, loss.first_ts, loss.last_ts, loss.records,
  (SELECT coalesce(sum(weight), 0) FROM job WHERE job.capture = loss.capture
   AND job.submit_ts <= loss.last_ts
   AND coalesce(job.complete_ts, loss.last_ts) >= loss.first_ts) AS jobs
FROM loss ORDER BY loss.first_ts, loss.last_ts;
