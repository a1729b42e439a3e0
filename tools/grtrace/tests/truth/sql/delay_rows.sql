-- SPDX-License-Identifier: GPL-2.0
--
-- The rows of the matrix: whose jobs waited, and for how long.
SELECT title, coalesce(name, '?') || ' (' || process || ')' AS VICTIM,
  sum(weight) AS JOBS, sum(weight * ns) AS "WAIT:ns", max(lost) AS lost
FROM victim JOIN ring_title USING (ring) LEFT JOIN process_name USING (process)
GROUP BY ring, process;
