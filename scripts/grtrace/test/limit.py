#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""
Runs a command and passes its output on. When the command or one of its test cases
exceeds its time, the command is ended with all processes that it started, and the last
lines name the case. This works for tests in shell, C, C++ and Python, whose output is
TAP or comes from the kselftest harness or GoogleTest.

The command does not depend on how this program was started: it has no terminal, a
session of its own, no input, no signal that is ignored (nohup ignores SIGHUP, a
shell SIGINT in the background) and the C locale.

Exit status: the command's; 124 when a time was over; 2 wrong usage.
"""
import argparse
import collections
import glob
import os
import re
import select
import signal
import subprocess
import sys
import time

# A process that is asked to end has this long, seconds, before it is killed.
GRACE = 10
# How many of the last lines are shown, and how many processes that still ran.
LINES_SHOWN = 5
PROCESSES_SHOWN = 2
# Seconds between two looks at what runs.
LOOK = 0.2

BEGINS = re.compile(r"\[ RUN      \] (.*)|(?:# )?#  RUN +(.*?)(?: \.\.\.)?$")
ENDS = re.compile(r"(# )?(not )?ok |\[(       OK |  FAILED  |  SKIPPED )\] ")
PLAN = re.compile(r"(# )?1\.\.[1-9]")
# A kselftest's heading, or a CLI test's.
HEADING = re.compile(r"# (?:selftests: [^ ]+: ([^ ]+)|([^ ]+\.t))$")


def contents(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:		# it ended just now
        return ""


class Limited:
    """A command within its time; what it says goes to "say", line by line."""

    def __init__(self, name, seconds, case_seconds, command, say, env=None):
        self.name, self.seconds, self.case_seconds, self.say = name, seconds, case_seconds, say
        # The case that runs, the line of the one before, and when that ended or this began.
        self.current, self.last, self.since = "", "the plan", None
        self.program, self.program_since = "", 0
        self.last_lines = collections.deque(maxlen=LINES_SHOWN)
        self.begin = time.monotonic()
        # LANG alone: ccache has other objects for an LC_ALL, which a developer does not set.
        plain = {key: value for key, value in (env or os.environ).items()
                 if key != "LANGUAGE" and not key.startswith("LC_")}
        self.child = subprocess.Popen(["env", "--default-signal", *command], env=plain | {"LANG": "C.UTF-8"}, start_new_session=True,
                                      stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def family(self):
        """The command's descendants and all of its session, where those are that their
        parents left behind; without itself."""
        running, mine, more = {}, {self.child.pid}, True
        for path in glob.glob("/proc/[0-9]*/stat"):
            # A name may have blanks and brackets.
            state, parent, _, session = (contents(path).rpartition(") ")[2].split() or "Z000")[:4]
            if state != "Z":
                running[int(path.split("/")[2])] = int(parent), int(session)
        while more:
            more = [pid for pid, (parent, session) in running.items()
                    if pid not in mine and (session == self.child.pid or parent in mine)]
            mine.update(more)
        return sorted(mine - {self.child.pid})

    def ended(self):
        return self.child.returncode is not None or os.waitid(os.P_PID, self.child.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None

    def end(self):
        """All of it: asked first, as guests have something to put away."""
        for how in signal.SIGTERM, signal.SIGKILL:
            deadline = time.monotonic() + GRACE
            pids = self.family() + [self.child.pid]
            for pid in pids:
                try:
                    os.kill(pid, how)
                except ProcessLookupError:
                    pass
            while (self.family() or not self.ended()) and time.monotonic() < deadline:
                time.sleep(0.05)

    def over(self):
        """Is a time over? Then this says what took it."""
        now, what = time.monotonic(), self.current
        if now - self.begin >= self.seconds:
            seconds, what = self.seconds, what or "all of it"
        elif self.case_seconds and self.since and now - self.since >= self.case_seconds:
            seconds, what = self.case_seconds, what or f'what comes after "{self.last}"'
        else:
            return False
        running = [(pid, contents(f"/proc/{pid}/cmdline").replace("\0", " ")) for pid in [*self.family(), self.child.pid]]
        for line in [*(f"# | {line}" for line in self.last_lines),
                     *[f"# still running: {pid} {text:.200}" for pid, text in running if text][:PROCESSES_SHOWN],
                     f"not ok 0 {self.name}: {what} # not done after {seconds} s"]:
            self.say(line)
        return True

    def program_ends(self):
        took = int(time.monotonic() - self.program_since)
        if self.program and took:
            self.say(f"# {self.program} took {took} s")
        self.program = ""

    def line(self, line):
        line = line.decode("utf-8", "surrogateescape")
        heading, begins = HEADING.match(line), BEGINS.match(line)
        if heading:
            self.program_ends()
            self.program, self.program_since = heading[1] or heading[2], time.monotonic()
        self.say(line)
        self.last_lines.append(line)
        if begins:
            self.current = begins[1] or begins[2]
        elif ENDS.match(line):
            self.current, self.last = "", line
        elif not PLAN.match(line):
            return
        self.since = time.monotonic()

    def read(self):
        """Until its output ends, or the command does and leaves others with it. Was there time for it?"""
        text, output = b"", self.child.stdout.fileno()
        while True:
            ended = self.ended()
            if select.select([output], [], [], LOOK)[0]:
                more = os.read(output, 1 << 16)
                if not more:
                    break
                *lines, text = (text + more).split(b"\n")
                for line in lines:
                    self.line(line)
            elif ended:
                self.say(f"# {self.name} left running what is ended now: {' '.join(map(str, self.family()))}")
                break
            if self.over():
                return False
        if text:
            self.line(text)
        self.program_ends()
        # In time, or its output was closed long before its end.
        while not self.ended():
            if self.over():
                return False
            time.sleep(LOOK)
        return True

    def run(self):
        """Its exit status, as a shell has it, and its seconds of a processor."""
        try:
            in_time = self.read()
        finally:
            self.end()
        _, code, used = os.wait4(self.child.pid, 0)
        self.child.returncode = status = os.waitstatus_to_exitcode(code)
        self.child.stdout.close()
        return (128 - status if status < 0 else status) if in_time else 124, used.ru_utime + used.ru_stime


def handle_signals():
    for number in signal.SIGINT, signal.SIGTERM, signal.SIGHUP:
        signal.signal(number, lambda number, _: sys.exit(128 + number))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--case", type=int, default=0, metavar="S",
                        help="from one test's result to the next, after the first result; 0 (default): no limit")
    parser.add_argument("seconds", type=int, help="how long the command may take")
    parser.add_argument("name", help="in the message when a time is exceeded")
    parser.add_argument("command", nargs="+", help="behind --")
    options = parser.parse_args()
    sys.stdout.reconfigure(encoding="utf-8", errors="surrogateescape")
    handle_signals()
    return Limited(options.name, options.seconds, options.case, options.command, lambda line: print(line, flush=True)).run()[0]


if __name__ == "__main__":
    sys.exit(main())
