#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""
The oracle: two recordings of one run must have the same: per CPU and task the same
events of the same jobs in the same order, each exactly once, at the same time within
a limit.  Prints what differs, exit status 1.

	oracle.py text CAPTURE TEXT LIMIT_NS LATE_PER_MILLE
	oracle.py captures CAPTURE TRACED LIMIT_NS LATE_PER_MILLE
	oracle.py drawing CAPTURE KICKS FLIPS UPDATES CURSORS

CAPTURE is the module's, with a message "begin" and a message "end" in it: only the
events between them are compared.  TEXT is the output of "trace-cmd report -t -l", TRACED a
capture made from tracefs without the module.

Both record at the same tracepoint, one after the other.  An interrupt may come in
between, and then its own events come before the one in progress for the second
recorder, and that one is late.  So order is compared within what runs in one piece:
the interrupts of a CPU, and each task on it; and a small share may be late.

"drawing" asks whether a capture of virtio-gpu has of the program "drawing" what that
did: between its messages the commands that the driver makes of this many flips, updates
and cursors, and no others; each was handed over (KICKS: 1 where the kernel says so),
answered once without an error, and what has a fence was waited for once.
"""
import csv
import os
import re
import subprocess
import sys
from collections import Counter, defaultdict, namedtuple

# A kind is grparse's letter; a key says which job or fence, alike on both sides.
Event = namedtuple("Event", "ts kind key line cpu")
EVENTS = "/sys/kernel/tracing/events"
QUEUES = ("control", "cursor")		# of virtio-gpu: commands, not jobs
FAULTS_SHOWN = 20
STANDSTILL_NS = 5 * 10 ** 9		# of a guest, where all may be late

faults = 0


def fault(text):
    global faults
    faults += 1
    if faults <= FAULTS_SHOWN:
        print("#", text)


def rows(capture):
    """The capture's rows as grparse prints them."""
    with subprocess.Popen(["grparse", "-q", "--csv", "-i", capture],
                          stdout=subprocess.PIPE, text=True) as process:
        yield from csv.DictReader(process.stdout)
    if process.returncode:
        sys.exit(f"grparse: exit status {process.returncode}")


def fence_of(row):
    return f"{row['fence_ctx']}:{row['fence_seqno']}"


def run_name(interrupt, pid, cpu):
    if interrupt:
        return f"cpu {cpu}"
    # the idle tasks of all CPUs are pid 0
    return f"task {pid}" if int(pid) else f"task 0, cpu {cpu}"


def key_for_text(row):
    """A key that tracefs' events also have."""
    kind, ring = row["letter"], row["ring_name"]
    key = f"{row['ctx']}:{row['seqno']}"
    if ring in QUEUES:
        key = f"{ring}:{row['seqno']}"
        if kind in ("Q", "E"):
            key += f" type {row['command']}"	# a command's, a response's
    if kind == "IR":
        key = ring				# a virtqueue's names no job
    return key


def key_for_capture(row):
    """A key with all that both captures know."""
    kind, key = row["letter"], key_for_text(row)
    if row["ring_name"] in QUEUES:
        if kind == "Q":
            key += f" fence {fence_of(row)}"
    elif kind in ("Q", "I", "D", "E", "C"):
        key += f" on {row['ring_name']}"
    return key


def read_capture(capture, key_of):
    """The events of each run, and when "begin" and "end" were written."""
    runs, marks = defaultdict(list), {}
    for row in rows(capture):
        kind = row["letter"]
        if kind.startswith("m"):
            if row["text"] in ("begin", "end"):
                marks[row["text"]] = int(row["ts"])
            continue
        key = key_of(row)
        if kind in ("DP", "UN"):
            key += f"<-{fence_of(row)}"
        line = " ".join(value for value in row.values() if value != "NA")
        runs[run_name(row["time_source"] == "interrupt", row["pid"], row["cpu"])].append(
            Event(int(row["ts"]), kind, key, line, row["cpu"]))
    return runs, marks


JOB = r"fence=(\S+?)[, ]"
FENCE = r"driver=(\S+) .*context=(\d+) seqno=(\d+)"
COMMAND = r"name=(\S+) type=(\S+) .*seqno=(\d+)"


def command_key(ring, kind, seqno):
    return f"{ring}:{seqno} type {int(kind, 16)}"


