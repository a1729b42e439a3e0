#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""many.py SYNTH GRPARSE: captures of many machines come out by the wall clock.

Each capture begins at its own time on its own clock. The output is computed
here from what was written, not read back: the first of the captures' next
events, by real time; of equal ones, that of the capture that was named first.
"""

import heapq
import random
import subprocess
import sys

synth, grparse = sys.argv[1:3]
dice = random.Random(1)
captures, arguments = [], []
for number in range(40):
    start, real = dice.randrange(1 << 40), 1_700_000_000_000_000_000 + dice.randrange(10_000)
    lines = [f"cpu none\ninfo start={start} real={real}\ncpu 0"]
    ts, times = start, []
    for seqno in range(dice.choice([0, 1, 30, 200])):
        ts += dice.randrange(300)  # some at once
        lines.append(f"submit ctx={number + 1} seqno={seqno} ts={ts}")
        times.append((real + ts - start, f"{number + 1}:{seqno}"))
    with open(f"m{number}.txt", "w", encoding="ascii") as file:
        file.write("\n".join(lines) + "\n")
    subprocess.run([synth, f"m{number}.txt", f"m{number}"], check=True, stdout=subprocess.DEVNULL)
    captures.append(times)
    arguments += ["-i", f"m{number}"]

want = [name for _, name in heapq.merge(*captures, key=lambda event: event[0])]
got = subprocess.run([grparse, "-q", "-f", "%x:%S\n", *arguments], check=True, capture_output=True,
                     text=True).stdout.split()
for at, (one, other) in enumerate(zip(want, got)):
    if one != other:
        sys.exit(f"event {at} has to be {one}, and is {other}")
if len(want) != len(got):
    sys.exit(f"{len(want)} events were written, {len(got)} came out")
