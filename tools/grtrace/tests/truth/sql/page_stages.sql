-- SPDX-License-Identifier: GPL-2.0
--
-- The page, and grtrace diff: stages of each ring, and of all together, in ns.
SELECT stage_row.id, coalesce(title, 'all rings') AS title, stage, n, min,
  CAST(avg AS INTEGER) AS avg, max, p50, p90, p99, p999
FROM stage_row LEFT JOIN ring_title ON by = 'ring' AND id = ring
WHERE by IN ('ring', 'all');
