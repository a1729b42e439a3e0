-- SPDX-License-Identifier: GPL-2.0
--
-- Who delayed whom: the time from SUBMIT to START of each job that left its ring, by
-- the processes that are charged with it.
CREATE TABLE victim AS
SELECT job, ring, submit_ts AS from_ts, start_ts AS to_ts, queue AS ns, process, weight,
  EXISTS (SELECT * FROM hole WHERE hole.first_ts <= start_ts AND hole.last_ts >= submit_ts) AS lost
FROM job JOIN process USING (job) JOIN weight USING (job)
WHERE queue IS NOT NULL AND left_ts IS NOT NULL;
CREATE UNIQUE INDEX victim_job ON victim (job);

-- While it was blocked: the process that owns the fence, '?' if nobody knows it. Where
-- two fences block at once, the one that did so first. Where records were lost in that
-- time, nobody knows until when it did.
CREATE TABLE blocked_part AS
WITH span AS (
  SELECT v.job, max(h.from_ts, v.from_ts) AS from_ts, min(h.to_ts, v.to_ts) AS to_ts,
    coalesce(p.process, '?') AS culprit, h.owner AS by
  FROM victim AS v JOIN held AS h USING (job) LEFT JOIN process AS p ON p.job = h.owner
  WHERE h.from_ts < v.to_ts AND h.to_ts > v.from_ts AND NOT h.lost),
covered AS (
  SELECT *, coalesce(max(to_ts) OVER (PARTITION BY job ORDER BY from_ts, to_ts
    ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS until FROM span)
SELECT job, max(from_ts, until) AS from_ts, to_ts, culprit, by FROM covered WHERE to_ts > until;
CREATE INDEX blocked_part_job ON blocked_part (job, from_ts);

-- In the rest: what executed on the ring and had left it when this job started.
CREATE TABLE rival AS
SELECT v.job, e.job AS by, max(e.from_ts, v.from_ts) AS from_ts,
  min(e.to_ts, v.to_ts) AS to_ts, coalesce(p.process, '?') AS culprit, w.weight
FROM victim AS v JOIN executed AS e USING (ring)
JOIN stay ON stay.job = e.job LEFT JOIN process AS p ON p.job = e.job
JOIN weight AS w ON w.job = e.job
WHERE e.job <> v.job AND e.from_ts < v.to_ts AND e.to_ts > v.from_ts
  AND stay.left_ts <= v.to_ts;
CREATE INDEX rival_job ON rival (job, from_ts);

-- Moment by moment, the processes that executed share the time equally. One job of
-- N stands for N; more than the room there is cannot be.
CREATE TABLE executed_part AS
WITH edge AS (
  SELECT job, from_ts AS ts FROM rival UNION SELECT job, to_ts FROM rival
  UNION SELECT job, from_ts FROM blocked_part UNION SELECT job, to_ts FROM blocked_part),
moment AS (
  SELECT job, ts AS from_ts, lead(ts) OVER (PARTITION BY job ORDER BY ts) AS to_ts FROM edge),
idle AS (
  SELECT * FROM moment AS m WHERE to_ts > from_ts AND NOT EXISTS (
    SELECT * FROM blocked_part AS b WHERE b.job = m.job
      AND b.from_ts <= m.from_ts AND b.to_ts >= m.to_ts)),
share AS (
  SELECT m.job, m.from_ts, culprit, m.to_ts - m.from_ts AS ns, max(weight) AS weight
  FROM idle AS m JOIN rival AS r ON r.job = m.job
    AND r.from_ts <= m.from_ts AND r.to_ts >= m.to_ts
  GROUP BY m.job, m.from_ts, culprit),
split AS (
  SELECT *, 1.0 * weight * ns / count(*) OVER (PARTITION BY job, from_ts) AS part,
    count(*) OVER (PARTITION BY job, from_ts) > 1 OR weight > 1 AS is_shared FROM share)
SELECT job, culprit, sum(part) AS part, max(is_shared) AS is_shared FROM split GROUP BY job, culprit;

CREATE TABLE delay AS
WITH room AS (
  SELECT v.job, v.ns - coalesce((SELECT sum(to_ts - from_ts) FROM blocked_part AS b
                                 WHERE b.job = v.job), 0) AS ns,
    (SELECT sum(part) FROM executed_part AS e WHERE e.job = v.job) AS told
  FROM victim AS v),
part AS (
  SELECT job, culprit, 1.0 * (to_ts - from_ts) AS ns, 0 AS is_shared FROM blocked_part
  UNION ALL
  SELECT job, culprit, iif(told > room.ns, part * room.ns / told, part),
    max(is_shared) OVER (PARTITION BY job) FROM executed_part JOIN room USING (job))
SELECT job, culprit, sum(ns) AS ns, max(is_shared) AS is_shared FROM part GROUP BY job, culprit
UNION ALL
SELECT job, 'nobody', room.ns - min(coalesce(told, 0), room.ns),
  job IN (SELECT job FROM executed_part WHERE is_shared) FROM room;
