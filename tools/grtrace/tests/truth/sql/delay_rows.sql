-- SPDX-License-Identifier: GPL-2.0
--
-- The rows of the matrix: whose jobs waited, and for how long.
WITH one AS (
  SELECT ring, process, sum(weight) AS jobs, sum(weight * ns) AS ns, min(from_ts) AS first_ts,
    max(to_ts) AS last_ts
  FROM victim WHERE ring <> 0 GROUP BY ring, process)
SELECT ring, title, process, coalesce(name, '?') || ' (' || process || ')' AS VICTIM, jobs AS JOBS,
  ns AS "WAIT:ns", iif(EXISTS (SELECT * FROM hole WHERE hole.first_ts <= one.last_ts
    AND hole.last_ts >= one.first_ts), '*', '') AS mark
FROM one JOIN ring_title USING (ring) LEFT JOIN process_name USING (process)
ORDER BY ring, ns DESC, process;
