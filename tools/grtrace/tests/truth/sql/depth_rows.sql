-- SPDX-License-Identifier: GPL-2.0
--
-- QUEUE DEPTH of each ring: from SUBMIT on, and on the hardware.
SELECT title, coalesce(1.0 * depth / nullif(ns, 0), 0) AS "AVG:f3", max_depth AS MAX,
  iif(is_dark, NULL, coalesce(1.0 * hardware / nullif(ns, 0), 0)) AS "HW AVG:f3",
  iif(is_dark, NULL, max_hardware) AS "HW MAX",
  iif(EXISTS (SELECT * FROM hole), '*', '') AS mark
FROM ring_time JOIN ring_title USING (ring) WHERE ring <> 0 ORDER BY ring;
