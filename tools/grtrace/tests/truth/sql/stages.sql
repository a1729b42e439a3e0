-- SPDX-License-Identifier: GPL-2.0
--
-- The stages of each ring, device, context and process. C2W is from COMPLETE to each
-- task that waited for it being back.
CREATE TABLE stage AS
SELECT job, 1 AS place, 'Q2I' AS stage, q2i AS ns FROM job WHERE q2i IS NOT NULL
UNION ALL SELECT job, 2, 'I2D', i2d FROM job WHERE i2d IS NOT NULL
UNION ALL SELECT job, 3, 'RESET', reset FROM job WHERE reset IS NOT NULL
UNION ALL SELECT job, 4, 'D2B', d2b FROM job WHERE d2b IS NOT NULL
UNION ALL SELECT job, 5, 'B2E', exec FROM job WHERE exec IS NOT NULL
UNION ALL SELECT job, 6, 'E2C', e2c FROM job WHERE e2c IS NOT NULL
UNION ALL SELECT job, 7, 'Q2C', total FROM job WHERE total IS NOT NULL
UNION ALL SELECT job, 8, 'C2W', exit_ts - complete_ts FROM job_wait JOIN job USING (job)
WHERE enter_n < complete_n AND exit_n > complete_n AND exit_ts >= complete_ts;
CREATE INDEX stage_job ON stage (job);

-- A percentile is the least time that so many of all do not exceed.
CREATE TABLE stage_row AS
WITH value AS (
  SELECT by, id, place, stage, ns, weight,
    sum(weight) OVER (PARTITION BY by, id, stage ORDER BY ns
                      ROWS UNBOUNDED PRECEDING) AS up_to,
    sum(weight) OVER (PARTITION BY by, id, stage) AS n
  FROM (SELECT by, id, job FROM member UNION ALL SELECT 'all', '', job FROM job)
  JOIN stage USING (job) JOIN weight USING (job))
SELECT by, id, stage, min(ns) AS min, round(1.0 * sum(ns * weight) / n) AS avg, max(ns) AS max, n,
  min(iif(up_to * 1000 >= n * 500, ns, NULL)) AS p50,
  min(iif(up_to * 1000 >= n * 900, ns, NULL)) AS p90,
  min(iif(up_to * 1000 >= n * 990, ns, NULL)) AS p99,
  min(iif(up_to * 1000 >= n * 999, ns, NULL)) AS p999
FROM value GROUP BY by, id, stage;
CREATE INDEX stage_row_id ON stage_row (by, id, stage);
