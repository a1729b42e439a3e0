-- SPDX-License-Identifier: GPL-2.0
--
-- Names of rings: the last record about a ring counts. And what the records of a job
-- were marked with.
CREATE TABLE ring_name AS
SELECT ring, max(n) AS named_n, ring_name, dev, engine, driver FROM event
WHERE ring <> 0 GROUP BY ring;

CREATE TABLE flags AS
SELECT job, max(flags & 3 = 3) AS inferred, max(flags & 16 > 0) AS slow_queue,
  max(flags & 32 > 0) AS slow_exec
FROM (
  SELECT job, flags FROM record
  UNION ALL
  SELECT job, flags FROM job JOIN ended USING (job) JOIN event ON n = known_n AND place = 1)
GROUP BY job;
CREATE UNIQUE INDEX flags_job ON flags (job);
