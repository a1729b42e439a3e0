-- SPDX-License-Identifier: GPL-2.0
--
-- How a job is shown in lists. blocked_by: the fence that blocked it last, and whose that
-- is. errors: the kinds that it had and its code, as numbers. guilty: the task that its first
-- ERROR with one blames, by the ERROR's name for it or its own.
CREATE TABLE shown AS
SELECT known.job, ctx || ':' || seqno AS key, submit_ts, coalesce(comm, '?') AS comm,
  CASE WHEN known.ring = 0 THEN '-' ELSE coalesce(ring_name.ring_name, 'ring ' || known.ring) END AS ring,
  iif(lost, '*', '') AS mark,
  iif(failed,
    coalesce((SELECT group_concat(kind) FROM (SELECT DISTINCT kind FROM job_error
      WHERE job_error.job = known.job ORDER BY kind)), '') || ';' || error,
    '') AS errors,
  (SELECT coalesce(e.guilty_comm, (SELECT task.comm FROM event AS task
     WHERE task.type = 'task' AND task.pid = e.guilty_pid ORDER BY task.n DESC LIMIT 1), '?')
     || ':' || e.guilty_pid
   FROM job_error JOIN event AS e USING (n)
   WHERE job_error.job = known.job AND e.guilty_pid IS NOT NULL ORDER BY e.n LIMIT 1) AS guilty,
  (SELECT r.names || coalesce(' of ' || o.comm, '')
   FROM record AS r LEFT JOIN blocked AS b ON b.job = r.job AND b.from_ts = r.ts
   LEFT JOIN process AS o ON o.job = b.owner
   WHERE r.job = known.job AND r.type = 'blocked' ORDER BY r.n DESC LIMIT 1) AS blocked_by
FROM known JOIN span USING (job) JOIN result USING (job)
LEFT JOIN ring_name ON ring_name.ring = known.ring
LEFT JOIN process ON process.job = known.job;
CREATE UNIQUE INDEX shown_job ON shown (job);
