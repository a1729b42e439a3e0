#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""
Runs the tests of what was changed since it passed the last time, or since the commit
that is checked out where nothing did, as the table "touched" says; files that are not
committed count. Begins no test that would not end in time, by what it took before: the
next run begins with it. The last line names what was touched and did not run, and parts
that are too long for this until test.sh has run them. A file passed as long as its content
is the one in out/quick.json.
"""
import argparse
import fnmatch
import functools
import glob
import hashlib
import json
import os
import re
import subprocess
import sys
import time

import parts
import faults

# Seconds for all, for those who wait. A CLI test that takes longer than LONG is a part of its own.
SECONDS = 120
LONG = 5
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


@functools.lru_cache(maxsize=None)
def judges(directory, end):
    """The tests of a source of the tools, from planted.sh, as kinds and names."""
    done = subprocess.run([f"{parts.HERE}/planted.sh", "judges", f"{directory}/a{end}"],
                          cwd=TOP, stdout=subprocess.PIPE, check=False, text=True)
    if done.returncode:
        sys.exit(done.returncode)
    found = []
    for kind, *names in map(str.split, done.stdout.splitlines()):
        if kind in ("unit", "cli"):
            found += [(kind, name) for words in names for name in words.split(":")]
        else:
            found.append((kind, None))
    return found


def tests_of(path, words):
    """Kinds and names, None for all of a kind."""
    directory, stem = os.path.split(os.path.splitext(path)[0])
    for word in words.format(name=stem, dir=os.path.basename(directory)).split():
        kind, _, names = word.partition(":")
        if kind == "judges":
            yield from judges(directory, os.path.splitext(path)[1])
        elif kind == "unit":
            yield from ((kind, name) for name in suites(names or directory))
        elif kind == "scripts" and not names:
            yield from ((kind, name) for name in cases_naming(path))
        elif kind != "nothing":
            yield from ((kind, name) for name in names.split(",") if name) if names else [(kind, None)]


def contents():
    """A sum of each file that git knows or could know."""
    sums = {}
    for path in git("ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0"):
        if os.path.isfile(f"{TOP}/{path}"):
            with open(f"{TOP}/{path}", "rb") as file:
                sums[path] = hashlib.sha256(file.read()).hexdigest()[:16]
    return sums


def load():
    """The files that passed, with their content's sum; the tests that each of the others has left, with that sum;
    parts that are too long for this and were not run since; and how long tests take."""
    state = {"passed": None, "left": {}, "later": [], "took": {}}
    if os.path.exists(STATE):
        with open(STATE, encoding="utf-8") as file:
            state |= json.load(file)
    return state


def save(state):
    os.makedirs(os.path.dirname(STATE), exist_ok=True)
    with open(STATE, "w", encoding="utf-8") as file:
        json.dump(state, file, indent=0)


def take(names, seconds):
    """These parts of test.sh passed, in a run that began that many seconds ago. If it were all of them, or "all", all
    files that are not newer passed."""
    if not os.path.exists(f"{TOP}/.git"):
        return
    state, everything = load(), {part.name for part in parts.parts("all")}
    names = everything if "all" in names else set(names)
    state["later"] = [part for part in state["later"] if part not in names]
    state["left"] = {path: [sum_, [test for test in tests if test.split(":")[0] not in names]]
                     for path, (sum_, tests) in state["left"].items()}
    if everything <= names:
        began, now, passed = time.time() - seconds, contents(), state["passed"] or {}
        state["passed"] = {path: sum_ if os.stat(f"{TOP}/{path}").st_mtime <= began else passed.get(path, "") for path, sum_ in now.items()}
    save(state)


def is_chosen(judge, tests):
    """Whether a judge of planted.sh is among the tests, or among the parts for later."""
    kind, *names = judge.split()
    if {(kind, None), ("later", kind)} & tests:
        return True
    if kind in ("kunit", "kselftest"):
        return ("uml", None) in tests or any((f"{kind}s", name) in tests for name in (None, *names))
    if kind == "unit":
        return any(fnmatch.fnmatchcase(name.strip("*"), names[0]) for of, name in tests if of == kind)
    return kind == "cli" and all((kind, name) in tests for name in names)


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
    wrong += [f"{fault.file}: no test is chosen that sees fault {fault.name} ({judge})"
              for fault in faults.faults_of(f"{parts.HERE}/faults") if fault.kind in ("kernel", "tools", "page")
              for judge in fault.judges if not is_chosen(judge, set(tests_of(fault.file, row_of(table, fault.file)[1])))]
    print(*sorted(set(wrong)), sep="\n")
    return bool(wrong)


def seconds_of(part, groups, took):
    return took.get(part.command, sum(took.get(test, 0) for test in groups[part.name]))


def main():
    parser = argparse.ArgumentParser("quick.sh", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="only look for holes in the table")
    parser.add_argument("--list", action="store_true", help="only print what would run")
    parser.add_argument("--passed", nargs="+", metavar="PART", help="take these parts of test.sh as passed, and all files where "
                        "they are those of make test-all; all: all of it")
    parser.add_argument("--began", type=float, default=0, metavar="SECONDS", help="how long ago; newer files did not pass")
    parser.add_argument("--table", default=f"{parts.HERE}/touched", help="another one than \"touched\"")
    options = parser.parse_args()
    if options.check:
        return check(options.table)
    if options.passed is not None:
        return take(options.passed, options.began)
    now, state = contents(), load()
    passed, left, took = state["passed"], state["left"], state["took"]
    if passed is None:
        changed = [line[3:] for line in git("status", "--porcelain", "-z", "--no-renames", "-uall").split("\0") if line]
        passed = {path: "of the commit" if path in changed else sum_ for path, sum_ in now.items()}
    changed = sorted(path for path in {*now, *passed} if now.get(path) != passed.get(path))

    # Tests are kinds, or cli:NAME, with the names of each kind and the tests that each file needs.
    table, names, wanted, later = rows(options.table), {}, {}, set(state["later"])
    for path in changed:
        sum_, rest = left.get(path, ("", ()))
        for kind, name in tests_of(path, (row_of(table, path) or ("", "nothing"))[1]):
            test = f"cli:{name}" if kind == "cli" and name else kind
            if kind == "later":
                later.add(name)
            elif sum_ != now.get(path) or test in rest:
                names.setdefault(test, set()).add(name)
                wanted.setdefault(path, set()).add(test)
    # The tests of each part.
    groups = {}
    for test in names:
        groups.setdefault(test if took.get(test, 0) > LONG else test.split(":")[0], []).append(test)
    chosen = []
    for kind, (how, lane, command) in KINDS.items():
        for group in sorted(group for group in groups if group.split(":")[0] == kind):
            called = set().union(*(names[test] for test in groups[group]))
            some = " ".join(sorted(called)) if None not in called else ""
            full = command + (f'"{some}"' if command.endswith("=") else f" {some}")
            chosen.append(parts.Part("quick", group, how, 20, 120, lane, full))
    print(f"{len(changed)} files changed: {' '.join(changed[:8])}{' ...' if len(changed) > 8 else ''}")
    if options.list:
        print(*(f"{part.name}: {part.command}" for part in chosen), sep="\n")
        print(f"later: {' '.join(sorted(later))}")
        return 0

    parts.prepare()
    begin = time.monotonic()
    runs = parts.Runs(list(chosen), lambda part: time.monotonic() - begin + seconds_of(part, groups, took) < SECONDS)
    done = runs.run()
    seconds = time.monotonic() - begin
    green = {test for run in done if not run.failed for test in groups[run.part.name]}
    for path in changed:
        rest = wanted.get(path, set()) - green
        left.pop(path, None)
        if rest:
            left[path] = [now.get(path), sorted(rest)]
        else:
            passed[path] = now.get(path)
    # Time that filled a cache says nothing of the next run.
    for run in done:
        if run.row[-1] == "warm":
            took[run.part.command] = run.seconds
            took |= {f"cli:{found[1]}": int(found[2]) for line in run.lines() if (found := re.fullmatch(r"# (\S+)\.t took (\d+) s", line))}
    save({"passed": {path: sum_ for path, sum_ in passed.items() if sum_}, "left": left, "later": sorted(later), "took": took})
    failed = sum(run.failed for run in done) + len(chosen) - len(done) - len(runs.waiting)
    print(f"{sum(run.passed for run in done)} passed, {failed} failed, in {seconds:.0f} s")
    print(f"BAR quick {seconds:.0f} seconds {SECONDS} {'ok' if seconds <= SECONDS else 'short'}")
    missing = [part.name for part in runs.waiting] + sorted(later)
    print(f"not run: {' '.join(missing)} (make test-all PARTS=...)" if missing else "nothing was left out")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
