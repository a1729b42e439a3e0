#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Accounts for every job of the DRM scheduler's suites, from the files that
guest/sched_kunit.sh left in a folder for each suite: the order of a job's life, the
same events from grtrace and from tracefs, and the counters of the session. It has its
own reader; it also checks that "grtrace verify" finds no fault. Prints TAP; needs the
tools in PATH.

Usage: sched_kunit.py FOLDER...
"""
import re
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

# Jobs that a suite of Linux 7.3 submits, added up from drivers/gpu/drm/scheduler/tests/;
# in the others time decides.
SUBMITS = {
    "drm_sched_basic_tests": 1 + 4 * 100 + 100,
    "drm_sched_basic_timeout_tests": 1 + 1,
    "drm_sched_basic_cancel_tests": 1,
    "drm_sched_basic_priority_tests": 100 + 1000,
    "drm_sched_basic_modify_sched_tests": 1000,
    "drm_sched_basic_credits_tests": 2,
    "drm_sched_scheduler_overhead_tests": 1001 + 1001,
}
# The letters of grparse in the order of a job's life, and what tracefs has for them.
STAGE = {"Q": 0, "DP": 1, "UN": 2, "I": 3, "D": 4, "timeout": 5, "E": 6, "kill": 6, "C": 7}
LETTER = {"queue": "Q", "run": "I", "hw_fence": "D", "done": "E", "add_dep": "DP",
          "unschedulable": "UN", "timedout": "timeout", "kill": "kill"}
OFTEN = ("DP", "UN", "D", "timeout")
ESRCH, ECANCELED = -3, -125
DROPS = re.compile(r"sampled_out|rate_limited_drops|backpressure_drops|filtered_.*|"
                   r"writes_(reserve_fail|oversize|nmi)")


def recorded(folder, faults):
    """The capture's jobs: job => [(letter, error, hardware fence)] in the session's order."""
    jobs, picks = defaultdict(list), {}
    grparse = subprocess.run(["grparse", "-q", "--strict", "-f", r"%a %k %e %x %S %f\n", "-i", folder / "run"],
                             stdout=subprocess.PIPE, text=True, check=False)
    if grparse.returncode:
        faults.append(f"grparse: exit status {grparse.returncode}")
    for line in grparse.stdout.splitlines():
        letter, kind, error, context, seqno, fence = line.split()
        letter = kind if letter == "ER" else letter
        if letter not in STAGE:
            continue
        jobs[f"{context}:{seqno}"].append((letter, int(error), fence))
        if letter == "I":
            if picks.get(context, -1) >= int(seqno):
                faults.append(f"{context}:{seqno} was picked after {context}:{picks[context]}")
            picks[context] = int(seqno)
    return jobs


def traced(folder, faults):
    """How often tracefs has each (letter, job), and the errors of the jobs for which run_job()
    returned no hardware fence."""
    seen, fenceless = Counter(), {}
    for line in (folder / "tracefs.txt").read_text().splitlines():
        if re.search(r"EVENTS? (DROPPED|LOST)", line, re.I):
            faults.append(f"tracefs lost events: {line}")
        found = re.search(r"\d:\s+drm_sched_job_(\w+):.*?fence=(\d+:\d+)", line)
        none = re.search(r"\sdrm_sched_\w+:.*?fence=(\d+:\d+).* hw fence=0:0, error=(-?\d+)", line)
        if none:
            fenceless[none[1]] = int(none[2])
        elif found and found[1] in LETTER:
            seen[LETTER[found[1]], found[2]] += 1
    return seen, fenceless


def life(events, fenceless):
    """The faults in the life of a job; fenceless is run_job()'s error, if it returned no fence."""
    count, last, error = Counter(), -1, 0
    for letter, code, fence in events:
        count[letter] += 1
        # On a slow machine the timeout's worker may look at a job that has ended meanwhile.
        late = letter == "timeout" and count["E"]
        if STAGE[letter] < last and not late:
            yield f"{letter} too late"
        last = last if late else STAGE[letter]
        if letter == "D" and not re.fullmatch(r"[1-9]\d*:\d+", fence):
            yield "no hardware fence in D"
        error = code if letter == "C" else error
    for letter, times in count.items():
        if times > 1 and letter not in OFTEN:
            yield f"{times} times {letter}"
    picked, killed = count["I"], count["kill"]
    wrong = {
        "no Q": not count["Q"],
        "no C": not count["C"],
        "picked, but no D": picked and not count["D"] and fenceless is None,
        "picked, but no E": picked and not count["E"],
        "neither picked nor killed, or both": bool(picked) == bool(killed),
        "killed without having been picked, but E": not picked and count["E"],
        f"killed, but its C says {error}": killed and error != ESRCH,
        f"error {error}, which nothing explains": error not in (0, ECANCELED, fenceless)
        and not killed and not count["timeout"],
    }
    yield from (what for what, so in wrong.items() if so)


