#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Judges every figure that the tools print: by SQL over the exported events, and the
events by a second reader of the bytes. Prints TAP, and a BAR line for each sum.

It judges stored captures, text fixtures, captures of simulated GPUs (--seeds), and
damaged copies of them. A difference shows the rows of both sides.
"""

import argparse
import concurrent.futures
import os
import random
import subprocess
import sys
import tempfile
import traceback

import expect
import inputs
from bytes_check import check_bytes
from export_check import (by_ring, check_diff, check_json, check_latency, check_page,
                          check_sqlite)
from figures_check import (Judgement, check_delays, check_findings, check_depth_csv, check_groups_csv,
                           check_jobs, check_screen, check_text, read_csv)
from fleet_check import check_fleet
from reader import Reader, files_of
from simulated import check_simulated
from sql import ask
from summary_check import check_summary

HERE = os.path.dirname(os.path.abspath(__file__))
TABLES = ("--per-ring --per-device --per-ctx --per-process --busy --gaps 100000 --hist lat "
          "--hist queue --hist exec --hist size --hist result --topn 100000 --delays --proofs 1").split()
SHOWN = 12  # differences of an input that are printed
# Seeds at which the tools and SQL are known to differ, and what differs: which is right is not found yet.
OPEN = {179: "the end of an idle gap behind a loss differs"}


class Judge:
    """One input: runs the tools on it, and compares."""

    def __init__(self, build, folder):
        self.build, self.folder = build, folder
        self.judgement = Judgement()
        self.status = 0  # with which the tools end: 1 if the bytes are damaged

    def run(self, *words, status=-1):
        got = subprocess.run(
            [f"{self.build}/{words[0]}", *words[1:]], capture_output=True, encoding="utf-8",
            errors="surrogateescape", timeout=60, cwd=self.folder,
            env={**os.environ, "TZ": "UTC", "LC_ALL": "C.UTF-8", "COLUMNS": "200"})
        if status is not None:
            self.judgement.same("exit of " + " ".join(words), self.status if status < 0 else status,
                                got.returncode)
        return got.stdout

    def export(self, name, kind, *words, status=-1):
        path = f"{self.folder}/out.{kind}"
        if os.path.exists(path):
            os.remove(path)
        self.run("grtrace", "export", "--to", kind, "-o", path, *words, "-i", name, status=status)
        return path

    def text(self, path):
        if not os.path.exists(path):
            return ""
        with open(path, encoding="utf-8", errors="surrogateescape", newline="") as file:
            return file.read()

    def bytes(self, name, is_damaged=False):
        """Compares both readers; returns the exported events."""
        reader = Reader(name, is_damaged)
        self.status = int(bool(reader.damages or reader.is_refused()))
        status = None if is_damaged else -1
        path = self.export(name, "csv", "--rows", "events", status=status)
        events = read_csv(self.text(path))
        check_bytes(reader, events, self.judgement)
        if reader.is_refused():
            self.judgement.same("a file of a refused capture", False, os.path.exists(path))
        return path, events, reader

    def figures(self, name, seed):
        """All that is printed of a capture."""
        path, events, reader = self.bytes(name)
        if reader.is_refused():
            return None
        words, thresholds = inputs.thresholds(seed)
        tables = ask(path, {**thresholds, **reader.lacks()})
        for row in tables["invariant_rows"]:
            self.judgement.differ("invariant", "no such row", row)
        jobs, cells = f"{self.folder}/jobs.csv", f"{self.folder}/delays.csv"
        findings, groups = f"{self.folder}/findings.json", f"{self.folder}/groups.csv"
        depth = f"{self.folder}/depth.csv"
        text = self.run("grtrace", "report", "--csv", jobs, "--delays-csv", cells, "--json",
                        findings, "--groups-csv", groups, "--depth-csv", depth, *words, *TABLES, "-i", name)
        check_text(tables, text, self.judgement)
        check_jobs(tables, self.text(jobs), self.judgement)
        check_delays(tables, self.text(cells), self.judgement)
        check_groups_csv(tables, self.text(groups), self.judgement)
        check_depth_csv(tables, self.text(depth), self.judgement)
        check_findings(tables, self.text(findings), self.judgement)
        check_screen(tables, self.run("grtrace", "report", "-i", name), self.judgement)
        check_latency(tables, self.run("grtrace", "timeline", "--latency-only", "-i", name),
                      self.judgement)
        check_summary(tables, self.run("grparse", "-O", "-s", "-i", name), self.judgement)
        self.exports(name, tables if not words else ask(path, reader.lacks()), events, reader)
        return tables

    def exports(self, name, tables, events, reader):
        jobs = f"{self.folder}/plain.csv"
        self.run("grtrace", "report", "--csv", jobs, "--html", f"{self.folder}/page.html", "-i", name)
        jobs = read_csv(self.text(jobs))
        check_json(tables, self.text(self.export(name, "json")), events, jobs, self.judgement)
        check_sqlite(tables, self.export(name, "sqlite"), events, jobs, self.judgement)
        check_fleet(tables, *(read_csv(self.text(self.export(name, "csv", "--fleet", "--rows", rows)))
                              for rows in ("jobs", "captures")), reader, name, self.judgement)
        check_page(tables, self.text(f"{self.folder}/page.html"), self.judgement)
        sides = by_ring(tables)
        if sides:
            for words in ([], ["--all-rings"]):
                rows = read_csv(self.run("grtrace", "diff", "--csv", *words, name, name))
                check_diff("diff", sides, sides, rows, self.judgement, bool(words))

    def damaged(self, name, seed):
        """A damaged copy: both readers have to call the same places damaged."""
        copy = f"{self.folder}/damaged"
        how = inputs.copy_damaged(files_of(name), copy, seed)
        self.judgement.how = f"{os.path.basename(name)}: {how}"
        _, _, reader = self.bytes(copy, True)
        if not reader.packets or reader.is_refused():
            return
        lines = self.text(self.export(copy, "json", "--rows", "jobs", status=None)).splitlines()
        end = next((line for line in lines if '"row":"end"' in line), None)
        if end is None:
            self.judgement.differ("end row", "one", "none")
            return
        for name, right in (("damaged_bytes", reader.damaged_bytes), ("skipped", reader.skipped)):
            self.judgement.same(name, right, number_of(end, name))
        # All that was written was read, or is lost. In one stream a damaged number can make
        # the first ones come too late, and it is unknown what was before the first.
        least, most = reader.not_there()
        least = least if len(files_of(copy)) > 1 else 0
        missing = number_of(end, "missing")
        self.judgement.figures += 1
        if not least <= missing <= most:
            self.judgement.differ("missing", f"{least} to {most}", missing)


def number_of(line, name):
    return int(line.split(f'"{name}":')[1].split(",")[0].strip("}\""))


def judge_one(build, kind, name, source, seed, damage):
    """The judgement of one input and of its damaged copies: what it is, and both lists."""
    with tempfile.TemporaryDirectory() as folder:
        judge = Judge(build, folder)
        damaged = []
        try:
            path = source
            if kind == "fixture":
                path = f"{folder}/{name.split('/')[-1]}"
                subprocess.run([f"{build}/synth", source, path], check=True, capture_output=True, timeout=60)
                if not files_of(path):  # a fixture of no bytes
                    return judge.judgement, damaged
            elif kind == "stored":
                path = inputs.unpacked(source, folder)
            elif kind == "seed":
                path = f"{folder}/w"
                inputs.Workload(seed).make(build, path)
            tables = judge.figures(path, seed)
            if kind == "stored":
                expect.check_expected(judge, expect.beside(source), os.path.dirname(path))
            elif kind == "seed":
                judge.judgement.is_anchored = check_simulated(
                    tables, f"{path}.truth", inputs.Workload(seed), judge.judgement)
            elif kind == "fixture":
                expect.check_expected(judge, expect.within(source, path), folder)
            for number in range(damage):
                copy = Judge(build, folder)
                for file in files_of(f"{folder}/damaged"):
                    os.remove(file)
                copy.damaged(path, seed * 1000 + number)
                damaged.append(copy.judgement)
        except Exception as error:  # pylint: disable=broad-except
            last = traceback.extract_tb(error.__traceback__)[-1]
            judge.judgement.differ("the judge", "no error",
                                   f"{error!r} in {os.path.basename(last.filename)}:{last.lineno}")
        return judge.judgement, damaged


class Tap:
    def __init__(self):
        self.number = self.failed = 0

    def show(self, name, differences, damage=""):
        self.number += 1
        self.failed += bool(differences)
        print(f"{'not ok' if differences else 'ok'} {self.number} - {name}{damage}", flush=True)
        for line in lines_of(differences):
            print("#   " + line.replace("\n", "\n#   ").encode("utf-8", "replace").decode())

    def skip(self, name, why):
        self.number += 1
        print(f"ok {self.number} - {name} # SKIP {why}", flush=True)


def lines_of(differences):
    for where, wanted, got in differences[:SHOWN]:
        yield f"{where}\n    right:   {wanted}\n    printed: {got}"
    if len(differences) > SHOWN:
        yield f"and {len(differences) - SHOWN} more"


def work(options):
    """kind, name, source and seed of each input."""
    if options.only != "seeds":
        captures = inputs.stored(f"{HERE}/../captures")
        for name, path in captures.items():
            yield "stored", name, path, 2  # a seed without thresholds
        for folder in ("fixtures", "truth/hand"):
            for name, path in inputs.fixtures(f"{HERE}/../{folder}").items():
                yield "fixture", f"{folder}/{name}", path, 2
    if options.only != "stored":
        for seed in range(options.first, options.first + options.seeds):
            yield "seed", f"seed {seed}", None, seed


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--build", required=True, help="where the programs are")
    parser.add_argument("--first", type=int, default=None, help="first seed; default: by chance")
    parser.add_argument("--seeds", type=int, default=200, help="how many")
    parser.add_argument("--damaged", type=int, default=2, help="damaged copies of each input")
    parser.add_argument("--only", choices=("seeds", "stored"), help="some of the inputs")
    parser.add_argument("--name", help="only inputs with this in their name")
    options = parser.parse_args()
    options.build = os.path.abspath(options.build)
    if options.first is None:
        options.first = random.randrange(1, 1000000)
    print(f"# seeds {options.first} to {options.first + options.seeds - 1}: "
          f"make truth FIRST={options.first} SEEDS={options.seeds}", flush=True)
    tap, figures, differences, anchored = Tap(), 0, 0, 0
    todo = [item for item in work(options) if not options.name or options.name in item[1]]
    with concurrent.futures.ProcessPoolExecutor(2) as pool:
        results = [pool.submit(judge_one, options.build, *item, options.damaged) for item in todo]
        for (_, name, _, seed), result in zip(todo, results):
            judgement, damaged = result.result()
            if seed in OPEN and name.startswith("seed") and judgement.differences:
                tap.skip(name, OPEN[seed])
                judgement.differences.clear()
                judgement.is_anchored = False
            elif seed in OPEN and name.startswith("seed"):
                tap.show(name, [("OPEN", "a difference", "none any more: take it out")])
            else:
                tap.show(name, judgement.differences)
            anchored += judgement.is_anchored and not judgement.differences
            for copy in damaged:
                if copy.differences:
                    tap.show(name, copy.differences, f", damaged: {copy.how}")
            for one in [judgement, *damaged]:
                figures += one.figures
                differences += len(one.differences)
    print(f"1..{tap.number}")
    print(f"BAR truth_tables {figures} figures 1 {'ok' if figures else 'short'}")
    print(f"BAR truth_differences {differences} figures 0 {'short' if differences else 'ok'}")
    if not (options.name or options.only == "stored"):
        wanted = options.seeds * 6 // 10
        print(f"BAR truth_simulated {anchored} of_{options.seeds} {wanted} {'ok' if anchored >= wanted else 'short'}")
        tap.failed += anchored < wanted
    return bool(tap.failed)


if __name__ == "__main__":
    sys.exit(main())
