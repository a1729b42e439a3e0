# SPDX-License-Identifier: GPL-2.0
"""Checks the tables of `grtrace report --busy`: what a ring did at each time,
from the definitions in Documentation/gpu/grtrace/usage.rst."""

import re

from figures import DURATION
from jobs import difference

STATES = ("busy", "host", "scheduler", "other", "depend", "no work",
          "unknown")
NAMES = {"busy": "busy", "host": "waiting for the host",
         "scheduler": "scheduler", "other": "blocked by another process",
         "depend": "blocked by a dependency", "no work": "no work submitted",
         "unknown": "not known"}
ORDER = ("submit", "blocked", "pick", "commit", "start", "end", "complete")
RING_LINE = re.compile(r"(.{24,}?) +([0-9.]+) +" + " +".join([DURATION] * 7) +
                       r"( \*)?$")
DEVICE_LINE = re.compile(rf"(\S+) +([0-9.]+) +{DURATION}( \*)?$")
DEPTH_LINE = re.compile(r"(.{24,}?) +([0-9.]+) +(\d+) +([0-9.]+) +(\d+)  "
                        r"\|(.*)\|( \*)?$")
GAP_LINE = re.compile(rf" *{DURATION} *{DURATION} *{DURATION}  (.{{24,}}?) "
                      r"(.{26}) +([0-9.]+)%  (.+?)( \*)?$")


