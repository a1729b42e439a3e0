#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Writes a trace.dat of version 6, as trace-cmd does, with jobs of a kernel before 6.17.

usage: tracedat.py FILE [JOBS]"""
import struct
import sys

PAGE = 4096
COMMON = [("unsigned short common_type", 0, 2), ("unsigned char common_flags", 2, 1),
          ("unsigned char common_preempt_count", 3, 1), ("int common_pid", 4, 4)]
LOC = "__data_loc char[] name"
EVENTS = {  # by name: id, fields
    "drm_sched_job": (301, [("void * entity", 8, 8), ("void * fence", 16, 8), (LOC, 24, 4),
                            ("uint64_t id", 32, 8)]),
    "drm_run_job": (302, [("void * entity", 8, 8), ("void * fence", 16, 8), (LOC, 24, 4),
                          ("uint64_t id", 32, 8)]),
    "drm_sched_process_job": (303, [("void * fence", 8, 8)]),
}


def text_of(name, number, fields):
    rows = [f"\tfield:{field};\toffset:{at};\tsize:{size};\tsigned:0;\n"
            for field, at, size in fields]
    common = [f"\tfield:{field};\toffset:{at};\tsize:{size};\tsigned:0;\n"
              for field, at, size in COMMON]
    return (f"name: {name}\nID: {number}\nformat:\n" + "".join(common) + "\n" + "".join(rows) +
            '\nprint fmt: "x"\n').encode()


def sized(data, form="<Q"):
    return struct.pack(form, len(data)) + data


def event(number, pid, rest):
    data = struct.pack("<HBBi", number, 0, 0, pid) + rest
    return data + bytes(-len(data) % 4)


def job(number, pid, entity, fence, ident):
    return event(number, pid, struct.pack("<QQIIQ", entity, fence, 4 << 16 | 40, 0, ident) +
                 b"gfx\0")


def pages(events):
    """The pages of a CPU: each has its time, and each event the time since the one before."""
    out, page, start, last = [], b"", 0, 0
    for at, data in events:
        if not page or len(page) + 4 + len(data) > PAGE - 16:
            if page:
                out.append(struct.pack("<QQ", start, len(page)) + page.ljust(PAGE - 16, b"\0"))
            page, start, last = b"", at, at
        page += struct.pack("<I", len(data) // 4 | (at - last) << 5) + data
        last = at
    out.append(struct.pack("<QQ", start, len(page)) + page.ljust(PAGE - 16, b"\0"))
    return b"".join(out)


def main():
    jobs = int(sys.argv[2]) if len(sys.argv) > 2 else 2
    header = ("\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
              "\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
              "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
              "\tfield: char data;\toffset:16;\tsize:4080;\tsigned:1;\n").encode()
    head = (b"\x17\x08\x44tracing6\0\0\x08" + struct.pack("<I", PAGE) + b"header_page\0" +
            sized(header) + b"header_event\0" + sized(b"# compressed entry header\n") +
            struct.pack("<I", 0) + struct.pack("<I", 1) + b"gpu_scheduler\0" +
            struct.pack("<I", len(EVENTS)))
    for name, (number, fields) in EVENTS.items():
        head += sized(text_of(name, number, fields))
    head += (struct.pack("<II", 0, 0) + sized(b"70 game\n12 gfx\n") + struct.pack("<I", 2) +
             b"options  \0")
    for number, data in ((4, b"local global [mono] boot\0"),
                         (5, b"Linux host 6.12.48 #1 SMP x86_64\0")):
        head += struct.pack("<H", number) + sized(data, "<I")
    head += struct.pack("<H", 0) + b"flyrecord\0"

    submits, rest = [], []
    for i in range(jobs):
        at, fence = 10_000_000_000 + i * 20_000, 0x89440000 + i % 512 * 256
        submits.append((at, job(301, 70, 0xe0, fence, i + 1)))
        rest.append((at + 3_000, job(302, 12, 0xe0, fence, i + 1)))
        rest.append((at + 15_000, event(303, 0, struct.pack("<Q", fence))))
    cpus = [pages(submits), pages(rest)]
    at = (len(head) + 32 + PAGE - 1) // PAGE * PAGE
    with open(sys.argv[1], "wb") as file:
        file.write(head + struct.pack("<QQQQ", at, len(cpus[0]), at + len(cpus[0]), len(cpus[1])))
        file.write(bytes(at - file.tell()) + b"".join(cpus))


main()
