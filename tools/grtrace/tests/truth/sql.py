# SPDX-License-Identifier: GPL-2.0
"""Runs sqlite3, once a capture: what every figure has to be."""

import json
import os
import re
import subprocess

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "sql")
# Tables that others are made from, in this order.
BASE = ("events", "losses", "jobs", "start", "names", "results", "waits", "labels", "figures",
        "state", "busy",
        "groups", "shown", "stages", "delays")
# The comparisons, by the names of their files.
ROWS = ("job_rows", "group_rows", "stage_rows", "busy_rows", "device_rows", "depth_rows",
        "arrival_rows", "depth_steps",
        "gap_rows", "delay_rows", "delay_cells", "histogram_rows", "result_rows", "top_rows",
        "blame_rows", "label_rows", "end_rows", "wait_rows", "late_wakes", "invariant_rows", "latency_rows",
        "page_rings", "page_stages", "screen_rings", "count_rows", "program_rows", "fleet_rows")

DEFAULTS = {"long_queue_ns": 500000, "blocked_ns": 500000, "host_ns": 500000, "share": 50,
            "slow_ns": None, "auto_slow_ns": 100000,
            "no_results": 0, "no_dependencies": 0, "no_completions": 0, "no_submissions": 0, "wall": None,
            "stop_ts": 0}


def script(events, thresholds):
    yield ".bail on"
    yield f".import --csv {events} raw"
    values = ", ".join(f"{'NULL' if value is None else value} AS {name}"
                       for name, value in {**DEFAULTS, **thresholds}.items())
    yield f"CREATE TABLE threshold AS SELECT {values};"
    for name in BASE:
        yield f".read {FOLDER}/{name}.sql"
    yield ".mode json"
    for name in ROWS:
        if os.path.exists(f"{FOLDER}/{name}.sql"):
            yield f".print '@@ {name}'"
            yield f".read {FOLDER}/{name}.sql"


def ask(events, thresholds):
    """Name: rows, of all tables, for the event rows in this file."""
    words = "\n".join(script(events, thresholds))
    got = subprocess.run(["sqlite3", "-batch", ":memory:"], input=words, encoding="utf-8",
                         errors="surrogateescape", capture_output=True, timeout=120)
    if got.returncode or got.stderr:
        raise RuntimeError(f"sqlite3: {got.stderr}")
    tables = {}
    for part in re.split(r"(?m)^@@ ", got.stdout)[1:]:
        name, _, rows = part.partition("\n")
        tables[name] = json.loads(rows) if rows.strip() else []
    return tables
