-- SPDX-License-Identifier: GPL-2.0
--
-- grparse -s -t: what each process queued, and what became of its jobs. WAITS and WAIT
-- are of the waits that its tasks made. A time is in whole us, NA if no job has it; a
-- process without jobs executed nothing.
WITH did AS (
  SELECT coalesce(tgid, pid) AS process, sum(weight * (type = 'submit')) AS queued
  FROM event WHERE weight IS NOT NULL AND coalesce(flags, 0) & 12 = 0 GROUP BY 1),
waited AS (
  SELECT coalesce(tgid, pid) AS process, sum(weight) AS waits,
    sum(weight * max(exit_ts - enter_ts, 0)) AS ns FROM wait GROUP BY 1),
owned AS (
  SELECT process, sum(weight * NOT is_open) AS completed, sum(weight * failed) AS failed,
    sum(weight * figure.exec) AS exec, sum(weight * figure.queue) AS queue,
    sum(weight * submit_host) / sum(iif(submit_host IS NULL, 0, weight)) AS q2d,
    max(submit_host) AS q2d_max
  FROM figure JOIN process USING (job) JOIN job USING (job) GROUP BY process)
SELECT process, coalesce(queued, 0) AS QUEUED, coalesce(completed, 0) AS COMPLETED, coalesce(waits, 0) AS WAITS,
  coalesce(failed, 0) AS FAILED, iif(owned.process IS NULL, 0, exec) AS exec,
  coalesce(waited.ns, 0) AS wait, iif(owned.process IS NULL, 0, queue) AS queue
FROM (SELECT process FROM did UNION SELECT process FROM waited UNION SELECT process FROM owned)
LEFT JOIN did USING (process) LEFT JOIN waited USING (process) LEFT JOIN owned USING (process) ORDER BY process;
