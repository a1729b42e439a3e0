# SPDX-License-Identifier: GPL-2.0
"""Checks each line of `grtrace report --csv` against the jobs of jobs.py, and
both against what the workload says really was."""

import csv

from jobs import completion, difference, execution, queue

TIMES = ("submit_ts", "pick_ts", "commit_ts", "start_ts", "end_ts",
         "complete_ts")
# Bits of the workload's column "recorded".
SUBMIT, PICK, COMMIT, START, END, COMPLETE, FENCE = (
    1 << bit for bit in (1, 4, 5, 6, 7, 8, 14))


def inferred(job):
    words = ["start"] * job.start_inferred + ["time"] * job.time_inferred
    return "+".join(words) or "-"


def slow(job):
    words = ["queue"] * job.slow_queue + ["exec"] * job.slow_exec
    return "+".join(words) or "-"


def row_of(capture, job):
    """What its line has to say, the label aside."""
    ring = capture.rings.get(job.ring)
    tgid, comm = capture.task_of(job)
    return {
        "dev": ring and ring[0],
        "ring": ring[1] if ring else job.ring or 0,
        "engine": ring and ring[2],
        "ctx": job.ctx, "seqno": job.wide, "pid": job.pid,
        "tgid": None if comm == "?" else tgid,
        "comm": None if comm == "?" else comm,
        "submit_ts": job.submit, "commit_ts": job.commit,
        "start_ts": job.start, "end_ts": job.end,
        "complete_ts": job.complete,
        "t_submit_host": difference(job.submit, job.commit),
        "t_queue": queue(job), "t_exec": execution(job),
        "t_gpu_wait": job.gpu_wait, "t_complete": completion(job),
        "error": job.error, "inferred": inferred(job),
        "weight": job.weight, "slow": slow(job),
        "blocked_ts": job.blocked, "pick_ts": job.pick,
        "dependencies": len(job.records.get("dep", [])),
        "waits": len(job.waits),
    }


def check_rows(text, capture, mistakes):
    """Lines stand in the order in which jobs left."""
    rows = list(csv.DictReader(text.splitlines()))
    jobs = sorted(capture.jobs, key=lambda job: job.left)
    mistakes.check("lines of --csv", len(rows), len(jobs))
    for row, job in zip(rows, jobs):
        right = row_of(capture, job)
        for name, value in right.items():
            value = "NA" if value is None else str(value)
            # Only RING notes in the order of the trace tell the class.
            if name != "engine" or value != "NA":
                mistakes.check(f"job {job.ctx}:{job.wide} {name}",
                               row[name], value)
        if row["label"] not in job.labels:
            mistakes.append(f"job {job.ctx}:{job.wide} is called "
                            f"{row['label']}, but is {job.labels}")
        if int(row["lost"]) not in (job.touched_surely, job.touched_maybe):
            mistakes.append(f"job {job.ctx}:{job.wide}: lost {row['lost']}")
        for name in row.keys() - right.keys() - {"label", "lost"}:
            mistakes.append(f"nothing here knows the column {name}")
    return rows


def read_truth(path):
    jobs = {}
    with open(path, encoding="ascii") as file:
        for row in csv.DictReader(file):
            job = {name: None if cell == "NA" else int(cell, 0)
                   for name, cell in row.items()}
            key = (job["ctx"], job["seqno"] & 0xffffffff)
            jobs.setdefault(key, []).append(job)
    return jobs


def time_told(job, name):
    """The time as a whole capture tells it, None if no record does."""
    bits = job["recorded"]
    told = {"submit_ts": bits & SUBMIT, "pick_ts": bits & PICK,
            "commit_ts": bits & COMMIT, "start_ts": bits & START,
            "end_ts": bits & END or (bits & FENCE and bits & COMMIT),
            "complete_ts": bits & COMPLETE}
    return job[name[:-3]] if told[name] else None


def number(cell):
    return None if cell == "NA" else int(cell)


def agrees(row, job):
    """No time of the line is a wrong one."""
    for name in TIMES:
        told = number(row[name])
        if name == "start_ts" and "start" in row["inferred"]:
            continue
        if told is not None and told != job[name[:-3]]:
            return False
    return True


def check_truth(rows, truth, workload, mistakes):
    """Each line against the job as it was. Without loss all that was told is
    there; with loss a time is right or missing."""
    seen = 0
    for row in rows:
        what = f"job {row['ctx']}:{row['seqno']}"
        key = (int(row["ctx"]), int(row["seqno"]) & 0xffffffff)
        same = [job for job in truth.get(key, []) if agrees(row, job)]
        if not same:
            mistakes.append(f"{what} never was: {list(row.values())}")
            continue
        seen += 1
        job = same[0]
        if row["pid"] != "NA":
            mistakes.check(what + " pid", int(row["pid"]), job["pid"])
        if not workload.loses:
            check_whole(what, row, job, workload, mistakes)
    if not workload.loses:
        mistakes.check("jobs in the truth", seen, sum(
            1 for jobs in truth.values() for job in jobs
            if job["recorded"] & ~(1 << 9)))


def check_whole(what, row, job, workload, mistakes):
    for name in TIMES:
        told = time_told(job, name)
        if name == "start_ts" and told is None:
            if workload.infers_exactly and row[name] != "NA":
                mistakes.check(what + " inferred START", number(row[name]),
                               job["start"])
        else:
            mistakes.check(f"{what} {name}", number(row[name]), told)
    if not workload.warm:
        mistakes.check(what + " seqno", int(row["seqno"]), job["seqno"])
    if job["recorded"] & COMPLETE:
        mistakes.check(what + " error", int(row["error"]), job["error"])
