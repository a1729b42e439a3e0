# SPDX-License-Identifier: GPL-2.0
"""
Writes what blktrace would have recorded of EVENTS steps of requests to one disk, each
queued, allocated, inserted, dispatched and completed:

	blk_stream.py EVENTS NAME	writes NAME.blktrace.0
"""
import struct
import sys

# struct blk_io_trace, and of its actions and categories those that occur here.
TRACE = struct.Struct("=IIQQIIIIIHH")
MAGIC, DEVICE = 0x65617407, 8 << 20
READ, WRITE, QUEUE, ISSUE, COMPLETE, NOTIFY = (1 << 16 + bit for bit in (0, 1, 4, 6, 7, 10))
STEPS = (1 | QUEUE, 4 | QUEUE, 12 | QUEUE, 7 | ISSUE, 8 | COMPLETE)
PROCESSES = 8


def main():
    events, name = int(sys.argv[1]), sys.argv[2]
    with open(name + ".blktrace.0", "wb") as file:
        for i in range(PROCESSES):
            file.write(TRACE.pack(MAGIC, i + 1, 0, 0, 0, NOTIFY, 1000 + i, DEVICE, 0, 0, 16))
            file.write(struct.pack("16s", b"reader-%d" % (1000 + i)))
        for n in range(events):
            # The steps of 16 requests in turns, as a disk with a queue of 16 has them.
            request = n // (16 * len(STEPS)) * 16 + n % 16
            action = STEPS[n // 16 % len(STEPS)] | (READ if request % 3 else WRITE)
            file.write(TRACE.pack(MAGIC, PROCESSES + n + 1, n * 1000, request * 8, 8 * 512, action,
                                  1000 + request % PROCESSES, DEVICE, 0, 0, 0))


main()
