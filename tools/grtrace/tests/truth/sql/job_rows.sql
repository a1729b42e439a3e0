-- SPDX-License-Identifier: GPL-2.0
--
-- grtrace report --csv, export --rows jobs, and the job rows of json and sqlite.
SELECT place.dev, coalesce(place.ring_name, job.ring) AS ring, place.engine, job.ctx,
  job.seqno, submit.pid, process.tgid, process.comm, submit_ts, commit_ts, start_ts,
  job.end_ts, complete_ts, submit_host AS t_submit_host, job.queue AS t_queue, exec AS t_exec,
  iif(waits > 0 OR pick_ts >= blocked_ts,
      coalesce(waited.ns, 0) + coalesce(max(pick_ts - blocked_ts, 0), 0), NULL) AS t_gpu_wait,
  e2c AS t_complete,
  iif(failed OR place.driver = 'virtio_gpu' OR NOT no_results, error, NULL) AS error, label,
  CASE WHEN is_inferred AND flags.inferred THEN 'start+time' WHEN is_inferred THEN 'start'
       WHEN flags.inferred THEN 'time' ELSE '-' END AS inferred,
  weight.weight,
  CASE WHEN slow_queue AND slow_exec THEN 'queue+exec' WHEN slow_queue THEN 'queue'
       WHEN slow_exec THEN 'exec' ELSE '-' END AS slow,
  blocked_ts, pick_ts,
  (SELECT nullif(count(*), iif(no_dependencies, 0, -1)) FROM record
   WHERE record.job = job.job AND type = 'dep') AS dependencies,
  coalesce(waits, 0) AS waits, lost, hand_overs, completes, last_commit_ts, reset AS t_reset,
  client.client, client_name, preempted, submit.priority
FROM threshold JOIN job JOIN label USING (job) JOIN result USING (job) JOIN weight USING (job)
JOIN flags USING (job) JOIN client USING (job) LEFT JOIN waited USING (job)
LEFT JOIN ring_name AS place ON place.ring = job.ring
LEFT JOIN event AS submit ON submit.n = submit_n LEFT JOIN process USING (job)
ORDER BY job.job;
