-- SPDX-License-Identifier: GPL-2.0
--
-- Late wake-ups: from the COMPLETE that a task waited for until it has returned, if that is 1 ms
-- or more. Waits of a thread that overlap are one, for all of their jobs. Records that were lost,
-- a clock that went back, and a job that was over before anybody waited leave it open (is_open).
WITH told AS (
  SELECT w.*, coalesce(j.job, (SELECT max(o.job) FROM job AS o
    WHERE o.fence_id = w.fence_id AND o.job <= w.exit_n)) AS job, j.job IS NULL AS is_old
  FROM wait AS w LEFT JOIN job_wait AS j USING (exit_n)),
known AS (
  SELECT t.pid, t.exit_n, t.enter_ts, t.exit_ts, is_old, complete_n, complete_ts,
    coalesce(complete_n < exit_n AND complete_ts BETWEEN enter_ts AND exit_ts, 0) AS is_known,
    weight.weight
  FROM told AS t LEFT JOIN job USING (job) LEFT JOIN weight USING (job)),
placed AS (
  SELECT *, max(exit_ts) OVER (PARTITION BY pid ORDER BY exit_n
    ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before FROM known),
numbered AS (
  SELECT *, sum(before IS NULL OR enter_ts >= before) OVER (PARTITION BY pid ORDER BY exit_n) AS number
  FROM placed),
ranked AS (
  SELECT *, row_number() OVER (PARTITION BY pid, number ORDER BY complete_ts DESC, exit_n DESC) AS last
  FROM numbered),
whole AS (
  SELECT min(is_known) AS is_known, max(exit_ts) AS exit_ts, max(complete_ts) AS complete_ts,
    max(iif(last = 1, weight, 0)) AS weight
  FROM ranked GROUP BY pid, number)
SELECT coalesce(sum((exit_ts - complete_ts) * weight), 0) AS ns,
  EXISTS (SELECT * FROM hole) OR EXISTS (SELECT * FROM wait WHERE exit_ts < enter_ts)
    OR EXISTS (SELECT * FROM known WHERE is_old AND complete_n <
      (SELECT min(n) FROM event WHERE type IN ('dep', 'blocked', 'wait_exit'))) AS is_open
FROM whole WHERE is_known AND exit_ts - complete_ts >= 1000000;
