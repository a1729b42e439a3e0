-- SPDX-License-Identifier: GPL-2.0
--
-- What tables add up: one row for each job.

-- cut: the sampling changed before its end, or before its first record, and the rest of
-- it may be missing on purpose.
CREATE TABLE figure AS
SELECT job.job, weight.weight, failed, error, label, queue, exec, total,
  host,
  max(pick_ts - blocked_ts, 0) AS blocked, is_inferred OR flags.inferred AS is_inferred,
  lost, submit_n IS NULL AS began_before, end_ts IS NULL AND complete_ts IS NULL AS is_open,
  EXISTS (SELECT * FROM event WHERE type = 'sample' AND iif(n > job.job,
    end_ts IS NULL AND complete_ts IS NULL, submit_n IS NULL)) AS cut,
  iif(waits > 0 OR pick_ts >= blocked_ts,
      coalesce(waited.ns, 0) + coalesce(max(pick_ts - blocked_ts, 0), 0), NULL) AS t_gpu_wait,
  slow_queue, slow_exec
FROM job JOIN weight USING (job) JOIN result USING (job) JOIN label USING (job)
JOIN flags USING (job) LEFT JOIN waited USING (job);
CREATE UNIQUE INDEX figure_job ON figure (job);
