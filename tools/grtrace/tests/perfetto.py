#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Writes a trace of Perfetto from a trace that trace-cmd report -R printed.

The numbers of messages and fields are those of Perfetto's published definitions
(protos/perfetto/trace), and nothing here is of the reader that is tested.

	perfetto.py [--events typed|copied|described] [--pack zlib|zstd [--every N]] [--names]
		    [--undescribed] [--damage] < trace-cmd-R.txt > trace.pftrace

typed: events have the messages that Perfetto has for them, and others are described
copied: as before v53, each event has the names of its fields
described: since v53, for events that Perfetto has no message for
--every N: only each N-th group of packets is packed, and the others are not
--names: tasks have names, of threads that are processes
--undescribed: the descriptions are missing, as in a ring whose beginning was overwritten
--damage: the second group, if it is packed, has a wrong byte"""

import argparse
import re
import subprocess
import sys
import zlib

LINE = re.compile(r"^\s*(.+)-(\d+)\s+\[(\d+)\]\s+(\d+)\.(\d+):\s+(\w+):\s*(.*)$")
VALUE = re.compile(r"(\w+)=(.*?)(?=\s+\w+=|$)")
BUNDLE = 8  # events of a CPU that are written together
GROUP = 3  # packets that are packed together

# FtraceEvent: the number of an event's message, and the numbers of its fields.
OLD_JOB = {"entity": 1, "fence": 2, "hw_job_count": 3, "id": 4, "job_count": 5, "name": 6}
NEW_JOB = {"name": 1, "job_count": 2, "hw_job_count": 3, "dev": 4, "fence_context": 5,
           "fence_seqno": 6, "client_id": 7}
NEW_DEP = {"fence_context": 1, "fence_seqno": 2, "ctx": 3, "seqno": 4}
FENCE = {"context": 1, "driver": 2, "seqno": 3, "timeline": 4}
VIRTIO = {"ctx_id": 1, "dev": 2, "fence_id": 3, "flags": 4, "name": 5, "num_free": 6, "seqno": 7,
          "type": 8, "vq": 9}
TYPED = {
    "drm_sched_job": (411, OLD_JOB), "drm_run_job": (412, OLD_JOB),
    "drm_sched_process_job": (413, {"fence": 1}),
    "dma_fence_init": (414, FENCE), "dma_fence_emit": (415, FENCE),
    "dma_fence_signaled": (416, FENCE), "dma_fence_wait_start": (417, FENCE),
    "dma_fence_wait_end": (418, FENCE),
    "virtio_gpu_cmd_queue": (468, VIRTIO), "virtio_gpu_cmd_response": (469, VIRTIO),
    "drm_sched_job_add_dep": (591, NEW_DEP), "drm_sched_job_done": (592, NEW_DEP),
    "drm_sched_job_queue": (593, NEW_JOB), "drm_sched_job_run": (594, NEW_JOB),
    "drm_sched_job_unschedulable": (595, NEW_DEP),
}
GENERIC = 327
FIRST_DESCRIBED = 65536
TYPE_INT64, TYPE_UINT64, TYPE_STRING = 3, 4, 9


def varint(value):
    value &= (1 << 64) - 1
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7f | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def number(field, value):
    return varint(field << 3) + varint(value)


def part(field, value):
    data = value.encode() if isinstance(value, str) else value
    return varint(field << 3 | 2) + varint(len(data)) + data


def any_value(field, value):
    return part(field, value) if isinstance(value, str) else number(field, value)


def value_of(text):
    text = text.strip()
    return int(text, 0) if re.fullmatch(r"-?(0x[0-9a-f]+|\d+)", text) else text


def read(lines):
    """(task, pid, cpu, ns, event, {field: value}) of each line."""
    for line in lines:
        found = LINE.match(line)
        if found:
            comm, pid, cpu, seconds, rest, event, text = found.groups()
            yield (comm, int(pid), int(cpu), int(seconds) * 10**9 + int(rest.ljust(9, "0")), event,
                   {name: value_of(value) for name, value in VALUE.findall(text)})


class Encoder:
    def __init__(self, options):
        self.options = options
        self.ids = {}  # of described events

    def message(self, event, fields):
        """(its number, its bytes) of an event."""
        if self.options.events == "typed" and event in TYPED:
            kind, numbers = TYPED[event]
            return kind, b"".join(any_value(numbers[name], value)
                                  for name, value in fields.items() if name in numbers)
        if self.options.events == "copied":
            return GENERIC, part(1, event) + b"".join(
                part(2, part(1, name) + any_value(3 if isinstance(value, str) else 5, value))
                for name, value in fields.items())
        kind = self.ids.setdefault(event, FIRST_DESCRIBED + len(self.ids))
        return kind, b"".join(any_value(at, value) for at, value in enumerate(fields.values(), 1))

    def description(self, event, fields):
        message = part(1, event)
        for at, (name, value) in enumerate(fields.items(), 1):
            kind = TYPE_STRING if isinstance(value, str) else TYPE_UINT64 if value >= 0 else TYPE_INT64
            message += part(2, part(1, name) + number(3, at) + number(5, kind))
        return part(11, number(1, self.ids[event]) + part(2, message) + part(3, "gpu"))

    def bundle(self, cpu, events):
        known = set(self.ids)
        data = number(1, cpu)
        for _, pid, _, ns, event, fields in events:
            kind, message = self.message(event, fields)
            data += part(2, number(1, ns) + number(2, pid) + part(kind, message))
        # The descriptions come behind the events.
        for _, _, _, _, event, fields in events:
            if event in self.ids and event not in known and not self.options.undescribed:
                known.add(event)
                data += self.description(event, fields)
        return part(1, data) + number(8, events[0][3]) + number(10, 2)

    def packets(self, events):
        waiting = {}
        events = list(events)
        for event in events:
            of_cpu = waiting.setdefault(event[2], [])
            of_cpu.append(event)
            if len(of_cpu) == BUNDLE:
                yield self.bundle(event[2], waiting.pop(event[2]))
        for cpu, of_cpu in waiting.items():
            yield self.bundle(cpu, of_cpu)
        if self.options.names:
            names = {pid: comm for comm, pid, *_ in events if pid}
            yield part(2, b"".join(part(1, number(1, pid) + part(3, f"/usr/bin/{comm}"))
                                   for pid, comm in names.items())) + number(8, events[-1][3])

    def pack(self, packets, number_of_it):
        data = b"".join(part(1, packet) for packet in packets)
        if self.options.pack == "zlib":
            field, data = 50, zlib.compress(data)
        else:
            field, data = 133, subprocess.run(["zstd", "-qc"], input=data, stdout=subprocess.PIPE,
                                              check=True).stdout
        if self.options.damage and number_of_it == 1:
            middle = len(data) // 2
            data = data[:middle] + bytes([data[middle] ^ 0xff]) + data[middle + 1:]
        return part(field, data)

    def trace(self, events):
        packets = list(self.packets(events))
        if self.options.pack:
            groups = [packets[at:at + GROUP] for at in range(0, len(packets), GROUP)]
            packets = []
            for at, group in enumerate(groups):
                packets += group if at % self.options.every else [self.pack(group, at)]
        return b"".join(part(1, packet) for packet in packets)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--events", choices=("typed", "copied", "described"), default="typed")
    parser.add_argument("--pack", choices=("zlib", "zstd"))
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--names", action="store_true")
    parser.add_argument("--undescribed", action="store_true")
    parser.add_argument("--damage", action="store_true")
    options = parser.parse_args()
    sys.stdout.buffer.write(Encoder(options).trace(read(sys.stdin)))


if __name__ == "__main__":
    main()
