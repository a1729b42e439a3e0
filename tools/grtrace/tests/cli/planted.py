#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Captures whose jobs were late for a reason that is known, and who is to blame.

	planted.py CAUSE SEED TEXT		a fixture for synth
	planted.py check CAUSE SEED JSON CSV	do the findings say so?
	planted.py blends N SYNTH GRTRACE	of N mixes: is the largest cause named first?

The rings are simulated: a queue for each context, only the first job of which is looked at;
jobs of a ring run one after the other. The cause of a job's wait is computed once more from
the simulation: at each moment again, without a look at the program that is tested.
"""

import csv
import json
import random
import subprocess
import sys
from dataclasses import dataclass, field

US, MS = 1000, 1000000
START = 1000 * MS
RINGS = {1: "render0", 2: "compute0", 3: "copy0", 4: "video0", 5: "control"}
HOST = 5  # a ring of a virtual GPU


@dataclass
class Job:  # pylint: disable=too-many-instance-attributes
    process: int
    ctx: int
    ring: int
    submit: int
    exec: int
    needs: list = field(default_factory=list)
    picking: int = 2 * US  # from when it could be picked
    committing: int = 1 * US
    completing: int = 3 * US
    hangs: bool = False
    again: int = 0  # it hung for so long, and was run again after a reset
    declared: bool = False  # its needs are recorded as DEP
    looked: bool = True  # and as BLOCKED
    seqno: int = 0
    pick: int = 0
    commit: int = 0
    hung: tuple = (0, 0)  # from when, and until it was handed over again
    start: int = 0
    end: int = 0
    complete: int = 0
    blocked: list = field(default_factory=list)  # (from, to, by)

    def name(self):
        return f"{self.ctx}:{self.seqno}"


@dataclass
class Wait:
    """A task waits for all of the jobs, and runs again some time after the last of them."""
    process: int
    jobs: list
    late: int = 30 * US

    def enter(self):
        return max(job.submit for job in self.jobs) + 1 * US

    def complete(self):
        return max(job.complete for job in self.jobs)

    def exit(self):
        return max(self.enter(), self.complete()) + self.late


class Machine:
    """Jobs go in, in any order; run() has them executed."""

    def __init__(self):
        self.jobs = []
        self.waits = []
        self.roots = {}  # who is to blame for each cause: ns by job
        self.credits = dict.fromkeys(RINGS, 8)

    def add(self, *words, **more):
        job = Job(*words, **more)
        self.jobs.append(job)
        return job

    def run(self):
        queues, ends = {}, {ring: [START] for ring in RINGS}
        for job in sorted(self.jobs, key=lambda job: job.submit):
            queue = queues.setdefault(job.ctx, [])
            queue.append(job)
            job.seqno = len(queue)
        first = dict.fromkeys(queues, 0)
        while True:
            ready = []
            for ctx, queue in queues.items():
                if first[ctx] == len(queue):
                    continue
                job = queue[first[ctx]]
                if any(not need.complete for need in job.needs):
                    continue
                head = max(job.submit, queue[first[ctx] - 1].pick if first[ctx] else 0)
                at, blocked = head, []
                for need in job.needs:
                    if need.complete > at:
                        blocked.append((at, need.complete, need))
                        at = need.complete
                # A job that left gives its credits back.
                room = ends[job.ring][-self.credits[job.ring]:][0] \
                    if len(ends[job.ring]) > self.credits[job.ring] else 0
                ready.append((max(at, room) + job.picking, job.submit, ctx, blocked))
            if not ready:
                break
            pick, _, ctx, blocked = min(ready, key=lambda one: one[:3])
            job = queues[ctx][first[ctx]]
            first[ctx] += 1
            job.pick, job.blocked = pick, blocked
            # Until it is picked the scheduler says nothing else of it.
            if blocked:
                job.blocked[-1] = (blocked[-1][0], pick, blocked[-1][2])
            job.commit = job.pick + job.committing
            job.start = max(job.commit, ends[job.ring][-1])
            job.hung = (job.start, job.start + job.again)
            job.start += job.again
            job.end = job.start + job.exec
            job.complete = job.end + job.completing
            ends[job.ring].append(job.end)

    def text(self):
        lines = []
        for number, job in enumerate(self.jobs):
            key = f"ctx={job.ctx} ring={job.ring} seqno={job.seqno}"
            virtual = job.ring == HOST

            def say(what, ts, more="", key=key):
                lines.append((ts, f"{what} {key} {more} ts={ts}"))

            for need in job.needs if job.declared else []:
                say("dep", job.submit, f"fence={need.name()}")
            say("submit", job.submit, f"pid={job.process}")
            for since, _, by in job.blocked if job.looked else []:
                say("blocked", since, f"fence={by.name()}")
            if not virtual:
                say("pick", job.pick)
            say("commit", job.commit, f"fence=900:{number + 1}")
            if job.hangs:
                say("error", job.end, "kind=1 code=-62")
            if job.again:
                say("error", job.start - 2 * US, "kind=1 code=-62")
                say("error", job.start - 1 * US, "kind=3 code=0")
            # The jobs that the ring had are handed over again behind it.
            resets = sorted(one.start for one in self.jobs if one.again and
                            one.ring == job.ring and job.commit < one.start <= job.start)
            for nr, ts in enumerate(resets):
                say("commit", ts, f"fence={901 + nr}:{number + 1}")
            fence = 900 + len(resets)
            lines.append((job.end, f"fence ctx={fence} seqno={number + 1} ts={job.end}"))
            say("complete", job.complete, "arg=-62" if job.hangs else "")
        for wait in self.waits:
            for job in wait.jobs:
                key = f"pid={wait.process} ctx={job.ctx} seqno={job.seqno}"
                lines.append((wait.enter(), f"wait_enter {key} ts={wait.enter()}"))
                lines.append((wait.exit(), f"wait_exit {key} ts={wait.exit()}"))
        head = [f"info start={START} real=1700000000000000000 release=7.3.4",
                "meta source drm_sched 6 6", "meta source dma_fence 2 2"]
        for ring, name in RINGS.items():
            driver, device = ("virtio_gpu", "card1") if ring == HOST else ("mock", "card0")
            head.append(f"ring id={ring} class=1 device={device} driver={driver} name={name}")
        head.append("cpu 0")
        for process in sorted({one.process for one in self.jobs + self.waits}):
            head.append(f"task pid={process} tgid={process} comm=p{process}")
        return "\n".join(head + [line for _, line in sorted(lines, key=lambda l: l[0])]) + "\n"

    # The cause of a job's wait at a moment: (kind, process, root).
    def cause(self, job, ts, via):
        held = [(one, by) for one in self.behind(job) if one.looked
                for since, to, by in one.blocked if since <= ts < min(to, by.complete)]
        # The scheduler has not looked at it yet: of what it needs the last counts. One of
        # the same ring only has to be there before it.
        needs = [(by.pick if by.ring == one.ring else by.complete, one, by)
                 for one in self.behind(job) if one.declared for by in one.needs]
        needs = [need for need in needs if ts < need[0]]
        if needs and not held:
            held = [max(needs, key=lambda need: need[0])[1:]]
        if held:
            one, by = held[0]
            via = via + ([one] if one is not job else [])
            if ts >= by.end:
                return "completion", 0, by, via
            if ts >= by.start:
                return self.runs("dependency", by), by.process, by, via
            return self.cause(by, ts, via + [by])
        for other in self.jobs:
            if other.ring == job.ring and other.hung[0] <= ts < other.hung[1] <= job.start:
                return "hang", other.process, other, via
            if other.ring == job.ring and other.start <= ts < other.end <= job.start:
                kind = "own_queue" if other.process == job.process else "other_process"
                return self.runs(kind, other), other.process, other, via
        if job.ring == HOST:
            return ("driver" if ts < job.commit else "hardware"), 0, job, via
        if ts < job.pick:
            return "scheduler", 0, job, via
        return ("driver" if ts < job.commit else "hardware"), 0, job, via

    def behind(self, job):
        return [one for one in self.jobs
                if one.ctx == job.ctx and one.ring == job.ring and one.seqno <= job.seqno]

    @staticmethod
    def runs(kind, job):
        return "hang" if job.hangs else "host" if job.ring == HOST else kind

    def causes(self):
        """ns by kind and, where it matters, process or job, of jobs that were late for it."""
        sums = {}
        edges = sorted({ts for job in self.jobs for ts in
                        [job.submit, job.pick, job.commit, job.start, job.end, job.complete] +
                        list(job.hung) +
                        [edge for span in job.blocked for edge in span[:2]]})
        for job in self.jobs:
            inner = [ts for ts in edges if job.submit < ts < job.start]
            points = [job.submit] + inner + [job.start]
            parts = []
            for begin, end in zip(points, points[1:]):
                kind, process, root, _ = self.cause(job, begin, [job])
                key = (kind, root.name() if kind == "hang" else
                       process if kind in ("own_queue", "other_process", "dependency") else 0)
                parts.append((key, root, end - begin))
            for key, root, ns in parts:
                # A job that waits less for one cause is not late for it.
                if key[0] != "hang" and sum(one[2] for one in parts if one[0] == key) < 100 * US:
                    continue
                sums[key] = sums.get(key, 0) + ns
                self.blame(key, root, ns)
        for wait in self.waits:
            late = wait.exit() - wait.complete()
            if late >= MS and all(job.complete >= wait.enter() for job in wait.jobs):
                key = ("late_wake", wait.process)
                sums[key] = sums.get(key, 0) + late
                self.blame(key, max(wait.jobs, key=lambda job: job.complete), late)
        return sums

    def blame(self, key, root, ns):
        roots = self.roots.setdefault(key, {})
        name = root.name()
        # The longest time of one task's, the sum for what a job did.
        roots[name] = max(roots.get(name, 0), ns) if key[0] == "late_wake" else \
            roots.get(name, 0) + ns


def noise(machine, dice, jobs):
    """Processes with little to do: no job waits long."""
    for number in range(jobs):
        process = dice.choice((10, 11))
        ring = dice.randint(1, 4)
        at = START + number * 2 * MS + dice.randint(0, 200) * US
        job = machine.add(process, process * 10 + ring, ring, at, dice.randint(5, 30) * US)
        if number % 3 == 0:
            machine.waits.append(Wait(process, machine.jobs[-1:]))
        if number % 5 == 0:
            other = ring % 4 + 1
            machine.add(process, process * 10 + other, other, at + 5 * US,
                        dice.randint(5, 20) * US, [job])


# Each plants one cause; what is returned are (kind, process, job) of the first finding,
# None where it does not matter.

def plant_hang(machine, dice):
    at, ring = START + dice.randint(20, 60) * MS, dice.randint(1, 4)
    hung = machine.add(20, 200, ring, at, dice.randint(300, 600) * MS, hangs=True,
                       completing=20 * US)
    behind = machine.add(21, 210, ring, at + MS, 300 * US)
    other = machine.add(21, 211, ring % 4 + 1, at + 2 * MS, 300 * US, [behind])
    machine.add(21, 211, ring % 4 + 1, at + 3 * MS, 300 * US)
    machine.add(22, 220, (ring + 1) % 4 + 1, at + 3 * MS, 300 * US, [other])
    return "hang", 20, hung


def plant_again(machine, dice):
    at, ring = START + dice.randint(20, 60) * MS, dice.randint(1, 4)
    hung = machine.add(20, 200, ring, at, dice.randint(1, 5) * MS,
                       again=dice.randint(300, 600) * MS)
    behind = machine.add(21, 210, ring, at + MS, 300 * US)
    machine.add(21, 211, ring % 4 + 1, at + 2 * MS, 300 * US, [behind])
    machine.add(22, 220, (ring + 1) % 4 + 1, at + 3 * MS, 300 * US, [hung])
    return "hang", 20, hung


def plant_declared(machine, dice):
    """Needs that only DEP names, of jobs whose ring another process keeps busy."""
    ring = dice.randint(1, 4)
    for number in range(10):
        at = START + 20 * MS + number * 60 * MS
        for part in range(20):
            machine.add(33, 330, ring, at + part * 2 * MS, 1900 * US)
        need = machine.add(34, 340, ring % 4 + 1, at, dice.randint(30, 40) * MS)
        machine.add(35, 350, ring, at + MS, 20 * US, [need], declared=True, looked=False)
        machine.add(35, 350, ring, at + 2 * MS, 20 * US)
    return "dependency", 34, None


def plant_greedy(machine, dice):
    ring = dice.randint(1, 4)
    length = dice.randint(8, 15) * MS
    for number in range(20):
        at = START + 20 * MS + number * length
        machine.add(30, 300, ring, at, length - 100 * US)
        for victim in range(4):
            machine.add(31 + victim, 310 + victim, ring, at + (victim + 1) * MS, 20 * US)
    return "other_process", 30, None


def plant_chain(machine, dice):
    rings = dice.sample((1, 2, 3, 4), 4)
    at = START + dice.randint(20, 60) * MS
    last = root = machine.add(40, 400, rings[0], at, dice.randint(80, 200) * MS)
    for number in range(1, 4):
        last = machine.add(40 + number, 400 + number, rings[number], at + number * 100 * US,
                           2 * MS, [last])
        for _ in range(number * 20):
            machine.add(40 + number, 400 + number, rings[number], at + number * 200 * US, 10 * US)
    return "dependency", 40, root


def plant_deep(machine, dice):
    ring, at = dice.randint(1, 4), START + dice.randint(20, 60) * MS
    for number in range(dice.randint(50, 90)):
        machine.add(50, 500 + number % 2, ring, at + number * 10 * US, dice.randint(1, 3) * MS)
    return "own_queue", 50, None


def plant_host(machine, dice):
    for number in range(30):
        machine.add(60, 600, HOST, START + 20 * MS + number * 3 * MS, dice.randint(9, 20) * MS,
                    picking=1 * US)
    return "host", None, None


def plant_credits(machine, dice):
    ring = dice.randint(1, 4)
    machine.credits[ring] = 1
    for number in range(40):
        machine.add(70 + number % 3, 700 + number % 3, ring, START + 20 * MS + number * MS,
                    100 * US, picking=dice.randint(3, 6) * MS)
    return "scheduler", None, None


def plant_completion(machine, dice):
    for number in range(20):
        at = START + 20 * MS + number * 30 * MS
        job = machine.add(80, 800, 1, at, 200 * US, completing=dice.randint(10, 25) * MS)
        machine.add(81, 810, 2, at + 50 * US, 200 * US, [job])
    return "completion", None, None


def plant_driver(machine, dice):
    for number in range(20):
        machine.add(85, 850, 3, START + 20 * MS + number * 20 * MS, 200 * US,
                    committing=dice.randint(5, 15) * MS)
    return "driver", None, None


def plant_wake(machine, dice):
    """Tasks that do not run when their job is complete, and one that waits for two jobs."""
    longest = dice.randrange(10)
    for number in range(10):
        at = START + 300 * MS + number * 200 * MS
        job = machine.add(95, 950, 2, at, 200 * US)
        late = dice.randint(120, 150) if number == longest else dice.randint(5, 60)
        machine.waits.append(Wait(95, [job], late * MS))
        if number == longest:
            root = job
        both = [machine.add(96, 960, 1, at, 100 * US), machine.add(96, 961, 3, at, 90 * MS)]
        machine.waits.append(Wait(96, both))
    return "late_wake", 95, root


def plant_two(machine, dice):
    wanted = plant_hang(machine, dice)
    for number in range(30):
        machine.add(50, 500, 4, START + 900 * MS + number * 10 * US, MS)
    return wanted


def plant_none(_machine, _dice):
    return None


def some_hang(machine, dice, at, ring):
    machine.add(20, 200, ring, at, dice.randint(20, 200) * MS, hangs=True, completing=20 * US)
    for number in range(dice.randint(1, 4)):
        machine.add(21, 210 + number, ring, at + (number + 1) * MS, 300 * US)
    return "hang", 20


def some_greedy(machine, dice, at, ring):
    for number in range(dice.randint(3, 8)):
        length = dice.randint(4, 12) * MS
        machine.add(30, 300, ring, at, length)
        for victim in range(dice.randint(1, 3)):
            machine.add(31 + victim, 310 + victim, ring, at + MS, 20 * US)
        at += length + 100 * US
    return "other_process", 30


def some_chain(machine, dice, at, ring):
    last = machine.add(40, 400, ring, at, dice.randint(20, 120) * MS)
    for number in range(1, dice.randint(2, 4)):
        last = machine.add(40 + number, 400 + number, (ring + number - 1) % 4 + 1,
                           at + number * 100 * US, 2 * MS, [last])
    return "dependency", 40


def some_deep(machine, dice, at, ring):
    for number in range(dice.randint(5, 25)):
        machine.add(50, 500, ring, at + number * 10 * US, dice.randint(1, 4) * MS)
    return "own_queue", 50


def some_credits(machine, dice, at, ring):
    for number in range(dice.randint(5, 15)):
        machine.add(70, 700 + ring, ring, at + number * 20 * MS, 100 * US,
                    picking=dice.randint(3, 15) * MS)
    return "scheduler", 0


def some_driver(machine, dice, at, ring):
    for number in range(dice.randint(5, 15)):
        machine.add(85, 850, ring, at + number * 20 * MS, 200 * US,
                    committing=dice.randint(3, 15) * MS)
    return "driver", 0


def some_host(machine, dice, at, _ring):
    for number in range(dice.randint(3, 10)):
        machine.add(60, 600, HOST, at + number * MS, dice.randint(4, 15) * MS, picking=1 * US)
    return "host", 0


def some_wakes(machine, dice, at, ring):
    for number in range(dice.randint(2, 8)):
        job = machine.add(95, 950, ring, at + number * 300 * MS, 200 * US)
        machine.waits.append(Wait(95, [job], dice.randint(2, 150) * MS))
    return "late_wake", 95


def plant_blend(machine, dice):
    """Two to four causes at once, each of any size, on any ring, at times that overlap."""
    makers = (some_hang, some_greedy, some_chain, some_deep, some_credits, some_driver,
              some_host, some_wakes)
    machine.planted = [maker(machine, dice, START + dice.randint(20, 400) * MS,
                             dice.randint(1, 4))
                       for maker in dice.sample(makers, dice.randint(2, 4))]
    return None


def largest(machine):
    """The planted cause with the longest waits, and the job that is to blame for most."""
    sums = machine.causes()
    kinds = {(kind, process): [key for key in sums if key[0] == kind and
                               (kind == "hang" or key[1] == process)]
             for kind, process in machine.planted}
    keys = [key for found in kinds.values() for key in found]
    first = max(keys, key=lambda key: sums[key])
    roots = machine.roots[first]
    return first, max(roots, key=lambda name: roots[name])


# Kinds of which no job is the cause: who waited longest is named.
WITHOUT_JOB = ("scheduler", "driver", "host")


def blends(count, synth, grtrace):
    """How often the first finding of a random mix is the largest planted cause."""
    good = 0
    for seed in range(1, count + 1):
        machine = made("blend", seed)[0]
        with open("blend.txt", "w", encoding="utf-8") as file:
            file.write(machine.text())
        subprocess.run([synth, "blend.txt", "blend"], check=True)
        out = subprocess.run([grtrace, "report", "--json", "-", "blend"], check=True,
                             capture_output=True, text=True).stdout
        found = [row for row in map(json.loads, out.splitlines()) if row["row"] == "finding"][0]
        (kind, who), root = largest(machine)
        told = (found["kind"], found["root"] if kind == "hang" else found["tgid"] or 0)
        same = told == (kind, who) and (kind in WITHOUT_JOB or found["root"] == root)
        good += same
        if not same:
            print(f"# seed {seed}: {told} {found['root']}, and not {kind} {who} {root}")
    percent = good * 100 / count
    verdict = "ok" if percent >= 95 else "short"
    print(f"# seeds 1 to {count}")
    print(f"# BAR planted_mixes {percent:.1f} percent atleast 95 {verdict}")
    return verdict != "ok"


def plant_mix(machine, dice):
    """No one cause: for the sums."""
    jobs = []
    for number in range(dice.randint(60, 140)):
        process = dice.randint(20, 24)
        ring = dice.choice((1, 2, 3, 4, 5))
        needs = dice.sample(jobs[-20:], min(len(jobs), dice.choice((0, 0, 0, 1, 1, 2))))
        needs = [need for need in needs if need.ring != HOST] if ring != HOST else []
        jobs.append(machine.add(process, process * 10 + ring, ring,
                                START + number * dice.randint(100, 900) * US,
                                dice.randint(50, 4000) * US, needs,
                                picking=dice.choice((2, 2, 2, 500)) * US,
                                committing=dice.choice((1, 1, 300)) * US,
                                completing=dice.choice((3, 3, 700)) * US,
                                hangs=dice.random() < 0.01,
                                again=dice.choice((5, 9)) * MS
                                if dice.random() < 0.02 and ring != HOST else 0,
                                declared=dice.random() < 0.5,
                                looked=dice.random() < 0.7))
    for job in jobs:  # a job waits for older ones only
        job.needs = [need for need in job.needs if need.submit < job.submit]
    free = {}  # a task waits once at a time
    for job in jobs[::5]:
        wait = Wait(free.setdefault(job.process, 1000 + job.process * 1000) + len(free), [job],
                    dice.choice((20 * US, 20 * US, 2 * MS, 5 * MS)))
        free[job.process] += 10
        machine.waits.append(wait)
    return None


def made(cause, seed):
    machine = Machine()
    dice = random.Random(f"{cause} {seed}")
    if cause != "mix":
        noise(machine, dice, 20 if cause == "blend" else 100)
    wanted = globals()[f"plant_{cause}"](machine, dice)
    machine.run()
    return machine, wanted


def check(cause, seed, json_file, csv_file):
    machine, wanted = made(cause, seed)
    with open(json_file, encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    with open(csv_file, encoding="utf-8") as file:
        jobs = list(csv.DictReader(file))
    # A job that is in flight when the capture ends is not a cause.
    found = [row for row in rows if row["row"] == "finding" and row["kind"] != "not_over"]
    rest = [row for row in rows if row["row"] == "rest"]
    wrong = []

    def same(what, right, told):
        if right != told:
            wrong.append(f"{what}: {told}, and not {right}")

    waited = sum(int(job["t_queue"]) * int(job["weight"]) for job in jobs if job["t_queue"] != "NA")
    same("waiting", sum(job.start - job.submit for job in machine.jobs), waited)
    same("all waiting", waited, rows[0]["waited_ns"])
    waited += rows[0]["woken_ns"]
    same("findings and the rest", waited, sum(row["ns"] for row in found + rest))
    same("the rest", sum(row["ns"] for row in rest), rows[0]["rest_ns"])
    for row in found:
        if row["ns"] < MS or row["ns"] * 100 < waited:
            wrong.append(f"too small for a finding: {row}")
        # The chain is a proof: it ends at the root, each job in it is one.
        for name in row["chain"].split():
            if name not in {job.name() for job in machine.jobs}:
                wrong.append(f"no such job: {name}")
    # Each cause by itself, where it is a finding.
    sums = machine.causes()
    same("late wake-ups", sum(ns for key, ns in sums.items() if key[0] == "late_wake"),
         rows[0]["woken_ns"])
    for row in found:
        kind = row["kind"]
        who = row["root"] if kind == "hang" else row["tgid"] or 0
        same(f"{kind} {who}", sums.pop((kind, who), 0), row["ns"])
    for key, ns in sums.items():
        if ns >= MS and ns * 100 >= waited and ns // (waited // 100) > 1:
            wrong.append(f"not found: {key}, {ns} ns")
    if cause == "none":
        same("findings of nothing", [], [row["kind"] for row in found])
    elif wanted:
        kind, process, root = wanted
        same("the first finding", kind, found[0]["kind"] if found else None)
        if process and found:
            same("its process", process, found[0]["tgid"])
        if root and found:
            same("its job", root.name(), found[0]["root"])
            same("the end of its chain", root.name(), found[0]["chain"].split()[-1])
    if cause == "two":
        same("the second cause", True, "own_queue" in [row["kind"] for row in found[1:]])
    for line in wrong:
        print(f"{cause} {seed}: {line}")
    return bool(wrong)


def main(words):
    if words[0] == "blends":
        return blends(int(words[1]), words[2], words[3])
    if words[0] == "check":
        return check(words[1], int(words[2]), words[3], words[4])
    with open(words[2], "w", encoding="utf-8") as file:
        file.write(made(words[0], int(words[1]))[0].text())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
