# SPDX-License-Identifier: GPL-2.0
"""Checks `grtrace report --delays-csv`: who delayed whom, from the definitions
in Documentation/gpu/grtrace/reports.rst."""

import csv

from activity import union
from jobs import STEPS

NEVER = 1 << 60  # no place in the order


class Execution:
    """What a job did on its ring, as far as was known when it left it."""

    def __init__(self, job, start, end, process):
        self.job, self.process = job, process
        self.start, self.end = start, end


class Span:
    """A fence blocked a job."""

    def __init__(self, job, start, end, event, process):
        self.job, self.start, self.end = job, start, end
        self.event, self.process = event, process


class Wait:
    """A job's time from SUBMIT to START, by those who caused it."""

    def __init__(self, job, start, process):
        self.job, self.process = job, process
        self.start, self.end = job.submit, start
        self.blocked = {}  # process: ns
        self.executed = {}
        self.alone = {}  # process: ns that it executed
        self.anybody = 0  # ns in which any did
        self.causes = {}  # process, how: {(ctx, seqno): ns}
        self.rounded = False

    def length(self):
        return self.end - self.start

    def share(self, process):
        return self.blocked.get(process, 0) + self.executed.get(process, 0)

    def nobody(self):
        return (self.length() - sum(self.blocked.values()) -
                sum(self.executed.values()))

    def note(self, process, how, fence, length):
        """A job may have executed before it was blocked and after."""
        pieces = self.causes.setdefault((process, how), {})
        before = pieces.get(fence, 0)
        pieces[fence] = (before + length if how == "ran" else
                         max(before, length))


class RingDelays:
    """All of one ring, from the jobs alone."""

    def __init__(self, capture, ring):
        self.capture = capture
        self.jobs = [job for job in capture.jobs if job.ring == ring]
        self.spans = [span for job in self.jobs for span in self.blocked(job)]
        self.executions, self.waits = [], []
        self.last_end = 0
        self.tells_end = NEVER  # from there on
        for job in self.jobs:
            if job.has("end"):
                self.tells_end = min(self.tells_end, job.order("end"))
        for at, job in sorted(((self.left_ring(job), job) for job in self.jobs
                               if job.over), key=lambda pair: pair[0]):
            self.leave(job, at)

    def process(self, job, at):
        """A tgid; "?" where no SUBMIT tells."""
        if job is None or not job.has("submit") or job.order("submit") > at:
            return "?"
        return self.capture.task(job.pid, at)[0]

    def blocked(self, job):
        """From each BLOCKED to the next one, or to what comes after it."""
        steps = sorted(step for step in job.steps if step[2] in STEPS[1:])
        for (at, ts, kind), (until, end, _) in zip(
                steps, steps[1:] + [(NEVER, 0, "")]):
            if kind == "blocked" and until != NEVER and end > ts:
                event = next(e for e in job.records["blocked"] if e.at == at)
                other = job.blocked_by[at]
                known = other and other.has("submit") and (
                    other.order("submit") <= at)
                yield Span(job, ts, end, event,
                           self.process(other if known else None, until))

    @staticmethod
    def unseen(job):
        """Nothing told of it until it was on its ring."""
        return not any(job.has(kind) for kind in ("submit", "pick", "commit"))

    def left_ring(self, job):
        """Where in the order it is known to have left."""
        ended = job.order("end") or NEVER
        complete = job.order("complete") or NEVER
        if complete < ended and (job.failed or self.unseen(job) or
                                 self.tells_end > complete):
            return complete
        return min(ended, job.place_left)

    def leave(self, job, at):
        end, start = job.end, job.start
        if end is None or (job.order("end") or NEVER) > at:
            known = (job.failed or self.unseen(job) or self.tells_end > at)
            end = job.complete if known else None
        if start is None and self.unseen(job):
            start = self.last_end
        process = self.process(job, at)
        if job.submit is not None and job.start is not None and (
                job.submit <= job.start):
            self.waits.append(self.wait(job, process))
        if end is not None and start is not None and start < end:
            self.executions.append(Execution(job, start, end, process))
        if end is not None and (job.has("end") or job.failed or
                                self.unseen(job)):
            self.last_end = max(self.last_end, end)

    def wait(self, job, process):
        wait = Wait(job, job.start, process)
        now = wait.start  # what is charged reaches until there
        executions = [e for e in self.executions
                      if wait.start < e.end <= wait.end]
        for span in sorted((s for s in self.spans if s.job.ctx == job.ctx and
                            s.job.wide <= job.wide and s.end > wait.start),
                           key=lambda s: s.end):
            start = min(max(span.start, now), wait.end)
            end = min(max(span.end, start), wait.end)
            self.execute(wait, executions, now, start)
            if end > start:
                wait.blocked[span.process] = (
                    wait.blocked.get(span.process, 0) + end - start)
                wait.note(span.process, "blocked",
                          (span.event.fence_ctx, span.event.fence_seqno),
                          end - start)
            now = end
        self.execute(wait, executions, now, wait.end)
        return wait

    @staticmethod
    def execute(wait, executions, start, end):
        """Who executed in a stretch in which nothing blocked the job."""
        pieces = {}
        for one in executions:
            piece = (max(one.start, start), min(one.end, end))
            if piece[0] < piece[1]:
                pieces.setdefault(one.process, []).append(piece)
                wait.note(one.process, "ran", (one.job.ctx, one.job.wide),
                          piece[1] - piece[0])
        wait.anybody += union([p for list_ in pieces.values() for p in list_])
        for process, list_ in pieces.items():
            wait.alone[process] = wait.alone.get(process, 0) + union(list_)
        total = sum(wait.alone.values())
        wait.rounded = total != wait.anybody
        for process, ns in wait.alone.items():
            wait.executed[process] = ns * wait.anybody // total


