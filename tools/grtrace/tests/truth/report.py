# SPDX-License-Identifier: GPL-2.0
"""Checks every number of `grtrace report` against jobs worked out by jobs.py.

A line of the report that nothing here knows is a mistake: who prints a new
figure says here how it is worked out.
"""

import re

from figures import COUNT, DURATION, Mistakes, count, percentile
from jobs import completion, difference, execution, host, queue, total

STAGES = {
    "Q2I": lambda j: difference(j.submit, j.pick),
    "I2D": lambda j: difference(j.pick, j.commit),
    "D2B": lambda j: difference(
        j.pick if j.commit is None else j.commit, j.start),
    "B2E": execution,
    "E2C": completion,
    "Q2C": total,
}
STAGE_LINE = re.compile(
    rf"(\w\w\w) +{DURATION} +{DURATION} +{DURATION} +(\d+)"
    rf"(?: +{DURATION} +{DURATION} +{DURATION} +{DURATION})?( \*)?$")
TABLE_LINE = re.compile(r" *(\S+) (.+?) +(\d+) +(\d+) +(\d+) +" +
                        " *".join([DURATION] * 6) + r"( \*)?$")
TOP_LINE = re.compile(" *" + " *".join([DURATION] * 5) +
                      r"(\S+|ring \d+) +(\S+) +(\d+):(\d+) +(.+?)( \*)?$")
LABELS = ("ok", "failed", "blocked by a dependency", "preempted",
          "slow execution", "long queue", "host-bound", "incomplete")


def rounded(total, number):
    return (2 * total + number) // (2 * number)


class Thresholds:
    long_queue = blocked = host = 500 * 1000
    share = 50
    slow_exec = None


class Capture:
    """What is known of a capture: events, jobs, the raw stream, names."""

    def __init__(self, name, stream, events, jobs, losses):
        self.name, self.stream, self.events = name, stream, events
        self.jobs, self.losses = jobs, losses
        numbers = [e.gseq for e in events if e.gseq is not None]
        # Records are missing; where is not always known.
        self.loses = losses or (numbers and max(numbers) - min(numbers) + 1
                                != len(numbers))
        self.rings, self.devices = {}, []
        self.tasks = [e for e in events if e.type == "task"]
        for e in stream.events:
            if e["type"] == 0x104 and e["cpu"] == 0xffffffff:
                self.learn_device(e["dev"])
                self.rings[e["ring"]] = (e["dev"], e["ring_name"], None)
        for e in events:
            if e.ring is not None and e.dev is not None:
                self.learn_device(e.dev)
                self.rings[e.ring] = (e.dev, e.ring_name, e.engine)

    def learn_device(self, device):
        if device not in self.devices:
            self.devices.append(device)

    def task(self, pid, at):
        """tgid and name, as known at a place in the order: a pid may be used
        again. A process that no TASK named is known by the thread."""
        known = [e for e in self.tasks if e.pid == pid and e.at <= at]
        return (known[-1].tgid, known[-1].comm) if known else (pid, "?")

    def task_of(self, job):
        return self.task(job.pid, job.place_left)

    def process(self, pid, at):
        """tgid, and the leader's name, or the thread's where no TASK of that
        process named the leader."""
        tgid, comm = self.task(pid, at)
        known, leader = self.task(tgid, at)
        return (tgid, leader if known == tgid and leader != "?" else comm)

    def process_of(self, job):
        return self.process(job.pid, job.place_left)

    def touched(self, start, end):
        return any(loss.touches(start, end) for loss in self.losses)

    def weigh(self, test):
        return sum(job.weight for job in self.jobs if test(job))


def label_of(job, thresholds, is_slow):
    """As `grtrace report --help` tells it."""
    def blames(part, limit):
        return (part is not None and part > limit and total(job) is not None
                and part > total(job) * thresholds.share / 100)

    if job.failed:
        return "failed"
    if not job.over:
        return "incomplete"
    if blames(job.blocked_ns, thresholds.blocked):
        return "blocked by a dependency"
    if job.preempted:
        return "preempted"
    if blames(host(job), thresholds.host):
        return "host-bound"
    if blames(queue(job), thresholds.long_queue):
        return "long queue"
    return "slow execution" if is_slow else "ok"


