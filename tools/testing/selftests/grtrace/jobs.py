#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""
Does a capture have each job of the load, with its times, error and dependency?

	jobs.py TIMES CAPTURE DURATION_US [killed|chained]

TIMES is what "mockload --times" wrote: when the mock GPU itself read its clock.  It
reads it just before a trace can be told of the same step, so a time of the capture
lies between two of its: no matter how slow the machine is, they are in this order.

killed: some jobs never began, and then have nothing between SUBMIT and COMPLETE.
chained: each job depends on the one that was submitted before it.
Else the jobs of a ring ran one after the other.
"""
import csv
import subprocess
import sys

STEPS = {"I": "PICK", "D": "COMMIT", "B": "START", "E": "END"}
faults = 0


def wrong(job, text):
    global faults
    faults += 1
    if faults <= 10:
        print(f"# {job}: {text}")


def one(job, rows, letter, n=1):
    """The only row of its kind, or None."""
    found = rows.get(letter, [])
    if len(found) != n:
        wrong(job, f"{len(found)} times {letter}, not {n}")
    return found[0] if found else None


def ordered(job, *steps):
    """Names and times, which must not go back."""
    for (name, ts), (next_name, next_ts) in zip(steps, steps[1:]):
        if ts > next_ts:
            wrong(job, f"{name} at {ts}, {next_name} at {next_ts}")


def look_at(job, told, rows, duration):
    """Its START and END, or None if it never began."""
    if (submit := one(job, rows, "Q")) and submit["ring_name"] != told["ring"]:
        wrong(job, f"on {submit['ring_name']}, not {told['ring']}")
    done, ended = int(told["done"]), int(told["ended"])
    if complete := one(job, rows, "C"):
        if complete["code"] != told["error"]:
            wrong(job, f"its error is {complete['code']}, not {told['error']}")
        ordered(job, ("done", done), ("COMPLETE", int(complete["ts"])))
    if not ended:
        for letter in "DBE":
            one(job, rows, letter, 0)
        return None
    steps = {letter: one(job, rows, letter) for letter in STEPS}
    if not all(steps.values()):
        return None
    begun, start, end = int(told["begun"]), int(steps["B"]["ts"]), int(steps["E"]["ts"])
    ordered(job, ("begun", begun), ("START", start), ("ended", ended), ("END", end), ("done", done))
    ordered(job, ("begun and its duration", begun + duration), ("END", end))
    return start, end


def one_by_one(runs, apart):
    """Of (ring, START, END) in the order of submission none begins before the last's end."""
    last = {}
    for ring, start, end in runs:
        ring = ring if apart else ""
        if start < last.get(ring, 0):
            wrong(ring, f"one began at {start}, before {last[ring]}")
        last[ring] = end


def main(times, capture, duration, how="apart"):
    with open(times, encoding="ascii") as file:
        told = {(row["ctx"], row["seqno"]): row for row in csv.DictReader(file)}
    found, submitted, deps = {}, [], []
    with subprocess.Popen(["grparse", "-q", "--csv", "-i", capture],
                          stdout=subprocess.PIPE, text=True) as process:
        for row in csv.DictReader(process.stdout):
            job, letter = (row["ctx"], row["seqno"]), row["letter"]
            if letter == "Q" and job not in told:
                wrong(job, "the load had no such job")
            found.setdefault(job, {}).setdefault(letter, []).append(row)
            if letter == "DP":
                deps.append((job, (row["fence_ctx"], row["fence_seqno"])))
            if letter == "Q":
                submitted.append(job)
    runs = {job: look_at(job, told[job], found.get(job, {}), int(duration) * 1000)
            for job in told}
    never = sum(run is None for run in runs.values())
    if never and how != "killed" or not never and how == "killed":
        wrong("jobs", f"{never} never began")
    if how == "chained" and sorted(deps) != sorted(zip(submitted[1:], submitted)):
        wrong("dependencies", "not each on the one before")
    runs = [(told[job]["ring"], *runs[job]) for job in submitted if runs.get(job)]
    if how == "apart":
        runs.sort(key=lambda run: run[1])
    if how != "killed":
        one_by_one(runs, how == "apart")
    print(f"# {len(told)} jobs, {never} never began, {len(deps)} dependencies")
    return faults > 0 or not told or process.returncode


sys.exit(main(*sys.argv[1:]))