class RingTime:
    """A ring from the capture's first record to its last, in pieces between
    which nothing happens: from, to, state, jobs in all and on the hardware."""

    def __init__(self, ring, capture, start, end):
        self.ring, self.capture = ring, capture
        self.start, self.end = start, end
        self.pieces = []
        self.gaps = []  # pieces, the job that ended it or None
        self.jobs = [job for job in capture.jobs if job.ring == ring]
        self.commits = self.starts = False
        # Where nothing is told in between, the host has it all the time.
        self.tells = any(kind in ORDER[1:5] for job in self.jobs
                         for _, _, kind in job.steps)
        self.cut_up()
        self.forget()
        self.find_gaps()

    def cut_up(self):
        steps = sorted(((at, ts, ORDER.index(kind), job.number, job)
                        for job in self.jobs for at, ts, kind in job.steps
                        if kind in ORDER))
        now, reached = self.start, {}  # job: step, at
        for at, ts, step, number, job in steps:
            if ts > now:
                self.piece(now, ts, reached, at)
                now = ts
            self.commits |= ORDER[step] == "commit"
            self.starts |= ORDER[step] == "start"
            before = reached.get(number, (-1, 0, None))[0]
            if step > before or ORDER[step] == "blocked" == ORDER[before]:
                reached[number] = (step, at, job)
            if self.pieces and self.pieces[-1]["to"] == now:
                self.pieces[-1]["ended_by"].append(job)
        self.piece(now, self.end, reached, 1 << 60)

    def piece(self, start, end, reached, until):
        now = {}
        for step, at, job in reached.values():
            now.setdefault(ORDER[step], []).append((job, at))
        count = {kind: sum(job.weight for job, _ in now.get(kind, []))
                 for kind in ORDER}
        hardware = count["commit"] + count["start"]
        if not self.commits:
            hardware += count["pick"]
        if not self.tells:
            hardware = count["submit"]
        self.pieces.append({
            "from": start, "to": end, "state": self.state(now),
            "until": until, "ended_by": [],
            "depth": sum(count[kind] for kind in ORDER[:5]),
            "hardware": hardware})

    def state(self, now):
        handed_over = now.get("commit", [])
        if not self.commits:
            handed_over = handed_over + now.get("pick", [])
        if now.get("start") or (handed_over and not self.starts):
            return "busy"
        if handed_over:
            return "host"
        if now.get("pick") or self.is_free(now):
            return "scheduler" if self.tells else "host"
        if any(self.is_foreign(job, at) for job, at in now.get("blocked", [])):
            return "other"
        return "depend" if now.get("blocked") else "no work"

    @staticmethod
    def is_free(now):
        """Is any job queued that stands behind no blocked one of its
        context?"""
        blocked = {job.ctx for job, _ in now.get("blocked", [])}
        return any(job.ctx not in blocked for job, _ in now.get("submit", []))

    def is_foreign(self, job, at):
        """Blocked by a job of another process?"""
        other = job.blocked_by[at]
        if other is None or not other.has("submit") or \
                other.order("submit") > at:
            return False
        task = self.capture.task
        return task(other.pid, at)[0] != task(job.pid or 0, at)[0]

    def forget(self):
        """Of idle time while a job from before the capture was in flight
        nothing is known. One that only ends is a stray, once another was seen
        from SUBMIT to its end."""
        settled = min((at for job in self.jobs if job.submit is not None
                       for at, _, kind in job.steps
                       if kind in ("end", "complete") and at > job.first.at),
                      default=1 << 60)
        for job in self.jobs:
            if job.submit is not None or (
                    job.first.type in ("end", "complete") and
                    job.first.at > settled):
                continue
            ends = [at for at, _, kind in job.steps
                    if kind in ("end", "complete")]
            for piece in self.pieces:
                if (piece["until"] <= min(ends, default=1 << 60) and
                        piece["state"] != "busy"):
                    piece["state"] = "unknown"

    def find_gaps(self):
        gap = []
        for piece in self.pieces:
            if piece["state"] == "busy":
                self.add_gap(gap)
                gap = []
            elif piece["to"] > piece["from"]:
                gap.append(piece)
        self.add_gap(gap)

    def add_gap(self, gap):
        if gap:
            self.gaps.append(gap)

    def time(self, state):
        return sum(p["to"] - p["from"] for p in self.pieces
                   if p["state"] == state)

    def mean(self, what):
        area = sum(p[what] * (p["to"] - p["from"]) for p in self.pieces)
        return area / max(self.end - self.start, 1)

    def most(self, what):
        return max((p[what] for p in self.pieces), default=0)

    def picture(self):
        """The greatest depth in each of up to 64 stretches."""
        deep = [p for p in self.pieces if p["depth"] and p["to"] > p["from"]]
        length, shift = self.end - self.start, 10
        if not deep or not length:
            return None
        while (length - 1) >> shift >= 128:
            shift += 1
        number = ((length - 1) >> shift) + 1
        if number > 64:
            shift += 1
            number = (number + 1) // 2
        most, text = self.most("depth"), ""
        for i in range(number):
            start = self.start + (i << shift)
            depth = max((p["depth"] for p in deep if p["from"] < start +
                         (1 << shift) and p["to"] > start), default=0)
            text += " .:-=+*#%@"[-(-depth * 9 // most)]
        return text


class ActivityCheck:
    def __init__(self, check, gaps):
        self.check, self.nr_gaps = check, gaps
        self.capture, self.mistakes = check.capture, check.mistakes
        # A LOST stands before its time.
        self.start = next((e.ts for e in self.capture.events
                           if e.type != "lost"), 0)
        self.end = max((e.ts for e in self.capture.events), default=0)
        self.marked = self.capture.touched(self.start, self.end)
        # With loss only what can be worked out without it is checked.
        self.exact = not self.capture.loses
        self.rings = {}
        for ring in sorted({job.ring for job in self.capture.jobs
                            if job.ring}):
            self.rings[ring] = RingTime(ring, self.capture, self.start,
                                        self.end)

    def title(self, ring):
        known = self.capture.rings.get(ring)
        return f"{known[0]} {known[1]}" if known else f"ring {ring}"

    def run(self):
        self.ring_table()
        self.device_table()
        self.depth_table()
        self.gap_table()

    def percent(self, what, printed, part, whole, digits):
        right = 100 * part / whole if whole else 0
        if abs(float(printed) - right) > 0.5001 / 10**digits:
            self.mistakes.append(f"{what}: printed {printed} %, right is "
                                 f"{right}")

    def ring_table(self):
        span = self.end - self.start
        self.check.check_text("")
        self.check.expect("BUSY AND IDLE +BUSY % +BUSY +HOST +SCHEDULER +"
                          "OTHER PROC +DEPEND +NO WORK +NOT KNOWN")
        for ring, times in self.rings.items():
            found = self.check.expect(RING_LINE)
            if not found:
                continue
            what = f"ring {ring}"
            self.mistakes.check("ring", found[1].rstrip(), self.title(ring))
            self.mistakes.check(what + " mark", bool(found[10]), self.marked)
            self.add_up(what, found, span)
            if not self.exact:
                continue
            self.percent(what + " BUSY", found[2], times.time("busy"), span, 2)
            for group, state in enumerate(STATES, 3):
                self.mistakes.duration(f"{what} {state}", found[group],
                                       times.time(state))

    def add_up(self, what, found, span):
        """Something was the case at each time."""
        units = {"ns": 1, "us": 10**3, "ms": 10**6, "s": 10**9}
        total = slack = 0
        for cell in found.groups()[2:9]:
            number, unit = cell.split()
            total += float(number) * units[unit]
            slack += units[unit] / 1000
        if abs(total - span) > slack:
            self.mistakes.append(f"{what}: {total} ns in all, right is {span}")

    def device_table(self):
        span = self.end - self.start
        self.check.check_text("")
        self.check.expect("DEVICE +BUSY % +BUSY  any of its rings")
        known = {ring: self.capture.rings[ring][0] for ring in self.rings
                 if ring in self.capture.rings}
        for device in self.capture.devices:
            if device not in known.values():
                continue
            found = self.check.expect(DEVICE_LINE)
            if not found:
                continue
            self.mistakes.check("device", found[1], device)
            self.mistakes.check(f"{device} mark", bool(found[4]), self.marked)
            if self.exact:
                busy = union([(p["from"], p["to"])
                              for ring, dev in known.items() if dev == device
                              for p in self.rings[ring].pieces
                              if p["state"] == "busy"])
                self.percent(device, found[2], busy, span, 2)
                self.mistakes.duration(device, found[3], busy)

    def depth_table(self):
        self.check.check_text("")
        self.check.expect("QUEUE DEPTH +AVG +MAX +HW AVG +HW MAX +greatest "
                          "depth over time")
        for ring, times in self.rings.items():
            found = self.check.expect(DEPTH_LINE)
            if not found:
                continue
            self.mistakes.check("ring", found[1].rstrip(), self.title(ring))
            self.mistakes.check(f"ring {ring} mark", bool(found[7]),
                                self.marked)
            if self.exact:
                self.depth(f"ring {ring}", found, times)

    def depth(self, what, found, times):
        for group, name in ((2, "depth"), (4, "hardware")):
            if abs(float(found[group]) - times.mean(name)) > 0.00051:
                self.mistakes.check(f"{what} {name}", found[group],
                                    times.mean(name))
            self.mistakes.check(f"{what} greatest {name}",
                                int(found[group + 1]), times.most(name))
        if times.picture() is not None:
            self.mistakes.check(f"{what} picture", found[6], times.picture())

    def gap_table(self):
        title = r"The (\d+) idle gaps that held jobs up longest"
        lines = self.check.lines
        gaps = [Gap(ring.ring, gap) for ring in self.rings.values()
                for gap in ring.gaps]
        gaps.sort(key=lambda gap: gap.rank)
        # Where jobs from before the capture were found later, gaps are not
        # known to be any.
        exact = self.exact and all(job.submit is not None
                                   for job in self.capture.jobs)
        number = 0
        if len(lines) > 1 and re.fullmatch(title, lines[1]):
            self.check.check_text("")
            number = int(self.check.expect(title)[1])
            self.check.expect(" +HELD UP +IDLE +AT +RING +CAUSE +SHARE +"
                              "ENDED BY")
        if exact:
            self.mistakes.check("gaps", number, min(self.nr_gaps, len(gaps)))
        for place in range(number):
            found = self.check.expect(GAP_LINE)
            if found and exact:
                self.gap(found, gaps[place])

    def gap(self, found, gap):
        what = f"gap at {found[3]}"
        start = self.capture.stream.info["start"]
        self.mistakes.duration(what + " held up", found[1], gap.held_up)
        self.mistakes.duration(what, found[2], gap.length)
        self.mistakes.duration(what, found[3],
                               difference(start, gap.start))
        self.mistakes.check(what, found[4].rstrip(), self.title(gap.ring))
        self.mistakes.check(what, found[5].rstrip(), NAMES[gap.cause])
        self.percent(what, found[6], gap.times[gap.cause], gap.length, 1)
        self.mistakes.check(what + " mark", bool(found[8]),
                            self.capture.touched(gap.start, gap.end))
        ends = [f"{job.ctx}:{job.wide} of "
                f"{self.capture.task(job.pid, job.first.at)[1]}"
                for job in gap.ended_by]
        # Its SUBMIT may come after its PICK where CPUs read their clocks.
        ends += [f"{job.ctx}:{job.wide} of ?" for job in gap.ended_by
                 if job.first.type != "submit"]
        if gap.end == self.end:
            ends.append("the end of the capture")
        if found[7] not in ends:
            self.mistakes.append(f"{what} was ended by {ends}, not {found[7]}")


class Gap:
    """A stretch in which a ring was not busy."""

    def __init__(self, ring, pieces):
        self.ring = ring
        self.start, self.end = pieces[0]["from"], pieces[-1]["to"]
        self.length = self.end - self.start
        self.ended_by = pieces[-1]["ended_by"]
        self.times = {state: sum(p["to"] - p["from"] for p in pieces
                                 if p["state"] == state)
                      for state in STATES[1:]}
        held = STATES[1:5]
        self.held_up = sum(self.times[state] for state in held)
        self.cause = max(held if self.held_up else STATES[1:],
                         key=self.times.get)
        self.rank = (-self.held_up, -self.length, self.start, ring)


def union(spans):
    total, until = 0, 0
    for start, end in sorted(spans):
        total += max(end - max(start, until), 0)
        until = max(until, end)
    return total
