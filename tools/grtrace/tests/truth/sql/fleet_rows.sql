-- SPDX-License-Identifier: GPL-2.0
--
-- export --fleet: what stands beside the columns of a job. wall: from the capture's clock
-- to the wall clock; times that 63 bits do not hold are not known there.
WITH moved AS (
  SELECT job, job.ring AS ring_id, ring_name AS ring, submit_ts + wall AS submit_wall,
    commit_ts + wall AS commit_wall, start_ts + wall AS start_wall, end_ts + wall AS end_wall,
    complete_ts + wall AS complete_wall, blocked_ts + wall AS blocked_wall,
    pick_ts + wall AS pick_wall, last_commit_ts + wall AS last_commit_wall
  FROM threshold JOIN job LEFT JOIN ring_name AS place ON place.ring = job.ring)
SELECT * FROM moved ORDER BY job;
