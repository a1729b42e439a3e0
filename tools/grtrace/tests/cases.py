#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Cases: traces of others, what is printed about them, and what must be.

A folder of tests/cases has a trace or a small capture, and the file "case":

	# The situation that the trace has, and where such a trace comes from.
	$ report trace.txt
	> words that are printed
	! words that are not printed
	? 3
	| the first line of what is printed
	| the second one ...

The command is one of grtrace. The lines with > and !, and the exit status (? 0 where it is
not said), are written by a person, who worked them out from the trace; blanks count as one,
and what is printed counts as one text, as a sentence may be broken anywhere. The lines with |
are all that is printed, so that a change of any sentence is seen: --write writes them again,
for a review of the difference.

Usage: cases.py --build FOLDER [--write] [NAME...]

Prints TAP. Exit status: 0 when all is as it should be, else 1."""

import argparse
import concurrent.futures
import difflib
import os
import shlex
import subprocess
import sys

CASES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "cases")
ENVIRONMENT = {**os.environ, "TZ": "UTC", "LC_ALL": "C.UTF-8", "COLUMNS": "80"}


def sections(text):
    """(command, its lines) of a case; the comment before the first has None."""
    found = [(None, [])]
    for line in text.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        else:
            found[-1][1].append(line)
    return found


def run(build, folder, command):
    got = subprocess.run([f"{build}/grtrace", *shlex.split(command)], cwd=folder, encoding="utf-8",
                         errors="backslashreplace", stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                         stdin=subprocess.DEVNULL, timeout=60, env=ENVIRONMENT, check=False)
    return got.stdout.splitlines(), got.returncode


def words(text):
    return " ".join(text.split())


def judge(command, lines, printed, status):
    """All differences, as lines."""
    wrong = []
    text = words(" ".join(printed))
    wanted = next((int(line[2:]) for line in lines if line.startswith("? ")), 0)
    if status != wanted:
        wrong.append(f"$ {command}: exit status {status} instead of {wanted}")
    for line in lines:
        if line.startswith("> ") and words(line[2:]) not in text:
            wrong.append(f"$ {command}: does not say: {line[2:]}")
        if line.startswith("! ") and words(line[2:]) in text:
            wrong.append(f"$ {command}: says: {line[2:]}")
    told = [line[2:] for line in lines if line == "|" or line.startswith("| ")]
    wrong += difflib.unified_diff(told, printed, "as it was", "as it is", n=1, lineterm="")
    return wrong


def case(build, name, write):
    """(all differences, how many commands) of a case."""
    folder = f"{CASES}/{name}"
    with open(f"{folder}/case", encoding="utf-8") as file:
        parts = sections(file.read())
    wrong, again = [], parts[0][1][:]
    for command, lines in parts[1:]:
        printed, status = run(build, folder, command)
        if write:
            lines = [line for line in lines if line != "|" and not line.startswith("| ")]
            lines += [f"| {line}".rstrip() for line in printed]
        wrong += judge(command, lines, [line.rstrip() for line in printed], status)
        again += [f"$ {command}", *lines]
    if write:
        with open(f"{folder}/case", "w", encoding="utf-8") as file:
            file.write("\n".join(again) + "\n")
    return wrong, len(parts) - 1


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("Usage: ")[1].split("\n")[0])
    parser.add_argument("--build", required=True)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    build = os.path.abspath(options.build)
    names = options.names or sorted(os.listdir(CASES))
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = pool.map(lambda name: case(build, name, options.write), names)
        for number, (name, (wrong, commands)) in enumerate(zip(names, results), 1):
            good = not wrong and commands
            failed += not good
            print("".join(f"# {line}\n" for line in wrong), end="")
            print(f"{'ok' if good else 'not ok'} {number} {name}")
    print(f"1..{len(names)}")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
