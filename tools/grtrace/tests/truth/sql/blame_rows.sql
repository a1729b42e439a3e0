-- SPDX-License-Identifier: GPL-2.0
--
-- Top N by cause of their delay: for each label what it blames. Of a failed job that is the
-- longest of queue, execution and host.
WITH part AS (
  SELECT job, 'blocked' AS part, blocked AS ns FROM figure
    WHERE label = 'blocked by a dependency' AND blocked IS NOT NULL
  UNION ALL SELECT job, 'queue', queue FROM figure
    WHERE label IN ('long queue', 'failed') AND queue IS NOT NULL
  UNION ALL SELECT job, 'exec', exec FROM figure
    WHERE label IN ('slow execution', 'ok or slow execution', 'preempted', 'failed') AND exec IS NOT NULL
  UNION ALL SELECT job, 'host', host FROM figure
    WHERE label IN ('host-bound', 'failed') AND host IS NOT NULL),
longest AS (SELECT job, part, max(ns) AS ns FROM part GROUP BY job)
SELECT label, ns AS "BLAMED:ns", CASE label WHEN 'blocked by a dependency' THEN 'blocked'
    WHEN 'long queue' THEN 'queue' WHEN 'host-bound' THEN 'host'
    WHEN 'failed' THEN coalesce(part, '-') ELSE 'exec' END AS PART,
  100.0 * ns / nullif(f.total, 0) AS "%:f1", f.total AS "TOTAL:ns",
  iif(submit_ts >= start_ts, submit_ts - start_ts, NULL) AS "AT:ns",
  ring AS RING, comm AS COMM, key AS "CTX:SEQNO", mark, errors, guilty, blocked_by, weight,
  (SELECT i2d FROM job WHERE job.job = f.job) AS I2D,
  (SELECT e2c FROM job WHERE job.job = f.job) AS E2C
FROM figure AS f JOIN shown USING (job) LEFT JOIN longest USING (job) JOIN capture
WHERE label NOT IN ('ok', 'incomplete')
ORDER BY label, ns DESC, f.job;
