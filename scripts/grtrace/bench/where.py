#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""
Shows which functions the instructions of one round of a benchmark's loop are in.

Usage: where.py LOOP SYMBOLS MODULES <TRACE

  LOOP     the function with the loop, e.g. bench_submit
  SYMBOLS  the guest's /proc/kallsyms
  MODULES  folder of our modules, with debug information
  TRACE    QEMU's log of single instructions (-d exec,nochain, singlestep)

Prints the round that occurred most often: a line for each stretch in one line of
source, in the order of execution, with the functions that were inlined there; and the
sums by function.
"""
import bisect
import collections
import functools
import itertools
import re
import subprocess
import sys


class Symbols:
    """The functions of the guest's kernel, and which module of ours they are in."""

    def __init__(self, path):
        self.at, self.module = {}, {}
        with open(path, encoding="ascii") as lines:
            for line in lines:
                address, kind, name, *module = line.split()
                if module and module[0].startswith("[grtrace"):
                    self.module[name] = module[0].strip("[]")
                if kind in "tTwW" and not name.startswith("__pfx_"):
                    self.at.setdefault(int(address, 16), name)
        self.addresses = sorted(self.at)

    @functools.lru_cache(maxsize=None)
    def function(self, pc):
        """(name, offset) of what the instruction is in."""
        place = max(bisect.bisect_right(self.addresses, pc) - 1, 0)
        start = self.addresses[place]
        return self.at[start], pc - start


class Sources:
    """Lines of source of the modules' instructions."""

    def __init__(self, symbols, folder):
        self.symbols, self.folder = symbols, folder

    @functools.lru_cache(maxsize=None)
    def starts(self, module):
        lines = subprocess.run(["nm", f"{self.folder}/{module}.ko"], check=True,
                               capture_output=True, text=True).stdout.splitlines()
        return {name: int(address, 16)
                for address, kind, name in (line.split() for line in lines
                                            if re.search(" [tT] ", line))}

    @functools.lru_cache(maxsize=None)
    def source(self, pc):
        """Where it comes from, innermost function first."""
        name, offset = self.symbols.function(pc)
        module = self.symbols.module.get(name)
        start = self.starts(module).get(name) if module else None
        if start is None:
            return name
        frames = subprocess.run(["addr2line", "-i", "-f", "-s", "-j", ".text", "-e",
                                 f"{self.folder}/{module}.ko", hex(start + offset)],
                                check=True, capture_output=True, text=True).stdout.split("\n")
        return " < ".join("%s (%s)" % (inlined, re.sub(r" \(.*", "", line))
                          for inlined, line in zip(frames[::2], frames[1::2]))


def rounds_of(loop, symbols, trace):
    """How often each round occurred.  A round begins where the loop's function is come
    back to; what is no round (an interrupt in between, the start) occurs once."""
    rounds, pcs, outside = collections.Counter(), [], False
    for line in trace:
        found = re.match(r"Trace \d+: \S+ \[[0-9a-f]+/([0-9a-f]+)/", line)
        if not found:
            continue
        pc = int(found[1], 16)
        inside = symbols.function(pc)[0] == loop
        if inside and outside:
            rounds[tuple(pcs)] += 1
            pcs = []
        outside = not inside
        pcs.append(pc)
    return rounds


def main():
    if len(sys.argv) != 4:
        sys.exit("usage: where.py LOOP SYMBOLS MODULES <TRACE")
    loop, symbols, folder = sys.argv[1], Symbols(sys.argv[2]), sys.argv[3]
    rounds = rounds_of(loop, symbols, sys.stdin)
    # of two that are as frequent, the shorter one
    pcs, times = max(rounds.items(), key=lambda round_: (round_[1], -len(round_[0])),
                     default=((), 0))
    if times <= 2:
        sys.exit(f"no round of {loop} was seen")
    print(f"{len(pcs)} instructions, the most frequent round of {len(rounds)} kinds "
          f"({times} times)\n")

    modules = Sources(symbols, folder)
    sources = [modules.source(pc) for pc in pcs]
    for source, stretch in itertools.groupby(sources):
        print("%5d  %s" % (len(list(stretch)), source))
    print()
    sums = collections.Counter(source.split(" ")[0] for source in sources)
    for name, count in sorted(sums.items(), key=lambda item: (-item[1], item[0])):
        print("%5d  %s" % (count, name))


main()
