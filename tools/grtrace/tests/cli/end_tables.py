# SPDX-License-Identifier: GPL-2.0
"""end_tables.py NAME: adds to NAME.grtrace.<cpu> what a recorder adds to a simulated capture.

Tables go before each file that has none, and with all rings behind the first.
"""
import glob
import struct
import sys

PACKET, RING, NO_CPU = 0x100, 0x104, 0xffffffff


def records(data):
    at = 0
    while at < len(data):
        kind, size = struct.unpack_from("<HH", data, at)
        yield kind, data[at:at + size], at
        at += size


def is_table(record):
    return struct.unpack_from("<I", record, 12)[0] == NO_CPU


files = {name: open(name, "rb").read() for name in sorted(glob.glob(sys.argv[1] + ".grtrace.*"))}
first = next(iter(files))
tables = files[first][:next(at for kind, record, at in records(files[first]) if kind == PACKET and not is_table(record))]
rings = b"".join(record for data in files.values() for kind, record, at in records(data) if kind == RING)
for name, data in files.items():
    with open(name, "wb") as file:
        file.write((b"" if is_table(data) else tables) + data + (tables + rings if name == first else b""))
