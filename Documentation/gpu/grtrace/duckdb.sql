-- SPDX-License-Identifier: GPL-2.0
-- Loads jobs.csv and captures.csv, the rows of "grtrace export --to csv --fleet --null '\N'",
-- writes Parquet and asks eight questions: duckdb <duckdb.sql. The tables are those of
-- "grtrace export --schema duckdb".

CREATE TABLE IF NOT EXISTS grtrace_jobs (
    "host" VARCHAR NOT NULL, -- name of the machine, empty: not recorded
    "boot" VARCHAR NOT NULL, -- its boot, as in /proc/sys/kernel/random/boot_id
    "session" UBIGINT NOT NULL, -- session that recorded it
    "release" VARCHAR NOT NULL, -- release of the kernel
    "capture_start" UBIGINT, -- start of the session, wall clock, ns
    "tool" VARCHAR NOT NULL, -- version of grtrace that exported it
    "tags" VARCHAR NOT NULL, -- tags of record --tag, as an object of JSON
    "capture" VARCHAR NOT NULL, -- name of the capture
    "dev" VARCHAR NOT NULL, -- device
    "ring" VARCHAR NOT NULL, -- ring by name; by id where no record described it
    "engine" VARCHAR NOT NULL, -- its engine class
    "ctx" UBIGINT NOT NULL, -- context
    "seqno" UBIGINT NOT NULL, -- number of the job in that context, extended to 64 bits
    "pid" UBIGINT, -- thread that submitted it
    "tgid" UBIGINT, -- its process
    "comm" VARCHAR NOT NULL, -- its name
    "submit_ts" UBIGINT, -- SUBMIT, on the session's clock, ns
    "commit_ts" UBIGINT, -- COMMIT, the first, ns
    "start_ts" UBIGINT, -- START, recorded or inferred, ns
    "end_ts" UBIGINT, -- END, ns
    "complete_ts" UBIGINT, -- COMPLETE, ns
    "t_submit_host" UBIGINT, -- SUBMIT to COMMIT, ns
    "t_queue" UBIGINT, -- SUBMIT to START, ns
    "t_exec" UBIGINT, -- START to END, ns
    "t_gpu_wait" UBIGINT, -- tasks waited for it, and it was blocked, ns
    "t_complete" UBIGINT, -- END to COMPLETE, ns
    "error" BIGINT, -- -errno or the device's code, 0: none, NA: not recorded
    "label" VARCHAR NOT NULL, -- why it was slow; NA: how long it took was not recorded
    "inferred" VARCHAR NOT NULL, -- what was inferred: start, time, both, or -
    "weight" UBIGINT NOT NULL, -- jobs that it represents, if jobs were sampled
    "slow" VARCHAR NOT NULL, -- how the kernel marked it: queue, exec, both, or -
    "blocked_ts" UBIGINT, -- first BLOCKED, ns
    "pick_ts" UBIGINT, -- PICK, ns
    "dependencies" UBIGINT, -- dependencies recorded, NA: none can be
    "waits" UBIGINT NOT NULL, -- waits of tasks for it that ended
    "lost" UBIGINT NOT NULL, -- 1: records were lost while it was in flight
    "hand_overs" UBIGINT NOT NULL, -- number of COMMITs: several if a reset came between
    "completes" UBIGINT NOT NULL, -- number of COMPLETEs: a second one is a bug in the driver
    "last_commit_ts" UBIGINT, -- COMMIT, the last, ns
    "t_reset" UBIGINT, -- the first COMMIT to the last, if there are several, ns
    "client" UBIGINT, -- DRM client that submitted it, the drm-client-id of fdinfo
    "client_name" VARCHAR NOT NULL, -- what amdgpu's own jobs do: vm_update and so on
    "preempted" UBIGINT, -- 1: the ring left it before its end, NA: not recorded
    "priority" UBIGINT, -- its priority, 0 is the most urgent
    "ring_id" UBIGINT NOT NULL, -- id of the ring, by which the capture knows it
    "submit_wall" UBIGINT, -- submit_ts, wall clock, ns
    "commit_wall" UBIGINT, -- commit_ts, wall clock, ns
    "start_wall" UBIGINT, -- start_ts, wall clock, ns
    "end_wall" UBIGINT, -- end_ts, wall clock, ns
    "complete_wall" UBIGINT, -- complete_ts, wall clock, ns
    "blocked_wall" UBIGINT, -- blocked_ts, wall clock, ns
    "pick_wall" UBIGINT, -- pick_ts, wall clock, ns
    "last_commit_wall" UBIGINT -- last_commit_ts, wall clock, ns
);

CREATE TABLE IF NOT EXISTS grtrace_captures (
    "host" VARCHAR NOT NULL, -- name of the machine, empty: not recorded
    "boot" VARCHAR NOT NULL, -- its boot, as in /proc/sys/kernel/random/boot_id
    "session" UBIGINT NOT NULL, -- session that recorded it
    "release" VARCHAR NOT NULL, -- release of the kernel
    "capture_start" UBIGINT, -- start of the session, wall clock, ns
    "tool" VARCHAR NOT NULL, -- version of grtrace that exported it
    "tags" VARCHAR NOT NULL, -- tags of record --tag, as an object of JSON
    "capture" VARCHAR NOT NULL, -- name of the capture
    "clock" VARCHAR NOT NULL, -- clock of its time stamps
    "start_ts" UBIGINT NOT NULL, -- start of the session on that clock, ns
    "jobs" UBIGINT NOT NULL, -- rows of jobs
    "records" UBIGINT NOT NULL, -- events and notes read
    "events" UBIGINT NOT NULL, -- events read
    "lost_events" UBIGINT NOT NULL, -- events that a LOST reports
    "lost_notes" UBIGINT NOT NULL, -- notes that a LOST reports
    "missing" UBIGINT NOT NULL, -- records overwritten, cut out, or in no file
    "skipped" UBIGINT NOT NULL, -- records of unknown type
    "damaged_bytes" UBIGINT NOT NULL -- bytes that are no records
);

