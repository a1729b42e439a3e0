-- SPDX-License-Identifier: GPL-2.0
--
-- The cells of the matrix, and --delays-csv. slack: where processes shared a moment,
-- a cell may be off by the rounding of each of its jobs.
WITH cell AS (
SELECT coalesce(dev, 'NA') AS dev, coalesce(ring_name, ring) AS ring, ring AS ring_id,
  v.process AS victim_tgid, CASE
    WHEN culprit = 'nobody' THEN 'nobody' WHEN culprit = '?' THEN 'unknown'
    WHEN culprit = v.process THEN 'itself' ELSE 'process' END AS kind,
  iif(culprit IN ('nobody', '?'), NULL, culprit) AS culprit_tgid,
  CAST(round(sum(delay.ns * weight)) AS INTEGER) AS ns, sum(weight * (delay.ns > 0 OR culprit = 'nobody')) AS jobs, min(v.from_ts) AS first_ts, max(v.to_ts) AS last_ts,
  CAST(round(max(delay.ns)) AS INTEGER) AS part, sum(is_shared * weight) AS slack
FROM delay JOIN victim AS v USING (job) LEFT JOIN ring_name USING (ring)
GROUP BY ring, v.process, culprit ORDER BY ring, v.process, 4, 5)
SELECT *, EXISTS (SELECT * FROM hole WHERE hole.first_ts <= cell.last_ts AND hole.last_ts >= cell.first_ts) AS touched FROM cell;
