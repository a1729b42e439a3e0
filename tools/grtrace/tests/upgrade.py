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
import glob
import lzma
import os
import re
import struct
import sys

MAGIC = b"GRTR"
PACKET, STREAM_INFO, METADATA, LOST, RING, TASK, CLIENT = \
    0x100, 0x101, 0x102, 0x103, 0x104, 0x105, 0x108
SUBMIT, END, ERROR = 1, 7, 13
PACKET_SIZE = 64
NAME = re.compile(r"\.grtrace\.\d+(\.xz)?$")


class CannotBe(Exception):
    """Why a capture cannot be upgraded."""


class Facts:
    """Facts that one record of a capture states about others."""

    def __init__(self, files):
        self.cpu = None  # of the packet
        self.clients = {}  # by CPU and context % 128: the context, and its client
        self.tasks = {}  # the last TASK, by pid
        self.drivers = {}  # by ring
        for data in files:
            for at in all_records(data):
                kind, size = struct.unpack_from("<HH", data, at)
                if kind == RING and size >= 80:
                    ring, = struct.unpack_from("<I", data, at + 16)
                    self.drivers[ring] = data[at + 56:at + 80].split(b"\0")[0]


def resized(record, size):
    """Longer, by zeroes."""
    record += bytes(size - len(record))
    struct.pack_into("<H", record, 2, len(record))


def from_1_0(kind, record, _facts):
    """SIZE_SKIP, which every writer set, and SEC_STATS, of a debugfs file, are no more."""
    if kind == STREAM_INFO and len(record) >= 24:
        features, = struct.unpack_from("<Q", record, 16)
        struct.pack_into("<Q", record, 16, features & ~0b1001)


def from_0_2(kind, record, _facts):
    """order=clock, clock=tai and a LOST of 32 bytes are no more."""
    if kind == STREAM_INFO and len(record) >= 24:
        clock, _, features = struct.unpack_from("<IQQ", record, 4)
        if features & 1 << 4:
            raise CannotBe("its records have no gseq (order=clock), which 0.3 cannot hold")
        struct.pack_into("<I", record, 4, 0 if clock == 11 else clock)
    elif kind == LOST and len(record) == 32:
        resized(record, 48)


def submit_from_0_3(record, facts):
    """With its client, and without its credits; a fence is that of a command."""
    ctx, _, ring = struct.unpack_from("<III", record, 16)
    arg, = struct.unpack_from("<H", record, 30)
    known, client = facts.clients.get((facts.cpu, ctx % 128), (None, 0))
    fence = bytes(record[32:40])
    is_virtio = facts.drivers.get(ring) == b"virtio_gpu"
    struct.pack_into("<H", record, 30, 0)
    record[32:40] = struct.pack("<Q", client if known == ctx else 0)
    if fence or is_virtio:
        record += fence or bytes(8)
        record += struct.pack("<II", arg if is_virtio else 0, 0)
    resized(record, len(record))


def from_0_3(kind, record, facts):
    """A SUBMIT has its client. A CLIENT took a number, which a repeated TASK takes now."""
    if kind == PACKET:
        facts.cpu, = struct.unpack_from("<I", record, 12)
    elif kind == TASK:
        facts.tasks[bytes(record[12:16])] = bytes(record)
    elif kind == METADATA:
        record[:] = record.replace(b"event 1 submit Q 32\n", b"event 1 submit Q 40\n")
    elif kind == CLIENT:
        ctx, client = struct.unpack_from("<QQ", record, 16)
        facts.clients[facts.cpu, ctx % 128] = ctx & 0xffffffff, client
        pid = bytes(record[12:16])
        if pid not in facts.tasks:
            raise CannotBe("it has a CLIENT of a thread without a name, which 0.4 cannot hold")
        record[16:] = facts.tasks[pid][16:]
        record[0:4] = facts.tasks[pid][0:4]
    elif kind == SUBMIT:
        submit_from_0_3(record, facts)
    elif kind == END:
        ring, = struct.unpack_from("<I", record, 24)
        if facts.drivers.get(ring) == b"virtio_gpu":
            record += struct.pack("<HHI", *struct.unpack_from("<H", record, 30), 0, 0)
            struct.pack_into("<H", record, 30, 0)
            resized(record, 40)


def from_0_4(kind, record, _facts):
    """15 is QUEUE: the IOCTL of the tools is 48."""
    if kind == 15:
        struct.pack_into("<H", record, 0, 48)
    elif kind == METADATA:
        record[8:] = record[8:].replace(b"event 15 ioctl ", b"event 48 ioctl ")


def from_0_5(_kind, _record, _facts):
    """No CPU has a STOP: without a line "state" none is expected."""


def from_0_6(kind, record, _facts):
    """A RING has flags and a timeout. Names show which older rings are user-mode queues."""
    if kind == RING and len(record) >= 112:
        is_user = record[80:112].startswith(b"userq_")
        record[112:112] = struct.pack("<II", 0b1010 if is_user else 0, 0)
        struct.pack_into("<H", record, 2, len(record))


def from_0_7(kind, record, _facts):
    """An ERROR names who is to blame, and a TASK its cgroup: both not known."""
    if kind == ERROR and len(record) >= 40:
        record[40:40] = bytes(88)
        resized(record, len(record))
    elif kind == TASK and len(record) >= 40:
        record[40:40] = bytes(8)
        resized(record, len(record))
    elif kind == METADATA:
        text = bytes(record[8:]).rstrip(b"\0")
        told = text.replace(b"event 13 error ER 40\n", b"event 13 error ER 128\n")
        if told != text:
            record[8:] = told + bytes(-len(told) % 8)
            resized(record, len(record))


# Each version, in order, the one after it, and what changes the records between them.
STEPS = {(1, 0): ((0, 2), from_1_0), (0, 2): ((0, 3), from_0_2), (0, 3): ((0, 4), from_0_3),
         (0, 4): ((0, 5), from_0_4), (0, 5): ((0, 6), from_0_5),
         (0, 6): ((0, 7), from_0_6), (0, 7): ((0, 8), from_0_7)}
PRESENT = 0, 8


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


def records(data, at):
    """Where the packet that begins there, and each record of it, begins."""
    first = at
    while len(data) - at >= 8:
        kind, size = struct.unpack_from("<HH", data, at)
        if size < 8 or size % 8 or size > len(data) - at or kind == PACKET and at > first:
            return
        yield at
        at += size


def all_records(data):
    """The same of all packets."""
    end = 0
    for first, _ in packets(data):
        for at in records(data, first) if first >= end else ():
            end = at + struct.unpack_from("<H", data, at + 2)[0]
            yield at


def step(data, old, facts):
    """Rewrites each packet of that version, up to the next packet or to bytes that are not a record."""
    new, change = STEPS[old]
    out, end = bytearray(), 0
    for at, version in list(packets(data)):
        if version != old or at < end:
            continue
        out += data[end:at]
        end = at
        for place in records(data, at):
            kind, size = struct.unpack_from("<HH", data, place)
            record = bytearray(data[place:place + size])
            if kind == PACKET:
                struct.pack_into("<HH", record, 8, *new)
            change(kind, record, facts)
            out += record
            end = place + size
    return bytes(out + data[end:])


def upgraded(name, data):
    """data: of that file; the others of its capture are beside it."""
    others = glob.glob(glob.escape(NAME.sub(".grtrace", name)) + ".[0-9]*") if NAME.search(name) else []
    for old in STEPS:
        facts = Facts([data] + [read(other) for other in others if other != name])
        data = step(data, old, facts)
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
            new = upgraded(name, data)
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
