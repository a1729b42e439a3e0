# SPDX-License-Identifier: GPL-2.0
"""A simulated GPU's own account, against the rows of SQL: the definitions of a job's
times are right if they find what happened, and NA where no record shows it.

The simulation wrote down each job with all of its times, and which of its records are in
the capture: what was lost, cut off, or before the capture is not.
"""

import csv

SUBMIT, DEP, BLOCKED, PICK, COMMIT, START, END, COMPLETE, FENCE = \
    (1 << number for number in (1, 2, 3, 4, 5, 6, 7, 8, 14))
# The records that make a job known, and those that show that the ring had it.
OF_JOB = SUBMIT | DEP | BLOCKED | PICK | COMMIT | START | END | COMPLETE
ON_RING = PICK | COMMIT | START | END | COMPLETE
TOLD = {"submit": SUBMIT, "blocked": BLOCKED, "pick": PICK, "commit": COMMIT, "complete": COMPLETE}
TIMES = (*TOLD, "start", "end")


class TrueJob:
    """A line of the simulation: None for a time that never came."""

    def __init__(self, line):
        self.line = line
        self.recorded = int(line["recorded"], 0)
        self.key = (line["ctx"], int(line["seqno"]) & 0xffffffff)
        self.times = {name: None if line[name] == "NA" else int(line[name]) for name in TIMES}

    def has(self, *kinds):
        return all(self.recorded & kind for kind in kinds)

    def tells_end(self):
        """The hardware fence is known by the COMMIT that names it."""
        return self.has(END) or self.has(COMMIT, FENCE)

    def told(self):
        """The values of the row: None where nothing was recorded."""
        told = {f"{name}_ts": self.times[name] if self.has(kind) else None for name, kind in TOLD.items()}
        told["end_ts"] = self.times["end"] if self.tells_end() else None
        told["dependencies"] = int(self.has(DEP))
        if self.has(SUBMIT):
            told["pid"] = int(self.line["pid"])
        if self.has(COMPLETE):
            told["error"] = int(self.line["error"])
        return told


def starts(jobs, in_order):
    """By the number of each job where START is known, what the row may say: what is recorded; or
    the time of its COMMIT or of the END of the job ahead on the ring, if both are recorded. A job
    that the ring never had has none. Nor has one whose START was lost, or it is the right one."""
    found = {number: (job.times["start"],) for number, job in enumerate(jobs) if job.has(START)}
    found |= {number: (None,) for number, job in enumerate(jobs) if not job.has(ON_RING)}
    rings = {}
    for number, job in enumerate(jobs):
        if job.times["start"] is not None:
            rings.setdefault(job.line["ring"], []).append(number)
    for numbers in rings.values():
        ran = sorted(numbers, key=lambda number: jobs[number].times["start"])
        told = [place for place, number in enumerate(ran) if jobs[number].has(START)]
        if told:
            found = {number: (None, jobs[number].times["start"]) for number in ran[told[0] + 1:]} | found
        elif in_order:
            found |= inferred_starts(jobs, ran)
    return found


def inferred_starts(jobs, ran):
    """The inferred starts on a ring that executes one job after the other, in this order."""
    found, ahead, vague = {}, None, 0  # vague: when the last job without an END was complete
    for number in ran:
        job, start = jobs[number], jobs[number].times["start"]
        by_commit = job.has(COMMIT) and start == job.times["commit"]
        by_end = job.recorded & (COMMIT | PICK) and ahead and ahead.tells_end() and \
            ahead.times["end"] == start
        if job.tells_end() and vague <= start and (by_commit or by_end):
            found[number] = (start,)
        if not job.tells_end() and job.has(COMPLETE):
            vague = max(vague, job.times["complete"])
        ahead = job
    return found


def of_whole(job, workload):
    """All values that are known where everything is recorded: names, waits and switches."""
    ring, devices = int(job.line["ring"]) - 1, workload.numbers["--devices"]
    told = {"ring": f"ring{ring // devices}", "dev": f"0000:{ring % devices + 3:02x}:00.0"}
    if job.has(COMPLETE):
        blocked = job.times["blocked"] is not None
        waited = int(job.line["wait_ns"])
        told["t_gpu_wait"] = waited + (job.times["pick"] - job.times["blocked"] if blocked else 0) \
            if waited or blocked else None
    if "--clients" in workload.flags:
        told["client"] = job.line["client"]
    if job.line["preempted"] == "1":
        told["preempted"] = 1
    return told


def check_simulated(tables, path, workload, judgement):
    """Returns whether most of the jobs that ran are also compared with START."""
    with open(path, encoding="ascii") as file:
        jobs = [TrueJob(line) for line in csv.DictReader(file)]
    jobs = sorted((job for job in jobs if job.has(OF_JOB)), key=lambda job: job.times["submit"])
    rows = {}
    for row in tables["job_rows"]:
        rows.setdefault((row["ctx"], row["seqno"] & 0xffffffff), []).append(row)
    judgement.same("simulated jobs", len(jobs), len(tables["job_rows"]))
    start = starts(jobs, "--out-of-order" not in workload.flags)
    whole = not (workload.drop or workload.overwrite or workload.warm or "--cut" in workload.flags)
    for number, job in enumerate(jobs):
        where = f"simulated {job.line['ctx']}:{job.line['seqno']}"
        if not rows.get(job.key):
            judgement.differ(where, job.line, "no row of SQL")
            continue
        row = rows[job.key].pop(0)  # of an id that is used again, the rows are in order
        told = job.told() | (of_whole(job, workload) if whole else {})
        if number in start:
            told["start_ts"] = row["start_ts"] if row["start_ts"] in start[number] else start[number][0]
        judgement.figures += len(told)
        wrong = [name for name, right in told.items() if row[name] != right]
        if wrong:
            judgement.differ(where, {name: told[name] for name in wrong},
                             {name: row[name] for name in wrong})
    ran = sum(job.times["start"] is not None and job.has(ON_RING) for job in jobs)
    return 2 * sum(len(at) == 1 and at[0] is not None for at in start.values()) >= ran
