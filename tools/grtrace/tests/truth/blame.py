# SPDX-License-Identifier: GPL-2.0
"""Checks what `grtrace report` says with --hist, and of what held jobs up, from
Documentation/gpu/grtrace/reports.rst."""

import errno
import re

from figures import DURATION
from jobs import completion, difference, execution, host, queue, total

WIDTH = 100  # columns, see run() in truth.py
HIST_LINE = re.compile(r" +(\d+) +(\d+) +(\d+) +([0-9.]+)(?:  (#+))?$")
RESULT_LINE = re.compile(r"(.{25}) +(\d+) +([0-9.]+)  (#*)$")
CLASS_LINE = r"{}: ([0-9,]+) jobs?, ([0-9.]+|NA) % of their time( \*)?"
HELD_LINE = re.compile(rf" *{DURATION} *(\S+) +([0-9.]+|NA) +{DURATION} *"
                       rf"{DURATION} +(\S+|ring \d+) +(\S+) +(\d+):(\d+)"
                       r"(?: +(?!\*$)(.*?))?( +\*)?$")
KINDS = ("timeout", "hang", "reset", "kill", "host", "wedged")
CLASSES = ("blocked by a dependency", "long queue", "slow execution",
           "host-bound", "preempted", "failed")


def bar(part, columns):
    return max(round(part * columns), 1) if part > 0 else 0


def blame(job, label):
    """The part that a label is about, and how long it took."""
    if label == "blocked by a dependency":
        return "blocked", job.blocked_ns
    if label == "long queue":
        return "queue", queue(job)
    if label in ("slow execution", "preempted"):
        return "exec", execution(job)
    if label == "host-bound":
        return "host", host(job)
    parts = [("queue", queue(job)), ("exec", execution(job)),
             ("host", host(job))]
    known = [part for part in parts if part[1] is not None]
    return max(known, key=lambda part: part[1]) if known else ("-", None)


