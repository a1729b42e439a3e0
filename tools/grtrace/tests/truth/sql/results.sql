-- SPDX-License-Identifier: GPL-2.0
--
-- How each job ended, what it stands for, and who submitted it.

-- error: the first code of its ERRORs and its COMPLETE that is not 0.
CREATE TABLE result AS
WITH told AS (
  SELECT job, n, kind, code, 'error' AS type FROM job_error
  UNION ALL
  SELECT job, n, NULL, coalesce(code, 0), 'complete' FROM job JOIN event ON n = complete_n),
switched AS (  -- The ring left the job that was there: the one that is named, or,
               -- where only its context is, the last that began. arg 1: before its
               -- end, 2: after it, 0: as its START and its END say.
  SELECT DISTINCT job FROM job JOIN event AS e USING (ring)
  WHERE e.type = 'ctx_switch'
    AND (e.arg = 0 AND e.ts >= told_start_ts AND e.ts < coalesce(left_ts, 1 << 62)
      OR e.arg = 1 AND e.n > job.job
        AND e.n < min(coalesce(end_n, 1 << 62), coalesce(complete_n, 1 << 62)))
    AND (e.names = job.fence_id OR e.names = job.ctx || ':0' AND start_n = (
      SELECT max(start_n) FROM known WHERE known.ring = e.ring AND start_n < e.n))),
tells_preempted AS (
  SELECT ring, min(n) AS n FROM event JOIN tells USING (ring)
  WHERE type = 'ctx_switch' AND (arg <> 0 OR n > tells_start) GROUP BY ring)
SELECT job.job,
  coalesce((SELECT code FROM told WHERE told.job = job.job AND code <> 0 ORDER BY n LIMIT 1), 0)
    AS error,
  EXISTS (SELECT * FROM told WHERE told.job = job.job AND code <> 0) AS failed,
  CASE WHEN job.job IN switched THEN 1
       WHEN (SELECT n FROM tells_preempted WHERE tells_preempted.ring = job.ring)
         < max(coalesce(end_n, 0), coalesce(complete_n, 0)) THEN 0 END AS preempted,
  (SELECT count(*) FROM record WHERE record.job = job.job AND type = 'complete')
    + (SELECT count(*) FROM signal WHERE signal.fence_id = out_fence AND n > submit_n) AS completes
FROM job;
CREATE UNIQUE INDEX result_job ON result (job);

-- weight: that of its first record.
CREATE TABLE weight AS SELECT job, weight FROM job JOIN event ON n = job;
CREATE UNIQUE INDEX weight_job ON weight (job);
