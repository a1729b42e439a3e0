-- SPDX-License-Identifier: GPL-2.0
--
-- BUSY AND IDLE, and QUEUE DEPTH: the time of each state. A ring that tells nothing
-- between SUBMIT and END has no BUSY.
CREATE TABLE ring_time AS
SELECT ring, max(ring_is_dark) AS is_dark,
  sum(to_ts - from_ts) AS ns,
  sum(iif(state = 'busy', to_ts - from_ts, 0)) AS busy,
  sum(iif(state = 'host', to_ts - from_ts, 0)) AS host,
  sum(iif(state = 'scheduler', to_ts - from_ts, 0)) AS scheduler,
  sum(iif(state = 'other', to_ts - from_ts, 0)) AS other,
  sum(iif(state = 'depend', to_ts - from_ts, 0)) AS depend,
  sum(iif(state = 'no work', to_ts - from_ts, 0)) AS no_work,
  sum(iif(state = 'not known', to_ts - from_ts, 0)) AS not_known,
  sum(depth * (to_ts - from_ts)) AS depth, max(depth) AS max_depth,
  sum(hardware * (to_ts - from_ts)) AS hardware, max(hardware) AS max_hardware
FROM segment JOIN (SELECT ring, max(ring_is_dark) AS ring_is_dark FROM stay GROUP BY ring)
  USING (ring)
GROUP BY ring;
