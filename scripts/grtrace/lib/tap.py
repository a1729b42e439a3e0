#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""
Reads the results in a log: TAP, the kselftest runner's TAP with each program's own lines
after "# ", and GoogleTest's. A test that was announced but has no result did not run, which
is a failure; so is a skip that is not on the list.

Usage: tap.py judge WHERE LIST <LOG   the log, with each skip that LIST does not allow as a failure
       tap.py tap|gtest LOG           "<passed> <failed> <skipped>"
       tap.py failures LOG            the lines of what failed, and what was said just before
"""
import collections
import os
import re
import sys

SKIP = re.compile(r" *# *SKIP")
# A test says why before it fails: this many lines are shown.
REASONS = 8


def open_log(path):
    return open(path, encoding="utf-8", errors="surrogateescape", newline="\n")


def log_lines(file):
    for line in file:
        yield line.rstrip("\n").removesuffix("\r")


def pattern(glob):
    return re.compile(re.escape(glob).replace(r"\*", ".*"))


class Judge:
    """
    Makes a failure of each skip that the list does not allow in that place, and marks those
    that it allows, so that they pass if the line is judged again. A program whose
    cases were all skipped counts as skipped.
    """

    def __init__(self, where, skips=os.path.join(os.path.dirname(__file__), "../test/skips")):
        self.where, self.rules = where, []
        self.program, self.reason, self.ran, self.skipped = "-", "", 0, 0
        with open_log(skips) as file:
            for line in file:
                fields = re.split(r"  +|\t+", line.rstrip("\n"))
                if line[0] != "#" and len(fields) == 4 and \
                        any(pattern(glob).fullmatch(where) for glob in fields[0].split(",")):
                    self.rules.append([pattern(glob) for glob in fields[1:]])

    def allows(self, name, reason):
        texts = self.program, name, reason
        return any(all(map(re.Pattern.fullmatch, rule, texts)) for rule in self.rules)

    def skip(self, line, name):
        at = SKIP.search(line)
        reason = line[at.end():].lstrip(": ") or self.reason
        if reason.endswith("(allowed)"):
            return line
        if self.allows(name, reason):
            return " ".join(filter(None, (line[:at.start()], "# SKIP", reason, "(allowed)")))
        failed = line[:at.start()].replace("ok", "not ok", 1)
        return f"{failed} # may not be skipped on {self.where}: {reason or 'no reason is given'}"

    def lines(self, line):
        """The lines to print for a line: one as a rule."""
        line, before = line.removesuffix("\r"), []
        program = re.match(r"# selftests: [^ ]+: ([^ ]+)$", line)
        if program:
            self.program, self.reason, self.ran, self.skipped = program[1], "", 0, 0
        if re.match(r"1\.\.0 # *SKIP", line):		# a whole test without a runner
            line, before = "ok 1 whole" + line[4:], ["1..1"]
        if re.match(r"# 1\.\.0 # *SKIP", line):
            self.reason = re.sub(r".*?SKIP *", "", line, count=1)
        whole = re.match(r"(not )?ok \d+ selftests: ", line)
        if whole and line.startswith("ok") and self.skipped and not self.ran:
            line = SKIP.split(line)[0] + " # SKIP all its cases were (allowed)"
        if re.match(r"(# )?ok .*# *SKIP", line):
            self.skipped += line.startswith("# ")
            line = self.skip(line, "whole" if whole else re.sub(r"^(# )?ok *\d* *(- )?", "", SKIP.split(line)[0]))
        elif re.match(r"# (not )?ok ", line):
            self.ran += 1
        if whole:
            self.program = "-"
        gtest = re.match(r"\[  SKIPPED \] (\S+).* \(\d+ ms\)$", line)
        if gtest and not self.allows(gtest[1], ""):
            line = line.replace("  SKIPPED ", "  FAILED  ", 1)
        return [*before, line]


def count_tap(lines):
    """A program's line counts only where it says more than its tests: it died, or has none."""
    sums, inner = collections.Counter(), collections.Counter()
    planned = inner_planned = 0
    for line in lines:
        inside, text = line.startswith("# "), line.removeprefix("# ")
        plan = re.match(r"1\.\.(\d+)", text)
        if plan and inside:
            inner_planned += int(plan[1])
        elif plan:
            planned += int(plan[1])
        elif re.match(r"(not )?ok( |$)", text):
            kind = "failed" if text.startswith("not") else "skipped" if re.search(r"# *(SKIP|XFAIL)", text) else "passed"
            inner[kind] += inside
            if inside:
                continue
            planned -= 1
            tests = inner.total()
            inner["failed"] += max(0, inner_planned - tests)
            # The runner takes exit status 2 for an expected failure, which without a
            # single test is a program that did not start.
            if not tests and re.search("# *XFAIL", text):
                kind = "failed"
            if not tests or (kind == "failed" and not inner["failed"]):
                inner[kind] += 1
            sums += inner
            inner, inner_planned = collections.Counter(), 0
    return sums["passed"], sums["failed"] + max(0, planned), sums["skipped"]


def count_gtest(lines):
    sums, planned = collections.Counter(), 0
    for line in lines:
        running = re.match(r"\[==========\] Running (\d+) tests? ", line)
        planned += int(running[1]) if running else 0
        result = re.match(r"\[ +(OK|FAILED|SKIPPED) +\] .*\(\d+ ms\)$", line)
        if result:
            sums[result[1]] += 1
    return sums["OK"], sums["FAILED"] + max(0, planned - sums.total()), sums["SKIPPED"]


def short_bars(lines):
    """The measurements that are worse than their limit."""
    return [line for line in lines if re.match(r"(# )*BAR \S+ .* short$", line)]


def failures(lines):
    said = collections.deque(maxlen=REASONS)
    for line in lines:
        if re.match(r"(# )*# Totals: ", line):
            continue
        if re.match(r"(# )*(ok |1\.\.)", line):
            said.clear()
        elif re.match(r"(# )*not ok", line):
            yield from (*said, line)
            said.clear()
        elif re.match(r"\[  FAILED  \]|.*([Ee]rror:|warning:)", line) or short_bars([line]):
            yield line
        elif line.startswith("# "):
            said.append(line)


def main(what, *args):
    for stream in sys.stdin, sys.stdout:
        stream.reconfigure(encoding="utf-8", errors="surrogateescape")
    if what == "judge":
        judge = Judge(*args)
        for line in sys.stdin:
            print(*judge.lines(line.rstrip("\n")), sep="\n", flush=True)
        return
    with open_log(*args) as file:
        found = {"tap": count_tap, "gtest": count_gtest, "failures": failures}[what](log_lines(file))
        print(*found, sep="\n" if what == "failures" else " ")


if __name__ == "__main__":
    main(*sys.argv[1:])