# The events of tracefs: names, kind, and the part of their text that makes the key.
TEXT = {name: (kind, re.compile(pattern), key) for names, kind, pattern, key in (
    ("drm_sched_job_queue drm_sched_job", "Q", JOB, "{0}"),
    ("drm_sched_job_run drm_run_job", "I", JOB, "{0}"),
    ("drm_sched_job_hw_fence", "D", JOB, "{0}"),
    ("drm_sched_job_done drm_sched_process_job", "E", JOB, "{0}"),
    ("drm_sched_job_add_dep", "DP", r"fence=(\S+) depends on fence=(\S+)", "{0}<-{1}"),
    ("drm_sched_job_unschedulable", "UN",
     r"fence=(\S+) depends on unsignalled fence=(\S+)", "{0}<-{1}"),
    # 6.12 reports dependencies that are signalled, too
    ("drm_sched_job_wait_dep", "?UN", r"depends fence=.*context=(\d+), seq=(\d+)", "<-{0}:{1}"),
    ("drm_syncobj_wait_start", "WE", r"fence=(\d+:\d+)", "{0}"),
    ("drm_syncobj_wait_end", "WX", r"fence=(\d+:\d+)", "{0}"),
    ("dma_fence_signaled", "FS", FENCE, "{1}:{2}"),
    ("dma_fence_wait_start dma_fence_wait_any_start", "WE", FENCE, "{1}:{2}"),
    ("dma_fence_wait_end", "WX", FENCE, "{1}:{2}"),
    ("dma_fence_wait_any_end", "WX", r"context=(\d+) seqno=(\d+)", "{0}:{1}"),
    ("virtio_gpu_cmd_queue", "Q", COMMAND, command_key),
    ("virtio_gpu_cmd_response", "E", COMMAND, command_key),
    ("virtio_gpu_interrupt", "IR", r"name=(\S+)", "{0}"),
) for name in names.split()}
KICK = re.compile(r"name=(\S+) seqno=(\d+) commands=(\d+)")
LINE = re.compile(r"-(\d+)\s+(\d+)(\S{3,8})\s+(\d+)\.(\d{9}):\s+(\w+):\s+(.*)$")


def text_events(name, text):
    """[kind, key] for each event that a line of tracefs stands for."""
    if name == "virtio_gpu_kick":
        ring, seqno, commands = KICK.search(text).groups()
        return [("D", f"{ring}:{n}") for n in
                range(int(seqno) - int(commands) + 1, int(seqno) + 1)]
    if name not in TEXT or "hw fence=0:0," in text:	# not handed to the hardware
        return []
    kind, pattern, key = TEXT[name]
    match = pattern.search(text)
    if not match:
        return []
    if kind == "FS" and match[1] == "drm_sched":
        kind = "C|D"
    return [(kind, key(*match.groups()) if callable(key) else key.format(*match.groups()))]


def read_text(path):
    """The events of each run, and the names of those that tracefs has seen."""
    runs, named = defaultdict(list), set()
    with open(path, encoding="utf-8", errors="replace") as lines:
        for line in lines:
            if re.search(r"EVENTS? (DROPPED|LOST)", line, re.I):
                sys.exit(f"{path}: tracefs lost events: {line}")
            match = LINE.search(line)
            if not match:
                continue
            pid, cpu, flags, sec, ns, name, text = match.groups()
            named.add(name)
            runs[run_name(re.search("[hH]", flags), pid, cpu)].extend(
                Event(int(sec + ns), kind, key, line.rstrip(), cpu)
                for kind, key in text_events(name, text + " "))
    return runs, named


def tell_fences(theirs, ours, named):
    """
    The scheduler signals two fences for each job: the second, whose context is the
    next, is its COMPLETE.  The first is its COMMIT where there is no event for it, and
    what a job of the same scheduler waits for; DP and UN name the job.
    """
    def jobs(runs, kinds):
        return {int(event.key.split(":")[0]) for run in runs.values() for event in run
                if event.kind in kinds and event.key[0].isdigit() and event.key[:2] != "0x"}

    ctxs = jobs(theirs, ("Q", "I", "D", "E")) or jobs(ours, ("Q",))	# 6.12 has addresses
    for name, run in theirs.items():
        told = []
        for event in run:
            job, arrow, fence = event.key.partition("<-")
            if arrow and re.fullmatch(r"\d+:\d+", fence):
                ctx, seqno = map(int, fence.split(":"))
                if ctx not in ctxs and ctx + 1 in ctxs:
                    event = event._replace(key=f"{job}<-{ctx + 1}:{seqno}")
            if event.kind == "C|D":
                ctx, seqno = map(int, event.key.split(":"))
                if ctx in ctxs or ctx + 1 not in ctxs:
                    event = event._replace(kind="C")
                elif "drm_sched_job_hw_fence" in named:
                    continue
                else:
                    event = event._replace(kind="D", key=f"{ctx + 1}:{seqno}")
            told.append(event)
        theirs[name] = told


