#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Changes one operator, constant or condition of C or C++ at a time, and sees whether the
tests notice: see mutants.sh. Works in the current directory, on files that it changes.

BUILD FILE compiles one file and prints the name of its object; TESTS FILE runs the tests
that FILE's room has. The exit status of both says whether it worked.
"""

import argparse
import hashlib
import os
import random
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

from mutant_places import changed, named, places_of, shown

LIMIT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "test", "limit.py")
BUILD_SECONDS = 900
# Tests of what is right may take this long; of a mutant, so many times what those took.
TESTS_SECONDS = 1800
SLOWER = 5
# More than this share of survivors is a failure.
BAR_PERCENT = 10

# "not ok 0" is of limit.py, of what was not done in time.
SEEN_BY = re.compile(r"\[  FAILED  \] \w+[./]\w+|not ok (?!0 )|# seen by")


class Tree:
    """Builds and tests, and remembers what that gave without a change."""

    def __init__(self, build, tests, least):
        self.least = least
        self.build, self.tests = shlex.split(build), shlex.split(tests)
        self.objects, self.seconds = {}, {}

    def run(self, command, file, seconds, until=None):
        """Its exit status and output; 124 when it took longer than that. A line that "until"
        matches ends it, with 1."""
        said = []
        with subprocess.Popen([LIMIT, str(seconds), file, "--", *command, file], text=True,
                              errors="replace", stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as running:
            for line in running.stdout:
                said.append(line)
                if until and until.match(line):
                    running.terminate()
                    running.stdout.read()
                    running.wait()
                    return 1, "".join(said)
        return running.returncode, "".join(said)

    def compiled(self, file):
        """What the compiler makes of it, without what only a debugger reads; None: nothing."""
        status, said = self.run(self.build, file, BUILD_SECONDS)
        if status:
            return None, said
        with tempfile.TemporaryDirectory() as folder:
            bare = os.path.join(folder, "o")
            subprocess.run(["objcopy", "--strip-debug", "--remove-section=.gnu.lto*",
                            "--remove-section=.note*", said.split("\n")[-2], bare], check=True)
            with open(bare, "rb") as opened:
                return hashlib.sha256(opened.read()).hexdigest(), said

    def is_right(self, file, room):
        """The object without a change, and once in each room whether its tests pass."""
        if file not in self.objects:
            self.objects[file], said = self.compiled(file)
            if self.objects[file] is None:
                sys.exit(f"{said}\n{file} cannot be compiled without any change")
        if room not in self.seconds:
            begin = time.monotonic()
            status, said = self.run(self.tests, file, TESTS_SECONDS, SEEN_BY)
            if status:
                sys.exit(f"{said}\nthe tests of {room} fail without any change")
            self.seconds[room] = time.monotonic() - begin
            print(f"# {room}: its tests pass, in {self.seconds[room]:.0f} s", flush=True)

    def verdict(self, file, room):
        """Of a file that is changed: what became of it, and by what it was seen."""
        made, _ = self.compiled(file)
        if made is None:
            return "does not compile", ""
        if made == self.objects[file]:
            return "is the same program", ""
        limit = max(self.least, int(SLOWER * self.seconds[room]))
        status, said = self.run(self.tests, file, limit, SEEN_BY)
        if status == 0:
            return "survived", ""
        if status == 124:
            return "hangs", ""
        seen = [line for line in said.split("\n") if SEEN_BY.match(line)]
        return "killed", seen[0] if seen else ""


def try_place(tree, place, room):
    file, number, at, old, new = place
    tree.is_right(file, room)
    kept = file + ".kept"
    shutil.copy2(file, kept)
    with open(file, encoding="utf-8") as opened:
        text = opened.read()
    try:
        with open(file, "w", encoding="utf-8") as opened:
            opened.write(changed(text, number, at, old, new))
        return tree.verdict(file, room)
    finally:
        # A new time: make has to build it again.
        os.replace(kept, file)
        os.utime(file)


class Judged:
    """The verdicts of earlier runs, in a file of lines FILE'S SUM, CHANGE, what became of it
    and what saw it, with tabs between them; without a name, none.

    A verdict holds while the file that was changed stays what it was. A survivor is judged
    again, since the tests may have changed, unless its reason is known.
    """
    def __init__(self, name, sums, again):
        self.name, self.sums, self.again, self.verdicts = name, sums, again, {}
        if name and os.path.exists(name):
            with open(name, encoding="utf-8") as opened:
                for line in opened:
                    if not line.startswith("#"):
                        self.verdicts.update([verdict_in(line)])

    def key(self, place):
        file, number, at, old, new = place
        return self.sums[file], f"{file}:{number + 1}: {shown(old, new)} at {at}"

    def has(self, place):
        became, _ = self.verdicts.get(self.key(place), (None, None))
        return became is not None and not (became == "survived" and self.again(place))

    def verdict(self, place, judge):
        key = self.key(place)
        if not self.has(place):
            became, by = self.verdicts[key] = judge()
            if self.name:
                with open(self.name, "a", encoding="utf-8") as opened:
                    opened.write("\t".join([*key, became, by]) + "\n")
        return self.verdicts[key]


def verdict_in(line):
    file_sum, change, became, by = line.rstrip("\n").split("\t")
    return (file_sum, change), (became, by)


def sum_of(file):
    with open(file, "rb") as opened:
        return hashlib.sha256(opened.read()).hexdigest()[:12]


def room_of(file, rooms):
    """A folder below "rooms"; what is not there is in one room."""
    if rooms and file.startswith(rooms):
        return file[len(rooms):].split("/")[0]
    return os.path.dirname(file) or "."


def known_reasons(name):
    """Of survivors that no test can see: FILE, CHANGE and the line's text say which."""
    reasons = {}
    if name:
        with open(name, encoding="utf-8") as opened:
            for line in opened:
                if line.strip() and not line.startswith("#"):
                    file, change, text, reason = re.split(r"\t+", line.strip())
                    reasons[file, change, text] = reason
    return reasons


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True)
    parser.add_argument("--tests", required=True)
    parser.add_argument("--sample", type=int, required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--rooms", default="", help="the folder whose folders are rooms")
    parser.add_argument("--least", type=int, default=60, help="seconds that tests have in any case")
    parser.add_argument("--only", action="append", default=[], metavar="PLACE",
                        help="FILE:LINE or FILE:LINE: CHANGE; all that there are, and no sample")
    parser.add_argument("--judged", help="a file with the verdicts of earlier runs, which grows")
    parser.add_argument("--reasons", help="a file with survivors that no test can see")
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()

    places = [place for file in sorted(options.files) for place in places_of(file)]
    if options.only:
        places = [place for place in places if named(place, options.only)]
        options.sample = len(places)
    random.Random(options.seed).shuffle(places)
    print(f"# seed {options.seed}: {options.sample} of {len(places)} places in "
          f"{len(options.files)} files", flush=True)
    tree = Tree(options.build, options.tests, options.least)
    reasons = known_reasons(options.reasons)

    def source_of(place):
        with open(place[0], encoding="utf-8") as opened:
            return opened.read().split("\n")[place[1]].strip()

    def reason_of(place):
        return reasons.get((place[0], shown(*place[3:]), source_of(place)))

    # What is named is judged in any case.
    judged = Judged(None if options.only else options.judged,
                    {file: sum_of(file) for file in options.files},
                    lambda place: reason_of(place) is None)
    earlier = [place for place in places if judged.has(place)]
    counted = survived = 0
    for place in earlier + [place for place in places if not judged.has(place)]:
        if counted == options.sample:
            break
        file, number, _, old, new = place
        room = room_of(file, options.rooms)
        change = f"{file}:{number + 1}: {shown(old, new)}"
        became, by = judged.verdict(place, lambda: try_place(tree, place, room))
        if became in ("does not compile", "is the same program"):
            print(f"# {change}: {became}", flush=True)
            continue
        counted += 1
        survived += became == "survived"
        if became != "survived":
            print(f"{became} {change}{': ' if by else ''}{by}", flush=True)
            continue
        print(f"SURVIVED {change}\n#   {source_of(place)}", flush=True)
        if reason_of(place):
            print(f"#   why: {reason_of(place)}", flush=True)
    print(f"# {min(len(earlier), options.sample)} of these verdicts are of earlier runs")
    print(f"BAR mutants_surviving {survived} of {counted}")
    return survived * 100 > counted * BAR_PERCENT or counted == 0


if __name__ == "__main__":
    sys.exit(main())
