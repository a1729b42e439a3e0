# SPDX-License-Identifier: GPL-2.0
"""Literal expectations beside a stored capture: the file "expect" has commands and the
lines that they have to print, the numbers of which a person worked out.

	$ grtrace report --busy -i x
	0000:01:00.0 gfx 32.34 64.000 us 1.000 us ...
	! a line that must not be there
	~ words that stand in some line
	? 3

Spaces count as one, and a line may stand for the beginning of what is printed. "?" is the
exit status, 0 where it is not said.
"""

import os
import shlex
import subprocess


def commands(text):
    """Each command with the lines below it."""
    found = []
    for line in text.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        elif line.strip() and not line.startswith("#"):
            found[-1][1].append(line.strip())
    return found


def beside(source):
    """The expectations of a stored capture, whose commands are run beside its files."""
    path = f"{os.path.dirname(source)}/expect"
    if not os.path.exists(path):
        return ""
    with open(path, encoding="utf-8") as file:
        return file.read()


def within(fixture, name):
    """Those of a text fixture: its lines that begin with "#> ", NAME for the capture."""
    with open(fixture, encoding="utf-8") as file:
        lines = [line[3:].strip() for line in file if line.startswith("#> ")]
    return "\n".join(line.replace("NAME", name) for line in lines)


def check_expected(judge, text, folder):
    for command, lines in commands(text):
        program, *words = shlex.split(command)
        got = subprocess.run([f"{judge.build}/{program}", *words], cwd=folder, encoding="utf-8",
                             errors="surrogateescape", capture_output=True, timeout=60,
                             env={**os.environ, "TZ": "UTC", "LC_ALL": "C.UTF-8", "COLUMNS": "200"})
        printed = [" ".join(line.split()) for line in (got.stdout + got.stderr).splitlines()]
        status = next((int(line[1:]) for line in lines if line.startswith("?")), 0)
        judge.judgement.same(f"exit of {command}", status, got.returncode)
        for line in lines:
            if line.startswith("?"):
                continue
            wanted = " ".join(line.lstrip("!~ ").split())
            is_there = any(wanted in one if line.startswith("~") else one.startswith(wanted)
                           for one in printed)
            judge.judgement.figures += 1
            if is_there == line.startswith("!"):
                judge.judgement.differ(command, line, "\n" + "\n".join(printed))
