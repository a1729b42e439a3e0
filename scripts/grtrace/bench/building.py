#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""
The part of bench_tools.sh that measures what it takes to build the tools, and how large they
are: by a compiler without a cache, on as many processors as there are.  Prints a part of the
report; the bars go to a file.

Usage: building.py tools=DIR work=DIR bars=FILE

  tools  the release build, in the folder that its sources lie below
"""
import glob
import os
import re
import subprocess
import sys
import time

import bars

NAMES = dict(word.split("=", 1) for word in sys.argv[1:])
TOOLS, WORK = NAMES["tools"], NAMES["work"]
# The directories that read and control; the words are all the rest.
CORE = ("lib", "format", "read", "drive", "grparse", "grtrace")
# A word of middle size: what one edits of it, and a header that its files include.
WORD, SOURCE, HEADER = "explain", "explain_options.cpp", "explain_options.h"
HOME = os.path.join(os.path.dirname(TOOLS), "tools", "grtrace")


def bar(name, value, unit, limit, least=False):
    with open(NAMES["bars"], "a", encoding="ascii") as file:
        print(bars.line(name, value, unit, limit, least), file=file)


def make(folder, *targets):
    """Seconds."""
    began = time.monotonic()
    with open(f"{WORK}/make", "w+", encoding="utf-8") as said:
        if subprocess.run(["make", "--no-print-directory", "-j", str(os.cpu_count()), "-C", HOME, f"O={folder}", "LTO=", "CXX=g++",
                           *targets], stdin=subprocess.DEVNULL, stdout=said, stderr=said, check=False).returncode:
            said.seek(0)
            sys.exit(f"make {' '.join(targets)} failed:\n{said.read()[-4000:]}")
    return time.monotonic() - began


def built():
    """From nothing, and after a change of one file."""
    touched = f"{HOME}/src/words/{WORD}/"
    kept = {name: os.stat(touched + name) for name in (SOURCE, HEADER)}
    times = [("core", "`make core` from nothing", make(f"{WORK}/core", "core"), 60),
             ("all", "`make all` from nothing", make(f"{WORK}/all", "all"), 240)]
    for name, what, limit in ((SOURCE, "source", 4), (HEADER, "header", 15)):
        os.utime(touched + name)
        targets = [f"{WORK}/all/grtrace-{WORD}"] if name == SOURCE else ["all"]
        times.append((what, f"one {what} of a word changed (`{WORD}/{name}`)", make(f"{WORK}/all", *targets), limit))
    for name, had in kept.items():
        os.utime(touched + name, ns=(had.st_atime_ns, had.st_mtime_ns))
    print("## Building\n\n| what | s |\n|---|--:|")
    for name, what, seconds, limit in times:
        print(f"| {what} | {seconds:.1f} |")
        bar(f"build_{name}", round(seconds, 1), "s", limit)


def lines(*folders):
    paths = [path for folder in folders for path in glob.glob(f"{HOME}/{folder}/**", recursive=True) if os.path.isfile(path)]
    return sum(sum(1 for _ in open(path, "rb")) for path in paths)


def sizes():
    """Text as size(1) has it; everything that is installed, stripped."""
    text = int(re.split(r"\s+", subprocess.run(["size", f"{TOOLS}/grparse"], check=True, stdout=subprocess.PIPE, text=True)
                        .stdout.splitlines()[1].strip())[0])
    subprocess.run(["make", "--no-print-directory", "-C", HOME, f"O={TOOLS}", "CXX=ccache g++", f"DESTDIR={WORK}/installed",
                    "install"], check=True, stdout=subprocess.DEVNULL)
    installed = 0
    for path in glob.glob(f"{WORK}/installed/**", recursive=True):
        if not os.path.isfile(path) or os.path.islink(path):
            continue
        if os.access(path, os.X_OK):
            subprocess.run(["strip", path], check=True)
        installed += os.path.getsize(path)
    core, everything, unit = lines(*(f"src/{room}" for room in CORE)), lines("src"), lines("tests/unit")
    print(f"""
## Sizes

grparse: {text // 1000} KB of text. Installed and stripped: {installed / 1e6:.1f} MB. Lines: {core} of the core, \
{everything} of src, {unit} of unit tests.""")
    bar("text_of_grparse", text // 1000, "KB", 600)
    bar("install", round(installed / 1e6, 1), "MB", 12)
    bar("lines_of_core", core, "lines", 14000)
    bar("lines_of_src", everything, "lines", 48000)
    bar("lines_of_unit_tests", round(100 * unit / everything, 1), "%", 45, least=True)


built()
sizes()
