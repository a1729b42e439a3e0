-- SPDX-License-Identifier: GPL-2.0
--
-- The rows of the matrix: whose jobs waited, and for how long.
SELECT ring, title, process, coalesce(name, '?') || ' (' || process || ')' AS VICTIM,
  sum(weight) AS JOBS, sum(weight * ns) AS "WAIT:ns", iif(max(lost), '*', '') AS mark
FROM victim JOIN ring_title USING (ring) LEFT JOIN process_name USING (process)
WHERE ring <> 0 GROUP BY ring, process ORDER BY ring, sum(weight * ns) DESC, process;
