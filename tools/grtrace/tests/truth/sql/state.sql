-- SPDX-License-Identifier: GPL-2.0
--
-- What each ring was doing at each moment: segments between two changes.

-- Whose a fence is: the newest job so far that has it as its key, or named it.
CREATE TABLE fence_owner AS
SELECT fence_id, job, job AS from_n FROM known
UNION SELECT out_fence, job, submit_n FROM known WHERE out_fence IS NOT NULL
UNION SELECT fence, job, n FROM hand_over WHERE fence IS NOT NULL;
CREATE INDEX fence_owner_fence ON fence_owner (fence_id, from_n);

-- A process is its leader, or the thread where no record names that. A TASK that comes
-- behind the SUBMIT says what it was.
CREATE TABLE process AS
SELECT job, coalesce(submit.tgid, task.tgid) AS tgid, coalesce(submit.comm, task.comm) AS comm,
  coalesce(submit.tgid, task.tgid, submit.pid) AS process
FROM job JOIN event AS submit ON submit.n = submit_n LEFT JOIN event AS task ON task.n = (
  SELECT min(n) FROM event AS t WHERE t.type = 'task' AND t.pid = submit.pid AND t.n > submit_n);
CREATE UNIQUE INDEX process_job ON process (job);

-- Until when a job was there: until it left, was complete without having been
-- handed over, or, if neither is known, until its key came again, records were lost, a later
-- job of its context was complete (fences of a context are signalled in order) after it was
-- handed over, or the
-- capture ended.
-- hand_ts: from when on the hardware had it, at the latest from its START on; nobody knows
-- that on a ring that records nothing between SUBMIT and END. A job of which no SUBMIT is
-- recorded is known from its first record on.
CREATE TABLE stay AS
SELECT job, ring, ctx, seqno, start_ts, left_ts, handed_over, is_known_before,
  left_ts IS NULL AND complete_ts IS NULL AND coalesce(passed_ts < cut_ts, 0) AS is_passed,
  coalesce(submit_ts, min(first_ts, coalesce(left_ts, first_ts), coalesce(start_ts, first_ts))) AS from_ts,
  coalesce(left_ts, complete_ts, min(cut_ts, coalesce(passed_ts, cut_ts))) AS to_ts,
  CASE WHEN NOT handed_over OR ring_is_dark THEN NULL
       ELSE min(coalesce(commit_ts, iif(tells_commit IS NULL, pick_ts, NULL), start_ts, left_ts),
                coalesce(start_ts, 1 << 62)) END AS hand_ts,
  ring_is_dark, weight
FROM (
  SELECT job.*, tells_commit, weight.weight,
    coalesce(tells_pick, tells_commit, tells_start) IS NULL AS ring_is_dark,
    submit_n IS NOT NULL OR EXISTS (SELECT * FROM hole WHERE hole.first_ts <= job.first_ts)
      OR EXISTS (SELECT * FROM event WHERE type = 'sample' AND n < job.job) AS is_known_before,
    (SELECT min(o.complete_ts) FROM job AS o WHERE o.ring = job.ring AND o.ctx = job.ctx
       AND o.seqno > job.seqno AND o.handed_over AND job.handed_over AND o.complete_n > job.job) AS passed_ts,
    min(coalesce((SELECT min(iif(hole.first_ts >= job.last_record_ts, hole.first_ts, hole.last_ts))
                  FROM hole WHERE hole.last_ts >= job.last_record_ts), last_ts_of),
        coalesce((SELECT ts FROM record AS next WHERE next.ring = job.ring AND next.ctx = job.ctx
                  AND next.number = job.seqno AND next.job > job.job ORDER BY next.n LIMIT 1),
                 last_ts_of)) AS cut_ts
  FROM job JOIN tells USING (ring) JOIN weight USING (job)
  JOIN (SELECT last_ts AS last_ts_of FROM capture));
CREATE UNIQUE INDEX stay_job ON stay (job);
CREATE INDEX stay_ctx ON stay (ring, ctx, seqno);

-- When each job executed. Of one that is still there, since when: START, or what
-- it is inferred to be.
CREATE TABLE executed AS
SELECT job, ring, start_ts AS from_ts, left_ts AS to_ts FROM stay WHERE left_ts >= start_ts
UNION ALL
SELECT stay.job, stay.ring, coalesce(stay.start_ts, iif(is_passed, NULL, 1) * max(
    coalesce(last_commit_ts, pick_ts), coalesce((
      SELECT max(o.ts) FROM leaving AS o WHERE o.ring = stay.ring AND o.is_last
        AND o.ts <= to_ts), 0))), to_ts