class BlameCheck:
    def __init__(self, check):
        self.check, self.capture = check, check.capture
        self.mistakes = check.mistakes
        self.mark = " *" if self.capture.losses else ""

    # ------------------------------------------------------------- histograms

    def value(self, what, job):
        if what != "size":
            return {"lat": total, "queue": queue, "exec": execution}[what](job)
        records = job.records.get("submit") or job.records.get("pick")
        drivers = {e.driver for e in self.capture.events
                   if e.ring == job.ring and e.driver is not None}
        if not records or "virtio_gpu" in drivers:
            return None
        return records[-1].arg

    def histogram(self, what):
        title, unit, scale = {
            "lat": ("SUBMIT to COMPLETE", "us", 1000),
            "queue": ("SUBMIT to START", "us", 1000),
            "exec": ("START to END", "us", 1000),
            "size": ("size of jobs in credits, as the driver counts them",
                     "credits", 1)}[what]
        told = [(self.value(what, job), job.weight)
                for job in self.capture.jobs]
        rows = {}
        for value, weight in told:
            if value is not None:
                row = (value // scale).bit_length()
                rows[row] = rows.get(row, 0) + weight
        self.check.check_text("")
        self.check.check_text(f"Histogram: {title}{self.mark}")
        self.check.check_text(f"{'from ' + unit:>12} {'below':>12} "
                              f"{'jobs':>10} {'%':>5}")
        last = max([row + 1 for row in rows] + [12])
        first = min([*rows, last - 12])
        everything, most = sum(rows.values()), max(rows.values(), default=0)
        for row in range(first, last):
            self.histogram_row(row, rows.get(row, 0), everything, most)
        without = sum(weight for value, weight in told if value is None)
        if without:
            self.check.check_text(f"{'NA':>12} {'NA':>12} {without:>10}")

    def histogram_row(self, row, jobs, everything, most):
        found = self.check.expect(HIST_LINE)
        if not found:
            return
        what = f"histogram row {row}"
        self.mistakes.check(what + " from", int(found[1]),
                            1 << row - 1 if row else 0)
        self.mistakes.check(what + " below", int(found[2]), 1 << row)
        self.mistakes.check(what, int(found[3]), jobs)
        self.percent(what, found[4], jobs, everything)
        self.length(what, found[5] or "", jobs / most if most else 0)

    def percent(self, what, printed, part, whole):
        right = part * 100 / whole if whole else 0
        if abs(float(printed) - right) > 0.0500001:
            self.mistakes.check(what + " %", printed, right)

    def length(self, what, marks, part):
        if abs(len(marks) - bar(part, WIDTH - 44)) > (part > 0):
            self.mistakes.check(what + " marks", len(marks),
                                bar(part, WIDTH - 44))

    def results(self):
        """How jobs ended."""
        jobs, ends = self.capture.jobs, {}
        for job in jobs:
            end = "no COMPLETE recorded"
            if job.complete is not None:
                first = min(job.records["complete"], key=lambda e: e.at)
                end = self.error_name(first.code)
            ends[end] = ends.get(end, 0) + job.weight
        kinds = {}
        for job in jobs:
            told = {e.kind for e in job.records.get("error", [])}
            for name in {KINDS[kind - 1] if 1 <= kind <= len(KINDS) else
                         "other" if kind == 0 else "?" for kind in told}:
                kinds[name] = kinds.get(name, 0) + job.weight
        ends.setdefault("ok", 0)
        self.check.check_text("")
        self.check.check_text("Histogram: how jobs ended" + self.mark)
        self.check.check_text(f"{'COMPLETE with':<25} {'jobs':>10} {'%':>5}")
        everything = sum(job.weight for job in jobs)
        most = max(ends.values())
        self.result_rows(ends, everything, most)
        if kinds:
            self.check.check_text("with an ERROR, or several")
            self.result_rows(kinds, everything, most)

    def error_name(self, code):
        if not code:
            return "ok"
        name = errno.errorcode.get(-code)
        return "-" + name if name else str(code)

    def result_rows(self, rows, everything, most):
        left = dict(rows)
        while left:
            found = self.check.expect(RESULT_LINE)
            if not found:
                return
            name = found[1].strip()
            if name not in left:
                self.mistakes.append(f"no job ended with {name}")
                return
            jobs = left.pop(name)
            self.mistakes.check(name, int(found[2]), jobs)
            self.percent(name, found[3], jobs, everything)
            self.length(name, found[4], min(jobs / most, 1) if most else 0)

    # ------------------------------------------------------ what held jobs up

    def held(self, limit):
        self.check.check_text("")
        self.check.check_text(f"Top {limit} by what held them")
        self.check.expect(" +BLAMED PART +% +TOTAL +AT +RING +COMM +CTX:SEQNO "
                          "+WHAT")
        none = []
        for label in CLASSES:
            surely = [j for j in self.capture.jobs if j.labels == {label}]
            maybe = [j for j in self.capture.jobs if label in j.labels]
            line = self.check.lines[0]
            if not line.startswith(label + ": "):
                if surely:
                    self.mistakes.append(f"no class {label}")
                none.append(label)
                continue
            self.held_class(label, limit, surely, maybe)
        if none:
            self.check.check_text("no job: " + ", ".join(none))

    def held_class(self, label, limit, surely, maybe):
        found = self.check.expect(CLASS_LINE.format(label))
        if not found:
            return
        jobs = int(found[1].replace(",", ""))
        least = sum(job.weight for job in surely)
        most = sum(job.weight for job in maybe)
        if not least <= jobs <= most:
            self.mistakes.append(f"{jobs} jobs {label}, right is {least} to "
                                 f"{most}")
        self.mistakes.check(f"mark of {label}", found[3] or "", self.mark)
        if surely == maybe:
            known = [(blame(j, label)[1] * j.weight, total(j) * j.weight)
                     for j in maybe if blame(j, label)[1] is not None and
                     total(j) is not None]
            self.share(label, found[2], sum(part for part, _ in known),
                       sum(whole for _, whole in known))
        order = sorted((job for job in maybe), key=lambda j: -1 if
                       blame(j, label)[1] is None else blame(j, label)[1])
        before = None
        for _ in range(min(limit, len(surely))):
            before = self.held_line(label, order, before)
        while len(surely) != len(maybe) and HELD_LINE.fullmatch(
                self.check.lines[0]):
            before = self.held_line(label, order, before)

    def share(self, what, printed, part, whole):
        if not whole:
            self.mistakes.check(what + " %", printed, "NA")
        elif printed == "NA":
            self.mistakes.check(what + " %", printed, part * 100 / whole)
        else:
            self.percent(what, printed, part, whole)

    def held_line(self, label, order, before):
        """Jobs come with the greatest part to blame first."""
        found = self.check.expect(HELD_LINE)
        if not found:
            return before
        name = f"{label} {found[8]}:{found[9]}"
        jobs = [j for j in order if (j.ctx, j.wide) ==
                (int(found[8]), int(found[9]))]
        if not jobs:
            self.mistakes.append(f"{name} is none of them")
            return before
        # A key that was used again: the one that was not told yet.
        job = jobs[-1]
        order.remove(job)
        part, ns = blame(job, label)
        rank = -1 if ns is None else ns
        if before is not None and rank > before:
            self.mistakes.append(f"{name} stands below a lesser one")
        if len(order) and order[-1].labels == {label} and rank < (
                blame(order[-1], label)[1] or -1):
            self.mistakes.append(f"{name} stands in the place of a worse one")
        self.mistakes.duration(name + " BLAMED", found[1], ns)
        self.mistakes.check(name + " PART", found[2], part)
        self.share(name, found[3], ns or 0, None if ns is None else total(job))
        self.mistakes.duration(name + " TOTAL", found[4], total(job))
        start = self.capture.stream.info["start"]
        self.mistakes.duration(name + " AT", found[5],
                               difference(start, job.submit))
        ring = self.capture.rings.get(job.ring)
        self.mistakes.check(name + " RING", found[6].strip(),
                            ring[1] if ring else "-" if job.ring is None
                            else f"ring {job.ring}")
        self.mistakes.check(name + " COMM", found[7], "?" if job.submit is None
                            else self.capture.task_of(job)[1])
        self.note(name, label, job, found[10] or "")
        if bool(found[11]) not in (job.touched_surely, job.touched_maybe):
            self.mistakes.check(name + " mark", bool(found[11]),
                                job.touched_surely)
        return rank

    def note(self, name, label, job, told):
        if label == "blocked by a dependency":
            last = max(job.records["blocked"], key=lambda e: e.at)
            fence = f"by {last.fence_ctx}:{last.fence_seqno}"
            by = job.blocked_by[last.at]
            right = fence
            if by is not None and by.submit is not None:
                right += f" of {told.rpartition(' ')[2]}"
            self.mistakes.check(name + " WHAT", told, right)
        elif label == "host-bound":
            found = re.fullmatch(rf"I2D {DURATION}, E2C {DURATION}", told)
            if not found:
                self.mistakes.append(f"{name}: {told}")
                return
            self.mistakes.duration(name + " I2D", found[1],
                                   difference(job.pick, job.commit))
            self.mistakes.duration(name + " E2C", found[2], completion(job))
        elif label == "failed":
            kinds = sorted({e.kind for e in job.records.get("error", [])})
            names = ["other" if kind == 0 else KINDS[kind - 1]
                     for kind in kinds]
            error = self.error_name(job.error) if job.error else "0"
            self.mistakes.check(name + " WHAT", told,
                                ", ".join([*names, error]))
        else:
            self.mistakes.check(name + " WHAT", told, "")
