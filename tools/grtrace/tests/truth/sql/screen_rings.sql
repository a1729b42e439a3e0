-- SPDX-License-Identifier: GPL-2.0
--
-- The first screen: how much of the capture each ring was busy. Where records were lost
-- it may have been more, and below one in a thousand nothing is known.
SELECT title, CASE WHEN is_dark OR ns = 0 OR (lossy AND busy < ns / 1000) THEN NULL
  ELSE 100.0 * busy / ns END AS share, lossy
FROM ring_time JOIN ring_title USING (ring), (SELECT EXISTS (SELECT * FROM hole) AS lossy)
ORDER BY ring;
