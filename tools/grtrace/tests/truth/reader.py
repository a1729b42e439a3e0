# SPDX-License-Identifier: GPL-2.0
"""A second reader of the stream, from include/uapi/drm/grtrace_drm.h and, for what only
tools write, format/tool_records.h alone: bytes in, the rows of grtrace export --to csv
--rows events out. Offsets are those of the headers' structs, as numbers. Bytes that it
cannot read count as damage, as the header says: from there to the next packet.
"""

import glob
import os
import re
import struct
import uuid
from urllib.parse import unquote_to_bytes

MAGIC = 0x52545247
VERSION = (0, 8)
NONE = 0xffffffff
CPU_MAX = 65535
PACKET, STREAM_INFO, METADATA, LOST, RING, TASK, MESSAGE, SAMPLE = range(0x100, 0x108)
STOP, FENCE_NAME = 0x109, 0x10a
QUEUE, IOCTL = 15, 48
# name, letter, least size of the record
EVENTS = {
    1: ("submit", "Q", 40), 2: ("dep", "DP", 40), 3: ("blocked", "UN", 40), 4: ("pick", "I", 32),
    5: ("commit", "D", 40), 6: ("start", "B", 32), 7: ("end", "E", 32), 8: ("complete", "C", 32),
    9: ("irq", "IR", 32), 10: ("ctx_switch", "CS", 40), 11: ("wait_enter", "WE", 32),
    12: ("wait_exit", "WX", 32), 13: ("error", "ER", 128), 14: ("fence", "FS", 32),
    15: ("queue_state", "QS", 48), 48: ("ioctl", "IO", 96)}
NOTES = {LOST: ("lost", "mL", 48), RING: ("ring", "mR", 120), TASK: ("task", "mT", 48),
         MESSAGE: ("message", "m", 16), SAMPLE: ("sample", "mN", 32),
         FENCE_NAME: ("fence_name", "FN", 80),
         STOP: ("", "", 40), PACKET: ("", "", 64), STREAM_INFO: ("", "", 152), METADATA: ("", "", 8)}
SEQUENCED = (RING, TASK, MESSAGE, SAMPLE, FENCE_NAME)
# IRQ, CTX_SWITCH, ERROR, QUEUE, IOCTL are never left out
ALWAYS_ONE = (9, 10, 13, QUEUE, IOCTL)
ENGINES = ("unknown", "render", "compute", "copy", "video_decode", "video_encode", "other")
SOURCES = ("software", "interrupt", "hardware", "inferred")
PLACES = {0: "task", 4: "softirq", 8: "hardirq"}
STATES = ("off", "on")
REASONS = ("unknown", "created", "destroyed", "evicted", "restored", "suspended", "resumed",
           "disabled", "enabled", "hung", "isolated", "preempted", "faulted")
KINDS = ("other", "timeout", "hang", "reset", "kill", "host", "wedged")
MUST_KNOW = ~0 << 32  # bits of features that a reader refuses if it does not know them
NEAR = 1 << 24  # numbers that two neighbours may always have between them
UNSEEN = 1 << 12  # the same, where rubbish follows the second one
MOST = 1 << 62


def near(low, base):
    """The number with these low 32 bits that is nearest to base."""
    step = (low - base) & 0xffffffff
    return (base + (step - (1 << 32) if step >= 1 << 31 else step)) & (1 << 64) - 1


def signed(number):
    number &= (1 << 64) - 1
    return number - (1 << 64) if number >> 63 else number


def named(names, number):
    return names[number] if number < len(names) else "?"


def text_at(data, at, room):
    """Without what would steer a terminal."""
    text = data[at:at + room].split(b"\0")[0]
    return bytes(63 if byte < 32 or byte == 127 else byte for byte in text)


