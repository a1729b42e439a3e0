-- SPDX-License-Identifier: GPL-2.0
--
-- The page: how long each ring was busy.
SELECT title || iif(ring IN (SELECT ring FROM cpu_ring), ' (jobs of the CPU)', '') AS title,
  iif(is_dark, NULL, busy) AS busy
FROM ring_time JOIN ring_title USING (ring);
