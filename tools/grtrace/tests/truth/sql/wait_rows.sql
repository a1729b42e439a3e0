-- SPDX-License-Identifier: GPL-2.0
--
-- The waits of tasks in the table wait of --to sqlite: each one, with its job if one is
-- remembered.
SELECT w.pid, w.fence_id, w.enter_ts AS from_ts, w.exit_ts AS to_ts,
  known.ctx, known.ring, known.seqno
FROM wait AS w LEFT JOIN job_wait AS j USING (exit_n) LEFT JOIN known ON known.job = j.job
ORDER BY w.exit_n;