def set_labels(jobs, thresholds):
    """job.labels: what may be said of it. What the tool calls slow by itself
    it finds with a percentile that is up to 1/32 too high and not always of
    the very last job."""
    execs = {}  # ring: those of the jobs before, in order
    for job in sorted(jobs, key=lambda job: job.left):
        exec_ns = execution(job)
        before = execs.setdefault(job.ring, [])
        if thresholds.slow_exec is not None:
            slow = {(exec_ns or 0) > thresholds.slow_exec}
        elif not exec_ns or exec_ns <= 100000 or not before:
            slow = {False}
        else:
            slow = slow_by_itself(exec_ns, before)
        job.labels = {label_of(job, thresholds, is_slow) for is_slow in slow}
        if exec_ns is not None:
            before.append((exec_ns, job.weight))


def slow_by_itself(exec_ns, before):
    may = {exec_ns > 1.5 * scale * percentile(before[:number], 900)
           for number in range(20, len(before) + 1)
           for scale in (1, 1 + 1 / 32)}
    return may or {False}


class ReportCheck:
    def __init__(self, text, capture, mistakes):
        self.lines = text.split("\n")
        self.capture = capture
        self.mistakes = mistakes
        self.marks = 0  # figures that must have a mark

    def next(self):
        return self.lines.pop(0)

    def expect(self, pattern):
        """The next line, which has to look so; its groups."""
        line = self.next() if self.lines else "the end"
        found = re.fullmatch(pattern, line)
        if not found:
            self.mistakes.append(f'unknown line "{line}"')
        return found

    def check(self, pattern, what, *right):
        found = self.expect(pattern)
        if found:
            for printed, value in zip(found.groups(), right):
                self.mistakes.check(f"{what} in \"{found[0]}\"",
                                    count(printed), value)

    def run(self, sections):
        self.check_text("Report of " + self.capture.name)
        self.sampling()
        for section in sections:
            section(self)
        self.labels()
        self.end()
        if self.lines != [""]:
            self.mistakes.append(f'unknown line "{self.lines[0]}"')

    def check_text(self, right):
        self.mistakes.check("line", self.next(), right)

    def sampling(self):
        weights = {e.weight for e in self.capture.events if e.is_event and
                   e.type not in ("error", "irq", "ctx_switch")}
        changes = sum(e.type == "sample" for e in self.capture.events)
        if max(weights, default=1) == 1 and not changes:
            return
        least, most = min(weights), max(weights)
        text = f"Sampled 1/{least}"
        if most > least:
            text += f" to 1/{most}"
        if changes:
            text += f", {changes} changes"
        self.check_text(text + ": totals are estimates")

    # -------------------------------------------------------------- the tables

    def groups(self, by):
        """id: its name and jobs."""
        groups = {}
        for job in self.capture.jobs:
            ring = self.capture.rings.get(job.ring)
            title = (f"{ring[0]} {ring[1]}" if ring else
                     f"ring {job.ring}" if job.ring is not None else
                     "no ring")
            if by == "ring":
                key, name = job.ring or 0, title
            elif by == "device":
                key = self.capture.devices.index(ring[0]) if ring else "-"
                name = ring[0] if ring else "?"
            elif by == "ctx":
                key, name = job.ctx, title
            elif job.submit is None:
                continue
            else:
                key, name = self.capture.process_of(job)
            groups.setdefault(key, (set(), []))
            groups[key][0].add(name)
            groups[key][1].append(job)
        return groups

    def is_touched(self, jobs):
        return self.capture.touched(min(job.span[0] for job in jobs),
                                    max(job.span[1] for job in jobs))

    def table(self, by):
        heads = {"ring": ("RING", "NAME"), "device": ("DEVICE", "NAME"),
                 "ctx": ("CTX", "RING"), "process": ("PID", "COMM")}
        groups = self.groups(by)
        self.check_text("")
        self.expect(r" *{} {} +JOBS +FAILED +OPEN +QUEUE avg +EXEC avg +"
                    r"EXEC sum +WAIT sum +TOTAL avg +TOTAL max".format(
                        *heads[by]))
        order, names = [], {}
        for _ in groups:
            found = self.expect(TABLE_LINE)
            if not found:
                continue
            key = found[1] if found[1] == "-" else int(found[1])
            if key not in groups:
                self.mistakes.append(f"there is no {by} {key}")
                continue
            names[key] = found[2]
            order.append((-sums(execution, groups[key][1])[0],
                          1 << 32 if key == "-" else key))
            self.table_line(found, f"{by} {key}", *groups[key])
        self.mistakes.check(f"order of {by}", order, sorted(order))
        for key in sorted(groups, key=lambda k: 1 << 32 if k == "-" else k):
            self.stages(by, key, names.get(key), groups[key][1])

    def table_line(self, found, what, names, jobs):
        def mean(duration):
            number, weight = sums(duration, jobs)
            return rounded(number, weight) if weight else None

        check, duration = self.mistakes.check, self.mistakes.duration
        if found[2] not in names:
            self.mistakes.append(f"{what} has not the name {found[2]}")
        check(what + " JOBS", int(found[3]), sum(j.weight for j in jobs))
        check(what + " FAILED", int(found[4]),
              sum(j.weight for j in jobs if j.failed))
        check(what + " OPEN", int(found[5]),
              sum(j.weight for j in jobs if not j.over and not j.cut))
        duration(what + " QUEUE avg", found[6], mean(queue))
        duration(what + " EXEC avg", found[7], mean(execution))
        duration(what + " EXEC sum", found[8], sums(execution, jobs)[0])
        duration(what + " WAIT sum", found[9],
                 sums(lambda j: j.gpu_wait, jobs)[0])
        duration(what + " TOTAL avg", found[10], mean(total))
        duration(what + " TOTAL max", found[11],
                 max((total(j) or 0 for j in jobs)))
        check(what + " mark", bool(found[12]), self.is_touched(jobs))

    def stages(self, by, key, name, jobs):
        ring = self.capture.rings.get(key)
        engine = ring[2] if ring and ring[2] else r"[\w-]+"
        title = {"ring": rf"Stages of {re.escape(str(name))} \({engine}\)",
                 "device": rf"Stages of device {re.escape(str(name))}",
                 "ctx": f"Stages of context {key}",
                 "process": rf"Stages of {re.escape(str(name))} \({key}\)"}
        self.check_text("")
        self.expect(title[by])
        self.expect("ALL +MIN +AVG +MAX +N +p50 +p90 +p99 +p99.9")
        for stage in list(STAGES) + ["C2W"]:
            found = self.expect(STAGE_LINE)
            if found:
                self.mistakes.check("stage", found[1], stage)
                self.stage(f"{by} {key} {stage}", found,
                           stage_values(stage, jobs))
                self.mistakes.check(f"{by} {key} {stage} mark",
                                    bool(found[10]), self.is_touched(jobs))

    def stage(self, what, found, values):
        number = sum(weight for _, weight in values)
        self.mistakes.check(what + " N", int(found[5]), number)
        if not values:
            self.mistakes.check(what, found.group(2, 3, 4, 6),
                                ("NA", "NA", "NA", None))
            return
        mean = rounded(sum(value * weight for value, weight in values), number)
        self.mistakes.duration(what + " MIN", found[2], min(values)[0])
        self.mistakes.duration(what + " AVG", found[3], mean)
        self.mistakes.duration(what + " MAX", found[4], max(values)[0])
        for group, permille in ((6, 500), (7, 900), (8, 990), (9, 999)):
            self.mistakes.duration(f"{what} p{permille}", found[group],
                                   percentile(values, permille), 1 / 32)

    # --------------------------------------------------------------- top jobs

    def top(self, limit):
        jobs = [job for job in self.capture.jobs if total(job) is not None]
        jobs.sort(key=total, reverse=True)
        self.check_text("")
        self.check_text(f"Top {limit} by total time")
        self.expect(" +TOTAL +QUEUE +EXEC +WAIT +AT +RING +COMM +CTX:SEQNO +"
                    "LABEL")
        seen = set()
        for right in jobs[:limit]:
            found = self.expect(TOP_LINE)
            if found:
                self.top_line(found, right, jobs, seen)

    def top_line(self, found, right, jobs, seen):
        what = f"top job {found[8]}:{found[9]}"
        same = [j for j in jobs if j.ctx == int(found[8]) and
                j.wide == int(found[9]) and j.number not in seen and
                total(j) == total(right)]
        if not same:
            self.mistakes.append(f"{what} is not the next")
            return
        job = same[0]
        seen.add(job.number)
        duration = self.mistakes.duration
        start = self.capture.stream.info["start"]
        duration(what + " TOTAL", found[1], total(job))
        duration(what + " QUEUE", found[2], queue(job))
        duration(what + " EXEC", found[3], execution(job))
        duration(what + " WAIT", found[4], job.gpu_wait)
        duration(what + " AT", found[5], job.submit - start)
        ring = self.capture.rings.get(job.ring)
        self.mistakes.check(what + " RING", found[6],
                            ring[1] if ring else f"ring {job.ring}")
        self.mistakes.check(what + " COMM", found[7],
                            self.capture.task_of(job)[1])
        if found[10] not in job.labels:
            self.mistakes.append(f"{what} is called {found[10]}, but is "
                                 f"{job.labels}")
        if bool(found[11]) not in (job.touched_surely, job.touched_maybe):
            self.mistakes.check(what + " mark", bool(found[11]),
                                job.touched_surely)

    # -------------------------------------------------------- the closing lines

    def labels(self):
        self.check_text("")
        found = self.expect(r"Labels:(.*?)( \*)?")
        if found:
            self.mistakes.check("mark of labels", bool(found[2]),
                                bool(self.capture.losses))
        told = dict.fromkeys(LABELS, 0)
        for part in found[1].split(", ") if found and found[1] else []:
            number, label = part.strip().split(" ", 1)
            told[label] = count(number)
        for label in LABELS:
            least = self.capture.weigh(lambda j: j.labels == {label})
            most = self.capture.weigh(lambda j: label in j.labels)
            if not least <= told[label] <= most:
                self.mistakes.append(f"{told[label]} jobs {label}, right is "
                                     f"{least} to {most}")

    def end(self):
        losses(self)
        self.counts()
        stream = self.capture.stream
        records = sum("pid" in e for e in stream.events
                      if e["cpu"] != 0xffffffff)
        if records:
            found = self.expect(r"Cost: ([0-9.]+) bytes of capture per record")
            if found and abs(float(found[1]) -
                             stream.bytes / records) > 0.0500001:
                self.mistakes.check("cost", found[1], stream.bytes / records)
        self.session()
        sources = [name if found == known else
                   f"{name} ({found} of {known} tracepoints)"
                   for name, found, known in stream.sources]
        self.check_text("Coverage: " + (", ".join(sources) or
                                        "the capture names no sources"))
        self.check_text("  user-mode queues are not seen by the kernel, nor "
                        "here")

    def session(self):
        """Not in all captures, and no figures."""
        while self.lines and re.match(r"(Snapshot|Clock): ", self.lines[0]):
            self.next()

    def counts(self):
        weigh = self.capture.weigh
        cut = weigh(lambda j: j.cut)
        pattern = (f"Jobs: {COUNT} seen, {COUNT} incomplete, {COUNT} begun "
                   "before the capture")
        if cut:
            pattern += f", {COUNT} cut by a change of sampling"
        self.check(pattern, "jobs", weigh(lambda j: True),
                   weigh(lambda j: not j.over and not j.cut),
                   weigh(lambda j: j.submit is None and not j.cut), cut)
        if self.capture.losses:
            found = self.expect(f"Touched by loss: {COUNT} jobs were in "
                                "flight when records were lost")
            least = weigh(lambda j: j.touched_surely)
            most = weigh(lambda j: j.touched_maybe)
            if found and not least <= count(found[1]) <= most:
                self.mistakes.append(f'"{found[0]}": right is {least} to '
                                     f"{most}")
            self.expect(r"  \* records were lost in the time that this figure "
                        "is about")
        slow = (weigh(lambda j: j.slow_queue), weigh(lambda j: j.slow_exec))
        if any(slow):
            self.check(f"Marked as slow: {COUNT} in the queue, {COUNT} in "
                       "execution", "slow", *slow)
        self.check(f"Inferred: timestamps of {COUNT} jobs", "inferred",
                   weigh(lambda j: j.start_inferred or j.time_inferred))


