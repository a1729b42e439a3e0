-- SPDX-License-Identifier: GPL-2.0
--
-- What jobs are grouped by: their ring, device, context, and process.

CREATE TABLE ring_title AS
SELECT ring, CASE WHEN dev IS NOT NULL THEN dev || ' ' || ring_name
  WHEN ring = 0 THEN 'no ring' ELSE 'ring ' || ring END AS title, engine, dev
FROM (SELECT ring FROM job UNION SELECT ring FROM ring_name) LEFT JOIN ring_name USING (ring);
CREATE UNIQUE INDEX ring_title_ring ON ring_title (ring);

-- Devices are numbered as their rings are.
CREATE TABLE device AS
SELECT dev, row_number() OVER (ORDER BY min(ring)) - 1 AS number
FROM ring_name WHERE dev IS NOT NULL GROUP BY dev;

-- A process is called as its leader, or, where no record names that, as the first with a
-- job of those threads that are named.
CREATE TABLE process_name AS
WITH first AS (
  SELECT process, coalesce(min(iif(comm IS NOT NULL, job, NULL)), min(job)) AS job
  FROM process GROUP BY process)
SELECT process, coalesce(
    (SELECT comm FROM event AS e WHERE e.type = 'task' AND e.pid = process AND e.tgid = process
     ORDER BY n DESC LIMIT 1),
    first_of.comm, '?') AS name
FROM first JOIN process AS first_of USING (job, process);
CREATE UNIQUE INDEX process_name_process ON process_name (process);

CREATE TABLE member AS
SELECT 'ring' AS by, job, CAST(ring AS TEXT) AS id, ring AS place, title AS name, title || ' (' || coalesce(engine, '-') || ')' AS heading
FROM job JOIN ring_title USING (ring)
UNION ALL
SELECT 'device', job, coalesce(number, '-'), coalesce(number, 1 << 40), coalesce(ring_title.dev, '?'),
  'device ' || coalesce(ring_title.dev, '?')
FROM job JOIN ring_title USING (ring) LEFT JOIN device ON device.dev = ring_title.dev
UNION ALL
SELECT 'ctx', job, ctx, length(ctx) || ctx,
  iif(min(ring) OVER c <> max(ring) OVER c, 'several rings', title), 'context ' || ctx
FROM job JOIN ring_title USING (ring) WINDOW c AS (PARTITION BY ctx)
UNION ALL
SELECT 'process', job, process, process, name, name || ' (' || process || ')'
FROM process JOIN process_name USING (process);

-- A * is at what is about a time in which records were lost.
CREATE TABLE grouped AS
SELECT *, iif(EXISTS (SELECT * FROM hole
    WHERE hole.first_ts <= g.last_ts AND hole.last_ts >= g.first_ts), '*', '') AS mark
FROM (SELECT by, id, place, name, heading, min(first_ts) AS first_ts,
        max(max(last_record_ts, coalesce(end_ts, 0), coalesce(complete_ts, 0))) AS last_ts
      FROM member JOIN job USING (job) GROUP BY by, id) AS g;
CREATE INDEX member_by ON member (by, id);