class Cpu:
    """Where a CPU stands, over all of its packets."""

    def __init__(self, reader):
        self.reader = reader
        self.records = self.ts = self.gseq = self.next = self.lost = 0
        self.not_there = 0  # numbers that its cseq leaves out
        self.has_packet = self.has_stop = False

    def is_fault(self, packet, file):
        """In another CPU's file, or with numbers that go back, or further than one in a ns."""
        if file.cpu != self.reader.homes.get(packet.cpu, file.cpu) or self.is_far(packet):
            return True
        if self.has_stop and packet.cseq >= self.next:
            return True
        if not self.records:
            return False
        if packet.cseq < self.next:  # repeated, where neither is new
            return packet.gseq > self.gseq
        return packet.gseq <= self.gseq

    def is_far(self, packet):
        start = self.reader.info.start_ts if self.reader.info else 0
        room = abs(packet.ts - (self.ts if self.records else start)) + NEAR
        if packet.cseq > min(self.next + room, MOST) or packet.lost > self.lost + room:
            return True
        return not self.gseq - NEAR <= packet.gseq <= self.gseq + room

    def is_end_fault(self, stop):
        """Numbers that a packet here could not have; what is repeated has been read."""
        return not self.has_stop and (self.is_far(stop) or stop.cseq < self.next or
                                      bool(self.records) and stop.gseq <= self.gseq)

    def stop(self, stop):
        if not self.has_stop:
            self.not_there += stop.cseq - self.next
            self.next, self.lost, self.has_stop = stop.cseq, stop.lost, True
            self.reader.end = max(self.reader.end, stop.gseq)
            self.reader.stop_ts = max(self.reader.stop_ts, stop.ts)


def is_sequenced(kind):
    return 0 < kind < 64 or kind in SEQUENCED or 0x200 <= kind <= 0x2ff


class Packet:
    """The state of one packet: what widens its records."""

    of = None  # the CPU
    is_first = True  # of its records

    def __init__(self, data, at):
        (self.magic, major, minor, self.cpu, self.session, self.ts, self.gseq,
         self.cseq, self.lost, self.ctx_hi, self.sample) = struct.unpack_from(
             "<IHHIQQQQQII", data, at + 4)
        self.version = major, minor
        self.read_before = 0  # records below this cseq

    def stands_at(self, cpu):
        """Continues at the CPU's last record, or repeats what was read."""
        self.of = cpu
        if self.cseq < cpu.next:
            self.read_before = cpu.next
            return
        cpu.not_there += self.cseq - cpu.next
        cpu.next, cpu.lost, cpu.has_packet = self.cseq, self.lost, True

    def is_repeated(self):
        return self.cseq < self.read_before

    def pass_by(self, kind, data, at):
        """A record that was read before."""
        if kind == LOST:
            notes, events = struct.unpack_from("<IQ", data, at + 4)
            self.cseq += notes + events
        elif is_sequenced(kind):
            ts, seq = struct.unpack_from("<II", data, at + 4)
            self.ts, self.gseq, self.is_first = near(ts, self.ts), near(seq, self.gseq), False
            self.cseq += 1
        self.cseq = min(self.cseq, self.read_before)

    def numbers(self, ts):
        """Least and greatest gseq that a record of that time can have here."""
        most = self.gseq + abs(ts - self.ts) + NEAR
        least = self.gseq - NEAR if self.is_first else self.gseq + 1
        if self.of.records:
            least = max(least, self.of.gseq + 1)
        return least, most

    def advance(self, damaged=0):
        self.cseq += 1
        if self.of:
            self.of.next = self.cseq
            self.of.not_there += damaged


class Stop:
    def __init__(self, data, at):
        self.ts, self.gseq, self.cseq, self.lost = struct.unpack_from("<QQQQ", data, at + 8)


