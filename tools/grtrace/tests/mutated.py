#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Damaged inputs, to all commands that read traces of strangers.

Two kinds. Damage that a reader can see by the stream's own rules (include/uapi/drm/grtrace_drm.h):
a file that was cut, packets that are gone, repeated or exchanged, numbers of a PACKET and of its
records that are not those that were written, records of another size, a compressed file that is
not what was packed. There --strict must not exit with 0. And bytes and lines that are changed,
removed or repeated anywhere, of captures and of traces of other programs, which may still be right.
In all of them no command crashes, takes 10 s or more than 500 MB.

Usage: mutated.py --build FOLDER [--runs N] [--seed S] [--keep FOLDER] [INPUTS...]

  --runs N    this number of inputs (default: 500)
  --seed S    other ones (default: 1)
  --keep DIR  copies there what a command failed at
  INPUTS      further folders whose captures and traces are taken as well

Prints TAP: a line for each kind. Exit status: 0 when all is as it should be, else 1."""

import argparse
import collections
import glob
import gzip
import lzma
import os
import random
import re
import resource
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
SECONDS, KIB = 10, 500_000
PACKET, STOP = 0x100, 0x109
STOP_HEAD = struct.pack("<HH", STOP, 40)
NOT_SEQUENCED = {0x100, 0x101, 0x102, 0x103, STOP}
# Where PACKET has which number, in bytes, and its struct format. Its ts, ctx_hi and sample have no other
# number that they must agree with, and its gseq only has to be above that of earlier records.
NUMBERS = {"magic": (4, "<I"), "major": (8, "<H"), "minor": (10, "<H"), "cpu": (12, "<I"), "session": (16, "<Q"),
           "cseq": (40, "<Q"), "lost": (48, "<Q")}
# Commands with --strict: of captures, and those that make a file.
STRICT = (["parse", "-q", "--strict", "x"], ["report", "--strict", "x"], ["report", "--full", "--strict", "x"],
          ["timeline", "--strict", "x"], ["verify", "--strict", "x"], ["diff", "--strict", "x", "x"],
          ["export", "--strict", "--to", "csv", "-o", "-", "x"], ["merge", "--strict", "-o", "merged", "x", "x"])
LAX = (["parse", "x"], ["parse", "-q", "-O", "--json", "x"], ["report", "x"], ["report", "--full", "--csv", "-o", "rows", "x"],
       ["timeline", "x"], ["timeline", "-T", "x"], ["explain", "x"], ["explain", "--worst", "x"], ["verify", "x"],
       ["diff", "x", "x"], ["export", "--to", "perfetto", "-o", "out.p", "x"], ["export", "--to", "sqlite", "-o", "out.s", "x"],
       ["export", "--to", "ctf", "-o", "out.c", "x"], ["export", "--to", "csv", "-o", "-", "x"], ["merge", "-o", "merged", "x"])
FOREIGN = (["import", "-q", "-o", "made", "x"], ["import", "--strict", "-q", "-o", "made", "x"], ["report", "--strict", "x"],
           ["report", "--full", "x"], ["timeline", "x"], ["verify", "x"], ["explain", "x"], ["merge", "-o", "merged", "x"])


# --------------------------------------------------------------- what is mutated

def unpacked(path):
    with (lzma.open if path.endswith(".xz") else open)(path, "rb") as file:
        return file.read()


def stored_captures(folders):
    """Lists, one of each capture, with the bytes of its files."""
    found = collections.defaultdict(list)
    for folder in folders:
        for path in sorted(glob.glob(f"{folder}/**/*.grtrace.*", recursive=True)):
            if re.search(r"\.grtrace\.\d+(\.xz)?$", path):
                found[path.split(".grtrace.")[0]].append(unpacked(path))
    return [files for files in found.values() if sum(map(len, files)) < 2_000_000]


def foreign_traces(folders):
    ends = (".txt", ".dat", ".pftrace", ".gz", ".zst", ".data")
    paths = sorted(path for folder in folders for path in glob.glob(f"{folder}/**/*", recursive=True)
                   if path.endswith(ends) and os.path.isfile(path) and os.path.getsize(path) < 2_000_000)
    return [(os.path.splitext(path)[1], unpacked(path)) for path in paths]


class Stream:
    """Where the packets and records of a file are."""

    def __init__(self, data):
        self.packets = []  # (offset, end, [(offset, type, size)])
        at = 0
        while at + 4 <= len(data):
            kind, size = struct.unpack_from("<HH", data, at)
            if size < 8 or size % 8 or at + size > len(data):
                break
            if kind == PACKET:
                self.packets.append([at, at, []])
            elif not self.packets:
                break
            else:
                self.packets[-1][2].append((at, kind, size))
            at += size
            self.packets[-1][1] = at
        self.whole = at == len(data)

    def of_cpus(self, data):
        """The packets of CPUs that have sequenced records."""
        return [packet for packet in self.packets
                if struct.unpack_from("<I", data, packet[0] + 12)[0] != 0xffffffff
                and any(kind not in NOT_SEQUENCED for _, kind, _ in packet[2])]

    def stop(self):
        """Where its STOP is, or 0. Behind it are a recorder's tables."""
        return max((at for packet in self.packets for at, kind, _ in packet[2] if kind == STOP), default=0)


