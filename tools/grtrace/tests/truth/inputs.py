# SPDX-License-Identifier: GPL-2.0
"""Where captures come from: stored ones, text fixtures, simulated GPUs, and damaged
copies of all of these."""

import glob
import lzma
import os
import random
import re
import shutil
import struct
import subprocess

PACKET = 0x100


def stored(folder):
    """Name: path of each capture below a folder of captures."""
    found = {}
    for path in sorted(glob.glob(f"{folder}/*/*.grtrace.*")):
        base = re.sub(r"\.grtrace\.\d+(\.xz)?$", "", path)
        found[os.path.relpath(base, folder)] = base
    return found


def unpacked(base, folder):
    """The base name of a stored capture's files, in the folder where they are packed."""
    packed = glob.glob(f"{glob.escape(base)}.grtrace.*.xz")
    for path in packed:
        with lzma.open(path) as file, open(f"{folder}/{os.path.basename(path)[:-3]}", "wb") as copy:
            shutil.copyfileobj(file, copy)
    return f"{folder}/{os.path.basename(base)}" if packed else base


def fixtures(folder):
    """Name: path of each text fixture."""
    return {os.path.basename(path)[:-4]: path for path in sorted(glob.glob(f"{folder}/*.txt"))}


class Workload:
    """The options of one simulation, by chance."""

    def __init__(self, seed, jobs=None):
        dice = random.Random(seed)
        self.seed = seed
        self.jobs = jobs or dice.choice((5, 10, 30, 60, 100, 200, 300))
        self.warm = dice.choice((0, 0, 0, 50))
        self.stream = dice.random() < 0.2
        self.sample = dice.choice((1, 1, 1, 3, 10))
        self.drop = dice.choice((0, 0, 0, 5, 30, 150))
        self.overwrite = dice.choice((0, 0, 0, 0, 100, 400))
        # In a stream a LOST comes when what is later has been read.
        self.stream = self.stream and not self.drop
        flags = {flag for flag, chance in (
            ("--out-of-order", 0.2), ("--no-start", 0.3), ("--no-commit", 0.15),
            ("--recycle", 0.3), ("--wrap", 0.3), ("--reorder", 0.4), ("--cut", 0.2))
                 if dice.random() < chance}
        # It is unknown whose record it is where an id is used again and numbers
        # wrap, or records are lost in between.
        if "--recycle" in flags and (self.drop or self.overwrite or "--wrap" in flags):
            flags.remove("--recycle")
        self.flags = sorted(flags)
        self.numbers = {
            "--cpus": dice.randint(1, 6), "--devices": dice.randint(1, 3),
            "--rings": dice.randint(1, 8), "--processes": dice.randint(1, 8),
            "--contexts": dice.randint(1, 4), "--fail": dice.choice((0, 50)),
            "--hang": dice.choice((0, 0, 20)), "--endless": dice.choice((0, 0, 20)),
            "--depend": dice.choice((0, 100, 500)), "--preempt": dice.choice((0, 100)),
            "--wait": dice.choice((0, 100, 500)),
            "--subbuf": dice.choice((4096, 4096, 16384, 65536))}
        if dice.random() < 0.5:
            self.flags.append("--clients")

    def words(self, name):
        words = ["--seed", self.seed, "--jobs", self.jobs, "--warm", self.warm, "--drop",
                 self.drop, "--overwrite", self.overwrite, *self.flags]
        for option, number in self.numbers.items():
            words += [option, number]
        return [str(word) for word in words + ["--stream"] * self.stream + [name]]

    def make(self, build, name):
        subprocess.run([f"{build}/workload", "--truth", f"{name}.truth", *self.words(name)], check=True, capture_output=True, timeout=300)
        if self.stream:
            self.weigh(name)
            return
        for cpu in range(self.numbers["--cpus"]):
            # A recorder also writes a file for a silent CPU.
            with open(f"{name}.grtrace.{cpu}", "ab"):
                pass
            self.weigh(f"{name}.grtrace.{cpu}")

    def weigh(self, path):
        """Says packet by packet that jobs were sampled."""
        with open(path, "rb") as file:
            data = bytearray(file.read())
        at, dice = 0, random.Random(self.seed)
        while self.sample > 1 and at < len(data):
            kind, size = struct.unpack_from("<HH", data, at)
            if kind == PACKET:
                struct.pack_into("<I", data, at + 60, self.sample if self.seed % 2 else
                                 dice.choice((1, self.sample)))
            at += size
        with open(path, "wb") as file:
            file.write(data)


def thresholds(seed):
    """Options of grtrace report for labels, by chance, and SQL's parameters for them."""
    dice = random.Random(seed)
    words, values = [], {}
    if dice.random() < 0.6:
        for option, name in (("--long-queue-us", "long_queue_ns"), ("--blocked-us", "blocked_ns"),
                             ("--host-us", "host_ns"), ("--slow-exec-us", "slow_ns")):
            if option == "--slow-exec-us" and dice.random() < 0.5:
                continue
            us = dice.choice((1, 5, 20, 50, 200))
            values[name] = us * 1000
            words += [option, str(us)]
        values["share"] = dice.choice((0, 10, 33, 50, 90))
        words += ["--share", str(values["share"])]
    return words, values


def damage(data, dice):
    """A copy that is not what was written."""
    data = bytearray(data)
    at, length = dice.randrange(len(data)), dice.choice((1, 2, 4, 8, 16, 64, 200))
    how = dice.choice(("bit", "bit", "zeros", "ones", "cut", "insert", "end", "repeat"))
    if how == "bit":
        data[at] ^= 1 << dice.randrange(8)
    elif how in ("zeros", "ones"):
        length = min(length, len(data) - at)
        data[at:at + length] = (b"\0" if how == "zeros" else b"\xff") * length
    elif how == "cut":
        del data[at:at + length]
    elif how == "insert":
        data[at:at] = dice.randbytes(length)
    elif how == "end":
        del data[at:]
    else:
        data[at:at] = data[at:at + 8 * length]
    return bytes(data), f"{how} at {at}"


def copy_damaged(paths, target, seed):
    """Copies the files of a capture, one of them damaged; says how."""
    dice = random.Random(seed)
    full = [path for path in paths if os.path.getsize(path)]
    hit = dice.choice(full) if full else None
    done = []
    for path in paths:
        with open(path, "rb") as file:
            data = file.read()
        cpu = re.search(r"\.grtrace\.(\d+)$", path)
        for _ in range(dice.choice((1, 1, 1, 2, 5)) if path == hit else 0):
            if data:
                data, how = damage(data, dice)
                done.append(how)
        with open(f"{target}.grtrace.{cpu[1] if cpu else 0}", "wb") as file:
            file.write(data)
    return ", ".join(done)
