# SPDX-License-Identifier: GPL-2.0
"""Plants errors in files of the working directory and sees whether tests notice: see
test/planted.sh, which builds and tests.
"""

import contextlib
import hashlib
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

LIMIT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "test", "limit.py")
BUILD_SECONDS = 900
# Tests without an error may take this long; with an error, this many times as long as those.
TESTS_SECONDS = 1800
SLOWER = 5
CANNOT_BE_BUILT = 3

# "not ok 0" is of limit.py, of what was not done in time.
SEEN_BY = re.compile(r"\[  FAILED  \] \w+[./]\w+|(# )?not ok (?!0 )|# seen by|# no test (passed|failed, but)")
# Exit statuses of uml.sh that say what became of the guest.
OF_A_GUEST = {70: "the kernel reported a bug", 71: "the guest ended"}


@contextlib.contextmanager
def planted(file, text):
    """With text as what is in the file."""
    kept = file + ".kept"
    shutil.copy2(file, kept)
    try:
        with open(file, "w", encoding="utf-8") as opened:
            opened.write(text)
        yield
    finally:
        # A new time: make has to build it again.
        os.replace(kept, file)
        os.utime(file)


def singly(judges):
    """The same, with a judge for each CLI test: directories share many of them."""
    for judge in judges:
        kind, *names = judge.split(" ")
        yield from [f"cli {name}" for name in names] if kind == "cli" and names else [judge]


class Tree:
    """Builds and tests, and remembers what that gave without an error."""

    def __init__(self, command, least=60):
        self.command, self.least = shlex.split(command), least
        self.objects, self.seconds = {}, {}

    def run(self, seconds, *arguments, until=None):
        """Its exit status and output; 124 when it took longer than that. A line that "until"
        matches ends it, with 1."""
        said = []
        with subprocess.Popen([LIMIT, str(seconds), arguments[1], "--", *self.command, *arguments],
                              text=True, errors="replace", stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as running:
            for line in running.stdout:
                said.append(line)
                if until and until.match(line):
                    running.terminate()
                    running.stdout.read()
                    running.wait()
                    return 1, "".join(said)
        return running.returncode, "".join(said)

    def judges(self, file):
        status, said = self.run(BUILD_SECONDS, "judges", file)
        if status:
            sys.exit(said)
        return tuple(said.splitlines())

    def compiled(self, file):
        """The compiler's output, without the parts that only a debugger reads; None: it failed."""
        status, said = self.run(BUILD_SECONDS, "build", file)
        if status:
            return None, said
        with tempfile.TemporaryDirectory() as folder:
            bare = os.path.join(folder, "o")
            subprocess.run(["objcopy", "--strip-debug", "--remove-section=.gnu.lto*",
                            "--remove-section=.note*", said.split("\n")[-2], bare], check=True)
            with open(bare, "rb") as opened:
                return hashlib.sha256(opened.read()).hexdigest(), said

    def is_changed(self, file, text):
        """Whether text compiles to another program; if not, why."""
        if file not in self.objects:
            self.objects[file], said = self.compiled(file)
            if self.objects[file] is None:
                sys.exit(f"{said}\n{file} cannot be compiled without any change")
        with planted(file, text):
            made, _ = self.compiled(file)
        if made is None:
            return False, "does not compile"
        return made != self.objects[file], "is the same program"

    def limit(self, judges):
        return max(self.least, int(SLOWER * sum(self.seconds[judge] for judge in singly(judges))))

    def is_right(self, file, judges):
        """Whether the tests pass without an error, each of which is tried once; else what they said."""
        for judge in singly(judges):
            if judge not in self.seconds:
                begin = time.monotonic()
                status, said = self.run(TESTS_SECONDS, "tests", file, judge, until=SEEN_BY)
                if status:
                    return False, said
                self.seconds[judge] = time.monotonic() - begin
        return True, ""

    def verdict(self, file, text, judges):
        """The verdict on the file with that text, and the test that saw it or the message;
        "error" where the run failed and no test did, which says nothing of the text."""
        limit = self.limit(judges)
        with planted(file, text):
            status, said = self.run(limit, "tests", file, *judges, until=SEEN_BY)
        if status == 124:
            # Perhaps the machine is busier than it was.
            for judge in singly(judges):
                self.seconds.pop(judge, None)
            if self.is_right(file, judges)[0] and self.limit(judges) > 1.5 * limit:
                return self.verdict(file, text, judges)
        if status == 0:
            return "survived", ""
        if status == 124:
            return "hangs", ""
        if status == CANNOT_BE_BUILT:
            return "does not compile", said
        seen = [line for line in said.split("\n") if SEEN_BY.match(line)]
        if not seen and status < 128 and status not in OF_A_GUEST:
            return "error", f"{said}\nexit status {status}, and no test says that it failed"
        return "killed", seen[0] if seen else OF_A_GUEST.get(status, f"exit status {status}")
