#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""
Checks the capture of i915's mock selftests that guest/i915_mock.sh has saved.  The source
of these tests (drivers/gpu/drm/i915/selftests/i915_request.c) shows which requests they
submit, and so which records there must be.

Usage: i915_mock.py FOLDER

  FOLDER  contains run.grtrace.<cpu>, and log (dmesg), stats, events_by_type and
          rings as they were after the session

Prints TAP lines.  Needs grparse in PATH.
"""
import csv
import re
import subprocess
import sys
from collections import Counter, defaultdict, namedtuple
from pathlib import Path

SELFTESTS = ["igt_add_request", "igt_wait_request", "igt_fence_wait", "igt_request_rewind",
             "mock_breadcrumbs_smoketest"]

# time is the source of the time, ring its driver, device, name and class.
Event = namedtuple("Event", "letter ns pid error ring fence time task")


class Tap:
    def __init__(self):
        self.number, self.failed = 0, False

    def result(self, what, faults):
        faults = list(faults)
        for fault in faults[:10] + ["..."] * (len(faults) > 10):
            print(f"# {fault}")
        self.number += 1
        print(f"{'not ' if faults else ''}ok {self.number} i915: {what}")
        self.failed |= bool(faults)


class Recording:
    """The recorded jobs, by "ctx:seqno", each with its events and the waits for it, in the order
    of the session."""

    def __init__(self, folder):
        self.folder, self.faults = folder, []
        self.jobs, self.found, self.wedged = defaultdict(list), Counter(), 0
        # Requests are the keys that were submitted, in that order.  They are few: most
        # of the stream is waits for other fences, which is counted and left.
        self.requests = list(dict.fromkeys(self.lines_of("%x:%S", "-a", "Q")))
        requests = set(self.requests)
        for line in self.lines_of("%a %k %e %x %S %f %T %t %p %r %v %V %d %l %C", "--strict"):
            letter, kind, error, ctx, seqno, fence, s, ns, pid, ring, device, driver, \
                engine, time, task = line.split(None, 14)
            if letter == "m":
                continue
            self.found[letter] += 1
            self.wedged += letter == "ER" and kind == "wedged"
            job = f"{ctx}:{seqno}"
            if job in requests or letter in "QDEC":
                self.jobs[job].append(Event(
                    letter, int(s) * 10**9 + int(ns), int(pid), int(error),
                    f"{driver} {device} {ring} {engine}", fence, time, task.strip()))

    def lines_of(self, form, *options):
        with subprocess.Popen(["grparse", "-q", *options, "-f", form + "\\n", "-i",
                               self.folder / "run"], stdout=subprocess.PIPE, text=True,
                              errors="replace") as grparse:
            yield from (line.rstrip("\n") for line in grparse.stdout)
        if grparse.returncode:
            self.faults.append(f"grparse: exit status {grparse.returncode}")

    def events(self, job, *letters):
        return [event for event in self.jobs.get(job, ()) if event.letter in letters]

    def letters(self, job, *letters):
        return " ".join(event.letter for event in self.events(job, *letters))

    def first(self, job, letter):
        return self.events(job, letter)[0]


def whole(tap, recording, log):
    """Everything ran, and everything that happened was recorded."""
    ran = re.findall(r"i915: Running i915_request_mock_selftests/(\w+)", log)
    tap.result("the selftests ran and passed",
               ([] if ran == SELFTESTS else [f"ran: {' '.join(ran)}"]) +
               [line for line in log.splitlines()
                if re.search(r"i915.*(failed with error|probe.*failed)", line)])
    stats = dict(line.split(None, 1) for line in
                 (recording.folder / "stats").read_text().splitlines())
    tap.result("the whole stream was read, and nothing is missing",
               recording.faults + [f"{name} {stats[name]}" for name in ("lost", "lost_notes")
                                   if stats.get(name, "0") != "0"])
    with open(recording.folder / "events_by_type", encoding="ascii") as lines:
        counted = {row[2]: int(row[3]) for row in list(csv.reader(lines))[1:]}
    tap.result("the session counted what is in the stream",
               [f"{letter}: {recording.found[letter]}, not {number}"
                for letter, number in sorted(counted.items())
                if recording.found[letter] != number])
    return stats


def lives(tap, recording):
    """Checks that are the same for each request."""
    events, letters, requests = recording.events, recording.letters, recording.requests
    each = [job for job in recording.jobs if events(job, "Q", "C", "D", "E")]
    tap.result("each request that was added was completed, once",
               ([] if requests else ["no request"]) +
               [f"{job}: {letters(job, 'Q', 'C')}" for job in each
                if letters(job, "Q", "C") != "Q C"])
    tap.result("each was executed before it ended, and completed after that",
               [f"{job}: {letters(job, 'Q', 'D', 'E', 'C')}" for job in requests
                if not re.fullmatch(r"Q D (D )?(E )?C", letters(job, "Q", "D", "E", "C"))])
    tap.result("each names its own fence when it is executed",
               [f"{job}: {event.fence}" for job in requests for event in events(job, "D")
                if event.fence != job])
    tap.result("no request is recorded as a fence too",
               [f"{job}: {letters(job, 'Q', 'C', 'FS')}" for job in requests
                if events(job, "FS")])
    tap.result("an end is recorded only where an interrupt reported it",
               ([] if any(events(job, "E") for job in requests) else ["no end"]) +
               [f"{job}: {event.time}" for job in requests for event in events(job, "E")
                if event.time != "i"])


def waiters(tap, recording):
    """Both tests wait before the request is added, in vain; while it runs, in vain; and
    until it is done.  One calls dma_fence_wait(), which calls i915's own wait."""
    events, letters = recording.events, recording.letters
    waited = [job for job in recording.requests
              if letters(job, "Q", "WE", "WX").startswith("WE")]
    tap.result("igt_wait_request and igt_fence_wait: two requests with early waiters",
               [] if len(waited) == 2 else [f"found {len(waited)}: {' '.join(waited)}"])
    for name, job in zip(SELFTESTS[1:3], waited + [""] * 2):
        lived = letters(job, "Q", "D", "E", "C", "WE", "WX")
        # who waits wakes up after the completion
        tap.result(f"{name}: waits before it is added, while it runs, to its end",
                   [] if lived == "WE WX Q D WE WX WE E C WX" else [f"lived: {lived}"])
        begin, end = events(job, "D"), events(job, "C")
        ms = (end[0].ns - begin[0].ns) / 1e6 if begin and end else -1
        # HZ / 4, the first tick of which may have been over
        tap.result(f"{name}: it took a quarter of a second",
                   [] if 235 < ms < 1000 else [f"{ms} ms"])

    # Added before these in the same timeline, and nothing waits for it.
    ctx, seqno = map(int, (waited or ["0:0"])[0].split(":"))
    before = [job for job in recording.requests
              if int(job.split(":")[0]) == ctx and int(job.split(":")[1]) < seqno]
    lived = letters(before[-1], "Q", "D", "C", "WE") if before else ""
    tap.result("igt_add_request: added and executed, and not waited for",
               [f"nothing was added before {ctx}:{seqno}"] if not before else
               [] if lived == "Q D C" else [f"{before[-1]}: {lived}"])


