# SPDX-License-Identifier: GPL-2.0
"""What a simulated GPU really did, against the rows of SQL: the definitions of a job's
times are right if they find what was."""

import csv

# Bits of the column "recorded": types of records.
TOLD = {"submit_ts": 1, "pick_ts": 4, "commit_ts": 5, "start_ts": 6, "complete_ts": 8}
END, COMMIT, FENCE = 1 << 7, 1 << 5, 1 << 14


def check_simulated(tables, path, workload, judgement):
    """Only of whole captures: of what was lost nothing can be said."""
    if workload.drop or workload.overwrite or workload.warm or {"--cut", "--recycle"} & set(workload.flags):
        return
    rows = {(row["ctx"], row["seqno"]): row for row in tables["job_rows"]}
    in_order = "--out-of-order" not in workload.flags and "--no-commit" not in workload.flags and \
        not workload.numbers["--hang"] and not workload.numbers["--endless"]
    with open(path, encoding="ascii") as file:
        for job in csv.DictReader(file):
            bits = int(job["recorded"], 0)
            row = rows.get((job["ctx"], int(job["seqno"])))
            if row is None:
                judgement.differ(f"simulated {job['ctx']}:{job['seqno']}", job, "no row of SQL")
                continue
            told = {name: int(job[name[:-3]]) for name, bit in TOLD.items() if bits & 1 << bit}
            if bits & END or bits & FENCE and bits & COMMIT:
                told["end_ts"] = int(job["end"])
            if "--clients" in workload.flags:
                told["client"] = job["client"]
            if in_order and told.keys() >= {"commit_ts", "end_ts"}:
                told["start_ts"] = int(job["start"])
            judgement.figures += len(told)
            wrong = {name: (ts, row[name]) for name, ts in told.items() if row[name] != ts}
            if wrong:
                judgement.differ(f"simulated {job['ctx']}:{job['seqno']}",
                                 {name: pair[0] for name, pair in wrong.items()},
                                 {name: pair[1] for name, pair in wrong.items()})
