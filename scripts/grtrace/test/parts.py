#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""
Runs the tests, in the parts that the file "parts" has, two at a time. Each part's output
goes to a log under out/test; the output of a failed part is shown. A part or a test case
that takes too long is ended and has failed; a skip that is not in the list "skips" is also
a failure, and so is a line "BAR ... short". At the end there is a table of the time of
each part, which is also in out/test/times.csv, and the last line "N passed, N failed, N
skipped": the sum over all test cases, in which a part that is one check counts 1.

Exit status: 0 when something passed and nothing failed, else 1; 2 wrong usage.
"""
import argparse
import collections
import csv
import os
import re
import shlex
import shutil
import subprocess
import sys
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
RIG = os.path.dirname(HERE)
OUT = os.path.abspath(f"{RIG}/../../out/test")
sys.path.insert(0, f"{RIG}/lib")
import limit
import tap

# How many minutes a set may take, where a cache had to be filled and where none had.
MINUTES = {"user": ("test", 25, 8), "all": ("test_all", 70, 20)}
# How many tests may be skipped, of all bases together; the list "skips" has which.
MOST_SKIPS = 40
SETS = {"user": ("user",), "all": ("user", "developer", "kernel"), "kernel": ("kernel",), "debug": ("debug",)}
# How many programs are named that took longest.
SLOWEST = 12
COLUMNS = "part", "passed", "failed", "skipped", "seconds", "cpu_seconds", "cache"

Part = collections.namedtuple("Part", "set name how minutes case_seconds lane command")


def parts(sets):
    with open(f"{HERE}/parts", encoding="utf-8") as file:
        text = re.sub(r"^#.*\n|\\\n\s*", "", file.read(), flags=re.M)
    found = [Part(*line.split(maxsplit=6)) for line in text.splitlines() if line.strip()]
    return [part for part in found if part.set in (*SETS[sets], "every")]


class Run:
    """Runs a part; then it has its results."""

    def __init__(self, part):
        self.part, self.log, self.begin = part, f"{OUT}/{part.name}.log", time.monotonic()
        words, env = shlex.split(part.command), dict(os.environ, GRTRACE_FILLED=f"{OUT}/{part.name}.filled")
        while "=" in words[0]:
            env.update([words.pop(0).split("=", 1)])
        self.judge = tap.Judge(part.name)
        self.file = open(self.log, "w", encoding="utf-8", errors="surrogateescape", buffering=1)
        self.limited = limit.Limited(part.name, 60 * int(part.minutes), int(part.case_seconds),
                                     [f"{RIG}/{words[0]}", *words[1:]], self.say, env)

    def say(self, line):
        self.file.writelines(f"{judged}\n" for judged in self.judge.lines(line))

    def lines(self):
        with tap.open_log(self.log) as file:
            return list(tap.log_lines(file))

    def run(self):
        status, cpu = self.limited.run()
        if status:
            self.say(f"# exit status {status}")
        lines = self.lines()
        counts = {"tap": tap.count_tap, "gtest": tap.count_gtest, "check": lambda _: (int(status == 0), 0, 0)}
        self.passed, self.failed, self.skipped = counts[self.part.how](lines)
        if not self.failed:
            self.failed = len(tap.short_bars(lines)) or int(status != 0)
        if not self.passed and not self.failed:
            self.say("# nothing passed")
            self.failed = 1
        self.file.close()
        self.seconds = round(time.monotonic() - self.begin)
        self.row = (self.part.name, self.passed, self.failed, self.skipped, self.seconds, round(cpu),
                    "cold" if os.path.exists(f"{OUT}/{self.part.name}.filled") else "warm")

    def show(self):
        """Prints which tests failed, what the kernel reported, and how the log ends."""
        lines = self.lines()
        said = list(tap.failures(lines))[-40:]
        if any("reported a bug, see its log" in line for line in lines):
            said += subprocess.run(["bash", "-c", '. "$0" && splat_print "$1"', f"{RIG}/lib/splat.sh", self.log],
                                   stdout=subprocess.PIPE, text=True, errors="replace", check=True).stdout.splitlines()[:30]
        print(f"{self.part.name} failed:", *said, "the log's end:", *lines[-50:], sep="\n    | ", flush=True)

    def tell(self):
        print(f"    {self.part.name:<24} {self.passed:4} passed, {self.failed} failed, {self.skipped} skipped  ({self.seconds} s)", flush=True)
        with open(f"{OUT}/times.csv", "a", encoding="utf-8") as file:
            csv.writer(file, lineterminator="\n").writerow(self.row)
        if self.failed:
            self.show()


class Runs:
    """Runs parts in two threads. One takes the parts of the lane "main", so that no two of them
    run at the same time, and then those of "beside"; the other one takes only these. Before
    that, the parts of "first" run one by one. Parts that no longer fit stay in "waiting"."""

    def __init__(self, waiting, fits=lambda part: True):
        self.waiting, self.fits, self.running, self.done = waiting, fits, [], []
        self.lock, self.begin = threading.Lock(), time.monotonic()

    def lane(self, *lanes):
        while True:
            with self.lock:
                part = next((part for lane in lanes for part in self.waiting if part.lane == lane and self.fits(part)), None)
                if not part:
                    return
                print(f"=== {part.name} ({time.monotonic() - self.begin:.0f} s so far)", flush=True)
                self.waiting.remove(part)
                run = Run(part)
                self.running.append(run)
            run.run()
            with self.lock:
                self.running.remove(run)
                self.done.append(run)
                run.tell()

    def run(self):
        try:
            for pair in ([("first",)], [("main", "beside"), ("beside",)]):
                threads = [threading.Thread(target=self.lane, args=lanes, daemon=True) for lanes in pair]
                for thread in threads:
                    thread.start()
                for thread in threads:
                    thread.join()
        finally:
            for run in self.running:
                run.limited.end()
        return self.done


def print_times(done):
    for row in (COLUMNS, *sorted((run.row for run in done), key=lambda row: -row[4])):
        print("    {:<24} {:>7} {:>7} {:>8} {:>8} {:>12}  {}".format(*row))
    took = [(int(found[2]), run.part.name, found[1]) for run in done for line in run.lines()
            if (found := re.fullmatch(r"# (\S+) took (\d+) s", line))]
    if took:
        print("    what took longest of the kselftests and CLI tests, in seconds:")
    for seconds, part, name in sorted(took, reverse=True)[:SLOWEST]:
        print(f"    {part:<24} {name:<32} {seconds:>7}")
    for line in (line for run in done for line in run.lines() if re.match(r"\w+: \d+ inputs, ", line)):
        print(f"    fuzzed {line}")


def is_cold(done):
    """Whether at least half of the work was in parts that had to fill a cache."""
    cold = [run.row[5] for run in done if run.row[-1] == "cold"]
    return bool(cold) and 2 * sum(cold) >= sum(run.row[5] for run in done)


def prepare():
    sys.stdout.reconfigure(encoding="utf-8", errors="surrogateescape")
    limit.handle_signals()
    shutil.rmtree(OUT, ignore_errors=True)
    os.makedirs(OUT)
    with open(f"{OUT}/times.csv", "w", encoding="utf-8") as file:
        print(*COLUMNS, sep=",", file=file)


def main():
    parser = argparse.ArgumentParser("test.sh", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, what in (("all", "all that CI runs: also what only a developer needs, and --kernel"),
                       ("kernel", "instead, the patched kernel: the series, its build and what runs on it"),
                       ("debug", "instead, long tests: the tools with sanitizers, all kselftests and KUnit on kernels that "
                        "look for bugs in themselves, installing the package for dkms, and the backport")):
        parser.add_argument(f"--{name}", action="store_const", dest="set", const=name, help=what)
    parser.add_argument("--list", action="store_true", help="print the parts")
    parser.add_argument("parts", nargs="*", help="only these, of --all if no set is named; a prefix will do")
    options = parser.parse_args()
    found = parts(options.set or ("all" if options.parts else "user"))
    for name in options.parts:
        if not any(part.name.startswith(name) for part in found):
            parser.error(f"no part is called '{name}'")
    if options.parts:
        found = [part for part in found if part.name.startswith(tuple(options.parts))]
    if options.list:
        print(*(part.name for part in found), sep="\n")
        return 0

    prepare()
    begin = time.monotonic()
    done = Runs(list(found)).run()
    took = time.monotonic() - begin
    print(f"\n=== all parts, {took:.0f} s; logs in {os.path.relpath(OUT)}")
    print_times(done)
    passed, failed, skipped = (sum(run.row[column] for run in done) for column in (1, 2, 3))
    failed += len(found) - len(done)		# where this program itself fails
    name, cold, warm = MINUTES.get(options.set or "user", ("", 0, 0))
    if name and not options.parts:
        # A slow machine is not a failure; one skip too many is.
        cache, most = ("cold", cold) if is_cold(done) else ("warm", warm)
        print(f"BAR {name}_{cache} {took / 60:.1f} minutes {most} {'ok' if took <= 60 * most else 'short'}")
        print(f"BAR {name}_skipped {skipped} of {MOST_SKIPS} {'ok' if skipped <= MOST_SKIPS else 'short'}")
        failed += skipped > MOST_SKIPS
    # Again, for those who see only the end of a long log.
    for run in done:
        if run.failed:
            run.show()
    subprocess.run([sys.executable, "-B", f"{HERE}/quick.py", "--began", str(took), "--passed", "-",
                    *(run.part.name for run in done if not run.failed)], check=False)
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return failed > 0 or passed == 0


if __name__ == "__main__":
    sys.exit(main())