def losses(check):
    """From "Records:" to "Skipped:", of reports and of grparse's summary."""
    stream = check.capture.stream
    places = stream.places
    numbered = [e for e in stream.events
                if "gseq" in e and e["cpu"] != 0xffffffff]
    check.check(f"Records: {COUNT} read in {COUNT} packets, {COUNT} bytes",
                "records", len(numbered), stream.packets, stream.bytes)
    if places:
        told = [p for p in places if p["kind"] == "lost"]
        check.check(f"Lost: {COUNT} records in {COUNT} places; told lost: "
                    f"{COUNT} events, {COUNT} notes", "lost",
                    sum(p["records"] for p in places), len(places),
                    sum(p["events"] for p in told),
                    sum(p["notes"] for p in told))
    else:
        check.check_text("Lost: 0 records")
    told = [p for p in places if p["kind"] == "lost"]
    if any(p["limited"] or p["pressure"] for p in told):
        check.check_text("  of the events: " + reasons(
            *(sum(p[name] for p in told)
              for name in ("events", "limited", "pressure"))))
    loss_places(check, places)

    untold = 0
    for cpu, by_kernel in stream.cpu_lost.items():
        known = sum(p["records"] for p in places if p["cpu"] == cpu)
        untold += max(by_kernel - known, 0)
    if untold:
        check.check(f"  and {COUNT} more at the end, by the kernel's own "
                    "count", "lost", untold)

    numbers = [e["gseq"] for e in numbered]
    holes = max(numbers) - min(numbers) + 1 - len(numbers) if numbers else 0
    missing = sum(p["records"] for p in places if p["kind"] == "missing")
    if holes > missing:
        check.check(f"Sequence: {COUNT} numbers are in no file: one is "
                    "missing or was cut", "holes", holes - missing)
    check.check(f"Skipped: {COUNT} records of unknown type, {COUNT} unknown "
                f"tails, {COUNT} damaged bytes in {COUNT} places",
                "skipped", 0, 0, 0, 0)


