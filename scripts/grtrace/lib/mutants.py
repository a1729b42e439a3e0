#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Changes one operator, constant or condition of C or C++ at a time, and sees whether the
tests notice: see test/mutants.sh. Works in the current directory, on files that it changes.
"""

import argparse
import collections
import os
import random
import re
import sys

from mutant_places import changed, named, places_of, shown
from planted import Tree

# More than this share of survivors is a failure; in one directory, more than one of this many.
BAR_PERCENT = 10
OF_A_DIRECTORY = 5


def text_of(file):
    with open(file, encoding="utf-8") as opened:
        return opened.read()


def key_of(place, texts):
    """The key of a reason: its line without the number, because lines move."""
    file, number, _, old, new = place
    return file, shown(old, new), texts[file].split("\n")[number].strip()


class Reasons:
    """Why no test can see a change. FILE, CHANGE, LINE'S TEXT and REASON, with tabs between
    them. Where FILE has several such places, FILE#2 is the second."""

    def __init__(self, name):
        self.of, self.wrong = {}, []
        for line in text_of(name).split("\n") if name else ():
            if line and not line.startswith("#"):
                self.add(*re.split(r"\t+", line))

    def add(self, file, change, text, reason):
        file, _, nth = file.partition("#")
        texts = {file: text_of(file) if os.path.exists(file) else ""}
        found = [place for place in (places_of(file) if texts[file] else ())
                 if key_of(place, texts) == (file, change, text)]
        if len(found) > 1 and not nth:
            self.wrong.append(f"{file}: {change}: {text}\n  has {len(found)} such places: say which, as {file}#1")
        elif len(found) < int(nth or 1):
            self.wrong.append(f"{file}: {change}: {text}\n  is no longer there: its reason is stale")
        else:
            self.of[found[int(nth or 1) - 1]] = reason


class Count:
    """Those of a directory."""

    def __init__(self):
        self.tried = self.survived = 0

    def is_short(self):
        return self.survived > 1 and self.survived * OF_A_DIRECTORY > self.tried


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--command", required=True, help="planted.sh")
    parser.add_argument("--sample", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--least", type=int, default=60, help="seconds that tests have in any case")
    parser.add_argument("--only", action="append", default=[], metavar="PLACE",
                        help="FILE:LINE or FILE:LINE: CHANGE; all that there are, and no sample")
    parser.add_argument("--reasons", help="a file with survivors that no test can see")
    parser.add_argument("--check", action="store_true", help="only see whether the reasons fit")
    parser.add_argument("files", nargs="*")
    options = parser.parse_args()

    reasons = Reasons(options.reasons)
    if reasons.wrong:
        print("\n".join(reasons.wrong))
    if reasons.wrong or options.check:
        return bool(reasons.wrong)
    places = [place for file in sorted(options.files) for place in places_of(file)]
    if options.only:
        places = [place for place in places if named(place, options.only)]
        options.sample = len(places)
    random.Random(options.seed).shuffle(places)
    print(f"# seed {options.seed}: {min(options.sample, len(places))} of {len(places)} places in "
          f"{len(options.files)} files", flush=True)
    tree = Tree(options.command, options.least)
    counts, unknown, errors = collections.defaultdict(Count), 0, 0
    for place in places:
        if sum(count.tried for count in counts.values()) == options.sample:
            break
        file, number, at, old, new = place
        change = f"{file}:{number + 1}: {shown(old, new)}"
        text = text_of(file)
        is_changed, why = tree.is_changed(file, changed(text, number, at, old, new))
        if is_changed:
            judges = tree.judges(file)
            is_right, said = tree.is_right(file, judges)
            if not is_right:
                sys.exit(f"{said}\nthe tests of {os.path.dirname(file)} fail without any change")
            why, by = tree.verdict(file, changed(text, number, at, old, new), judges)
        if why == "error":
            errors += 1
            print("".join(f"# {line}\n" for line in by.split("\n")[-20:]), end="")
        if not is_changed or why in ("does not compile", "error"):
            print(f"# {change}: {why}", flush=True)
            continue
        count = counts[os.path.dirname(file)]
        count.tried += 1
        if why != "survived":
            print(f"{why} {change}{': ' if by else ''}{by}", flush=True)
            continue
        count.survived += 1
        unknown += place not in reasons.of
        print(f"SURVIVED {change}\n#   {key_of(place, {file: text})[2]}\n"
              f"#   why: {reasons.of.get(place, 'unknown: add a test, or a reason to mutants.why')}",
              flush=True)
    for folder, count in sorted(counts.items()):
        print(f"# {folder}: {count.survived} of {count.tried} survive{', too many' if count.is_short() else ''}")
    tried, survived = (sum(getattr(count, name) for count in counts.values()) for name in ("tried", "survived"))
    print(f"# {unknown} survive without a reason")
    if errors:
        print(f"# {errors} have no verdict: the run failed, and no test did")
    if tried < options.sample:
        print(f"# there are no {options.sample} changes, only {tried}")
    is_short = (unknown or not tried or survived * 100 > tried * BAR_PERCENT or
                any(count.is_short() for count in counts.values()))
    print(f"BAR mutants_surviving {survived} of {tried} {'short' if is_short else 'ok'}")
    return bool(is_short or errors)


if __name__ == "__main__":
    sys.exit(main())
