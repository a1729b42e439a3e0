#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
#
# Runs a command on a terminal, and takes the terminal away from it.
#
# Usage: on_terminal.py SECONDS COMMAND...
#
#   SECONDS  how long the command has the terminal, after its first output
#
# Exit status: the command's; 128 and the number of the signal that ended it.
import os
import pty
import sys
import time

pid, terminal = pty.fork()
if pid == 0:
    os.execvp(sys.argv[2], sys.argv[2:])
os.read(terminal, 4096)
time.sleep(float(sys.argv[1]))
os.close(terminal)
status = os.waitpid(pid, 0)[1]
sys.exit(os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status))