FROM stay JOIN job USING (job)
WHERE stay.left_ts IS NULL AND stay.handed_over
  AND NOT (stay.start_ts IS NULL AND job.lost AND EXISTS (
    SELECT * FROM tells WHERE tells.ring = stay.ring AND tells_start));
DELETE FROM executed WHERE from_ts IS NULL OR from_ts > to_ts;
DELETE FROM executed WHERE job IN (SELECT job FROM stay WHERE ring_is_dark);

-- A job is blocked from BLOCKED to its next record but DEP.
CREATE TABLE blocked AS
SELECT r.job, r.ring, r.ts AS from_ts, o.job AS owner, min(to_ts, coalesce((
    SELECT next.ts FROM record AS next WHERE next.job = r.job AND next.n > r.n
      AND next.type NOT IN ('dep', 'error') ORDER BY next.n LIMIT 1), to_ts)) AS to_ts
FROM record AS r JOIN stay USING (job)
LEFT JOIN fence_owner AS o ON o.fence_id = r.names AND o.from_n = (
  SELECT max(from_n) FROM fence_owner AS x WHERE x.fence_id = r.names AND x.from_n < r.n)
WHERE r.type = 'blocked';

-- Jobs that its context has queued behind it are blocked with it, until records are lost.
CREATE TABLE held AS
WITH b AS (
  SELECT *, min(to_ts, coalesce((SELECT min(iif(hole.first_ts > from_ts, hole.first_ts, hole.last_ts))
    FROM hole WHERE hole.last_ts > from_ts), to_ts)) AS until FROM blocked)
SELECT behind.job, behind.ring, max(b.from_ts, behind.from_ts) AS from_ts,
  min(b.until, behind.to_ts, coalesce(behind.hand_ts, b.until)) AS to_ts, b.owner, b.job AS blocked_job,
  coalesce(theirs.process <> ours.process, 0) AS by_other,
  EXISTS (SELECT * FROM hole WHERE hole.first_ts <= b.to_ts AND hole.last_ts >= b.from_ts) AS lost
FROM b JOIN stay AS head USING (job)
JOIN stay AS behind ON behind.ring = head.ring AND behind.ctx = head.ctx
  AND behind.seqno >= head.seqno AND behind.from_ts < b.until AND behind.to_ts > b.from_ts
LEFT JOIN process AS ours ON ours.job = behind.job
LEFT JOIN process AS theirs ON theirs.job = b.owner;
DELETE FROM held WHERE from_ts >= to_ts;

