-- SPDX-License-Identifier: GPL-2.0
--
-- The waits of tasks: from SYNC_WAIT_ENTER to the SYNC_WAIT_EXIT of the same thread
-- for the same fence that follows it.
CREATE TABLE wait AS
SELECT * FROM (
  SELECT n AS exit_n, ts AS exit_ts, pid, tgid, fence_id, type, weight,
    lag(type) OVER f AS before, lag(n) OVER f AS enter_n, lag(ts) OVER f AS enter_ts
  FROM event WHERE type IN ('wait_enter', 'wait_exit')
  WINDOW f AS (PARTITION BY pid, fence_id ORDER BY n))
WHERE type = 'wait_exit' AND before = 'wait_enter';

-- The job that each was for, by its key or the out fence of its SUBMIT: the newest
-- that is remembered. That is until 100 ms after its COMPLETE, or until 1024 others
-- are complete.
CREATE TABLE job_wait AS
WITH completed AS (
  SELECT job, row_number() OVER (ORDER BY complete_n) AS place
  FROM job WHERE complete_n IS NOT NULL),
fence AS (
  SELECT job, fence_id FROM job UNION SELECT job, out_fence FROM job WHERE out_fence NOT NULL)
SELECT wait.*, max(fence.job) AS job FROM wait JOIN fence USING (fence_id) JOIN job USING (job)
LEFT JOIN completed USING (job)
WHERE fence.job <= exit_n AND (complete_n IS NULL OR complete_n > exit_n
  OR exit_ts <= complete_ts + 100000000 AND place + 1024 >
    (SELECT count(*) FROM job AS o WHERE o.complete_n < exit_n))
GROUP BY exit_n;

CREATE TABLE waited AS
SELECT job, count(*) AS waits, sum(max(exit_ts - enter_ts, 0)) AS ns
FROM job_wait GROUP BY job;
CREATE UNIQUE INDEX waited_job ON waited (job);