# ------------------------------------------------------- damage that can be seen

def cut(dice, data, stream):
    return data[:dice.randrange(1, stream.stop() + 8)]


def packet_gone(dice, data, stream):
    at, end, _ = dice.choice(stream.of_cpus(data))
    return data[:at] + data[end:]


def packet_twice(dice, data, stream):
    at, end, _ = dice.choice(stream.of_cpus(data))
    return data[:end] + data[at:]


def packets_exchanged(dice, data, stream):
    packets = stream.of_cpus(data)
    first = dice.randrange(len(packets) - 1)
    (a, a_end, _), (b, b_end, _) = packets[first:first + 2]
    return data[:a] + data[b:b_end] + data[a_end:b] + data[a:a_end] + data[b_end:]


def number_of_packet(dice, data, stream):
    at = dice.choice(stream.of_cpus(data))[0]
    offset, form = NUMBERS[dice.choice(sorted(NUMBERS))]
    return flipped(dice, data, at + offset, form)


def number_of_record(dice, data, stream):
    records = [record for packet in stream.of_cpus(data) for record in packet[2] if record[1] not in NOT_SEQUENCED]
    return flipped(dice, data, dice.choice(records)[0] + 8, "<I")


def size_of_record(dice, data, stream):
    at, _, size = dice.choice([record for packet in stream.of_cpus(data) for record in packet[2]])
    other = dice.choice([0, 4, size - 8, size + 8, size + 16, size + 4, 0xfff8])
    return data[:at + 2] + struct.pack("<H", other & 0xffff) + data[at + 4:]


def bytes_gone(dice, data, stream):
    packet = dice.choice(stream.of_cpus(data))
    at = dice.randrange(packet[0], packet[1] - 1)
    return data[:at] + data[min(at + dice.choice([1, 3, 8, 64, 1000]), packet[1]):]


def flipped(dice, data, at, form):
    value, = struct.unpack_from(form, data, at)
    changed = bytearray(data)
    struct.pack_into(form, changed, at, value ^ 1 << dice.randrange(8 * struct.calcsize(form)))
    return bytes(changed)


DAMAGE = {"cut": cut, "a packet is gone": packet_gone, "a packet is there twice": packet_twice,
          "two packets are exchanged": packets_exchanged, "a number of a packet": number_of_packet,
          "a number of a record": number_of_record, "the size of a record": size_of_record,
          "bytes are gone": bytes_gone}


# ------------------------------------------------------------ anything anywhere

def anything(dice, data):
    changed = bytearray(data)
    for _ in range(dice.choice([1, 1, 2, 5, 30])):
        at, length = dice.randrange(len(changed) or 1), dice.choice([1, 2, 8, 50, 400])
        what = dice.randrange(6)
        if what == 0 and changed:
            changed[at] ^= 1 << dice.randrange(8)
        elif what == 1:
            changed[at:at + length] = dice.randbytes(length)
        elif what == 2:
            del changed[at:at + length]
        elif what == 3:
            changed[at:at] = changed[at:at + length] * dice.choice([1, 2, 40])
        elif what == 4:
            changed[at:at + length] = dice.choice([b"\0", b"\xff", b"9", b"\n", b":", b"[", b"\x80"]) * length
        else:
            other = dice.randrange(len(changed) or 1)
            changed[at:at + length], changed[other:other + length] = \
                changed[other:other + length], changed[at:at + length]
    return bytes(changed)


# ---------------------------------------------------------------------- running

class Judge:
    def __init__(self, build, keep):
        self.grtrace, self.keep = f"{os.path.abspath(build)}/grtrace", keep
        self.kinds, self.faults, self.most_kib = collections.Counter(), collections.defaultdict(list), 0

    def run(self, folder, kind, command, strict):
        """Runs it in FOLDER. With strict, its exit status must not be 0."""
        self.kinds[kind] += 1
        with open(f"{folder}/said", "w+", encoding="utf-8", errors="backslashreplace") as said:
            # Its own group, with what it starts.
            child = subprocess.Popen([self.grtrace, *command], cwd=folder, stdin=subprocess.DEVNULL, stdout=said, stderr=said,
                                     start_new_session=True, preexec_fn=limit)
            try:
                status, late = child.wait(SECONDS), False
            except subprocess.TimeoutExpired:
                os.killpg(child.pid, signal.SIGKILL)
                status, late = child.wait(), True
            said.seek(0)
            text = said.read(100_000)
        # The most of all children so far, which is enough to know of one that takes too much.
        kib = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        why = None
        if late:
            why = f"takes more than {SECONDS} s"
        elif status < 0 or status > 4 or re.search(r"Sanitizer|terminate called|signal 1?\d\b|Assertion", text):
            why = f"ends with {status}: {text.strip()[-300:]}"
        elif strict and status == 0:
            why = "exits with 0 under --strict"
        elif kib > KIB and kib > self.most_kib:
            why = f"takes {kib} KiB"
        self.most_kib = max(self.most_kib, kib)
        if why:
            number = sum(map(len, self.faults.values()))
            self.faults[kind].append(f"{number}: grtrace {' '.join(command)}: {why}")
            if self.keep:
                shutil.copytree(folder, f"{self.keep}/{number}", dirs_exist_ok=True)

    def verdict(self):
        for number, (kind, times) in enumerate(sorted(self.kinds.items()), 1):
            print(f"{'not ok' if self.faults[kind] else 'ok'} {number} {kind}: {times} inputs")
            for fault in self.faults[kind][:10]:
                print("".join(f"# {line}\n" for line in fault.splitlines()), end="")
        print(f"1..{len(self.kinds)}")
        print(f"# at most {self.most_kib} KiB")
        return any(self.faults.values())


