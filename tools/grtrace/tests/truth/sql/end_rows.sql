-- SPDX-License-Identifier: GPL-2.0
--
-- The last lines of a report, and the end rows: what was read and what is not there.
SELECT (SELECT count(*) FROM event WHERE type <> 'lost') AS records,
  (SELECT coalesce(sum(records), 0) FROM hole) AS lost,
  (SELECT count(*) FROM hole) AS places,
  (SELECT coalesce(sum(events), 0) FROM hole WHERE is_told) AS lost_events,
  (SELECT coalesce(sum(notes), 0) FROM hole WHERE is_told) AS lost_notes,
  (SELECT coalesce(sum(records), 0) FROM hole WHERE NOT is_told) AS missing,
  coalesce(sum(weight), 0) AS jobs, coalesce(sum(weight * (is_open AND NOT cut)), 0) AS incomplete,
  coalesce(sum(weight * (began_before AND NOT cut)), 0) AS began_before, coalesce(sum(weight * cut), 0) AS cut,
  coalesce(sum(weight * lost), 0) AS touched, coalesce(sum(weight * is_inferred), 0) AS inferred,
  coalesce(sum(weight * slow_queue), 0) AS slow_queue, coalesce(sum(weight * slow_exec), 0) AS slow_exec
FROM figure;