class Addresses:
    """6.12 names a job by the address of its fence: learnt from the first match."""
    def __init__(self):
        self.learnt = {}

    def alike(self, ours, theirs):
        if ours.kind != theirs.kind or ours.key == theirs.key:
            return ours.kind == theirs.kind
        if not theirs.key.startswith("0x"):
            return False
        # the event distinguishes the two addresses that it shows for one job
        address = theirs.kind == "E", theirs.key
        if theirs.kind == "Q":
            self.learnt[address] = ours.key
        return self.learnt.setdefault(address, ours.key) == ours.key


def equal(ours, theirs):
    return ours.kind == theirs.kind and ours.key == theirs.key


class Comparison:
    """Compares two sides; UN may be on one side alone where @loose says so."""
    def __init__(self, marks, unseen, alike, loose):
        if len(marks) < 2:
            sys.exit("the capture has no message begin or end")
        self.marks, self.unseen, self.alike, self.loose = marks, unseen, alike, loose
        self.worst = self.late = self.elsewhere = self.alone = 0
        self.kinds, self.seen = Counter(), Counter()

    def between(self, events):
        return [event for event in events if event.kind not in self.unseen and
                self.marks["begin"] <= event.ts <= self.marks["end"]][::-1]

    def pass_over(self, a, b):
        """Is what comes next on one side alone there, and may be?"""
        if b and b[-1].kind == "?UN":
            theirs = b.pop()
            if a and a[-1].kind == "UN" and a[-1].key.endswith(theirs.key):
                self.kinds[a.pop().kind] += 1
            return True
        for side in (a, b):
            if self.loose and side and side[-1].kind == "UN":
                side.pop()
                self.alone += 1
                return True
        return False

    def of_runs(self, ours, theirs, limit):
        for name in sorted({*ours, *theirs}):
            self.of_run(name, self.between(ours.get(name, ())),
                        self.between(theirs.get(name, ())), limit)

    def of_run(self, name, a, b, limit):
        while a or b:
            if not a or not b or not self.alike(a[-1], b[-1]):
                if self.pass_over(a, b):
                    continue
                fault(f"{name}: module: {a[-1].line if a else 'nothing'}")
                fault(f"{name}: tracefs: {b[-1].line if b else 'nothing'}")
                return
            x, y = a.pop(), b.pop()
            off = abs(x.ts - y.ts)
            self.worst = max(self.worst, off)
            self.late += off > limit
            self.elsewhere += x.cpu != y.cpu
            self.kinds[x.kind] += 1
            self.seen[x.kind, x.key] += 1

    def verdict(self, ours, theirs, once, limit, late_share):
        limit = int(limit)
        self.of_runs(ours, theirs, limit)
        compared = sum(self.kinds.values())
        for (kind, key), n in sorted(self.seen.items()):
            if kind in once and n > 1:
                fault(f"{kind} {key}: {n} times")
        if self.worst > STANDSTILL_NS:
            fault(f"two times differ by {self.worst} ns")
        if self.late * 1000 > compared * int(late_share):
            fault(f"{self.late} of {compared} times differ by more than {limit} ns")
        if self.elsewhere * 100 > compared:
            fault(f"{self.elsewhere} of {compared} were on another CPU")
        if self.alone * 20 > self.kinds["UN"]:
            fault(f"{self.alone} of {self.kinds['UN']} UN are on one side only")
        if not compared:
            fault("nothing was compared")
        print(f"# {compared} events compared ("
              f"{', '.join(f'{n} {kind}' for kind, n in sorted(self.kinds.items()))}), "
              f"{self.late} more than {limit} ns apart, none more than {self.worst}, "
              f"{self.elsewhere} on another CPU, {self.alone} UN on one side only")