def table(file, separator, name, value):
    """name => value, of two columns of a file of the session."""
    rows = (line.split(separator) for line in file.read_text().splitlines())
    return {row[name]: int(row[value]) for row in rows
            if len(row) > value and row[value].lstrip("-").isdigit()}


def books(folder, suite, jobs):
    """The faults in the session's own counters."""
    stats = table(folder / "stats", None, 0, 1)
    types = table(folder / "events_by_type", ",", 1, 3)
    drops = {name: count for name, count in stats.items() if count and DROPS.fullmatch(name)}
    yield from (f"{name}: {count}" for name, count in drops.items())
    left = stats["offered"] - stats["written"] - sum(drops.values())
    if left:
        yield f"{left} events went nowhere"
    if stats["lost"]:
        yield f"lost: {stats['lost']}"
    for kind in "submit", "complete":
        if types[kind] != jobs:
            yield f"{kind}: {types[kind]} events, not {jobs}"
    for ring, flying in table(folder / "rings", ",", 0, 5).items():
        if ring.isdigit() and flying:
            yield f"ring {ring}: {flying} jobs in flight"
    if SUBMITS.get(suite, jobs) != jobs:
        yield f"the suite submits {SUBMITS[suite]} jobs"


def check(folder):
    """The four results of a suite: what was checked, and what is wrong."""
    suite = folder.name
    if not (folder / "rings").exists():
        yield "the suite passes", ["it left no results, see its log above"]
        return
    results = (folder / "results").read_text()
    faults = re.findall(r"^\s*not ok .*", results, re.M)
    if not faults and not re.search(rf"^ok \d+ {suite}\b", results, re.M):
        faults = ["it did not end"]
    yield "the suite passes", faults

    faults, doubts = [], []
    jobs = recorded(folder, faults)
    theirs, fenceless = traced(folder, doubts)
    for job, events in sorted(jobs.items()):
        faults += (f"{job}: {what}" for what in life(events, fenceless.get(job)))
    verify = subprocess.run(["grtrace", "verify", "-D", folder, "run"], text=True, check=False,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if verify.returncode:
        faults += ["grtrace verify:", *verify.stdout.splitlines()]
    yield f"{len(jobs)} jobs are whole", faults if jobs else faults + ["there is no job"]

    ours = Counter((event[0], job) for job, events in jobs.items() for event in events if event[0] != "C")
    for event in sorted(ours.keys() | theirs.keys()):
        if ours[event] != theirs[event]:
            doubts.append(f"{' '.join(event)}: grtrace {ours[event]}, tracefs {theirs[event]}")
    total = Counter(letter for letter, _ in ours.elements())
    if "timeout" in suite and not total["timeout"]:
        doubts.append("no job timed out")
    said = ", ".join(f"{total[letter]} {letter}" for letter in STAGE if total[letter])
    yield f"as tracefs recorded it: {said}", doubts
    yield f"{len(jobs)} of {len(jobs)} jobs, nothing lost", list(books(folder, suite, len(jobs)))


def main():
    number = failed = 0
    for folder in map(Path, sys.argv[1:]):
        for what, faults in check(folder):
            number += 1
            failed |= bool(faults)
            for fault in faults[:10] + ["..."] * (len(faults) > 10):
                print(f"# {fault}")
            print(f"{'not ' * bool(faults)}ok {number} {folder.name}: {what}")
    print(f"1..{number}")
    return int(failed)


sys.exit(main())