class File:
    """One file, cut into records; counts what is skipped and what is damage."""

    def __init__(self, data, reader):
        self.data, self.reader = data, reader
        self.base = None
        self.packet, self.at = None, 0
        self.cpu = self.first_cpu()
        if self.cpu is not None:
            reader.homes.setdefault(self.cpu, self.cpu)

    def first_cpu(self):
        """The CPU of the file."""
        at = 0
        while at + 64 <= len(self.data):
            kind, size, _, _, _, cpu = struct.unpack_from("<HHIHHI", self.data, at)
            if kind == PACKET and cpu != NONE:
                return cpu if cpu <= CPU_MAX else None
            if size < 8:
                return None
            at += size
        return None

    def run(self):
        while self.at < len(self.data) and not self.reader.is_refused():
            size = self.size()
            if size is None and self.is_foreign():
                self.reader.refused += 1
                return
            if size is None:
                self.lose_way()
                continue
            if self.packet and self.packet.is_repeated() and self.kind() != PACKET:
                self.packet.pass_by(self.kind(), self.data, self.at)
                self.at += size
                continue
            fault = self.fault_of_number(size)
            if fault == "packet":
                self.lose_way()
                continue
            if fault == "record":
                self.reader.damaged_bytes += size
                self.reader.damages += 1
                self.packet.advance(1)
            else:
                self.record(size)
            self.at += size

    def kind(self):
        return struct.unpack_from("<H", self.data, self.at)[0]

    def number_behind(self, at):
        """The gseq of the record there, in full for a packet of the same CPU; or None."""
        if len(self.data) - at < 16:
            return None
        kind, size, _, seq = struct.unpack_from("<HHII", self.data, at)
        if is_sequenced(kind) and size >= 16 and size % 8 == 0:
            return near(seq, self.packet.gseq)
        if kind == PACKET and len(self.data) - at >= 64:
            there = Packet(self.data, at)
            if 64 <= size <= 1024 and size % 8 == 0 and there.magic == MAGIC and there.version == VERSION and \
                    there.cpu == self.packet.cpu and there.session == self.reader.session and \
                    there.cseq > self.packet.cseq:
                return there.gseq
        return None

    def is_rubbish(self, at):
        """No record can begin there, though there are bytes."""
        left = len(self.data) - at
        if left < 4:
            return False
        kind, size = struct.unpack_from("<HH", self.data, at)
        known = EVENTS.get(kind) or NOTES.get(kind)
        least = known[2] if known else 16 if is_sequenced(kind) else 8
        if kind == 0 or size < max(least, 8) or size % 8:
            return True
        if kind != PACKET or left < 64:
            return False
        there = Packet(self.data, at)
        return size > 1024 or there.magic != MAGIC or there.version != VERSION or \
            CPU_MAX < there.cpu < NONE or there.session == 0

    def fault_of_number(self, size):
        """A gseq is above the one before it, by not more than time allows, and below the
        one behind it. Says which bytes are damaged: the record's, where its neighbours
        are right without it, or those up to the next packet."""
        kind, packet = self.kind(), self.packet
        if kind == PACKET or packet.cpu == NONE or not is_sequenced(kind):
            return None
        ts, seq = struct.unpack_from("<II", self.data, self.at + 4)
        number = near(seq, packet.gseq)
        least, most = packet.numbers(near(ts, packet.ts))
        behind = self.number_behind(self.at + size)
        is_right = least <= number <= most and (
            number <= packet.gseq + UNSEEN or not self.is_rubbish(self.at + size))
        if is_right and (behind is None or number < behind):
            return None
        if behind is not None and least <= behind <= most and \
                not (packet.is_first and behind < packet.gseq):
            return "record"
        return None if is_right else "packet"

    def size(self):
        """That of the record here, or None if it cannot be one."""
        left = len(self.data) - self.at
        if left < 4:
            return None
        kind, size = struct.unpack_from("<HH", self.data, self.at)
        if kind == 0 or size < 8 or size % 8 or size > left:
            return None
        known = EVENTS.get(kind) or NOTES.get(kind)
        if known and size < known[2]:
            return None
        if is_sequenced(kind) and size < 16:
            return None
        if kind == PACKET:
            magic, *version = struct.unpack_from("<IHH", self.data, self.at + 4)
            cpu, session = struct.unpack_from("<IQ", self.data, self.at + 12)
            if magic != MAGIC or tuple(version) != VERSION or CPU_MAX < cpu < NONE or \
                    not self.reader.is_of(session):
                return None
            if cpu != NONE and self.reader.cpu(cpu).is_fault(Packet(self.data, self.at), self):
                return None
        elif self.packet is None:
            return None
        elif kind == STOP and self.packet.of and not self.packet.is_repeated():
            if self.packet.of.is_end_fault(Stop(self.data, self.at)):
                return None
        elif kind == LOST and not self.packet.is_repeated():
            notes, events, first, last = struct.unpack_from("<IQQQ", self.data, self.at + 4)
            if notes + events > min(abs(last - first) + NEAR, MOST - self.packet.cseq):
                return None
        return size

    def is_foreign(self):
        """A packet of another version: nothing is known of what follows."""
        if len(self.data) - self.at < 64:
            return False
        kind, _, magic, major, minor, cpu, session = struct.unpack_from("<HHIHHIQ", self.data, self.at)
        return kind == PACKET and magic == MAGIC and (major, minor) != VERSION and (
            self.at == 0 or session != 0 and (cpu <= CPU_MAX or cpu == NONE))

    def lose_way(self):
        """To the next packet, wherever it begins: what was cut may be cut anywhere."""
        begin = self.at
        self.packet = None
        while True:
            magic = self.data.find(b"GRTR", self.at + 5)
            self.at = magic - 4 if magic >= 0 else len(self.data)
            if magic < 0 or self.size() is not None:
                break
        self.reader.damaged_bytes += self.at - begin
        self.reader.damages += 1

    def record(self, size):
        kind, = struct.unpack_from("<H", self.data, self.at)
        if kind == PACKET:
            self.packet = Packet(self.data, self.at)
            if self.base is None and self.packet.cpu != NONE:
                self.base = self.packet.ts
            self.packet.base = self.base
            self.reader.packets += 1
            if self.packet.cpu != NONE:
                self.packet.stands_at(self.reader.cpu(self.packet.cpu))
            return
        if kind == STOP and self.packet.of:
            self.packet.of.stop(Stop(self.data, self.at))
            self.packet = None  # nothing may follow
            return
        if kind not in EVENTS and kind not in NOTES:
            self.reader.skipped += 1
        known = EVENTS.get(kind) or NOTES.get(kind)
        self.reader.take(kind, size, self.data, self.at, self.packet)