def against_text(capture, text, limit, late_share):
    ours, marks = read_capture(capture, key_for_text)
    theirs, named = read_text(text)
    tell_fences(theirs, ours, named)
    # what tracefs has no event for; on 6.12, which shows addresses, nor for DP; on
    # kernels without our tracepoints nor for IR
    unseen = {"B", "ER", "CS", "FN"}
    if any(event.key.startswith("0x") for run in theirs.values() for event in run):
        unseen.add("DP")
    if "virtio_gpu_interrupt" not in named:
        unseen.add("IR")
    Comparison(marks, unseen, Addresses().alike, False).verdict(
        ours, theirs, ("Q", "C"), limit, late_share)


def between_captures(capture, traced, limit, late_share):
    """
    Not compared, because the kernel has no such event: B, CS and IR, which are the
    drivers' own, and FN, the core's; ER except for a host that refuses; DP where events name
    jobs by an address.  D, WE and WX have tracepoints of ours on the patched kernel,
    and virtio-gpu's D anywhere.  UN may be missing where the kernel reports all fences
    looked at, when one is signalled in the very moment.
    """
    old = os.path.isdir(f"{EVENTS}/gpu_scheduler/drm_sched_job_wait_dep")
    unseen = {"B", "IR", "CS", "ER", "FN"} | ({"DP"} if old else set())
    if os.path.isdir(f"{EVENTS}/gpu_scheduler/drm_sched_job_hw_fence"):
        unseen |= {"D", "WE", "WX"}
    ours, marks = read_capture(capture, key_for_capture)
    theirs, _ = read_capture(traced, key_for_capture)
    for runs in ours, theirs:
        for name, run in runs.items():
            runs[name] = [event for event in run if event.kind != "D" or
                          event.key.split(":")[0] not in QUEUES]
    Comparison(marks, unseen, equal, old).verdict(
        ours, theirs, ("Q", "I", "D", "C"), limit, late_share)


# See linux/virtio_gpu.h.
COMMANDS = {"259": "SET_SCANOUT", "260": "RESOURCE_FLUSH",
            "261": "TRANSFER_TO_HOST_2D", "768": "UPDATE_CURSOR"}


def drawing(capture, *numbers):
    kicks, flips, updates, cursors = map(int, numbers)
    expected = Counter({"SET_SCANOUT": flips, "RESOURCE_FLUSH": flips + updates,
                        "TRANSFER_TO_HOST_2D": flips + updates + cursors,
                        "UPDATE_CURSOR": cursors})
    types, seen, interrupts = Counter(), Counter(), Counter()
    commands, fences, drawn, inside = [], [], False, False
    for row in rows(capture):
        kind, ring = row["letter"], row["ring_name"]
        if kind.startswith("m"):
            if not drawn and row["text"].startswith("drawing begins"):
                inside = True
            elif inside and row["text"].startswith("drawing ends"):
                drawn, inside = True, False
            continue
        key = f"{ring}:{row['seqno']}" if kind in ("Q", "D", "E") else \
            f"{row['ctx']}:{row['seqno']}"
        interrupts[ring] += kind == "IR"
        seen[kind, key] += 1
        if kind == "ER":
            fault(f"the host refused {ring}:{row['seqno']}, or so it says")
        if inside and kind == "Q":
            types[COMMANDS.get(row["command"], row["command"])] += 1
            commands.append(key)
            if row["fence_ctx"] != "NA":
                fences.append(fence_of(row))
    if not drawn:
        fault("there is no drawing")
    for name in sorted({*types, *expected}):
        if types[name] != expected[name]:
            fault(f"{name}: {types[name]}, not {expected[name]}")
    wanted = [(kind, key, n) for key in commands for kind, n in (("D", kicks), ("E", 1))]
    wanted += [(kind, key, 1) for key in fences for kind in ("FS", "WE", "WX")]
    for kind, key, n in wanted:
        if seen[kind, key] != n:
            fault(f"{kind} of {key}: {seen[kind, key]}, not {n}")
    if len(fences) != cursors:
        fault(f"{len(fences)} commands have a fence, not {cursors}")
    for ring in QUEUES if kicks else ():
        if not interrupts[ring]:
            fault(f"no interrupt of {ring}")
    print(f"# {', '.join(f'{n} {name}' for name, n in sorted(types.items()))}, "
          f"{len(fences)} fences")


{"text": against_text, "captures": between_captures, "drawing": drawing}[sys.argv[1]](*sys.argv[2:])
sys.exit(faults > 0)
