#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
#
# Runs a command on a terminal, and prints what in its output would steer one: control
# characters, and marks that turn the direction of writing.
#
# Usage: hostile_output.py [--colours] COMMAND...
#
#   --colours  the command may set colours
#
# Exit status: 0 if there is output and nothing of that in it.
import os
import pty
import re
import sys

args = sys.argv[1:]
allowed = rb'\x1b\[[0-9;]*m' if args[0] == '--colours' else rb'(?!)'
if args[0] == '--colours':
    args.pop(0)
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(args[0], args)
output = b''
while True:
    try:
        block = os.read(terminal, 65536)
    except OSError:  # the end, on Linux
        break
    if not block:
        break
    output += block
os.waitpid(pid, 0)
steers = rb'[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xd8\x9c|\xe2\x80[\x8e\x8f\xa8-\xae]|\xe2\x81[\xa6-\xa9]'
rest = re.sub(allowed, b'', output.replace(b'\r\n', b'\n'))
found = [match.group() for match in re.finditer(steers, rest)]
print(len(output), 'bytes,', len(found), 'that steer:', set(found))
sys.exit(not output or bool(found))
