#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Makes the captures of a fleet, and says what SQL has to find in them.

fleet_captures.py SYNTH DIR      40 captures of five hosts in two weeks.  On render-3 the
                                 game's jobs take three times as long from the day on which
                                 it got kernel 7.3.5.
fleet_captures.py SYNTH DIR odd  captures that are hard to load
"""
import random
import subprocess
import sys

DAY = 86_400 * 10**9
FIRST = 20_514  # 2026-03-02, a Monday, in days since 1970
DAYS = (0, 2, 4, 6, 8, 10, 12, 13)
HOSTS = range(1, 6)
CULPRIT, SINCE = 3, 8
SAMPLED = 5  # one job in four is recorded
# ns that a job takes on the ring, and how often it comes
CLASSES = {"game": (100, 1, 4_000_000), "browser": (200, 1, 700_000), "trainer": (300, 2, 9_000_000),
           "encoder": (400, 1, 1_500_000)}


def word(text):
    """As METADATA has it."""
    return "".join(chr(b) if 32 < b < 127 and b != ord("%") else f"%{b:02X}" for b in text) or "%"


def head(session, start, real, boot, release, host, tags):
    lines = [f"session {session}", "cpu none",
             f"info start={start} real={real} boot={boot} release={release}",
             f"meta host {word(host)}"]
    lines += [f"meta tag {word(key)} {word(value)}" for key, value in tags]
    return lines + ["ring id=1 class=1 device=card0 name=gfx", "ring id=2 class=2 device=card0 name=compute"]


def jobs(rng, start, slow, loses):
    """Lines of events: each ring executes one job at a time, in the order of SUBMIT."""
    events, free, seqno = [], {1: 0, 2: 0, 3: 0}, {}
    now = start
    for number in range(120):
        comm = rng.choice(list(CLASSES))
        pid, ring, takes = CLASSES[comm]
        if number % 40 == 39:
            ring = 3  # which no record describes
        now += rng.randrange(500_000, 7_000_000)
        takes = takes * rng.randrange(80, 120) // 100 * (slow if comm == "game" else 1)
        seqno[pid] = seqno.get(pid, 0) + 1
        key = f"pid={pid} ctx={pid} ring={ring} seqno={seqno[pid]}"
        pick, commit = now + 5_000, now + 9_000
        begin = max(commit + 1_000, free[ring])
        free[ring] = begin + takes
        code = " arg=-5" if number % 50 == 17 else ""
        events += [(now, f"submit {key}"), (pick, f"pick {key}"), (commit, f"commit {key} fence={pid + 1}:{seqno[pid]}"),
                   (begin, f"start {key}"), (begin + takes, f"end {key}"), (begin + takes + 3_000, f"complete {key}{code}")]
    events.sort()
    lines = ["cpu 0"]
    lines += [f"task pid={pid} tgid={pid} comm={comm} ts={start + pid}" for comm, (pid, _, _) in CLASSES.items()]
    for number, (ts, line) in enumerate(events):
        if loses and number == len(events) // 2:
            lines.append(f"lost events={loses} notes=1 first={ts - 10} last={ts - 5}")
        lines.append(f"{line} ts={ts}")
    return lines


def make(synth, name, lines):
    subprocess.run([synth, "-", name], input="\n".join(lines) + "\n", text=True, check=True)


def fleet(synth, path):
    for host in HOSTS:
        for number, day in enumerate(DAYS):
            bad = host == CULPRIT and day >= SINCE
            rng = random.Random(1000 * host + day)
            start = rng.randrange(10**12, 10**14)
            real = (FIRST + day) * DAY + rng.randrange(DAY // 2)
            release = "7.3.5" if bad else "7.3.4"
            tags = [(b"mesa", b"26.1" if host > 3 else b"26.0"), (b"app", b"scene %d" % (number % 2))]
            lines = head(2**60 + 100 * host + number, start, real, 77 + host + (day >= SINCE) * 50, release,
                         b"render-%d" % host, tags)
            events = jobs(rng, start, 3 if bad else 1, 7 * (number % 3) if host == 4 else 0)
            if host == SAMPLED:
                events[1:1] = ["sampling 4", f"sample n=4 ts={start}"]
            lines += events
            make(synth, f"{path}/render-{host}-{day:02}", lines)


def odd(synth, path):
    rng = random.Random(1)
    start = 10**12
    real = FIRST * DAY
    for name, lines in {
            "no-wall": head(2**64 - 1, start, 0, 1, "7.3.4", b"a", []),
            "boot-1": head(2, start, real, 1, "7.3.4", b"a", [(b"k", b"")]),
            "boot-2": head(2, start, real + DAY, 2, "7.3.4", b"a", [(b"k", b"NA")]),
            "no-host": head(3, start, real, 0, "7.3.4", b"", []),
            "bytes": head(4, start, real, 3, "7.3.4", b"r\xff\xc3\xa9\\N", [(b"\xfe", b"\x80x")]),
            "commas": head(5, start, real, 3, "7.3.4", b'b,"c"\nd', [(b'app, "x"', b'a,"b"\nc\td\\'), (b"NA", b"\\N")]),
            }.items():
        make(synth, f"{path}/{name}", lines + jobs(rng, start, 1, 0)[:60])


if __name__ == "__main__":
    (odd if sys.argv[3:] else fleet)(sys.argv[1], sys.argv[2])
