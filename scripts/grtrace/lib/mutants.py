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

LIMIT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "test", "limit.sh")
BUILD_SECONDS = 900
# Tests of what is right may take this long; of a mutant, so many times what those took.
TESTS_SECONDS = 1800
SLOWER = 5
# More than this share of survivors is a failure.
BAR_PERCENT = 10

# A binary operator has blanks around it, unlike the brackets of templates, pointers and
# references.
OPERATORS = {
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==",
    "&&": "||", "||": "&&", "+": "-", "-": "+", "*": "/", "/": "*", "%": "*",
    "&": "|", "|": "&", "<<": ">>", ">>": "<<", "+=": "-=", "-=": "+=", "|=": "&=", "&=": "|=",
}
LONGEST_FIRST = sorted(map(re.escape, OPERATORS), key=len, reverse=True)
BINARY = re.compile(r"(?<= )(" + "|".join(LONGEST_FIRST) + r")(?= |$)")
NOT = re.compile(r"(?<![\w)\]])!(?=[\w(*])")
WORD = re.compile(r"(?<![\w.])(true|false)(?!\w)")
NUMBER = re.compile(r"(?<![\w.'\[\"])(0x[0-9a-fA-F]+|0|[1-9]\d*)(?=[uUlL]*(?![\w.'\"]))")
RETURN = re.compile(r"\breturn (?!\{\}|0;|false;|true;)([^;{]+);")
CONDITION = re.compile(r"\b(if|while) \(")
# Not what a program does: declarations of what there is, and what is known before it runs.
NO_CODE = re.compile(r"^\s*(#|template\b|using\b|namespace\b|static_assert|BUILD_BUG_ON|"
                     r"MODULE_|EXPORT_SYMBOL)")
# "not ok 0" is of limit.sh, of what was not done in time.
SEEN_BY = re.compile(r"\[  FAILED  \] \w+[./]\w+|not ok (?!0 )|# seen by")
NOT_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|(?<!\w)\'(?:\\.|[^\'\\\n])\'',
                      flags=re.S)


def blanked(text):
    """text with blanks for comments, strings and characters, line for line."""
    def blank(match):
        return re.sub(r"[^\n]", " ", match.group())
    return NOT_CODE.sub(blank, text)


def closing(line, at):
    """Where the bracket at "at" closes, or None."""
    depth = 0
    for i in range(at, len(line)):
        depth += {"(": 1, ")": -1}.get(line[i], 0)
        if depth == 0:
            return i
    return None


def changes_of(line, source):
    """Of a line without strings and comments: where it can be changed, from what, to what."""
    for match in BINARY.finditer(line):
        yield match.start(), match.group(), OPERATORS[match.group()]
    for match in NOT.finditer(line):
        yield match.start(), "!", ""
    for match in WORD.finditer(line):
        yield match.start(), match.group(), "false" if match.group() == "true" else "true"
    for match in NUMBER.finditer(line):
        number = int(match.group(), 0)
        yield match.start(), match.group(), str(0 if number == 1 else number + 1)
    for match in RETURN.finditer(line):
        # "0" is no value of some types, and does not compile then.
        yield match.start(1), source[match.start(1):match.end(1)], "0"
    for match in CONDITION.finditer(line):
        begin = match.end() - 1
        end = closing(line, begin)
        if end:
            inside = source[begin + 1:end]
            yield begin + 1, inside, f"!({inside})"


def places_of(file):
    with open(file, encoding="utf-8") as opened:
        text = opened.read()
    sources = text.split("\n")
    going_on = False		# a macro of several lines
    for number, line in enumerate(blanked(text).split("\n")):
        skipped = going_on or NO_CODE.match(line)
        going_on = bool(skipped) and sources[number].endswith("\\")
        if not skipped:
            for at, old, new in changes_of(line, sources[number]):
                yield file, number, at, old, new


def named(place, only):
    """Whether "only" has it, as FILE:LINE or as it is printed, FILE:LINE: CHANGE."""
    file, number, _, old, new = place
    where = f"{file}:{number + 1}"
    return where in only or f"{where}: {shown(old, new)}" in only


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


def changed(text, number, at, old, new):
    lines = text.split("\n")
    assert lines[number][at:].startswith(old)
    lines[number] = lines[number][:at] + new + lines[number][at + len(old):]
    return "\n".join(lines)


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
    """The verdicts of earlier runs on the same sources, by change; without a name, none."""

    def __init__(self, name):
        self.name, self.verdicts = name, {}
        if name and os.path.exists(name):
            with open(name, encoding="utf-8") as opened:
                for line in opened:
                    change, became, by = line.rstrip("\n").split("\t")
                    self.verdicts[change] = became, by

    def verdict(self, change, judge):
        if change not in self.verdicts:
            became, by = self.verdicts[change] = judge()
            if self.name:
                with open(self.name, "a", encoding="utf-8") as opened:
                    opened.write(f"{change}\t{became}\t{by}\n")
        return self.verdicts[change]


def shown(old, new):
    if new == f"!({old})":
        return f"({old}) is turned round"
    return f"{old} -> {new or 'nothing'}"


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
    parser.add_argument("--judged", help="a file with the verdicts of earlier runs on these sources")
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
    judged = Judged(options.judged)
    reasons = known_reasons(options.reasons)
    counted = survived = 0
    for place in places:
        if counted == options.sample:
            break
        file, number, _, old, new = place
        room = room_of(file, options.rooms)
        change = f"{file}:{number + 1}: {shown(old, new)}"
        became, by = judged.verdict(f"{change} at {place[2]}", lambda: try_place(tree, place, room))
        if became in ("does not compile", "is the same program"):
            print(f"# {change}: {became}", flush=True)
            continue
        counted += 1
        survived += became == "survived"
        if became != "survived":
            print(f"{became} {change}{': ' if by else ''}{by}", flush=True)
            continue
        with open(file, encoding="utf-8") as opened:
            text = opened.read().split("\n")[number].strip()
        print(f"SURVIVED {change}\n#   {text}", flush=True)
        if (file, shown(old, new), text) in reasons:
            print(f"#   why: {reasons[file, shown(old, new), text]}", flush=True)
    print(f"BAR mutants_surviving {survived} of {counted}")
    return survived * 100 > counted * BAR_PERCENT or counted == 0


if __name__ == "__main__":
    sys.exit(main())
