-- SPDX-License-Identifier: GPL-2.0
--
-- Stages of each ring, device, context and process, as grtrace report prints them.
-- RESET is there only where a job was handed over again. %Q2C is a stage's share of the time
-- that all jobs took from SUBMIT to COMPLETE: N times AVG of both. C2W is after that.
SELECT by, heading, stage AS ALL_, min AS "MIN:ns", avg AS "AVG:ns", max AS "MAX:ns",
  coalesce(n, 0) AS N, coalesce(p50, '') AS "p50:p", coalesce(p90, '') AS "p90:p",
  coalesce(p99, '') AS "p99:p", coalesce(p999, '') AS "p99.9:p",
  iif(coalesce(n, 0) = 0 OR stage = 'C2W', '', 100.0 * avg * n / whole.ns) AS "%Q2C:f1", mark
FROM grouped JOIN (
  SELECT 1 AS rank, 'Q2I' AS stage UNION SELECT 2, 'I2D' UNION SELECT 3, 'RESET' UNION
  SELECT 4, 'D2B' UNION SELECT 5, 'B2E' UNION SELECT 6, 'E2C' UNION SELECT 7, 'Q2C' UNION
  SELECT 8, 'C2W')
LEFT JOIN stage_row USING (by, id, stage)
LEFT JOIN (SELECT by, id, nullif(avg * n, 0) AS ns FROM stage_row WHERE stage = 'Q2C') AS whole
USING (by, id)
WHERE stage <> 'RESET' OR n > 0
ORDER BY by, grouped.place, rank;