def rewound(tap, recording):
    """A request is taken off the engine and submitted again: another context's request, added
    after it, overtakes it."""
    events, first = recording.events, recording.first
    twice = [job for job in recording.requests if recording.letters(job, "D") == "D D"]
    tap.result("igt_request_rewind: one request was executed twice",
               [] if len(twice) == 1 else [f"found {len(twice)}: {' '.join(twice)}"])
    overtakers = [job for job in recording.requests
                  if twice and job.split(":")[0] != twice[0].split(":")[0] and
                  first(job, "Q").ns > first(twice[0], "D").ns and
                  events(job, "D") and first(job, "D").ns < events(twice[0], "D")[1].ns]
    tap.result("igt_request_rewind: another one overtook it",
               ["none was executed in between"] if not overtakers else
               [] if first(overtakers[0], "C").ns < first(twice[0], "C").ns else
               [f"{overtakers[0]} was not complete before {twice[0]}"])


def smoke(tap, recording, log):
    """Thousands, by several threads.  The test also counts them."""
    events, letters, requests = recording.events, recording.letters, recording.requests
    threads = [job for job in requests if re.fullmatch(r"igt/\d+", recording.first(job, "Q").task)]
    pids = {recording.first(job, "Q").pid for job in threads}
    counts = re.search(r"Completed \d+ waits for (\d+) fence across (\d+) cpus", log)
    tap.result("mock_breadcrumbs_smoketest: all its requests are there, from all its threads",
               ["the log does not say how many there were"] if not counts else
               [] if (len(threads), len(pids)) == (int(counts[1]), int(counts[2])) else
               [f"{len(threads)} requests from {len(pids)} threads, not {counts[1]} from "
                f"{counts[2]}"])
    # It waits for fences that wait for these, so each has a listener.
    ended = sum(1 for job in threads if events(job, "E"))
    tap.result("mock_breadcrumbs_smoketest: interrupts report the ends",
               [] if ended > len(threads) * 0.9 else [f"{ended} of {len(threads)}"])
    tap.result("who waits stops waiting",
               [f"{job}: {letters(job, 'Q', 'C', 'WE', 'WX')}" for job in requests
                if len(events(job, "WE")) != len(events(job, "WX"))])


def at_the_end(tap, recording):
    rings = {event.ring for job in recording.requests
             for event in recording.events(job, "Q", "D", "E", "C")}
    tap.result("the ring is the mock engine, which renders",
               sorted(rings - {"i915 mock rcs0 G"}))
    with open(recording.folder / "rings", encoding="ascii") as lines:
        tap.result("no request is in flight at the end",
                   [",".join(row) for row in list(csv.reader(lines))[1:] if int(row[5])])
    tap.result("a GT that is given up is recorded", [] if recording.wedged else ["none"])


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: i915_mock.py FOLDER")
    folder, tap = Path(sys.argv[1]), Tap()
    log = (folder / "log").read_text(errors="replace")
    recording = Recording(folder)
    stats = whole(tap, recording, log)
    lives(tap, recording)
    waiters(tap, recording)
    rewound(tap, recording)
    smoke(tap, recording, log)
    at_the_end(tap, recording)
    print(f"1..{tap.number}")
    print(f"# {len(recording.requests)} requests in {stats['written']} records")
    return tap.failed


sys.exit(main())
