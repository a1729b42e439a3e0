#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Every number that the tools print, against a slow and obvious computation.

Each seed is a workload of random shape (rings, contexts, processes, devices,
loss, reordering). It is simulated, read by both tools, and checked. The first
seed that fails is made smaller and printed with the commands that show it.
"""

import argparse
import concurrent.futures
import itertools
import os
import random
import struct
import subprocess
import sys
import tempfile
import traceback

from activity import ActivityCheck
from blame import WIDTH, BlameCheck
from delays import DelayCheck
from events import read_events
from figures import Mistakes
from jobs import Jobs, find_losses
from report import Capture, ReportCheck, Thresholds, set_labels
from rows import check_rows, check_truth, read_truth
from stream import LOST, PACKET, Stream
from summary import SummaryCheck

HISTOGRAMS = ("lat", "queue", "exec", "size", "result")


# What workloads do not have: fences of SUBMITs, changes of sampling, causes of
# loss, a snapshot, no STREAM_INFO. Not those with damage or an unknown type.
FIXTURES = ("two_cpus", "two_gpus", "sampling", "loss", "virtio", "delays",
            "odd")


class Workload:
    """The options of one simulation, by chance."""

    def __init__(self, seed, jobs=None):
        dice = random.Random(seed)
        self.dice = dice
        self.seed = seed
        self.jobs = dice.choice((10, 30, 100, 300, 600))
        if jobs is not None:
            self.jobs = jobs
        self.warm = dice.choice((0, 0, 0, 50))
        self.stream = dice.random() < 0.2
        self.sample = dice.choice((1, 1, 1, 3, 10))
        self.drop = dice.choice((0, 0, 0, 5, 30, 150))
        self.overwrite = dice.choice((0, 0, 0, 0, 100, 400))
        self.hang = dice.choice((0, 0, 0, 20))
        self.endless = dice.choice((0, 0, 0, 20))
        self.flags = [flag for flag, chance in (
            ("--out-of-order", 0.2), ("--no-start", 0.2),
            ("--no-commit", 0.15), ("--recycle", 0.3), ("--wrap", 0.3),
            ("--reorder", 0.4), ("--cut", 0.2)) if dice.random() < chance]
        # A wrap that was not seen, in a context that begins anew, is none.
        if self.warm and {"--recycle", "--wrap"} <= set(self.flags):
            self.flags.remove("--wrap")
        # Of an id that is used again over a loss nobody can say whose it is.
        if self.loses and "--recycle" in self.flags:
            self.flags.remove("--recycle")
        self.numbers = {
            "--cpus": dice.randint(1, 6), "--devices": dice.randint(1, 3),
            "--rings": dice.randint(1, 8),
            "--processes": dice.randint(1, 8),
            "--contexts": dice.randint(1, 4),
            "--fail": dice.choice((0, 50)),
            "--depend": dice.choice((0, 100, 500)),
            "--preempt": dice.choice((0, 100)),
            "--wait": dice.choice((0, 100, 500)),
            "--subbuf": dice.choice((4096, 4096, 16384, 65536))}

    @property
    def loses(self):
        return self.drop or self.overwrite

    @property
    def infers_exactly(self):
        """Rings work in order, and all their ENDs are told."""
        return not (self.loses or self.hang or self.endless or self.warm or
                    {"--out-of-order", "--no-commit", "--cut"} &
                    set(self.flags))

    def arguments(self, name):
        words = ["--seed", self.seed, "--jobs", self.jobs, "--warm",
                 self.warm, "--drop", self.drop, "--overwrite",
                 self.overwrite, "--hang", self.hang, "--endless",
                 self.endless, *self.flags, "--truth", name + ".truth"]
        for option, number in self.numbers.items():
            words += [option, number]
        words += ["--stream"] * self.stream + [name]
        return [str(word) for word in words]

    def finish(self, name):
        """A recorder writes a file for a silent CPU, too. Here is said, packet
        by packet, that jobs were sampled."""
        if self.stream:
            return self.weigh(name)
        for cpu in range(self.numbers["--cpus"]):
            with open(f"{name}.grtrace.{cpu}", "ab"):
                pass
            self.weigh(f"{name}.grtrace.{cpu}")
        return None

    def weigh(self, path):
        with open(path, "rb") as file:
            data = bytearray(file.read())
        at, dice = 0, random.Random(self.seed)
        while self.sample > 1 and at < len(data):
            kind, size = struct.unpack_from("<HH", data, at)
            if kind == PACKET:
                struct.pack_into("<I", data, at + 60,
                                 dice.choice((1, self.sample)))
            at += size
        with open(path, "wb") as file:
            file.write(data)


class Questions:
    """Options of grtrace report, by chance."""

    def __init__(self, dice):
        self.by = [by for by in ("ring", "device", "ctx", "process")
                   if dice.random() < 0.5]
        self.busy = dice.random() < 0.5
        self.gaps = dice.choice((0, 1, 5, 1000))
        self.histogram = dice.choice([None, *HISTOGRAMS])
        self.top = dice.choice((0, 1, 5, 1000))
        self.steps = ["-t"] * dice.randint(0, 1)
        self.thresholds = Thresholds()
        self.words = []
        if dice.random() < 0.6:
            for name in ("long_queue", "blocked", "host", "slow_exec"):
                us = dice.choice((1, 5, 20, 50, 200))
                setattr(self.thresholds, name, us * 1000)
                self.words += [f"--{name.replace('_', '-')}-us", str(us)]
            self.thresholds.share = dice.choice((0, 10, 33, 50, 90))
            self.words += ["--share", str(self.thresholds.share)]
        self.words += [f"--per-{by}" for by in self.by]
        if self.busy:
            self.words += ["--busy", "--gaps", str(self.gaps)]
        if self.histogram:
            self.words += ["--hist", self.histogram]
        if self.top:
            self.words += ["--topn", str(self.top)]

    def sections(self):
        for by in ("ring", "device", "ctx", "process"):
            if by in self.by:
                yield lambda check, by=by: check.table(by)
            if by == "ring" and self.busy:
                yield lambda check: ActivityCheck(check, self.gaps).run()
        if self.histogram == "result":
            yield lambda check: BlameCheck(check).results()
        elif self.histogram:
            yield lambda check: BlameCheck(check).histogram(self.histogram)
        if self.top:
            yield lambda check: check.top(self.top)
            yield lambda check: BlameCheck(check).held(self.top)


def run(words, **more):
    return subprocess.run(words, capture_output=True, encoding="latin1",
                          env={**os.environ, "TZ": "UTC", "LC_ALL": "C",
                               "COLUMNS": str(WIDTH)}, **more)


def check_events(stream, events, mistakes):
    """What grparse --csv says is what stands in the files."""
    order = [e for e in stream.events if e["cpu"] != 0xffffffff]
    told = {(e.cpu, e.cseq, e.type == "lost"): e for e in events}
    mistakes.check("lines of grparse --csv", len(events), len(order))
    for right in order:
        what = f"CPU {right['cpu']} record {right['cseq']}"
        event = told.get((right["cpu"], right["cseq"],
                          right["type"] == LOST))
        if event is None:
            mistakes.append(f"{what} is not in grparse --csv")
            continue
        for name, value in right.items():
            if name == "ring" and value == 0:
                value = None
            if name != "type":
                mistakes.check(f"{what} {name}", getattr(event, name), value)
    numbers = [e.gseq for e in events if e.gseq is not None]
    mistakes.check("order of grparse --csv", numbers, sorted(numbers))


def check_capture(build, name, questions, mistakes):
    """Reads a capture with both tools; returns the lines of --csv."""
    stream = Stream(name)
    events = read_events(build + "/grparse", name)
    check_events(stream, events, mistakes)
    losses = find_losses(events, stream.places)
    capture = Capture(os.path.basename(name), stream, events, Jobs(events, losses, stream.live).jobs, losses)
    set_labels(capture.jobs, questions.thresholds)

    got = run([build + "/grtrace", "report", "--csv", name + ".jobs",
               "--delays-csv", name + ".delays", *questions.words, name])
    mistakes.check("exit of grtrace report", got.returncode, 0)
    ReportCheck(got.stdout, capture, mistakes).run(questions.sections())
    with open(name + ".jobs", encoding="latin1") as file:
        rows = check_rows(file.read(), capture, mistakes)
    with open(name + ".delays", encoding="latin1") as file:
        DelayCheck(file.read(), capture, mistakes).run()

    got = run([build + "/grparse", "-s", *questions.steps, "-f", "", "-i",
               name])
    mistakes.check("exit of grparse", got.returncode, 0)
    SummaryCheck(got.stdout, capture, mistakes).run(bool(questions.steps))
    return rows


def check_seed(build, seed, jobs=None):
    """The mistakes, and the commands that show them."""
    mistakes = Mistakes()
    workload = Workload(seed, jobs)
    questions = Questions(workload.dice)
    with tempfile.TemporaryDirectory() as folder:
        name = folder + "/w"
        words = workload.arguments(name)
        try:
            run([build + "/workload", *words], check=True)
            workload.finish(name)
            rows = check_capture(build, name, questions, mistakes)
            check_truth(rows, read_truth(name + ".truth"), workload, mistakes)
        except subprocess.CalledProcessError as error:
            mistakes.append(f"{error}: {error.stderr}")
        except (AssertionError, IndexError, KeyError, ValueError):
            mistakes.append(traceback.format_exc())
    here = [word.replace(folder + "/", "") for word in words]
    if workload.sample > 1:
        here.append(f"# and packets sampled 1/{workload.sample}")
    commands = [" ".join(["workload", *here]),
                " ".join(["grtrace report", *questions.words, "w"])]
    return mistakes, commands


def check_fixture(build, path):
    """One of those that other tests are made of."""
    mistakes = Mistakes()
    with tempfile.TemporaryDirectory() as folder:
        name = folder + "/w"
        run([build + "/synth", path, name], check=True)
        for seed in range(8):
            check_capture(build, name, Questions(random.Random(seed)),
                          mistakes)
    return mistakes


def shrink(build, seed, jobs=None):
    """The smallest number of jobs with which the seed still fails."""
    jobs, failing = Workload(seed, jobs).jobs, None
    for step in (jobs // 2, jobs // 4, jobs // 8, jobs // 16, 4, 2, 1):
        while step and jobs > step:
            mistakes, commands = check_seed(build, seed, jobs - step)
            if not mistakes:
                break
            jobs, failing = jobs - step, (mistakes, commands)
    return failing or check_seed(build, seed)


def check_fixtures(build, folder):
    """The number of those checked, and of those that failed."""
    failed = 0
    for number, name in enumerate(FIXTURES, 1):
        mistakes = check_fixture(build, f"{folder}/{name}.txt")
        print(f"{'not ' * bool(mistakes)}ok {number} - {name}", flush=True)
        if mistakes:
            failed += 1
            show([], mistakes)
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", required=True,
                        help="where grparse, grtrace and workload are")
    parser.add_argument("--first", type=int, default=1, help="first seed")
    parser.add_argument("--seeds", type=int, default=300, help="how many")
    parser.add_argument("--jobs", type=int, help="so many in each")
    parser.add_argument("--keep-going", action="store_true",
                        help="all seeds, even after one failed")
    options = parser.parse_args()
    seeds = range(options.first, options.first + options.seeds)
    failed = []
    fixtures = os.path.dirname(__file__) + "/../fixtures"
    failed_fixtures = check_fixtures(options.build, fixtures)

    with concurrent.futures.ProcessPoolExecutor(os.cpu_count()) as pool:
        results = pool.map(check_seed, itertools.repeat(options.build), seeds,
                           itertools.repeat(options.jobs), chunksize=4)
        for number, (seed, result) in enumerate(zip(seeds, results),
                                                len(FIXTURES) + 1):
            mistakes, commands = result
            print(f"{'not ' * bool(mistakes)}ok {number} - seed {seed}",
                  flush=True)
            if mistakes:
                failed.append(seed)
                show(commands, mistakes)
            if failed and not options.keep_going:
                pool.shutdown(cancel_futures=True)
                break
    if failed:
        print(f"# seed {failed[0]}, made smaller:")
        mistakes, commands = shrink(options.build, failed[0], options.jobs)
        show(commands, mistakes)
    print(f"1..{number}")
    return bool(failed or failed_fixtures)


def show(commands, mistakes):
    for line in commands + mistakes[:10]:
        print("#   " + line.replace("\n", "\n#   "))
    if len(mistakes) > 10:
        print(f"#   and {len(mistakes) - 10} more mistakes")


if __name__ == "__main__":
    sys.exit(main())