class Reader:
    """All files of a capture."""

    def __init__(self, name, is_damaged=False):
        self.is_damaged = is_damaged
        self.damaged_bytes = self.damages = self.skipped = self.refused = 0
        self.packets = self.records = self.end = 0
        self.is_stopped, self.is_whole = False, True
        self.stop_ts = 0  # of the last STOP
        self.info = self.session = None
        self.cpus, self.homes = {}, {}
        self.rows, self.tables = [], []
        self.untold = set()  # facts that the sources do not report
        self.classes = dict(enumerate(ENGINES))
        self.host, self.tags = b"", {}
        files = []
        for path in files_of(name):
            with open(path, "rb") as file:
                files.append(File(file.read(), self))
        for file in files:
            file.run()
        self.find_ends()
        self.bytes = sum(os.path.getsize(path) for path in files_of(name))

    def find_ends(self):
        """A recording of a session that has stopped lacks no STOP."""
        ends = [cpu.has_stop for cpu in self.cpus.values() if cpu.has_packet]
        self.is_whole = self.is_whole and (self.is_stopped or any(ends))
        if self.is_whole and not self.is_refused():
            self.damages += ends.count(False)

    def cpu(self, number):
        return self.cpus.setdefault(number, Cpu(self))

    def is_refused(self):
        return bool(self.info and self.info.features & MUST_KNOW)

    def lacks(self):
        """SQL's parameters: facts that no record can have."""
        wall = self.info.start_real - self.info.start_ts if self.info and self.info.start_real else None
        return {"wall": wall, "stop_ts": self.stop_ts} | {f"no_{fact}": int(fact in self.untold)
                for fact in ("results", "dependencies", "completions", "submissions")}

    def not_there(self):
        """Records that are lost without a LOST: at least and at most, because cseq and gseq may
        show the same ones."""
        by_cseq = sum(cpu.not_there for cpu in self.cpus.values())
        numbers = {row["gseq"] for row in self.rows if row["type"] != "lost"}
        end = self.end if self.is_whole else 0
        by_gseq = max(max(numbers) + 1, end) - min(numbers) - len(numbers) if numbers else 0
        return max(by_cseq, by_gseq), by_cseq + by_gseq

    def is_of(self, session):
        """A capture is of one session: that of its first packet. 0 is none."""
        if self.session is None and session:
            self.session = session
        return session != 0 and self.session == session

    def take(self, kind, size, data, at, packet):
        if kind == STREAM_INFO:
            if self.info is None:
                self.info = Info(data, at)
        elif kind == METADATA:
            for line in data[at + 8:at + size].split(b"\0")[0].decode(errors="replace").split("\n"):
                word, *rest = line.split(" ")
                if word == "state":
                    self.is_stopped |= rest == ["stopped"]
                elif word in ("snapshot", "segment"):
                    self.is_whole = False
                elif word == "untold":
                    self.untold.update(rest)
                elif word == "class" and len(rest) > 1:
                    self.classes.setdefault(int(rest[0]), rest[1])
                elif word == "host" and rest:
                    self.host = unquote_to_bytes(rest[0])
                elif word == "tag" and len(rest) > 1:
                    self.tags.setdefault(unquote_to_bytes(rest[0]), unquote_to_bytes(rest[1]))
        elif kind == LOST:
            self.lost(data, at, packet)
        elif is_sequenced(kind):
            self.sequenced(kind, size, data, at, packet)

    def lost(self, data, at, packet):
        notes, events, first, last = struct.unpack_from("<IQQQ", data, at + 4)
        limited, pressure = struct.unpack_from("<QQ", data, at + 32)
        limited = min(limited, events)
        pressure = min(pressure, events - limited)
        self.rows.append({
            "cpu": packet.cpu, "gseq": None, "cseq": packet.cseq, "ts": first, "type": "lost",
            "letter": "mL", "events": events, "notes": notes, "first_ts": first, "last_ts": last,
            "limited": limited, "pressure": pressure, "after": packet.gseq, "base": packet.base})
        packet.cseq += events + notes
        if packet.of:
            packet.of.next = packet.cseq

    def sequenced(self, kind, size, data, at, packet):
        ts, seq, pid = struct.unpack_from("<III", data, at + 4)
        packet.ts, packet.gseq = near(ts, packet.ts), near(seq, packet.gseq)
        name, letter, _ = EVENTS.get(kind) or NOTES.get(kind) or (str(kind), None, 0)
        row = {"cpu": packet.cpu, "gseq": packet.gseq, "cseq": packet.cseq, "ts": packet.ts,
               "type": name, "letter": letter, "pid": pid, "base": packet.base}
        packet.is_first = False
        packet.advance()
        if packet.of:
            packet.of.records += 1
            packet.of.ts, packet.of.gseq = packet.ts, packet.gseq
        if kind < 64:
            row["weight"] = 1 if kind in ALWAYS_ONE else max(packet.sample, 1)
        if kind == IOCTL:
            ioctl(row, data, at)
        elif kind in EVENTS:
            job(row, kind, size, data, at, packet)
        elif kind == RING:
            ring, engine = struct.unpack_from("<II", data, at + 16)
            row.update(ring=ring or None, ring_name=text_at(data, at + 80, 32), dev=text_at(data, at + 24, 32),
                       driver=text_at(data, at + 56, 24),
                       engine=self.classes.get(engine, "-"))
        elif kind == TASK:
            row.update(tgid=struct.unpack_from("<I", data, at + 16)[0], comm=text_at(data, at + 24, 16),
                       cgroup=struct.unpack_from("<Q", data, at + 40)[0] or None)
        elif kind == MESSAGE:
            row["text"] = text_at(data, at + 16, size - 16)
        elif kind == SAMPLE:
            row["sample"], row["previous"] = struct.unpack_from("<II", data, at + 16)
        elif kind == FENCE_NAME:
            row.update(ctx=struct.unpack_from("<Q", data, at + 16)[0], driver=text_at(data, at + 24, 24),
                       timeline=text_at(data, at + 48, 32))
        (self.tables if packet.cpu == NONE else self.rows).append(row)

    def in_order(self):
        """The rows as they follow each other, with the names that are known by then."""
        self.rows.sort(key=lambda row: row["after"] if row["gseq"] is None else row["gseq"])
        # Without a STREAM_INFO time begins with the first packet of that file.
        rows = self.tables + self.rows
        start = self.info.start_ts if self.info else self.rows[0]["base"] if rows else 0
        rings, tasks = {}, {}
        for row in rows:
            if row["type"] == "ring":
                rings[row["ring"]] = {name: row[name] for name in
                                      ("ring_name", "dev", "engine", "driver")}
            elif row["type"] == "task":
                tasks[row["pid"]] = {name: row[name] for name in ("tgid", "comm")}
            else:
                row.update(rings.get(row.get("ring"), {}))
            if row["type"] != "task":
                row.update(tasks.get(row.get("pid"), {}))
            row["time"] = signed(row["ts"] - start)
        return self.rows