-- NULLSTR is that of grtrace export --null.
-- duration load
COPY grtrace_jobs FROM 'jobs.csv' (FORMAT csv, HEADER, NULLSTR '\N', ALLOW_QUOTED_NULLS false);
COPY grtrace_captures FROM 'captures.csv' (FORMAT csv, HEADER, NULLSTR '\N', ALLOW_QUOTED_NULLS false);

-- Parquet in fleet/day=.../host=.../, for Spark and others as well. The columns of the path are
-- in the files, too.
-- duration parquet
COPY (SELECT *, DATE '1970-01-01' + CAST(submit_wall // 86400000000000 AS INTEGER) AS day
      FROM grtrace_jobs ORDER BY dev, ring, session)
TO 'fleet' (FORMAT parquet, COMPRESSION zstd, PARTITION_BY (day, host), WRITE_PARTITION_COLUMNS true,
           OVERWRITE_OR_IGNORE true);
CREATE OR REPLACE VIEW fleet AS
SELECT * FROM read_parquet('fleet/*/*/*.parquet', hive_partitioning = false);

-- The value that ClickHouse's quantileExact finds.
CREATE OR REPLACE MACRO quantile_exact(q, x) AS
list_extract(list_sort(list(x)), CAST(floor(CAST(q AS DOUBLE) * count(x)) AS BIGINT) + 1);

-- Where jobs were sampled, weight says how many a row stands for; percentiles, medians and
-- delays are those of the rows.

-- 1. The 99th percentile of each host and ring, ns.
SELECT host, ring, sum(weight) AS jobs, quantile_exact(0.99, t_exec) AS exec_p99
FROM fleet
WHERE t_exec IS NOT NULL
GROUP BY host, ring
ORDER BY host, ring;

-- 2. The worst hosts: slow and failed jobs, of 1,000.
SELECT host, sum(weight) AS jobs, coalesce(sum(weight) FILTER (label != 'ok'), 0) AS bad, 1000 * bad // jobs AS permille
FROM fleet
WHERE label != 'incomplete'
GROUP BY host
ORDER BY permille DESC, host
LIMIT 10;

-- 3. Why jobs were slow, of 1,000.
SELECT label, sum(weight) AS n, 1000 * n // (SELECT sum(weight) FROM fleet) AS permille
FROM fleet
GROUP BY label
ORDER BY n DESC, label;

-- 4. Noisy neighbours: whose jobs ran while those of others waited for the ring, ns.
SELECT n.comm AS neighbour, v.comm AS victim, count(DISTINCT v.host) AS hosts,
       sum(CAST(least(n.end_ts, v.start_ts) - greatest(n.start_ts, v.submit_ts) AS BIGINT)) AS delayed
FROM fleet AS v
INNER JOIN fleet AS n ON n.host = v.host AND n.boot = v.boot AND n.session = v.session AND n.ring_id = v.ring_id
WHERE n.comm != v.comm AND n.start_ts < v.start_ts AND n.end_ts > v.submit_ts
GROUP BY neighbour, victim
ORDER BY delayed DESC, neighbour, victim;

-- 5. Records lost, by host, of 1,000,000.
SELECT host, sum(records) AS recorded, sum(lost_events + lost_notes + missing) AS lost,
       1000000 * lost // (recorded + lost) AS ppm
FROM grtrace_captures
GROUP BY host
ORDER BY ppm DESC, host;

-- 6. What became slower with another kernel on the same host: medians, ns.
WITH m AS
(
    SELECT host, ring, comm, release, min(submit_wall) AS since, quantile_exact(0.5, t_exec) AS median
    FROM fleet
    WHERE t_exec IS NOT NULL
    GROUP BY host, ring, comm, release
    HAVING count(*) >= 20
)
SELECT a.host AS host, a.ring AS ring, a.comm AS comm, a.release AS old, b.release AS new,
       a.median AS before, b.median AS after
FROM m AS a
INNER JOIN m AS b ON a.host = b.host AND a.ring = b.ring AND a.comm = b.comm
WHERE a.since < b.since AND 2 * b.median > 3 * a.median
ORDER BY host, ring, comm, old, new;

-- 7. By a tag of record --tag mesa=...
SELECT coalesce(json_extract_string(tags, '$.mesa'), '') AS mesa, ring, comm, sum(weight) AS jobs,
       quantile_exact(0.5, t_exec) AS median
FROM fleet
WHERE t_exec IS NOT NULL
GROUP BY mesa, ring, comm
ORDER BY mesa, ring, comm;

-- 8. The first day on which the jobs of a program took 1.5 times as long as on its first day.
WITH days AS
(
    SELECT host, ring, comm, day,
           quantile_exact(0.5, t_exec) AS median
    FROM fleet
    WHERE t_exec IS NOT NULL AND submit_wall IS NOT NULL
    GROUP BY host, ring, comm, day
    HAVING count(*) >= 10
), usual AS
(
    SELECT *, first_value(median) OVER (PARTITION BY host, ring, comm ORDER BY day) AS first_median
    FROM days
)
SELECT host, ring, comm, min(day) AS since
FROM usual
WHERE 2 * median > 3 * first_median
GROUP BY host, ring, comm
ORDER BY host, ring, comm;
