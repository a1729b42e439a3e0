-- SPDX-License-Identifier: GPL-2.0
--
-- How deep the queue of each ring was, and when: --depth-csv has the greatest of each interval.
SELECT title, from_ts, to_ts, depth FROM segment JOIN ring_title USING (ring)
WHERE ring <> 0 AND NOT EXISTS (SELECT * FROM hole) ORDER BY ring, from_ts;
