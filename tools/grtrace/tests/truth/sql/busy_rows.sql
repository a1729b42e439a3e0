-- SPDX-License-Identifier: GPL-2.0
--
-- BUSY AND IDLE of each ring.
SELECT title, iif(is_dark, NULL, 100.0 * busy / nullif(ns, 0)) AS "BUSY %:f2",
  iif(is_dark, NULL, busy) AS "BUSY:ns", host AS "HOST:ns", scheduler AS "SCHEDULER:ns",
  other AS "OTHER PROC:ns", depend AS "DEPEND:ns", no_work AS "NO WORK:ns",
  not_known AS "NOT KNOWN:ns", iif(EXISTS (SELECT * FROM hole), '*', '') AS mark
FROM ring_time JOIN ring_title USING (ring) WHERE ring <> 0 ORDER BY ring;
