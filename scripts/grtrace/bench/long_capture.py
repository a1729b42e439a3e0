#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Writes a capture of 10 GB and 1000 s with the records of one second.

    long_capture.py NAME        writes NAME.grtrace.0 to NAME.grtrace.3

Each packet is a full sub-buffer of the default size, but only those of the second from 500 s
to 501 s have records, the name of the task first. The others are a PACKET record and a hole of the file, so it takes
little room on the disk. A search for a time reads as much as in a file without holes.
"""
import struct
import sys

CPUS = 4
SUBBUF = 512 * 1024
PACKETS = 5000                  # of each CPU
PACKET, STREAM_INFO, SUBMIT, RING, TASK = 0x100, 0x101, 1, 0x104, 0x105
FEATURE_NAMES = 1 << 6          # a TASK in each sub-buffer
SESSION, START = 0x5eed, 1000 * 10**9
STEP = 1000 * 10**9 // (CPUS * PACKETS)  # ns from packet to packet, whichever the CPU
HEAD, JOB, NAME = 64, 40, 64     # NAME with a tail, so that jobs fill the rest
RECORDS = 1 + (SUBBUF - HEAD - NAME) // JOB


def packet(cpu, ts, gseq=0, cseq=0):
    return struct.pack("<HHIHHIQQQQQII", PACKET, HEAD, 0x52545247, 0, 8, cpu, SESSION, ts, gseq, cseq, 0, 0, 1)


def tables():
    info = struct.pack("<HHIQQQQ16s64sIII20x", STREAM_INFO, 152, 1, SESSION, FEATURE_NAMES, START, 1700000000 * 10**9,
                       b"", b"7.3.4", SUBBUF, 4, CPUS)
    ring = struct.pack("<HHIIIII32s24s32s8x", RING, 120, 0, 0, 0, 1, 1, b"0000:00:02.0", b"mock", b"gfx")
    return packet(0xffffffff, START) + info + ring


def records(ts, gseq):
    name = struct.pack("<HHIIIII16s24x", TASK, NAME, ts & 0xffffffff, gseq & 0xffffffff, 77, 77, 0, b"app")
    return name + b"".join(struct.pack("<HHIIIIIIHHQ", SUBMIT, JOB, (ts + n * (STEP // RECORDS)) & 0xffffffff,
                                       (gseq + n) & 0xffffffff, 77, 5, gseq + n & 0xffffffff, 1, 0, 1, 0)
                           for n in range(1, RECORDS))


def main():
    for cpu in range(CPUS):
        with open(f"{sys.argv[1]}.grtrace.{cpu}", "wb") as file:
            file.write(tables())
            start = file.tell()
            for number in range(PACKETS):
                turn = number * CPUS + cpu
                ts = START + turn * STEP
                file.seek(start + number * SUBBUF)
                file.write(packet(cpu, ts, turn * RECORDS, number * RECORDS))
                # with what is read beside the second
                if 499 * 10**9 <= ts - START <= 502 * 10**9:
                    file.write(records(ts, turn * RECORDS))
            end = start + PACKETS * SUBBUF
            file.truncate(end)
            if cpu == 0:
                file.seek(end)
                file.write(tables())


main()
