-- SPDX-License-Identifier: GPL-2.0
--
-- grparse -s: how many events of each type, by CPU, by ring, and in all; of COMPLETEs also
-- those with an error. One of N jobs stands for N.
WITH counted AS (
  SELECT 1 AS part, cpu AS id, type, code, weight FROM event WHERE weight IS NOT NULL
  UNION ALL SELECT 2, ring, type, code, weight FROM event WHERE weight IS NOT NULL AND ring <> 0
  UNION ALL SELECT 3, 0, type, code, weight FROM event WHERE weight IS NOT NULL)
SELECT part, id, sum(weight * (type = 'submit')) AS Queued, sum(weight * (type = 'pick')) AS Picked,
  sum(weight * (type = 'dep')) AS Dependencies, sum(weight * (type = 'blocked')) AS Blocked,
  sum(weight * (type = 'commit')) AS Dispatched, sum(weight * (type = 'start')) AS Started,
  sum(weight * (type = 'end')) AS Ended, sum(weight * (type = 'fence')) AS Fences,
  sum(weight * (type = 'complete')) AS Completed,
  sum(weight * (type = 'complete' AND code <> 0)) AS "With error",
  sum(weight * (type = 'wait_enter')) AS Waits, sum(weight * (type = 'wait_exit')) AS "Waits ended",
  sum(weight * (type = 'irq')) AS Interrupts, sum(weight * (type = 'ctx_switch')) AS Switches,
  sum(weight * (type = 'error')) AS Errors,
  sum(weight * (type = 'queue_state')) AS "Queue states", sum(weight * (type = 'ioctl')) AS Ioctls
FROM counted GROUP BY part, id ORDER BY part, id;
