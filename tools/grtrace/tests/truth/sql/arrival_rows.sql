-- SPDX-License-Identifier: GPL-2.0
--
-- Q2Q of each ring: from the SUBMIT of a job, in the order of the records, to that of the next
-- one. Of a job that stands for several, it is not known.
WITH arrival AS (
  SELECT ring, submit_ts - lag(submit_ts) OVER (PARTITION BY ring ORDER BY submit_n) AS ns, weight
  FROM job JOIN weight USING (job) WHERE submit_n = job),
value AS (
  SELECT ring, ns, row_number() OVER (PARTITION BY ring ORDER BY ns) AS up_to,
    count(*) OVER (PARTITION BY ring) AS n
  FROM arrival WHERE ns >= 0 AND weight = 1),
row AS (
  SELECT ring, max(n) AS n, min(ns) AS min, round(1.0 * sum(ns) / max(n)) AS avg, max(ns) AS max,
    min(iif(up_to * 1000 >= n * 500, ns, NULL)) AS p50,
    min(iif(up_to * 1000 >= n * 900, ns, NULL)) AS p90,
    min(iif(up_to * 1000 >= n * 990, ns, NULL)) AS p99,
    min(iif(up_to * 1000 >= n * 999, ns, NULL)) AS p999
  FROM value GROUP BY ring)
SELECT title, coalesce(n, 0) AS N, min AS "MIN:ns", avg AS "AVG:ns", max AS "MAX:ns",
  p50 AS "p50:p", p90 AS "p90:p", p99 AS "p99:p", p999 AS "p99.9:p",
  iif(EXISTS (SELECT * FROM hole), '*', '') AS mark
FROM ring_time JOIN ring_title USING (ring) LEFT JOIN row USING (ring)
WHERE ring <> 0 ORDER BY ring;
