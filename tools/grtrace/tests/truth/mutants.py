#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Does the judge see an error? Each program in BUILD/mutants has one, planted by the sed
script of its name in tests/truth/mutants. Prints TAP, and a BAR line.

An error is caught if a figure differs, on one of a few inputs on which none does without it.
An error that is in the programs and in SQL alike differs only from the simulation: scripts in
mutants/sql plant errors there, and the programs are not asked.
"""

import argparse
import glob
import os
import shutil
import subprocess
import sys
import tempfile

import inputs
import judge
import sql
from figures_check import Judgement
from simulated import check_simulated

PROGRAMS = ("grparse", "grtrace", "synth", "workload")
# Jobs that are sampled, failed, and handed over again, on rings in and out of order,
# where records are lost.
INPUTS = ("truth/hand/sampled-with-weights", "truth/hand/hang-and-reset",
          "truth/hand/kill-before-dispatch", "truth/hand/lost-in-four-ways",
          "truth/hand/out-of-order-ring", "truth/hand/waits")
# Losses, and captures that begin in the middle of the work.
SEEDS = (17, 53, 103)


def planted(script):
    """The error in words, and the source that has it."""
    with open(script, encoding="utf-8") as file:
        return [file.readline().removeprefix("#").strip() for _ in range(2)]


def differences(build, item):
    """The differences of figures: if a program fell over, that is not a judgement."""
    judgement, _ = judge.judge_one(build, *item, 0)
    broken = [one for one in judgement.differences if one[0] == "the judge"]
    return [] if broken else judgement.differences, broken


def first_difference(build, items):
    for item in items:
        found, broken = differences(build, item)
        if found or broken:
            return item[1], found, broken
    return None, [], []


def with_mutant(build, name, items):
    """first_difference() with all programs, those of a mutant in the place of the right ones."""
    with tempfile.TemporaryDirectory() as folder:
        words = {os.path.basename(word): word for where in (build, f"{build}/mutants/{name}")
                 for word in glob.glob(f"{where}/grtrace-*")}
        for program, path in {**{one: f"{build}/{one}" for one in PROGRAMS}, **words}.items():
            os.symlink(path, f"{folder}/{program}")
        # grtrace looks for its words in this folder first.
        os.environ["GRTRACE_EXEC_PATH"] = folder
        try:
            return first_difference(folder, items)
        finally:
            del os.environ["GRTRACE_EXEC_PATH"]


def judge_mutant(build, name, items):
    """Whether it is caught, and how."""
    where, found, broken = with_mutant(build, name, items)
    if found:
        return True, f"{where}: {found[0][0]}"
    return False, f"{where}: {broken[0][2]}" if broken else "no figure differs"


def simulated_differences(build):
    """The differences from the simulation, with the definitions in sql.FOLDER."""
    for seed in SEEDS:
        with tempfile.TemporaryDirectory() as folder:
            workload, name, judgement = inputs.Workload(seed), f"{folder}/w", Judgement()
            workload.make(build, name)
            events, _, reader = judge.Judge(build, folder).bytes(name)
            check_simulated(sql.ask(events, reader.lacks()), f"{name}.truth", workload, judgement)
        if judgement.differences:
            return f"seed {seed}: {judgement.differences[0][0]}", judgement.differences
    return "nothing simulated differs", []


def judge_definition(build, script, source):
    """Whether the simulation shows that a definition is wrong, and how."""
    whole = sql.FOLDER
    with tempfile.TemporaryDirectory() as folder:
        sql.FOLDER = shutil.copytree(whole, f"{folder}/sql")
        path = f"{sql.FOLDER}/{os.path.basename(source)}"
        before = open(path, encoding="utf-8").read()
        subprocess.run(["sed", "-i", "-f", script, path], check=True)
        if open(path, encoding="utf-8").read() == before:
            return False, f"{script} changes nothing in {source}"
        how, found = simulated_differences(build)
    sql.FOLDER = whole
    return bool(found), how


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--build", required=True, help="where the programs are")
    build = os.path.abspath(parser.parse_args().build)
    options = argparse.Namespace(only="stored")
    known = {item[1]: item for item in judge.work(options)}
    items = [known[name] for name in INPUTS]
    scripts = sorted(glob.glob(f"{judge.HERE}/mutants/*.sed"))
    definitions = sorted(glob.glob(f"{judge.HERE}/mutants/sql/*.sed"))
    caught, total = 0, len(scripts) + len(definitions)
    print(f"1..{total + 1}")
    where, found, broken = with_mutant(build, "none", items)
    found += simulated_differences(build)[1]
    print(f"{'not ' if found or broken else ''}ok 1 - no figure differs without an error", flush=True)
    for one in found + broken:
        print(f"# {where}: {one}")
    for number, script in enumerate(scripts + definitions, 2):
        what, source = planted(script)
        if script in scripts:
            is_caught, how = judge_mutant(build, os.path.basename(script)[:-4], items)
        else:
            is_caught, how = judge_definition(build, script, source)
        caught += is_caught
        print(f"{'' if is_caught else 'not '}ok {number} - {what} ({source})\n#   {how}", flush=True)
    print(f"BAR truth_mutants {caught} of {total} {'ok' if caught == total else 'short'}")
    return bool(found or broken or caught != total)


if __name__ == "__main__":
    sys.exit(main())
