-- SPDX-License-Identifier: GPL-2.0
--
-- What must hold whatever the numbers are. A row is a mistake of these files.
SELECT 'stages do not add up to the total' AS what, job AS at FROM job
WHERE q2i + i2d + coalesce(reset, 0) + d2b + exec + e2c <> total
UNION ALL
SELECT 'a ring is busy for more than 100 %', ring FROM ring_time WHERE busy > ns
UNION ALL
SELECT 'states do not add up to the capture', ring FROM ring_time JOIN capture
WHERE ns <> last_ts - first_ts
  OR ns <> busy + host + scheduler + other + depend + no_work + not_known
UNION ALL
SELECT 'delays do not add up to the wait', job FROM victim
WHERE abs(ns - (SELECT sum(ns) FROM delay WHERE delay.job = victim.job)) > 0.01
UNION ALL
SELECT 'a depth is below 0', ring FROM segment WHERE depth < 0 OR hardware < 0;
