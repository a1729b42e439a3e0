#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Plants the faults of the lists in a folder, one at a time, and expects a test to fail: see
test/faults.sh. Works in the current directory. Prints TAP and a BAR line.

An entry of a list: "# NAME: what a user gets", "= FILE", perhaps "? JUDGE" lines, then the
old text behind "- " and the new text behind "+ ".
"""

import argparse
import os
import re
import sys

from planted import Tree

# Without a "?", all tests of the list's kind.
ALL = {"kernel": ("kunit", "kselftest"), "modules": ("modules",), "tools": ("unit", "cli", "truth", "fleet"), "page": ("page",)}


class Fault:
    def __init__(self, kind, lines):
        self.kind = kind
        parts = {sign: [line[2:] for line in lines if line[:2].rstrip() == sign] for sign in "#=?-+"}
        if sum(map(len, parts.values())) != len(lines) or len(parts["="]) != 1 or not parts["#"]:
            sys.exit(f"faults/{kind}: no entry is '{lines[0]}' and what follows")
        self.title = " ".join(parts["#"])
        self.name = self.title.split(":")[0].split()[0]
        self.file, self.judges = parts["="][0], tuple(parts["?"])
        if kind == "modules":
            self.judges = tuple(re.sub("^kselftest", kind, judge) for judge in self.judges)
        self.old, self.new = ("".join(line + "\n" for line in parts[sign]) for sign in "-+")

    def text(self):
        """The file with the fault, or None: the old text is not there exactly once."""
        if not self.old or self.old == self.new or not os.path.exists(self.file):
            return None
        with open(self.file, encoding="utf-8") as opened:
            text = "\n" + opened.read()
        if text.count("\n" + self.old) != 1:
            return None
        return text.replace("\n" + self.old, "\n" + self.new)[1:]


def faults_of(folder):
    for kind in ALL:
        if os.path.exists(f"{folder}/{kind}"):
            with open(f"{folder}/{kind}", encoding="utf-8") as opened:
                for entry in opened.read().split("\n\n"):
                    if entry.strip():
                        yield Fault(kind, entry.strip("\n").split("\n"))


def outcome(tree, fault, judges):
    """Whether a test saw it, and what is to be said of it."""
    text = fault.text()
    if text is None:
        return False, f"the old text is not exactly once in {fault.file}"
    right, said = tree.is_right(fault.file, judges)
    if not right:
        return False, f"{said}\n{', '.join(judges)}: fails without the fault"
    became, by = tree.verdict(fault.file, text, judges)
    if became in ("killed", "hangs"):
        return True, f"{became}: {by}"
    return False, f"{by}\n{became}: {', '.join(judges)}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--command", required=True)
    parser.add_argument("--faults", required=True)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--all-tests", action="store_true")
    parser.add_argument("--least", type=int, default=60)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    faults = list(faults_of(options.faults))
    names = [fault.name for fault in faults]
    for name in sorted(set(names)):
        if names.count(name) > 1:
            sys.exit(f"two faults are named {name}")
    unknown = set(options.names) - set(names)
    if unknown:
        sys.exit(f"there is no fault {' '.join(sorted(unknown))}")
    faults = [fault for fault in faults if not options.names or fault.name in options.names]
    if options.list:
        for fault in faults:
            print(f"{fault.kind}\t{fault.title}")
        return 0
    tree = Tree(options.command, options.least)
    caught, late = 0, []
    for number, fault in enumerate(faults, 1):
        if options.check:
            is_caught, said = fault.text() is not None, f"the old text is not exactly once in {fault.file}"
        else:
            judges = () if options.all_tests else fault.judges
            is_caught, said = outcome(tree, fault, judges or ALL[fault.kind])
        if not options.check or not is_caught:
            print("".join(f"# {line}\n" for line in said.split("\n")[-40:] if line), end="")
        print(f"{'ok' if is_caught else 'not ok'} {number} - {fault.title}", flush=True)
        caught += is_caught
        late += [fault.name] if is_caught and said.startswith("hangs") else []
    print(f"1..{len(faults)}")
    if late:
        print(f"# seen by their time limit alone: {' '.join(late)}")
    if not options.check:
        print(f"BAR planted_faults {caught} of {len(faults)} {'ok' if caught == len(faults) else 'short'}")
    return caught != len(faults)


if __name__ == "__main__":
    sys.exit(main())