def limit():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 30, 1 << 30))


def write(folder, files):
    for number, data in enumerate(files):
        with open(f"{folder}/x.grtrace.{number}", "wb") as file:
            file.write(data)


def damaged_capture(dice, judge, folder, captures):
    files = list(dice.choice(captures))
    number = dice.randrange(len(files))
    stream = Stream(files[number])
    kind = dice.choice(sorted(DAMAGE))
    if len(stream.of_cpus(files[number])) < 2:
        kind = dice.choice(["cut", "a number of a record", "the size of a record"])
    files[number] = DAMAGE[kind](dice, files[number], stream)
    if not any(STOP_HEAD in data for data in files):
        return  # a stream without any STOP may have been a pipe
    write(folder, files)
    judge.run(folder, kind, dice.choice(STRICT), True)


def is_whole(module, data, text):
    try:
        return module.decompress(data) == text
    except (EOFError, OSError, lzma.LZMAError, zlib.error):
        return False


def damaged_package(dice, judge, folder, texts):
    text = dice.choice(texts)
    module, head = dice.choice([(gzip, 10), (lzma, 0)])
    data = bytearray(module.compress(text))
    if dice.randrange(2):
        del data[dice.randrange(head + 10, len(data)):]
    else:
        data[dice.randrange(head, len(data))] ^= 1 << dice.randrange(8)
        if is_whole(module, data, text):
            return  # a bit that fills up a byte
    with open(f"{folder}/x", "wb") as file:
        file.write(data)
    judge.run(folder, "a compressed trace", dice.choice([["import", "--strict", "-q", "-o", "made", "x"],
                                                         ["report", "--strict", "x"], ["verify", "--strict", "x"]]), True)


def any_capture(dice, judge, folder, captures):
    files = list(dice.choice(captures))
    number = dice.randrange(len(files))
    files[number] = anything(dice, files[number])
    write(folder, files)
    judge.run(folder, "anything in a capture", dice.choice(LAX + STRICT), False)


def any_trace(dice, judge, folder, traces):
    end, data = dice.choice(traces)
    with open(f"{folder}/x", "wb") as file:
        file.write(anything(dice, data))
    judge.run(folder, f"anything in a trace *{end}", dice.choice(FOREIGN), False)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True)
    parser.add_argument("--runs", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep")
    parser.add_argument("inputs", nargs="*")
    args = parser.parse_args()
    if args.keep:
        os.makedirs(args.keep, exist_ok=True)
    folders = [f"{HERE}/{name}" for name in ("captures", "cases", "foreign", "reviews", "fixtures")] + args.inputs
    captures, traces = stored_captures(folders), foreign_traces(folders)
    ended = [files for files in captures if all(Stream(data).stop() and Stream(data).of_cpus(data) for data in files)]
    texts = [data for end, data in traces if end == ".txt" and len(data) > 500]
    judge = Judge(args.build, args.keep)
    # Undamaged captures pass, or the rest says nothing.
    with tempfile.TemporaryDirectory(prefix="grtrace-mutated-") as work:
        ended = [files for files in ended if passes(judge, work, files)]
    for number in range(args.runs):
        dice = random.Random(f"{args.seed}:{number}")
        kind, inputs = dice.choice([(damaged_capture, ended), (damaged_capture, ended), (damaged_package, texts),
                                    (any_capture, captures), (any_trace, traces)])
        with tempfile.TemporaryDirectory(prefix="grtrace-mutated-") as folder:
            kind(dice, judge, folder, inputs)
    sys.exit(judge.verdict())


def passes(judge, work, files):
    with tempfile.TemporaryDirectory(dir=work) as folder:
        write(folder, files)
        return subprocess.run([judge.grtrace, "parse", "-q", "--strict", "x"], cwd=folder, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, timeout=60, check=False).returncode == 0


main()
