-- SPDX-License-Identifier: GPL-2.0
--
-- The tables RING, DEVICE, CTX and PID of grtrace report. If jobs were sampled, each
-- counts as often as it stands for others. A sum of which no part is known is not known.
SELECT by, id, name, sum(weight) AS JOBS, sum(weight * failed) AS FAILED,
  sum(weight * (is_open AND NOT cut)) AS OPEN,
  round(1.0 * sum(weight * queue) / sum(iif(queue IS NULL, 0, weight))) AS "QUEUE avg:ns",
  round(1.0 * sum(weight * exec) / sum(iif(exec IS NULL, 0, weight))) AS "EXEC avg:ns",
  sum(weight * exec) AS "EXEC sum:ns",
  sum(weight * coalesce(t_gpu_wait, 0)) AS "WAIT sum:ns",
  round(1.0 * sum(weight * total) / sum(iif(total IS NULL, 0, weight))) AS "TOTAL avg:ns",
  max(total) AS "TOTAL max:ns", mark
FROM member JOIN grouped USING (by, id, name) JOIN figure USING (job)
GROUP BY by, id ORDER BY by, coalesce(sum(weight * exec), 0) DESC, min(member.place);