class DelayCheck:
    def __init__(self, text, capture, mistakes):
        self.rows = list(csv.DictReader(text.splitlines()))
        self.capture, self.mistakes = capture, mistakes

    def run(self):
        # What was lost, or stands for others, is not worked out here.
        if self.capture.loses or any(job.weight != 1
                                     for job in self.capture.jobs):
            return
        told = {}
        for row in self.rows:
            name = (row["dev"], row["ring"])
            told.setdefault(name, []).append(row)
        for ring in {job.ring for job in self.capture.jobs}:
            known = self.capture.rings.get(ring)
            name = known[:2] if known else ("NA", str(ring or 0))
            self.ring(f"delays on {name[1]}", RingDelays(self.capture, ring),
                      told.pop(name, []))
        if told:
            self.mistakes.append(f"delays on rings without jobs: {told}")

    def ring(self, what, delays, rows):
        cells = {}  # victim, culprit: waits
        for wait in delays.waits:
            for culprit in {*wait.blocked, *wait.alone, "nobody"}:
                cells.setdefault((wait.process, culprit), []).append(wait)
        for row in rows:
            culprit = {"process": row["culprit_tgid"],
                       "itself": row["victim_tgid"],
                       "unknown": "?"}.get(row["kind"], row["kind"])
            if culprit.isdigit():
                culprit = int(culprit)
            victim = int(row["victim_tgid"])
            waits = cells.pop((victim, culprit), None)
            name = f"{what}: {victim} by {culprit}"
            if waits is None:
                self.mistakes.append(f"{name}: no job waited so")
            else:
                self.cell(name, culprit, waits, row)
        for (victim, culprit), waits in cells.items():
            # A share of less than 1 ns may be rounded away.
            rounded = sum(wait.rounded for wait in waits)
            if not rounded or culprit == "nobody" or sum(
                    wait.share(culprit) for wait in waits) > 8 * rounded:
                self.mistakes.append(f"{what}: {victim} by {culprit} is "
                                     f"missing, {len(waits)} jobs")

    def near(self, what, told, right, slack):
        if abs(told - right) > slack:
            self.mistakes.append(f"{what}: told {told}, right is {right}")

    def cell(self, name, culprit, waits, row):
        def share(wait):
            return (wait.nobody() if culprit == "nobody" else
                    wait.share(culprit))

        # Who shared a time with others has a part of it, rounded.
        slack = sum(wait.rounded for wait in waits) * 8
        self.near(name, int(row["ns"]), sum(map(share, waits)), slack)
        self.near(name + " jobs", int(row["jobs"]), len(waits), slack)
        if row["ctx"] == "NA":
            self.near(name + " without a proof", max(map(share, waits)), 0,
                      slack)
            return
        found = [wait for wait in waits
                 if (wait.job.ctx, wait.job.wide, wait.start) ==
                 (int(row["ctx"]), int(row["seqno"]), int(row["submit_ts"]))]
        if not found:
            self.mistakes.append(f"{name}: {row['ctx']}:{row['seqno']} is no "
                                 "proof")
            return
        wait = found[0]
        slack = 8 if slack else 0
        self.mistakes.check(name + " wait", int(row["wait"]), wait.length())
        self.near(name + " part", int(row["part"]), share(wait), slack)
        self.near(name + " greatest part", int(row["part"]),
                  max(map(share, waits)), slack)
        if culprit != "nobody":
            self.cause(name, culprit, wait, row, slack)

    def cause(self, name, culprit, wait, row, slack):
        blocked = wait.blocked.get(culprit, 0)
        how = "blocked" if blocked > wait.executed.get(culprit, 0) else "ran"
        if slack and row["how"] != how:
            return
        self.mistakes.check(name + " how", row["how"], how)
        pieces = wait.causes[culprit, how]
        fence = (int(row["culprit_ctx"]), int(row["culprit_seqno"]))
        self.mistakes.check(f"{name}: part of {fence}", pieces.get(fence),
                            max(pieces.values()))
