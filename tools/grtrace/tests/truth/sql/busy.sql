-- SPDX-License-Identifier: GPL-2.0
--
-- BUSY AND IDLE, and QUEUE DEPTH: the time of each state. A ring that tells nothing
-- between SUBMIT and END has no BUSY.
CREATE TABLE ring_time AS
SELECT ring, max(ring_is_dark) AS is_dark,
  coalesce(sum(to_ts - from_ts), 0) AS ns,
  coalesce(sum(iif(state = 'busy', to_ts - from_ts, 0)), 0) AS busy,
  coalesce(sum(iif(state = 'host', to_ts - from_ts, 0)), 0) AS host,
  coalesce(sum(iif(state = 'scheduler', to_ts - from_ts, 0)), 0) AS scheduler,
  coalesce(sum(iif(state = 'other', to_ts - from_ts, 0)), 0) AS other,
  coalesce(sum(iif(state = 'depend', to_ts - from_ts, 0)), 0) AS depend,
  coalesce(sum(iif(state = 'no work', to_ts - from_ts, 0)), 0) AS no_work,
  coalesce(sum(iif(state = 'not known', to_ts - from_ts, 0)), 0) AS not_known,
  coalesce(sum(depth * (to_ts - from_ts)), 0) AS depth, coalesce(max(depth), 0) AS max_depth,
  coalesce(sum(hardware * (to_ts - from_ts)), 0) AS hardware,
  coalesce(max(hardware), 0) AS max_hardware
FROM (SELECT ring, max(ring_is_dark) AS ring_is_dark FROM stay GROUP BY ring)
LEFT JOIN segment USING (ring)
GROUP BY ring;
