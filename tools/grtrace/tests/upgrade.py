#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""
Rewrites stored captures, in place, to the version of the stream that the tools read now.

Before version 1.0 a reader reads one version only, so a change of the format would turn
stored captures into files that are refused, and their tests into tests of that. Each change
adds its step here. Damage and cut ends stay as they are.

Usage: upgrade.py FILE...           all files of a capture; they may be compressed (.xz)
       upgrade.py --list FOLDER...  prints the captures below it, and their versions

Exit status: 0, or 1 if a file cannot be upgraded; --list: 1 if one is not the present.
"""
import lzma
import os
import re
import struct
import sys

MAGIC = b"GRTR"
PACKET, STREAM_INFO, LOST = 0x100, 0x101, 0x103
PACKET_SIZE = 64
NAME = re.compile(r"\.grtrace\.\d+(\.xz)?$")


class CannotBe(Exception):
    """Why a capture cannot be upgraded."""


def from_1_0(kind, record):
    """SIZE_SKIP, which every writer set, and SEC_STATS, of a debugfs file, are no more."""
    if kind == STREAM_INFO and len(record) >= 24:
        features, = struct.unpack_from("<Q", record, 16)
        struct.pack_into("<Q", record, 16, features & ~0b1001)


def from_0_2(kind, record):
    """order=clock, clock=tai and a LOST of 32 bytes are no more."""
    if kind == STREAM_INFO and len(record) >= 24:
        clock, _, features = struct.unpack_from("<IQQ", record, 4)
        if features & 1 << 4:
            raise CannotBe("its records have no gseq (order=clock), which 0.3 cannot hold")
        struct.pack_into("<I", record, 4, 0 if clock == 11 else clock)
    elif kind == LOST and len(record) == 32:
        record += bytes(16)
        struct.pack_into("<H", record, 2, len(record))


# Each version, in order, the one after it, and what changes the records between them.
STEPS = {(1, 0): ((0, 2), from_1_0), (0, 2): ((0, 3), from_0_2)}
PRESENT = 0, 3


def packet_at(data, at):
    """The version of the packet that begins there, or None."""
    if at < 0 or len(data) - at < PACKET_SIZE or data[at + 4:at + 8] != MAGIC:
        return None
    kind, size = struct.unpack_from("<HH", data, at)
    if kind != PACKET or size < PACKET_SIZE or size % 8:
        return None
    return struct.unpack_from("<HH", data, at + 8)


def packets(data):
    """Where each packet begins, whatever is between them, and its version."""
    at = data.find(MAGIC)
    while at >= 0:
        version = packet_at(data, at - 4)
        if version:
            yield at - 4, version
        at = data.find(MAGIC, at + 1)


def step(data, old):
    """Rewrites each packet of that version, up to the next packet or to what is no record."""
    new, change = STEPS[old]
    out, end = bytearray(), 0
    for at, version in list(packets(data)):
        if version != old or at < end:
            continue
        out += data[end:at]
        end = at
        while len(data) - end >= 8:
            kind, size = struct.unpack_from("<HH", data, end)
            if size < 8 or size % 8 or size > len(data) - end or kind == PACKET and end > at:
                break
            record = bytearray(data[end:end + size])
            if kind == PACKET:
                struct.pack_into("<HH", record, 8, *new)
            change(kind, record)
            out += record
            end += size
    return bytes(out + data[end:])


def upgraded(data):
    for old in STEPS:
        data = step(data, old)
    return data


def read(name):
    with (lzma.open if name.endswith(".xz") else open)(name, "rb") as file:
        return file.read()


def write(name, data):
    if name.endswith(".xz"):
        data = lzma.compress(data, preset=9 | lzma.PRESET_EXTREME)
    with open(name, "wb") as file:
        file.write(data)


def list_captures(folders):
    others = 0
    for folder in folders:
        for path, _, names in sorted(os.walk(folder)):
            for name in sorted(filter(NAME.search, names)):
                versions = sorted(set(version for _, version in packets(read(f"{path}/{name}"))))
                others += versions != [PRESENT]
                print(f"{path}/{name}", *(f"{major}.{minor}" for major, minor in versions))
    return others > 0


def main(args):
    if not args or args[0].startswith("-") and args[0] != "--list":
        sys.exit(__doc__)
    if args[0] == "--list":
        return list_captures(args[1:])
    unknown = 0
    for name in args:
        data = read(name)
        try:
            new = upgraded(data)
        except CannotBe as why:
            print(f"{name}: {why}", file=sys.stderr)
            unknown = 1
            continue
        if not any(version == PRESENT for _, version in packets(new)):
            print(f"{name}: no packet of a version that can be upgraded", file=sys.stderr)
            unknown = 1
        elif new != data:
            write(name, new)
    return unknown


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
