# SPDX-License-Identifier: GPL-2.0
"""Checks every number of the tables that `grparse -s` ends with."""

import re
import time

from figures import COUNT, count
from jobs import difference, execution, queue
from report import ReportCheck, losses

ROWS = {"Queued": "submit", "Picked": "pick", "Dependencies": "dep",
        "Blocked": "blocked", "Dispatched": "commit", "Started": "start",
        "Ended": "end", "Fences": "fence", "Completed": "complete",
        "Waits": "wait_enter", "Waits ended": "wait_exit",
        "Interrupts": "irq", "Switches": "ctx_switch", "Errors": "error"}
CELL = re.compile(rf" ([A-Z][a-z ]+): +{COUNT}")


def has_failed(event):
    return event.type == "complete" and event.code


def waits_of(events):
    """Those that the tasks of a program made: begin and end."""
    open_waits, waits = {}, []
    for event in events:
        key = (event.pid, event.ctx, event.seqno)
        if event.type == "wait_enter":
            open_waits[key] = event
        elif event.type == "wait_exit" and key in open_waits:
            waits.append((open_waits.pop(key), event))
    return waits


class SummaryCheck(ReportCheck):
    def run(self, steps):
        self.steps = steps  # of -t
        events = [e for e in self.capture.events if e.is_event]
        self.check_text("")
        self.sampling()
        self.programs(events)
        for cpu in sorted({e.cpu for e in events}):
            self.check_text(f"CPU{cpu} ({self.capture.name}):")
            self.counts_of([e for e in events if e.cpu == cpu])
        for ring in sorted({e.ring for e in events if e.ring}):
            known = self.capture.rings.get(ring)
            self.check_text(
                f"Ring {ring} {known[1]} ({known[0]}, {known[2]}):" if known
                else f"Ring {ring} (not described):")
            self.counts_of([e for e in events if e.ring == ring])
        self.check_text(f"Total ({self.capture.name}):")
        self.counts_of(events)
        self.closing(events)

    def counts_of(self, events):
        told = {}
        while self.lines and CELL.match(self.lines[0]):
            told.update((label, count(number)) for label, number in
                        CELL.findall(self.next()))
        right = {label: sum(e.weight for e in events if e.type == kind)
                 for label, kind in ROWS.items()}
        right["Failed"] = sum(e.weight for e in events if has_failed(e))
        self.mistakes.check("counts", told, right)

    def programs(self, events):
        self.expect("PROGRAM +PID +QUEUED +COMPLETED +WAITS +FAILED +EXEC us +"
                    "WAIT us +QUEUE us" + self.steps *
                    " +Q2D avg us +Q2D max us +D2C avg us +D2C max us")
        programs = {}  # tgid: events, jobs
        for event in events:
            if event.where == "task":
                key, _ = self.capture.task(event.pid, event.at)
                programs.setdefault(key, ([], []))[0].append(event)
        for job in self.capture.jobs:
            if job.over and job.submit is not None:
                key, _ = self.capture.task_of(job)
                programs.setdefault(key, ([], []))[1].append(job)
        for pid in sorted(programs):
            found = self.expect(r"(\S+) +" + " +".join([COUNT] * 8) +
                                self.steps * (r" +(NA|[\d,]+)" * 4))
            if found:
                self.program(found, pid, *programs[pid])
        self.check_text("")

    def program(self, found, pid, events, jobs):
        what = f"program {pid}"
        names = {self.capture.process(e.pid, e.at)[1] for e in events}
        names |= {self.capture.process_of(j)[1] for j in jobs}
        if found[1] not in names:
            self.mistakes.append(f"{what} is called {found[1]}")
        right = [pid]
        waits = waits_of(events)
        right.append(sum(e.weight for e in events if e.type == "submit"))
        right.append(sum(j.weight for j in jobs))
        right.append(sum(end.weight for _, end in waits))
        right.append(sum(j.weight for j in jobs if j.failed))
        right.append(sum((execution(j) or 0) * j.weight
                         for j in jobs) // 1000)
        right.append(sum((end.ts - begin.ts) * end.weight
                         for begin, end in waits) // 1000)
        right.append(sum((queue(j) or 0) * j.weight for j in jobs) // 1000)
        self.mistakes.check(what, [count(n) for n in found.groups()[1:9]],
                            right)
        right = []
        for start, end in (("submit", "commit"), ("commit", "complete")):
            known = [(difference(getattr(j, start), getattr(j, end)),
                      j.weight) for j in jobs]
            known = [pair for pair in known if pair[0] is not None]
            weight = sum(w for _, w in known)
            total = sum(v * w for v, w in known)
            right += ([f"{(total + weight * 500) // (weight * 1000):,}",
                       f"{max(known)[0] // 1000:,}"] if known else
                      ["NA", "NA"])
        if self.steps:
            self.mistakes.check(what + " steps", list(found.groups()[9:]),
                                right)

    def closing(self, events):
        weigh, name = self.capture.weigh, re.escape(self.capture.name)
        done = weigh(lambda j: j.over)
        times = [e.ts for e in events]
        span = (max(times) - min(times)) / 1e9 if times else 0
        self.check_text("")
        found = self.expect(r"Throughput: ([0-9.]+|-) jobs/s")
        if found and span:
            right = f"{done / span:.1f}"
            if abs(float(found[1]) - float(right)) > 0.11:
                self.mistakes.check("throughput", found[1], right)
        cut = weigh(lambda j: j.cut and not j.over)
        pattern = rf"Jobs \({name}\): {COUNT} completed, {COUNT} incomplete"
        if cut:
            pattern += f", {COUNT} cut by a change of sampling"
        self.check(pattern, "jobs", done,
                   weigh(lambda j: not j.over and not j.cut), cut)
        self.check(rf"Events \({name}\): {COUNT} entries", "events",
                   len(events))
        losses(self)
        self.session()
        real = self.capture.stream.info["real"]
        if real:
            self.check_text("Trace started at " +
                            time.asctime(time.gmtime(real // 10**9)))
        if self.lines != [""]:
            self.mistakes.append(f'unknown line "{self.lines[0]}"')
