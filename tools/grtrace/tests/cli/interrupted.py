#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
#
# Runs a shell's words in a process group of their own, and interrupts all of it,
# as a terminal does with Ctrl-C, when a file is there, whose name may be a pattern.
# Also where this is run in the background, and Ctrl-C is ignored for that.
#
# Usage: interrupted.py FILE WORDS TIMES
#
# Exit status: that of the words; 128 and the signal's number if one ended them.
import glob
import os
import signal
import subprocess
import sys
import time

SECONDS = 60    # that FILE may take to be there

file, words, times = sys.argv[1:]
shell = subprocess.Popen(['sh', '-c', words], start_new_session=True,
                         preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
deadline = time.monotonic() + SECONDS
while not glob.glob(file):
    if time.monotonic() > deadline:
        os.killpg(shell.pid, signal.SIGKILL)
        sys.exit(f'there is no {file} after {SECONDS} s')
    time.sleep(0.02)
for _ in range(int(times)):
    time.sleep(0.3)
    try:
        os.killpg(shell.pid, signal.SIGINT)
    except ProcessLookupError:
        break
status = shell.wait()
sys.exit(status if status >= 0 else 128 - status)
