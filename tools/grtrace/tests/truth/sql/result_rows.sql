-- SPDX-License-Identifier: GPL-2.0
--
-- grtrace report --hist result: jobs by the error of their COMPLETE, and by each kind of
-- ERROR that they had.
WITH jobs AS (
  SELECT job, figure.weight, complete_n IS NOT NULL AS is_complete, coalesce(code, 0) AS code
  FROM figure JOIN known USING (job) LEFT JOIN event ON n = complete_n)
SELECT 'complete' AS part, iif(is_complete, code, NULL) AS code, sum(weight) AS jobs,
  100.0 * sum(weight) / (SELECT sum(weight) FROM jobs) AS share
FROM jobs GROUP BY 2
UNION ALL
SELECT 'error', kind, sum(weight), 100.0 * sum(weight) / (SELECT sum(weight) FROM jobs)
FROM (SELECT DISTINCT job, min(kind, 7) AS kind FROM job_error)
JOIN jobs USING (job) GROUP BY kind;
