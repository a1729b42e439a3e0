#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""
Makes tables of what the guests of bench.sh measured.

Usage: tables.py icount CASES LINES CSV BARS   of guest/bench.sh's lines about bench/cases
       tables.py ns LINES CSV BARS             of guest/bench_ns.sh's lines
       tables.py letter ICOUNT.csv NS.csv      for the cover letters, of both
"""
import collections
import csv
import re
import statistics
import sys

import bars

COLUMNS = ["status", "unit", "events", "batches", "min", "sum", "max", "written", "bytes", "offered"]
# The same event elsewhere, in the same boot.
PEERS = {
    "ftrace-off": "ftrace, event off",
    "ftrace-mono": "ftrace, clock mono",
    "ftrace-mono-soft": "ftrace, clock mono, in a softirq",
    "ftrace-mono-hard": "ftrace, clock mono, in a hardirq",
    "ftrace-local": "ftrace, its default clock",
    "ftrace-filtered": "ftrace, refused by its filter",
    "ring-buffer": "`ring_buffer_lock_reserve()`, 32 bytes, commit: no names, no filter, no order over CPUs",
    "simple-ring-buffer": "`simple_ring_buffer_reserve()`, 32 bytes, commit: the same, and one writer per CPU",
    "perf": "perf event, mapped buffer, clock mono",
    "bpf": "BPF program on the trace event, 32 bytes into a BPF ring buffer",
    "bpf-raw": "the same on the raw tracepoint",
}
NS = {
    "clock": "one clock read (`ktime_get_mono_fast_ns`)",
    "off": "hook, no session",
    "submit": "one record",
    "fresh": "one record, the first time through the channel",
    "ftrace": "ftrace, the same event, clock mono",
    "ring": "`ring_buffer_lock_reserve()`, 32 bytes, commit, clock local",
    "simple": "`simple_ring_buffer_reserve()`, 32 bytes, commit, clock mono",
}


def rows_of(path):
    with open(path, encoding="utf-8") as file:
        return [[cell.strip() for cell in line.rstrip("\n").split("|")] for line in file]


def write_bars(path, *found):
    with open(path, "w", encoding="utf-8") as file:
        print(*(bars.line(*bar) for bar in found), sep="\n", file=file)


def figure(number):
    return f"{number:.2f}"


class Case:
    """The measurements of one case; least and mean are of one event, without the loop."""
    def __init__(self, name, cells, empty):
        self.cells = dict(zip(COLUMNS, cells))
        self.status, self.measured = self.cells["status"], len(cells) > 4 and cells[4] != ""
        if not self.measured:
            return
        events, batches, least, total, _, written, size, offered = map(int, cells[2:])
        context = "softirq" if name.endswith("-soft") else \
            "hardirq" if name.endswith("-hard") or name in ("irq", "ctx-switch") else "task"
        # A round of "job" has five events: the loop is shared by them.
        loop = empty.get(context, 0) / (5 if re.search("job$|^slow-|^snapshot-|^everything$", name) else 1)
        self.least, self.mean = least / events - loop, total / batches / events - loop
        self.part = written / offered if offered else 0
        # The few that were written before all were refused mean nothing.
        self.bytes = size / written if written and not (offered and self.part < 0.1) else 0


def icount(cases, lines, out, bars_file):
    """The cases' tables, in the order of their file, then the peers'."""
    found, empty = {}, {}
    for name, *cells in rows_of(lines):
        if name.startswith("empty-"):
            empty[name[6:]] = int(cells[4]) / int(cells[2])
        found[name] = Case(name, cells, empty)
    measured = {name: case for name, case in found.items() if case.measured}
    unmeasured = 0

    def row(name, what):
        nonlocal unmeasured
        case = measured.get(name)
        if not case:
            print(f"| {what} | n/a | | | | | {found[name].status[5:] if name in found else 'not run'} |")
            unmeasured += 1
            return
        note = case.status if case.status != "ok" else f"{100 * case.part:.1f} % written" if 0 < case.part < 1 else ""
        ratios = [figure(case.least / measured[other].least) if other in measured else "" for other in ("clock", "ftrace-mono")]
        print(f"| {what} | {figure(case.least)} | {figure(case.mean)} | {' | '.join(ratios)} | "
              f"{figure(case.bytes) if case.bytes else ''} | {note} |")

    def head(title):
        print(f"\n### {title}\n\n| case | instructions | all in | of a clock read | of ftrace | bytes | |")
        print("|---|--:|--:|--:|--:|--:|---|")

    texts, first = {}, True
    for name, *cells in rows_of(cases):
        if name.startswith("## "):
            head(name[3:])
            if first:
                row("clock", "one clock read alone (`ktime_get_mono_fast_ns`)")
            first = False
        elif len(cells) == 4 and not name.startswith("#"):
            texts[name] = (cells[0], cells[2])
            row(name, cells[0])
            # The cost of a record that is kept, when half of them are.
            case, out_case = measured.get(name), measured.get("sample-out")
            if name == "sample-half" and case and out_case and case.part:
                print(f"| one that is kept, from the two above | | "
                      f"{figure((case.mean - (1 - case.part) * out_case.mean) / case.part)} | | | | |")
    head("The same event elsewhere, in the same boot")
    for name, what in PEERS.items():
        row(name, what)
    with open(out, "w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["id", "what", "config", "status", "instructions", "all_in", *COLUMNS[1:]])
        for name, case in found.items():
            figures = [f"{case.least:.3f}", f"{case.mean:.3f}"] if case.measured else ["", ""]
            table.writerow([name, *texts.get(name, ("", "")), case.status, *figures,
                            *(case.cells.get(column, "") for column in COLUMNS[1:])])
    print()
    if "size" in measured:
        print(f"A SUBMIT has {figure(measured['size'].bytes)} bytes; with packet headers and notes the channel held "
              f"{figure(measured['size-channel'].bytes)} for each.")
    if unmeasured:
        print(f"{unmeasured} case(s) could not be measured: see n/a above.")
    submit, ftrace, size = (measured.get(name) for name in ("submit", "ftrace-mono", "size"))
    write_bars(bars_file, *([("record_instructions", figure(submit.least), "instructions", 135)] if submit else []),
               *([("record_of_ftrace", f"{submit.least / ftrace.least:.4f}", "ratio", 0.1667)] if submit and ftrace else []),
               *([("submit_bytes", figure(size.bytes), "bytes", 40)] if size else []))


class Rounds:
    """ns of an event by round, without the loop: the fastest batch of each. A ratio is the
    median of the ratios within a round."""
    def __init__(self, rows):
        rounds = collections.defaultdict(dict)
        for number, what, events, least, *_ in rows:
            rounds[number][what] = int(least) / int(events)
        self.rounds = list(rounds.values())

    def median(self, what, other=None):
        return statistics.median((found[what] - found["empty"]) / (found[other] - found["empty"] if other else 1)
                                 for found in self.rounds)


def ns(lines, out, bars_file):
    rows = rows_of(lines)
    with open(out, "w", encoding="utf-8") as file:
        print("round,what,events,min,sum,batches", *map(",".join, rows), sep="\n", file=file)
    found = Rounds(rows)
    if not found.rounds:
        print("n/a: nothing was measured")
        return
    print("| | ns | of a clock read | of ftrace |\n|---|--:|--:|--:|")
    for what, text in NS.items():
        print(f"| {text} | {found.median(what):.1f} | {figure(found.median(what, 'clock'))} | {figure(found.median(what, 'ftrace'))} |")
    print(f"\nMedians of {len(found.rounds)} rounds, the loop itself ({figure(found.rounds[0]['empty'])} ns) taken off.")
    write_bars(bars_file, ("record_of_clock_ns", figure(found.median("submit", "clock")), "ratio", 1.3),
               ("record_of_ftrace_ns", figure(found.median("submit", "ftrace")), "ratio", 0.45))


def letter(icount_csv, ns_csv):
    """A record's cost."""
    with open(icount_csv, encoding="utf-8", newline="") as file:
        cases = {row["id"]: row for row in csv.DictReader(file)}
    with open(ns_csv, encoding="utf-8", newline="") as file:
        rounds = Rounds(list(csv.reader(file))[1:])

    def instructions(name):
        return float(cases.get(name, {}).get("instructions") or 0)

    def size(name):
        return int(cases[name]["bytes"]) / int(cases[name]["written"])

    def row(what, ours, theirs=0, digits=0):
        ratio = f" {theirs:9.{digits}f} {ours / theirs:7.2f}" if theirs > 0 else ""
        print(f"\t{what:<38} {ours:9.{digits}f}{ratio}")

    if not instructions("submit") or not instructions("ftrace-mono"):
        sys.exit("tables.py: no instructions of a record and of ftrace")
    print(f"\t{'':<38} {'grtrace':>9} {'ftrace':>9} {'ratio':>7}")
    row("instructions, under QEMU's icount", instructions("submit"), instructions("ftrace-mono"))
    row("  of which the clock", instructions("clock"))
    row("  while nothing records", instructions("hook-off"), instructions("ftrace-off"))
    row("  beside a bare ring_buffer", instructions("submit"), instructions("ring-buffer"))
    row("nanoseconds, User Mode Linux", rounds.median("submit"), rounds.median("ftrace"), 1)
    row("  of which the clock", rounds.median("clock"), 0, 1)
    row("  beside a bare ring_buffer", rounds.median("submit"), rounds.median("ring"), 1)
    row("  beside a bare simple_ring_buffer", rounds.median("submit"), rounds.median("simple"), 1)
    row("bytes", size("submit"), size("ftrace-mono"))


{"icount": icount, "ns": ns, "letter": letter}[sys.argv[1]](*sys.argv[2:])
