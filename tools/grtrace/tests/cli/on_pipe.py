#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
#
# Runs a program whose standard output is a small pipe.
#
# slow: the pipe is non-blocking, as another process may have made it, and is
#       read slowly; what comes out of it goes to our standard output.
# errors: the same for standard error.
# BYTES: the reader goes away when it has read this many.
#
# Usage: on_pipe.py slow|errors|BYTES PROGRAM ARGUMENT...
#
# Exit status: that of the program; 128 and the signal's number if one ended it.
import fcntl
import os
import subprocess
import sys
import time

SMALLEST = 4096
how, words = sys.argv[1], sys.argv[2:]
reader, writer = os.pipe()
fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, SMALLEST)
if how in ('slow', 'errors'):
    os.set_blocking(writer, False)
    stream = 'stderr' if how == 'errors' else 'stdout'
    program = subprocess.Popen(words, **{stream: writer})
    os.close(writer)
    time.sleep(0.2)
    while data := os.read(reader, SMALLEST // 2):
        sys.stdout.buffer.write(data)
        time.sleep(0.0005)
    os.close(reader)
else:
    left = int(how)
    if not left:
        os.close(reader)
    program = subprocess.Popen(words, stdout=writer)
    os.close(writer)
    while left and (data := os.read(reader, min(left, SMALLEST))):
        left -= len(data)
        if not left:
            os.close(reader)
            break
status = program.wait()
sys.exit(status if status >= 0 else 128 - status)