class Info:
    def __init__(self, data, at):
        self.clock, self.session, self.features, self.start_ts, self.start_real = \
            struct.unpack_from("<IQQQQ", data, at + 4)
        boot = data[at + 40:at + 56]
        self.boot = str(uuid.UUID(bytes=boot)) if any(boot) else ""
        self.release = text_at(data, at + 56, 64)


def job(row, kind, size, data, at, packet):
    ctx, seqno, ring, flags, arg = struct.unpack_from("<IIIHH", data, at + 16)
    ctx |= packet.ctx_hi << 32
    row.update(ctx=ctx, seqno=seqno, ring=ring or None, flags=flags, arg=arg,
               time_source=SOURCES[flags & 3], where=PLACES.get(flags & 12))
    if kind in (2, 3, 5, 10):
        low, row["fence_seqno"] = struct.unpack_from("<II", data, at + 32)
        row["fence_ctx"] = near(low, ctx)
    elif kind == 1:
        submit(row, size, data, at)
    elif kind == 7 and size >= 40:
        row["command"], = struct.unpack_from("<I", data, at + 32)
    elif kind == 13:
        row["kind"], row["code"], guilty = struct.unpack_from("<IiI", data, at + 32)
        row["kind_name"] = named(KINDS, row["kind"])
        row.update(guilty_pid=guilty or None, guilty_comm=text_at(data, at + 48, 16) or None,
                   error_text=text_at(data, at + 64, 64) or None)
    elif kind == QUEUE:
        state, reason, client = struct.unpack_from("<IIQ", data, at + 32)
        row.update(state=named(STATES, state), reason=named(REASONS, reason), client=client or None)
    elif kind == 8:
        row["code"], = struct.unpack_from("<h", data, at + 30)
    elif kind == 12:
        row["code"] = struct.unpack_from("<h", data, at + 30)[0] or None


def submit(row, size, data, at):
    client, = struct.unpack_from("<Q", data, at + 32)
    row.update(client=client or None, priority=row["arg"] - 1 if row["arg"] else None)
    if size < 56:
        return
    low, fence_seqno, row["command"] = struct.unpack_from("<III", data, at + 40)
    if low or fence_seqno:
        row.update(fence_ctx=near(low, row["ctx"]), fence_seqno=fence_seqno)


def ioctl(row, data, at):
    duration, result, cgroup, cmd, minor, handles = struct.unpack_from("<QqQIII", data, at + 32)
    row.update(duration=duration, result=result, cgroup=cgroup or None, cmd=cmd, minor=minor,
               handles=None if handles == NONE else handles, driver=text_at(data, at + 72, 24))


def files_of(name):
    if os.path.isfile(name):
        return [name]
    return sorted(path for path in glob.glob(glob.escape(name) + ".grtrace.*")
                  if re.search(r"\.grtrace\.\d+$", path))
