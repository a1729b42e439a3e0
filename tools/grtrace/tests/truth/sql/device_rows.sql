-- SPDX-License-Identifier: GPL-2.0
--
-- DEVICE: the time in which any of its rings is busy; not known if that is so of one. Rings
-- whose jobs the CPU executes do not count.
WITH edge AS (
  SELECT dev, from_ts AS ts, 1 AS by FROM segment JOIN ring_title USING (ring)
  WHERE state = 'busy' AND ring NOT IN (SELECT ring FROM cpu_ring)
  UNION ALL
  SELECT dev, to_ts, -1 FROM segment JOIN ring_title USING (ring)
  WHERE state = 'busy' AND ring NOT IN (SELECT ring FROM cpu_ring)),
level AS (
  SELECT dev, lead(ts) OVER d - ts AS ns, sum(sum(by)) OVER d AS busy
  FROM edge GROUP BY dev, ts WINDOW d AS (PARTITION BY dev ORDER BY ts)),
time AS (SELECT dev, sum(iif(busy > 0, ns, 0)) AS together FROM level GROUP BY dev)
SELECT dev, iif(max(is_dark), NULL, 100.0 * coalesce(together, 0) / nullif(ring_time.ns, 0)) AS "BUSY %:f2",
  iif(max(is_dark), NULL, coalesce(together, 0)) AS "BUSY:ns",
  iif(EXISTS (SELECT * FROM hole), '*', '') AS mark
FROM ring_time JOIN ring_title USING (ring) JOIN device USING (dev) LEFT JOIN time USING (dev)
WHERE ring NOT IN (SELECT ring FROM cpu_ring)
GROUP BY dev ORDER BY number;
