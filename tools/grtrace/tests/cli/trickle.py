#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Plays the kernel for a recorder.

trickle.py FIFO FILE...     FIFO and FILE alternate
trickle.py --tables FILE    prints the packet with the tables, as of a flight recorder

The packets of each file go into its FIFO, those of all files in
turn, and each only when the recorder has read the one before: a read then returns one whole
packet, as from the kernel. This ends when the recorder does not read for some seconds.
"""
import array
import fcntl
import itertools
import os
import struct
import sys
import termios
import time

PACKET = 0x100
NO_CPU = 0xffffffff
OVERWRITE = 0x20
FEATURES = 64 + 16    # behind the PACKET
ROOM = 1 << 20
SECONDS = 5


def packets(path):
    with open(path, "rb") as file:
        data = file.read()
    at = start = 0
    while at < len(data):
        kind, size = struct.unpack_from("<HH", data, at)
        if kind == PACKET and at > start:
            yield data[start:at]
            start = at
        at += size
    yield data[start:]


def of_cpu(packet):
    return struct.unpack_from("<I", packet, 12)[0] != NO_CPU


def put(fifo, packet):
    waiting = array.array("i", [1])
    deadline = time.monotonic() + SECONDS
    while waiting[0]:
        fcntl.ioctl(fifo, termios.FIONREAD, waiting)
        if waiting[0]:
            time.sleep(0.0005)
        if time.monotonic() > deadline:
            sys.exit()
    os.write(fifo, packet)


if sys.argv[1] == "--tables":
    tables = bytearray(next(packets(sys.argv[2])))
    tables[FEATURES] |= OVERWRITE
    sys.stdout.buffer.write(tables)
    sys.exit()
fifos = [os.open(path, os.O_RDWR) for path in sys.argv[1::2]]
for fd in fifos:
    fcntl.fcntl(fd, fcntl.F_SETPIPE_SZ, ROOM)
for row in itertools.zip_longest(*(filter(of_cpu, packets(path)) for path in sys.argv[2::2])):
    for fd, one in zip(fifos, row):
        if one:
            put(fd, one)
for fd in fifos:
    put(fd, b"")
    os.close(fd)