-- Each held moment of a job once.
CREATE TABLE held_once AS
WITH covered AS (
  SELECT *, max(to_ts) OVER (PARTITION BY job ORDER BY from_ts, to_ts
    ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS until FROM held)
SELECT job, ring, max(from_ts, coalesce(until, 0)) AS from_ts, to_ts FROM covered
WHERE to_ts > coalesce(until, 0);

-- After a loss nothing is known of a ring until a job that came later has left.
CREATE TABLE unknown AS
SELECT ring, first_ts AS from_ts, coalesce(
    (SELECT min(left_ts) FROM job WHERE job.ring = tells.ring AND submit_ts >= hole.last_ts),
    (SELECT last_ts FROM capture)) AS to_ts
FROM hole JOIN tells;

-- A job that was in the queue when records were lost may have been anywhere until its next
-- record behind them.
CREATE TABLE unseen AS
SELECT job, stay.ring, hole.first_ts AS from_ts, coalesce((
    SELECT next.ts FROM record AS next WHERE next.job = stay.job AND next.n > hole.n
      AND next.ts >= hole.last_ts ORDER BY next.n LIMIT 1), stay.to_ts) AS to_ts
FROM stay JOIN known USING (job) JOIN hole ON stay.from_ts < hole.last_ts
  AND coalesce(hand_ts, stay.to_ts) > hole.first_ts AND coalesce(pick_n, 1 << 62) > hole.n;

-- The queued moments of a job, in pieces between those.
CREATE TABLE queued AS
WITH cut AS (
  SELECT stay.job, stay.ring, stay.from_ts AS stay_ts,
    min(stay.to_ts, coalesce(hand_ts, stay.to_ts)) AS end_ts, u.from_ts, u.to_ts,
    max(u.to_ts) OVER (PARTITION BY job ORDER BY u.from_ts, u.to_ts
      ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS until,
    max(u.to_ts) OVER (PARTITION BY job) AS last_until
  FROM stay LEFT JOIN unseen AS u USING (job))
SELECT job, ring, max(stay_ts, coalesce(until, 0)) AS from_ts,
  min(end_ts, coalesce(from_ts, end_ts)) AS to_ts FROM cut
UNION ALL
SELECT job, ring, last_until, end_ts FROM cut WHERE last_until IS NOT NULL GROUP BY job;
DELETE FROM queued WHERE from_ts >= to_ts;

-- What begins and ends when; spans end with -1.
CREATE TABLE edge AS
WITH span AS (
  SELECT ring, from_ts, to_ts, 'loss' AS what, 1 AS by FROM unknown
  UNION ALL SELECT ring, from_ts, to_ts, 'executed', 1 FROM executed
  UNION ALL SELECT ring, (SELECT first_ts FROM capture), from_ts, 'before', 1
    FROM stay WHERE NOT is_known_before
  UNION ALL SELECT ring, hand_ts, to_ts, 'handed', 1 FROM stay
  UNION ALL SELECT ring, from_ts, to_ts, 'queued', 1 FROM queued
  UNION ALL SELECT h.ring, max(h.from_ts, q.from_ts), min(h.to_ts, q.to_ts), 'held', 1
    FROM held_once AS h JOIN queued AS q USING (job)
  UNION ALL SELECT h.ring, max(h.from_ts, q.from_ts), min(h.to_ts, q.to_ts), 'held by other', 1
    FROM held AS h JOIN queued AS q USING (job) WHERE by_other
  UNION ALL SELECT ring, from_ts, to_ts, 'depth', weight FROM stay
  UNION ALL SELECT ring, hand_ts, to_ts, 'hardware', weight FROM stay WHERE NOT ring_is_dark)
SELECT ring, max(from_ts, first_ts) AS ts, what, by FROM span JOIN capture WHERE from_ts < to_ts
UNION ALL
SELECT ring, min(to_ts, last_ts), what, -by FROM span JOIN capture WHERE from_ts < to_ts
UNION ALL SELECT ring, first_ts, 'bounds', 0 FROM tells JOIN capture
UNION ALL SELECT ring, last_ts, 'bounds', 0 FROM tells JOIN capture;

CREATE TABLE segment AS
WITH moment AS (
  SELECT ring, ts,
    sum(iif(what = 'loss', by, 0)) AS loss, sum(iif(what = 'executed', by, 0)) AS executed,
    sum(iif(what = 'before', by, 0)) AS before, sum(iif(what = 'handed', by, 0)) AS handed,
    sum(iif(what = 'queued', by, 0)) AS queued, sum(iif(what = 'held', by, 0)) AS held,
    sum(iif(what = 'held by other', by, 0)) AS by_other,
    sum(iif(what = 'depth', by, 0)) AS depth, sum(iif(what = 'hardware', by, 0)) AS hardware
  FROM edge GROUP BY ring, ts),
level AS (
  SELECT ring, ts AS from_ts, lead(ts) OVER r AS to_ts, sum(loss) OVER r AS loss,
    sum(executed) OVER r AS executed, sum(before) OVER r AS before,
    sum(handed) OVER r AS handed, sum(queued) OVER r AS queued, sum(held) OVER r AS held,
    sum(by_other) OVER r AS by_other, sum(depth) OVER r AS depth,
    sum(hardware) OVER r AS hardware
  FROM moment WINDOW r AS (PARTITION BY ring ORDER BY ts))
SELECT ring, from_ts, to_ts, depth, hardware, CASE
  WHEN loss THEN 'not known' WHEN executed THEN 'busy' WHEN before THEN 'not known'
  WHEN handed THEN 'host'
  WHEN queued > held THEN iif(coalesce(tells_pick, tells_commit, tells_start) IS NULL, 'host', 'scheduler')
  WHEN by_other THEN 'other' WHEN queued THEN 'depend' ELSE 'no work' END AS state
FROM level JOIN tells USING (ring) WHERE to_ts > from_ts;
CREATE INDEX segment_ring ON segment (ring, from_ts);
