-- SPDX-License-Identifier: GPL-2.0
--
-- The idle gaps: from one busy time of a ring to the next (or the end of the capture).
-- A gap holds jobs up for as long as one of them was there. It is ended by the job that
-- begins then, or that leaves the ring then, if nothing was known of the ring before.
WITH numbered AS (
  SELECT *, sum(state = 'busy') OVER (PARTITION BY ring ORDER BY from_ts) AS gap FROM segment),
gap AS (
  SELECT ring, gap, min(from_ts) AS from_ts, max(to_ts) AS to_ts
  FROM numbered WHERE state <> 'busy' GROUP BY ring, gap),
cause AS (
  SELECT ring, gap, state, sum(to_ts - from_ts) AS ns,
    state NOT IN ('no work', 'not known') AS holds
  FROM numbered WHERE state <> 'busy' GROUP BY ring, gap, state),
greatest AS (
  SELECT *, sum(iif(holds, ns, 0)) OVER g AS held_up,
    row_number() OVER (g ORDER BY holds DESC, ns DESC) AS place
  FROM cause WINDOW g AS (PARTITION BY ring, gap))
SELECT held_up AS "HELD UP:ns", gap.to_ts - gap.from_ts AS "IDLE:ns", iif(gap.from_ts >= start_ts, gap.from_ts - start_ts, NULL) AS "AT:ns",
  title AS RING, state AS CAUSE, 100.0 * greatest.ns / (gap.to_ts - gap.from_ts) AS "SHARE:f1",
  coalesce((SELECT key || ' of ' || comm FROM executed AS x JOIN shown USING (job)
    WHERE x.ring = gap.ring AND gap.to_ts IN (x.from_ts, iif(u.to_ts IS NULL, -1, x.to_ts))
      AND x.to_ts >= gap.to_ts AND gap.to_ts < capture.last_ts
    ORDER BY x.from_ts DESC, x.job LIMIT 1),
    'the end of the capture') AS "ENDED BY",
  iif(EXISTS (SELECT * FROM hole WHERE first_ts <= gap.to_ts AND last_ts >= gap.from_ts), '*', '') AS mark
FROM greatest JOIN gap USING (ring, gap) JOIN ring_title USING (ring)
JOIN ring_time USING (ring) JOIN capture
LEFT JOIN (SELECT DISTINCT ring, to_ts FROM unknown) AS u
  ON u.ring = gap.ring AND u.to_ts = gap.to_ts AND u.to_ts < capture.last_ts
WHERE place = 1 AND held_up > 0 AND NOT is_dark AND gap.ring <> 0 ORDER BY held_up DESC, gap.to_ts - gap.from_ts DESC, gap.from_ts;
