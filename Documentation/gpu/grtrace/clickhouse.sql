-- SPDX-License-Identifier: GPL-2.0
-- Tables for the rows of "grtrace export --to csv --fleet --null '\N'", as
-- "grtrace export --schema clickhouse" prints them, and eight questions to them.

CREATE TABLE IF NOT EXISTS grtrace_jobs
(
    `host` LowCardinality(String) COMMENT 'name of the machine, empty: not recorded',
    `boot` LowCardinality(String) COMMENT 'its boot, as in /proc/sys/kernel/random/boot_id',
    `session` UInt64 COMMENT 'session that recorded it',
    `release` LowCardinality(String) COMMENT 'release of the kernel',
    `capture_start` Nullable(UInt64) COMMENT 'start of the session, wall clock, ns',
    `tool` LowCardinality(String) COMMENT 'version of grtrace that exported it',
    `tags` LowCardinality(String) COMMENT 'tags of record --tag, as an object of JSON',
    `capture` LowCardinality(String) COMMENT 'name of the capture',
    `dev` LowCardinality(String) COMMENT 'device',
    `ring` LowCardinality(String) COMMENT 'ring by name; by id where no record described it',
    `engine` LowCardinality(String) COMMENT 'its engine class',
    `ctx` UInt64 COMMENT 'context',
    `seqno` UInt64 COMMENT 'number of the job in that context, extended to 64 bits',
    `pid` Nullable(UInt64) COMMENT 'thread that submitted it',
    `tgid` Nullable(UInt64) COMMENT 'its process',
    `comm` LowCardinality(String) COMMENT 'its name',
    `submit_ts` Nullable(UInt64) COMMENT 'SUBMIT, on the session''s clock, ns',
    `commit_ts` Nullable(UInt64) COMMENT 'COMMIT, the first, ns',
    `start_ts` Nullable(UInt64) COMMENT 'START, recorded or inferred, ns',
    `end_ts` Nullable(UInt64) COMMENT 'END, ns',
    `complete_ts` Nullable(UInt64) COMMENT 'COMPLETE, ns',
    `t_submit_host` Nullable(UInt64) COMMENT 'SUBMIT to COMMIT, ns',
    `t_queue` Nullable(UInt64) COMMENT 'SUBMIT to START, ns',
    `t_exec` Nullable(UInt64) COMMENT 'START to END, ns',
    `t_gpu_wait` Nullable(UInt64) COMMENT 'tasks waited for it, and it was blocked, ns',
    `t_complete` Nullable(UInt64) COMMENT 'END to COMPLETE, ns',
    `error` Nullable(Int64) COMMENT '-errno or the device''s code, 0: none, NA: not recorded',
    `label` LowCardinality(String) COMMENT 'why it was slow; NA: how long it took was not recorded',
    `inferred` LowCardinality(String) COMMENT 'what was inferred: start, time, both, or -',
    `weight` UInt64 COMMENT 'jobs that it represents, if jobs were sampled',
    `slow` LowCardinality(String) COMMENT 'how the kernel marked it: queue, exec, both, or -',
    `blocked_ts` Nullable(UInt64) COMMENT 'first BLOCKED, ns',
    `pick_ts` Nullable(UInt64) COMMENT 'PICK, ns',
    `dependencies` Nullable(UInt64) COMMENT 'dependencies recorded, NA: none can be',
    `waits` UInt64 COMMENT 'waits of tasks for it that ended',
    `lost` UInt64 COMMENT '1: records were lost while it was in flight',
    `hand_overs` UInt64 COMMENT 'number of COMMITs: several if a reset came between',
    `completes` UInt64 COMMENT 'number of COMPLETEs: a second one is a bug in the driver',
    `last_commit_ts` Nullable(UInt64) COMMENT 'COMMIT, the last, ns',
    `t_reset` Nullable(UInt64) COMMENT 'the first COMMIT to the last, if there are several, ns',
    `client` Nullable(UInt64) COMMENT 'DRM client that submitted it, the drm-client-id of fdinfo',
    `client_name` LowCardinality(String) COMMENT 'what amdgpu''s own jobs do: vm_update and so on',
    `preempted` Nullable(UInt64) COMMENT '1: the ring left it before its end, NA: not recorded',
    `priority` Nullable(UInt64) COMMENT 'its priority, 0 is the most urgent',
    `ring_id` UInt64 COMMENT 'id of the ring, by which the capture knows it',
    `submit_wall` Nullable(UInt64) COMMENT 'submit_ts, wall clock, ns',
    `commit_wall` Nullable(UInt64) COMMENT 'commit_ts, wall clock, ns',
    `start_wall` Nullable(UInt64) COMMENT 'start_ts, wall clock, ns',
    `end_wall` Nullable(UInt64) COMMENT 'end_ts, wall clock, ns',
    `complete_wall` Nullable(UInt64) COMMENT 'complete_ts, wall clock, ns',
    `blocked_wall` Nullable(UInt64) COMMENT 'blocked_ts, wall clock, ns',
    `pick_wall` Nullable(UInt64) COMMENT 'pick_ts, wall clock, ns',
    `last_commit_wall` Nullable(UInt64) COMMENT 'last_commit_ts, wall clock, ns'
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(toDate(intDiv(ifNull(capture_start, 0), 1000000000)))
ORDER BY (host, dev, ring, session);

CREATE TABLE IF NOT EXISTS grtrace_captures
(
    `host` LowCardinality(String) COMMENT 'name of the machine, empty: not recorded',
    `boot` LowCardinality(String) COMMENT 'its boot, as in /proc/sys/kernel/random/boot_id',
    `session` UInt64 COMMENT 'session that recorded it',
    `release` LowCardinality(String) COMMENT 'release of the kernel',
    `capture_start` Nullable(UInt64) COMMENT 'start of the session, wall clock, ns',
    `tool` LowCardinality(String) COMMENT 'version of grtrace that exported it',
    `tags` LowCardinality(String) COMMENT 'tags of record --tag, as an object of JSON',
    `capture` LowCardinality(String) COMMENT 'name of the capture',
    `clock` LowCardinality(String) COMMENT 'clock of its time stamps',
    `start_ts` UInt64 COMMENT 'start of the session on that clock, ns',
    `jobs` UInt64 COMMENT 'rows of jobs',
    `records` UInt64 COMMENT 'events and notes read',
    `events` UInt64 COMMENT 'events read',
    `lost_events` UInt64 COMMENT 'events that a LOST reports',
    `lost_notes` UInt64 COMMENT 'notes that a LOST reports',
    `missing` UInt64 COMMENT 'records overwritten, cut out, or in no file',
    `skipped` UInt64 COMMENT 'records of unknown type',
    `damaged_bytes` UInt64 COMMENT 'bytes that are no records'
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(toDate(intDiv(ifNull(capture_start, 0), 1000000000)))
ORDER BY (host, session);

-- Where jobs were sampled, weight says how many a row stands for; percentiles, medians and
-- delays are those of the rows.

-- 1. The 99th percentile of each host and ring, ns.
SELECT host, ring, sum(weight) AS jobs, quantileExact(0.99)(t_exec) AS exec_p99
FROM grtrace_jobs
WHERE t_exec IS NOT NULL
GROUP BY host, ring
ORDER BY host, ring;

-- 2. The worst hosts: slow and failed jobs, of 1,000.
SELECT host, sum(weight) AS jobs, sumIf(weight, label NOT IN ('ok', '')) AS bad, intDiv(1000 * bad, jobs) AS permille
FROM grtrace_jobs
WHERE label != 'incomplete'
GROUP BY host
ORDER BY permille DESC, host
LIMIT 10;

-- 3. Why jobs were slow, of 1,000.
SELECT label, sum(weight) AS n, intDiv(1000 * n, (SELECT sum(weight) FROM grtrace_jobs)) AS permille
FROM grtrace_jobs
GROUP BY label
ORDER BY n DESC, label;

-- 4. Noisy neighbours: whose jobs ran while those of others waited for the ring, ns.
SELECT n.comm AS neighbour, v.comm AS victim, uniqExact(v.host) AS hosts,
       sum(toInt64(least(n.end_ts, v.start_ts)) - toInt64(greatest(n.start_ts, v.submit_ts))) AS delayed
FROM grtrace_jobs AS v
INNER JOIN grtrace_jobs AS n ON n.host = v.host AND n.boot = v.boot AND n.session = v.session AND n.ring_id = v.ring_id
WHERE n.comm != v.comm AND n.start_ts < v.start_ts AND n.end_ts > v.submit_ts
GROUP BY neighbour, victim
ORDER BY delayed DESC, neighbour, victim;

-- 5. Records lost, by host, of 1,000,000.
SELECT host, sum(records) AS recorded, sum(lost_events + lost_notes + missing) AS lost,
       intDiv(1000000 * lost, recorded + lost) AS ppm
FROM grtrace_captures
GROUP BY host
ORDER BY ppm DESC, host;

-- 6. What became slower with another kernel on the same host: medians, ns.
WITH m AS
(
    SELECT host, ring, comm, release, min(submit_wall) AS since, quantileExact(0.5)(t_exec) AS median
    FROM grtrace_jobs
    WHERE t_exec IS NOT NULL
    GROUP BY host, ring, comm, release
    HAVING count() >= 20
)
SELECT a.host AS host, a.ring AS ring, a.comm AS comm, a.release AS old, b.release AS new,
       a.median AS before, b.median AS after
FROM m AS a
INNER JOIN m AS b ON a.host = b.host AND a.ring = b.ring AND a.comm = b.comm
WHERE a.since < b.since AND 2 * b.median > 3 * a.median
ORDER BY host, ring, comm, old, new;

-- 7. By a tag of record --tag mesa=...
SELECT JSONExtractString(tags, 'mesa') AS mesa, ring, comm, sum(weight) AS jobs,
       quantileExact(0.5)(t_exec) AS median
FROM grtrace_jobs
WHERE t_exec IS NOT NULL
GROUP BY mesa, ring, comm
ORDER BY mesa, ring, comm;

-- 8. The first day on which the jobs of a program took 1.5 times as long as on its first day.
WITH days AS
(
    SELECT host, ring, comm, toDate(intDiv(submit_wall, 86400000000000)) AS day,
           quantileExact(0.5)(t_exec) AS median
    FROM grtrace_jobs
    WHERE t_exec IS NOT NULL AND submit_wall IS NOT NULL
    GROUP BY host, ring, comm, day
    HAVING count() >= 10
), usual AS
(
    SELECT *, first_value(median) OVER (PARTITION BY host, ring, comm ORDER BY day) AS first
    FROM days
)
SELECT host, ring, comm, min(day) AS since
FROM usual
WHERE 2 * median > 3 * first
GROUP BY host, ring, comm
ORDER BY host, ring, comm;
