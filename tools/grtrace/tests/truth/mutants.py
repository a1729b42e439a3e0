#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Does the judge see an error? Each program in BUILD/mutants has one, planted by the sed
script of its name in tests/truth/mutants. Prints TAP, and a BAR line.

An error is caught if a figure differs, on one of a few inputs on which none does without it.
"""

import argparse
import glob
import os
import sys
import tempfile

import judge

PROGRAMS = ("grparse", "grtrace", "synth", "workload", "grtrace-merge", "grtrace-verify")
# Jobs that are sampled, failed, and handed over again, on rings in and out of order,
# where records are lost.
INPUTS = ("truth/hand/sampled-with-weights", "truth/hand/hang-and-reset",
          "truth/hand/kill-before-dispatch", "truth/hand/lost-in-four-ways",
          "truth/hand/out-of-order-ring", "truth/hand/waits")


def planted(script):
    """What the error is, and the source that has it."""
    with open(script, encoding="utf-8") as file:
        return [file.readline().removeprefix("#").strip() for _ in range(2)]


def differences(build, item):
    """Those of a figure: that a program fell over is no judgement."""
    judgement, _ = judge.judge_one(build, *item, 0)
    broken = [one for one in judgement.differences if one[0] == "the judge"]
    return [] if broken else judgement.differences, broken


def first_difference(build, items):
    for item in items:
        found, broken = differences(build, item)
        if found or broken:
            return item[1], found, broken
    return None, [], []


def judge_mutant(build, name, items):
    """Whether it is caught, and how."""
    with tempfile.TemporaryDirectory() as folder:
        for program in PROGRAMS:
            os.symlink(f"{build}/{program}", f"{folder}/{program}")
        for word in glob.glob(f"{build}/mutants/{name}/grtrace-*"):
            os.symlink(word, f"{folder}/{os.path.basename(word)}")
        # grtrace looks for its words in this folder first.
        os.environ["GRTRACE_EXEC_PATH"] = folder
        where, found, broken = first_difference(folder, items)
    if found:
        return True, f"{where}: {found[0][0]}"
    return False, f"{where}: {broken[0][2]}" if broken else "no figure differs"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--build", required=True, help="where the programs are")
    build = os.path.abspath(parser.parse_args().build)
    options = argparse.Namespace(only="stored")
    known = {item[1]: item for item in judge.work(options)}
    items = [known[name] for name in INPUTS]
    scripts = sorted(glob.glob(f"{judge.HERE}/mutants/*.sed"))
    caught = 0
    print(f"1..{len(scripts) + 1}")
    where, found, broken = first_difference(build, items)
    print(f"{'not ' if found or broken else ''}ok 1 - no figure differs without an error", flush=True)
    for one in found + broken:
        print(f"# {where}: {one}")
    for number, script in enumerate(scripts, 2):
        what, source = planted(script)
        is_caught, how = judge_mutant(build, os.path.basename(script)[:-4], items)
        caught += is_caught
        print(f"{'' if is_caught else 'not '}ok {number} - {what} ({source})\n#   {how}", flush=True)
    print(f"BAR truth_mutants {caught} of {len(scripts)} {'ok' if caught == len(scripts) else 'short'}")
    return bool(found or broken or caught != len(scripts))


if __name__ == "__main__":
    sys.exit(main())