def reasons(records, limited, pressure):
    if not limited and not pressure:
        return "there was no room in the channel"
    parts = ((records - limited - pressure, "no room"),
             (limited, "rate limit"), (pressure, "backpressure"))
    return ", ".join(f"{number:,} {why}" for number, why in parts if number)


def loss_places(check, places):
    """Where; 16 of them, in any order as CPUs are read side by side."""
    stream = check.capture.stream
    overwrite = stream.info["features"] & (1 << 5)
    right = []
    for place in places:
        if place["kind"] == "lost":
            why = reasons(place["records"], place["limited"],
                          place["pressure"])
        else:
            why = ("overwritten by later ones" if overwrite else
                   "missing in the capture")
        start, end = ((place[name] - stream.info["start"]) / 1e9
                      for name in ("from", "to"))
        right.append(f"  CPU {place['cpu']}, {start:.9f} to {end:.9f}: "
                     f"{place['records']:,} records, {why}")
    for _ in places[:16]:
        line = check.next()
        if line in right:
            right.remove(line)
        else:
            check.mistakes.append(f'nothing was lost at "{line}"')
    if len(places) > 16:
        check.check(f"  and in {COUNT} more places", "places",
                    len(places) - 16)


def sums(duration, jobs):
    known = [(duration(j), j.weight) for j in jobs
             if duration(j) is not None]
    return (sum(value * weight for value, weight in known),
            sum(weight for _, weight in known))


def stage_values(stage, jobs):
    if stage != "C2W":
        known = [(STAGES[stage](j), j.weight) for j in jobs]
    else:
        # Who came when it was complete did not wait for it.
        known = [(difference(j.complete, left.ts), j.weight)
                 for j in jobs if j.complete is not None
                 for _, enter, left in j.waits if enter.ts <= j.complete]
    return [pair for pair in known if pair[0] is not None]
