#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""
Runs the tests of what was changed since it passed the last time, or since the commit
that is checked out where nothing did, as the table "touched" says; files that are not
committed count. Begins no test that would not end in time, by what it took before. The last
line says what was touched and did not run. A file passed as long as its content is the one in out/quick.json.
"""
import argparse
import glob
import hashlib
import json
import os
import re
import subprocess
import sys
import time

import parts

# Seconds for all, for those who wait.
SECONDS = 120
TOP = os.path.abspath(f"{parts.RIG}/../..")
STATE = f"{TOP}/out/quick.json"
UNIT = "tools/grtrace/tests/unit"
# Each kind of test: how its results are counted, the lane, and what runs it, with names behind.
KINDS = {
    "build": ("check", "main", "tools.sh"),
    "unit": ("gtest", "main", "tools.sh unit-test UNIT="),
    "cli": ("tap", "main", "tools.sh cli-test CLI="),
    "truth": ("tap", "main", "tools.sh truth FIRST=1 SEEDS=20"),
    "page": ("tap", "main", "test/page.sh"),
    "fleet": ("tap", "main", "test/fleet.sh"),
    "check": ("tap", "beside", "check/check.sh"),
    "scripts": ("tap", "beside", "test/scripts.sh"),
    "kunit": ("tap", "beside", "test/kunit.sh"),
    "uml": ("tap", "beside", "test/uml.sh"),
    "kselftests": ("tap", "beside", "test/selftests.sh --short uml"),
    "series": ("check", "beside", "series/series.sh --check"),
    "modules": ("check", "beside", "kernel/modules.sh 6.12"),
}


def git(*args):
    return subprocess.run(["git", "-C", TOP, *args], stdout=subprocess.PIPE, check=True, text=True).stdout


def rows(table):
    """A regular expression and the tests of each row."""
    with open(table, encoding="utf-8") as file:
        text = file.read().replace("\\\n", "")
    return [tuple(line.split(maxsplit=1)) for line in text.splitlines() if line.strip() and line[0] != "#"]


def row_of(table, path):
    return next((row for row in table if re.match(row[0], path)), None)


def cases_naming(path):
    for case in glob.glob(f"{parts.HERE}/cases/*.t"):
        with open(case, encoding="utf-8") as file:
            if os.path.basename(path) in file.read():
                yield os.path.basename(case)[:-2]


def suites(directory):
    """The unit tests of a directory of sources or of tests, by the nearest one that has any."""
    directory = re.sub(r"^tools/grtrace/(src|tests/unit)/?", "", directory)
    for test in glob.glob(f"{TOP}/{UNIT}/{directory}/**/*_test.cpp", recursive=True):
        with open(test, encoding="utf-8") as file:
            yield from (f"*{suite}.*" for suite in re.findall(r"^TEST(?:_F|_P)?\((\w+),", file.read(), re.M))


def tests_of(path, words):
    """Kinds and names, None for all of a kind."""
    directory, stem = os.path.split(os.path.splitext(path)[0])
    for word in words.format(name=stem, dir=os.path.basename(directory)).split():
        kind, _, names = word.partition(":")
        if kind == "unit":
            yield from ((kind, name) for name in suites(names or directory))
        elif kind == "scripts" and not names:
            yield from ((kind, name) for name in cases_naming(path))
        elif kind != "nothing":
            yield from ((kind, name) for name in names.split(",") if name) if names else [(kind, None)]


def contents():
    """Of each file that git knows or could: a sum."""
    sums = {}
    for path in git("ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0"):
        if os.path.isfile(f"{TOP}/{path}"):
            with open(f"{TOP}/{path}", "rb") as file:
                sums[path] = hashlib.sha256(file.read()).hexdigest()[:16]
    return sums


def save(passed, took):
    os.makedirs(os.path.dirname(STATE), exist_ok=True)
    with open(STATE, "w", encoding="utf-8") as file:
        json.dump({"passed": passed, "took": took}, file, indent=0)


def check(table_name):
    """Has each file a row, each row a file, and is each test there?"""
    table, known = rows(table_name), {part.name for part in parts.parts("all")}
    there = {"cli": "tools/grtrace/tests/cli/{}.t", "scripts": "scripts/grtrace/test/cases/{}.t",
             "kselftests": "tools/testing/selftests/grtrace/{}.c"}
    used, wrong = set(), []
    with open(f"{parts.RIG}/check/check.sh", encoding="utf-8") as file:
        checks = re.search(r"^checks=\(([^)]*)", file.read(), re.M)[1].split()
    for path in git("ls-files").splitlines():
        row = row_of(table, path)
        used.add(row)
        if not row:
            wrong.append(f"{path}: no row has it")
            continue
        for kind, name in tests_of(path, row[1]):
            if kind == "later" and name not in known or kind == "check" and name not in checks or \
                    kind in there and name and not os.path.exists(f"{TOP}/{there[kind].format(name)}") or \
                    kind not in (*KINDS, "later"):
                wrong.append(f"{path}: there is no {kind} {name}")
    wrong += [f"{pattern}: this row has no file" for pattern, words in table if (pattern, words) not in used]
    print(*sorted(set(wrong)), sep="\n")
    return bool(wrong)


def main():
    parser = argparse.ArgumentParser("quick.sh", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="only look for holes in the table")
    parser.add_argument("--list", action="store_true", help="only print what would run")
    parser.add_argument("--passed", action="store_true", help="take what is there as passed, as after make test-all")
    parser.add_argument("--table", default=f"{parts.HERE}/touched", help="another one than \"touched\"")
    options = parser.parse_args()
    if options.check:
        return check(options.table)
    now, state = contents(), {"passed": None, "took": {}}
    if os.path.exists(STATE):
        with open(STATE, encoding="utf-8") as file:
            state = json.load(file)
    passed, took = state["passed"], state["took"]
    if options.passed:
        return save(now, took)
    if passed is None:
        changed = [line[3:] for line in git("status", "--porcelain", "-z", "--no-renames", "-uall").split("\0") if line]
        passed = {path: "of the commit" if path in changed else sum_ for path, sum_ in now.items()}
    changed = sorted(path for path in {*now, *passed} if now.get(path) != passed.get(path))

    table, names, wanted_by = rows(options.table), {}, {}
    for path in changed:
        for kind, name in tests_of(path, (row_of(table, path) or ("", "nothing"))[1]):
            names.setdefault(kind, set()).add(name)
            wanted_by.setdefault(path, set()).add(kind)
    later = sorted(names.pop("later", ()))
    chosen = []
    for kind, (how, lane, command) in KINDS.items():
        if kind in names:
            some = " ".join(sorted(names[kind])) if None not in names[kind] else ""
            command += f'"{some}"' if command.endswith("=") else f" {some}"
            chosen.append(parts.Part("quick", kind, how, 20, 120, lane, command))
    print(f"{len(changed)} files changed: {' '.join(changed[:8])}{' ...' if len(changed) > 8 else ''}")
    if options.list:
        print(*(f"{part.name}: {part.command}" for part in chosen), sep="\n")
        print(f"later: {' '.join(later)}")
        return 0

    parts.prepare()
    begin = time.monotonic()
    runs = parts.Runs(list(chosen), lambda part: time.monotonic() - begin + took.get(part.command, 0) < SECONDS)
    done = runs.run()
    green = {run.part.name for run in done if not run.failed} | {"later"}
    for path in changed:
        if wanted_by.get(path, set()) <= green:
            passed[path] = now.get(path)
    save({path: sum_ for path, sum_ in passed.items() if sum_}, took | {run.part.command: run.seconds for run in done})
    failed = sum(run.failed for run in done) + len(chosen) - len(done) - len(runs.waiting)
    print(f"{sum(run.passed for run in done)} passed, {failed} failed, in {time.monotonic() - begin:.0f} s")
    missing = [part.name for part in runs.waiting] + later
    print(f"not run: {' '.join(missing)} (make test-all PARTS=...)" if missing else "nothing was left out")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
