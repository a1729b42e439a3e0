# SPDX-License-Identifier: GPL-2.0
"""A second reader of a capture, written from include/uapi/drm/grtrace_drm.h
alone. It is slow, stops at the first fault, and knows whole files only."""

import glob
import struct

PACKET, STREAM_INFO, METADATA, LOST = 0x100, 0x101, 0x102, 0x103
RING, TASK, MESSAGE, SAMPLE = 0x104, 0x105, 0x106, 0x107
ERROR = 13
NEVER_SAMPLED = (9, 10, 13)  # IRQ, CTX_SWITCH, ERROR
WITH_FENCE = (2, 3, 5, 10)  # DEP, BLOCKED, COMMIT, CTX_SWITCH; SUBMIT may
MAGIC = 0x52545247
NO_CPU = 0xFFFFFFFF
OVERWRITE = 1 << 5
ORDER_CLOCK = 1 << 4


def nearest(to, low):
    """The number whose lower 32 bits are `low` that is nearest to `to`."""
    step = (low - to) & 0xFFFFFFFF
    if step >= 1 << 31:
        step -= 1 << 32
    return (to + step) & 0xFFFFFFFFFFFFFFFF


def text(field):
    return field.split(b"\0")[0].decode("latin1")


class Stream:
    """All that the files of a capture say. An event is a dict with the names
    of the header's fields, as wide as they really are."""

    def __init__(self, name):
        self.bytes = self.packets = 0
        self.info = None
        self.sources = []  # name, found, known
        self.events = []  # and notes that are sequenced, and LOST
        self.places = []  # of loss: kind, cpu, records, from, to, lost
        self.cpu_lost = {}  # cpu: PACKET.lost of its last packet
        self.last_ts = {}  # cpu: ts of its last record
        self.cseq = {NO_CPU: 0}  # cpu: of the next record
        paths = sorted(glob.glob(glob.escape(name) + ".grtrace.*"),
                       key=lambda path: int(path.rsplit(".", 1)[1]))
        self.live = not paths
        for path in paths or [name]:
            with open(path, "rb") as file:
                self.read(file.read())

    def read(self, data):
        at = 0
        self.bytes += len(data)
        while at < len(data):
            kind, size = struct.unpack_from("<HH", data, at)
            assert size >= 8 and size % 8 == 0 and at + size <= len(data)
            self.record(kind, data[at:at + size])
            at += size

    def record(self, kind, raw):
        if kind == PACKET:
            self.packet(raw)
        elif kind == STREAM_INFO:
            clock, _, features, start, real = struct.unpack_from(
                "<xxxxIQQQQ", raw)
            self.info = {"clock": clock, "features": features,
                         "start": start, "real": real}
        elif kind == METADATA:
            for line in text(raw[8:]).splitlines():
                words = line.split()
                if words and words[0] == "source":
                    source = (words[1], int(words[2]), int(words[3]))
                    if source not in self.sources:
                        self.sources.append(source)
        elif kind == LOST:
            self.lost(raw)
        else:
            self.sequenced(kind, raw)

    def packet(self, raw):
        (magic, _, _, self.cpu, _, self.ts, self.gseq, cseq, lost, hi,
         sample) = struct.unpack_from("<xxxxIHHIQQQQQII", raw)
        assert magic == MAGIC
        self.packets += 1
        self.ctx_hi = hi << 32
        self.weight = max(sample, 1)
        if self.cpu == NO_CPU:
            return
        if self.info is None:
            self.info = {"start": self.ts, "features": 0, "real": 0}
        missing = cseq - self.cseq.get(self.cpu, 0)
        assert missing >= 0
        if missing:
            since = self.last_ts.get(self.cpu, self.info["start"])
            self.places.append({"kind": "missing", "cpu": self.cpu,
                                "records": missing, "from": since,
                                "to": self.ts, "cseq": cseq})
        self.cseq[self.cpu] = cseq
        self.last_ts.setdefault(self.cpu, self.info["start"])
        self.cpu_lost[self.cpu] = lost

    def lost(self, raw):
        notes, events, first, last = struct.unpack_from("<xxxxIQQQ", raw)
        limited = pressure = 0
        if len(raw) > 32:
            limited, pressure = struct.unpack_from("<QQ", raw, 32)
        place = {"kind": "lost", "cpu": self.cpu, "records": events + notes,
                 "from": first, "to": last, "events": events, "notes": notes,
                 "limited": limited, "pressure": pressure}
        self.places.append(place)
        self.events.append({"type": LOST, "cpu": self.cpu, "ts": first,
                            "cseq": self.cseq[self.cpu], **{
                                name: place[name] for name in
                                ("events", "notes", "limited", "pressure")},
                            "first_ts": first, "last_ts": last})
        self.cseq[self.cpu] += events + notes

    def sequenced(self, kind, raw):
        ts, seq, pid = struct.unpack_from("<xxxxIII", raw)
        self.ts = nearest(self.ts, ts)
        self.gseq = nearest(self.gseq, seq)
        event = {"type": kind, "cpu": self.cpu, "ts": self.ts,
                 "gseq": self.gseq, "cseq": self.cseq[self.cpu], "pid": pid}
        self.cseq[self.cpu] += 1
        self.last_ts[self.cpu] = self.ts
        self.events.append(event)
        if kind < 64:
            self.job(event, raw)
        elif kind == RING:
            event["ring"], engine = struct.unpack_from("<II", raw, 16)
            event["dev"] = text(raw[24:56])
            event["driver"] = text(raw[56:80])
            event["ring_name"] = text(raw[80:112])
        elif kind == TASK:
            event["tgid"], = struct.unpack_from("<I", raw, 16)
            event["comm"] = text(raw[24:40])
        elif kind == SAMPLE:
            event["sample"], event["previous"] = struct.unpack_from(
                "<II", raw, 16)

    def job(self, event, raw):
        ctx, event["seqno"], event["ring"], event["flags"], event["arg"] = \
            struct.unpack_from("<IIIHH", raw, 16)
        event["ctx"] = self.ctx_hi | ctx
        event["weight"] = (1 if event["type"] in NEVER_SAMPLED else
                           self.weight)
        if event["type"] == ERROR:
            event["kind"], event["code"] = struct.unpack_from("<Ii", raw, 32)
        elif event["type"] in WITH_FENCE or (event["type"] == 1 and
                                             len(raw) >= 40):
            fence, event["fence_seqno"] = struct.unpack_from("<II", raw, 32)
            event["fence_ctx"] = nearest(event["ctx"], fence)
