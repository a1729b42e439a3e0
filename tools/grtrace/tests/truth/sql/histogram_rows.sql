-- SPDX-License-Identifier: GPL-2.0
--
-- grtrace report --hist lat, queue, exec (us) and size (credits): jobs by the power of
-- two that is not above them. low is NULL where it is not known.
WITH RECURSIVE power (low, high) AS (
  SELECT 0, 1 UNION ALL SELECT high, 2 * high FROM power WHERE high < 1 << 61),
value AS (
  SELECT 'lat' AS what, total / 1000 AS value, weight FROM figure
  UNION ALL SELECT 'queue', queue / 1000, weight FROM figure
  UNION ALL SELECT 'exec', exec / 1000, weight FROM figure
  UNION ALL
  SELECT 'size', nullif(arg, 0), figure.weight
  FROM figure JOIN known USING (job) LEFT JOIN event ON n = pick_n)
SELECT what, low, high, sum(weight) AS jobs,
  100.0 * sum(weight) / (SELECT sum(weight) FROM value AS all_of
    WHERE all_of.what = value.what AND all_of.value IS NOT NULL) AS share
FROM value LEFT JOIN power ON value >= low AND value < high
GROUP BY what, low ORDER BY what, low;
