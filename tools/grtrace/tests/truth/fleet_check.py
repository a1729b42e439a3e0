# SPDX-License-Identifier: GPL-2.0
"""Compares the rows of export --fleet with the rows of SQL, and what each begins with with the
second reader."""

import json
import os

from figures_check import check_rows, either_label

TEXTS = ("dev", "ring", "engine", "comm", "label", "inferred", "slow", "client_name")
CLOCKS = {0: "unknown", 1: "mono", 7: "boot"}


def readable(text):
    """The text as in a fleet: each byte outside UTF-8 is written as \\xNN."""
    if isinstance(text, bytes):
        text = text.decode("utf-8", "surrogateescape")
    return "".join(f"\\x{ord(one) - 0xdc00:02x}" if 0xdc80 <= ord(one) <= 0xdcff else one for one in text)


def head(reader, name):
    """The first columns of all rows of a capture."""
    info = reader.info
    return {"host": readable(reader.host), "boot": info.boot if info else "",
            "session": reader.session or 0, "release": readable(info.release) if info else "",
            "capture_start": info.start_real or None if info else None, "capture": os.path.basename(name),
            "tags": {readable(key): readable(value) for key, value in reader.tags.items()}}


def check_head(rows, right, judgement):
    for row in rows:
        row["tags"] = json.loads(row["tags"])
        told = {name: row[name] for name in right}
        wanted = {name: value if name == "tags" else "NA" if value is None else str(value)
                  for name, value in right.items()}
        judgement.same("fleet: head", wanted, told)


def check_fleet(tables, jobs, captures, reader, name, judgement):
    """The rows of jobs and the row of the capture."""
    wanted = []
    for row, tail in zip(tables["job_rows"], tables["fleet_rows"]):
        tail = {key: value if not key.endswith("_wall") or value is not None and 0 <= value < 1 << 63
                else None for key, value in tail.items() if key != "job"}
        row = row | tail
        wanted.append(row | {key: readable(row[key] or "") for key in TEXTS})
    right = head(reader, name)
    check_head(jobs + captures, right, judgement)
    check_rows("fleet", wanted, jobs, ("ring_id", "ctx", "seqno"), judgement, either_label)
    judgement.same("fleet: rows of captures", 1, len(captures))
    end = tables["end_rows"][0]
    for row in captures:
        told = {"clock": CLOCKS.get(reader.info.clock, "?") if reader.info else "unknown",
                "start_ts": reader.info.start_ts if reader.info else None,
                "jobs": len(tables["job_rows"]), "skipped": reader.skipped,
                "damaged_bytes": reader.damaged_bytes,
                **{key: end[key] for key in ("records", "lost_events", "lost_notes", "missing")}}
        judgement.same("fleet: capture", {key: "NA" if value is None else str(value) for key, value in told.items()},
                       {key: row[key] for key in told})
