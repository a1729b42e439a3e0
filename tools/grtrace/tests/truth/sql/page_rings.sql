-- SPDX-License-Identifier: GPL-2.0
--
-- The page: how long each ring was busy.
SELECT title, iif(is_dark, NULL, busy) AS busy FROM ring_time JOIN ring_title USING (ring);
