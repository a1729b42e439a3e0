-- SPDX-License-Identifier: GPL-2.0
--
-- Top N by total time.
SELECT total AS "TOTAL:ns", figure.queue AS "QUEUE:ns", figure.exec AS "EXEC:ns",
  t_gpu_wait AS "WAIT:ns", iif(submit_ts >= start_ts, submit_ts - start_ts, NULL) AS "AT:ns", ring AS RING, comm AS COMM,
  key AS "CTX:SEQNO", label AS LABEL, mark
FROM figure JOIN shown USING (job) JOIN capture WHERE total IS NOT NULL
ORDER BY total DESC, figure.job;
