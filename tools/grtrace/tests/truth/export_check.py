# SPDX-License-Identifier: GPL-2.0
"""Compares what grtrace export, diff, timeline and the page say with the rows of SQL."""

import json
import re
import sqlite3

from cells import HIGH, cells
from figures_check import check_rows, either_label
from printed import blocks

JOB_KEY = ("dev", "ring", "ctx", "seqno")
KIND_OF_CELL = {0: "process", 1: "itself", 2: "unknown", 3: "others", 4: "nobody"}


def as_text(row):
    return {name: "NA" if value is None else str(value) for name, value in row.items()}


def check_json(tables, text, events, csv_jobs, judgement):
    """--to json: the same events and jobs as --to csv, and the sums."""
    rows = [json.loads(line) for line in text.splitlines()]
    for row in rows:
        row_kind = row.pop("row")
        row["kind of row"] = row_kind
    jobs = [as_text(row) for row in rows if row["kind of row"] == "job"]
    check_rows("json job", [dict(row) for row in csv_jobs], jobs, JOB_KEY, judgement)
    told = [as_text(row) for row in rows if row["kind of row"] == "event"]
    judgement.same("json events", len(events), len(told))
    for number, (right, row) in enumerate(zip(events, told)):
        judgement.figures += len(right)
        wrong = {name: (value, row.get(name)) for name, value in right.items()
                 if name in row and value != row[name]}
        if wrong:
            judgement.differ(f"json event {number}", {name: pair[0] for name, pair in wrong.items()},
                             {name: pair[1] for name, pair in wrong.items()})
    end = [row for row in rows if row["kind of row"] == "end"]
    judgement.same("json end rows", 1, len(end))
    if end:
        check_sums("json end", tables, end[0], judgement)
    gaps = [int(row["records"]) for row in rows if row["kind of row"] == "gap"]
    judgement.same("json gaps", tables["end_rows"][0]["missing"], sum(gaps))


def check_sums(where, tables, end, judgement):
    right = tables["end_rows"][0]
    for name in ("records", "lost_events", "lost_notes", "missing"):
        judgement.same(f"{where} {name}", right[name], int(end[name]))


def check_sqlite(tables, path, events, csv_jobs, judgement):
    """--to sqlite: the views say what the lines of csv say."""
    base = sqlite3.connect(path)
    base.row_factory = sqlite3.Row
    base.text_factory = lambda text: text.decode("utf-8", "surrogateescape")
    jobs = [as_text(unsigned(dict(row))) for row in base.execute("SELECT * FROM job_row")]
    check_rows("sqlite job", [dict(row) for row in csv_jobs], jobs, JOB_KEY, judgement)
    told = [as_text(unsigned(dict(row))) for row in base.execute("SELECT * FROM event_row ORDER BY id")]
    judgement.same("sqlite events", len(events), len(told))
    for number, (right, row) in enumerate(zip(events, told)):
        judgement.figures += len(right)
        wrong = {name: (value, row[name]) for name, value in right.items()
                 if name in row and value != row[name] and name not in LATER}
        if wrong:
            judgement.differ(f"sqlite event {number}",
                             {name: pair[0] for name, pair in wrong.items()},
                             {name: pair[1] for name, pair in wrong.items()})
    check_sums("sqlite capture", tables, dict(base.execute("SELECT * FROM capture").fetchone()),
               judgement)
    gaps = base.execute("SELECT coalesce(sum(records), 0) FROM loss WHERE event IS NULL").fetchone()
    judgement.same("sqlite gaps", tables["end_rows"][0]["missing"], gaps[0])
    waits = [tuple(map(str, row)) for row in base.execute(
        "SELECT pid, fence_ctx, fence_seqno, from_ts, to_ts, ctx, ring, seqno FROM wait"
        " WHERE who = 'task'")]
    wanted = []
    for row in tables["wait_rows"]:
        ctx, seqno = row["fence_id"].split(":")
        wanted.append(tuple(map(str, (row["pid"], signed(ctx), seqno, row["from_ts"], row["to_ts"],
                                      row["ctx"] and signed(row["ctx"]), row["ring"], row["seqno"]))))
    judgement.figures += len(wanted)
    for row in wanted:
        if row in waits:
            waits.remove(row)
        else:
            judgement.differ("sqlite wait", row, "no row")
    for row in waits:
        judgement.differ("sqlite wait", "no row", row)
    base.close()


# A table has one name of a ring, the last one; a line of csv has the name of its time.
LATER = ("ring_name", "dev", "engine", "driver")
UNSIGNED = ("ctx", "fence_ctx", "client", "ts", "duration")


def unsigned(row):
    """SQLite has only signed numbers."""
    for name in UNSIGNED:
        if isinstance(row.get(name), int) and row[name] < 0:
            row[name] += 1 << 64
    return row


def signed(text):
    number = int(text)
    return number - (1 << 64) if number >> 63 else number


def check_latency(tables, text, judgement):
    """grtrace timeline --latency-only."""
    printed = blocks(text)
    lines = [line for heading, block in printed.items() if heading.endswith(": latency")
             for line in block]
    found = [line for line in lines[1:] if re.match(r"  \S", line)]
    wanted = [cells(row, "part") for row in tables["latency_rows"]]
    judgement.any_order("latency", wanted, [re.sub(r" \*$", "", line) for line in found])


def check_page(tables, text, judgement):
    """The figures of the page's tables, from its head."""
    found = re.search(r'id="head">(.*?)</script>', text, re.S)
    capture = json.loads(found[1])["captures"][0]
    busy = {row["title"]: row["busy"] for row in tables["page_rings"]}
    judgement.same("page rings", sorted(row["title"] for row in tables["page_rings"]),
                   sorted(ring["title"] for ring in capture["rings"]))
    stages = {(row["id"], row["stage"]): row for row in tables["page_stages"]}
    told_stages = {(str(ring["id"]), name) for ring in capture["rings"] for name in ring["stages"]}
    judgement.same("page stages", [], [key for key, row in stages.items()
                                       if row["n"] and row["title"] != "all rings" and key not in told_stages])
    for ring in capture["rings"]:
        judgement.same(f"page busy {ring['title']}", busy.get(ring["title"]), ring["busy_ns"])
        for name, row in ring["stages"].items():
            right = stages.get((str(ring["id"]), name))
            judgement.figures += 7
            told = row[:7]
            wanted = [right[key] for key in ("n", "min", "avg", "max", "p50", "p90", "p99")] if right \
                else None
            if right and not (wanted[:4] == told[:4] and all(
                    low <= high <= low * HIGH + 1 for low, high in zip(wanted[4:], told[4:]))) or \
                    not right and told and told[0]:
                judgement.differ(f"page {ring['title']} {name}", wanted, told)
    cells_right = {(row["ring_id"], row["victim_tgid"], row["kind"],
                    row["culprit_tgid"] if row["kind"] == "process" else 0):
                   row for row in tables["delay_cells"]}
    told = set()
    for ring, kind, victim, _, culprit, _, ns, _, _ in capture["delays"]:
        kind = KIND_OF_CELL[kind]
        key = (ring, victim, kind, culprit if kind == "process" else 0)
        right = cells_right.get(key)
        told.add(key)
        judgement.figures += 1
        if right is None and ns or right and abs(right["ns"] - ns) > (right["slack"] or 0):
            judgement.differ(f"page delay {ring} {victim} {kind} {culprit}", right and right["ns"], ns)
    judgement.same("page delays", [], [key for key, row in cells_right.items()
                                       if row["ns"] > (row["slack"] or 0) and key not in told])


def check_diff(where, base, new, rows, judgement, all_rings=False):
    """grtrace diff --csv: rows of figures; base and new: by ring and stage."""
    told = {}
    for row in rows:
        told.setdefault((row["ring"], row["stage"]), []).append(row["stat"])
    judgement.same(f"{where}: rows", {
        key: ["n", "mean", "p50", "p90", "p99", "p99.9"] for key, row in [*base.items(), *new.items()]
        if row["n"] and (key[0] == "all rings") == all_rings}, told)
    for row in rows:
        key = (row["ring"], row["stage"])
        for side, table, name in ((base, row["base"], "base"), (new, row["new"], "new")):
            right = side.get(key)
            wanted = right and right[{"n": "n", "mean": "avg", "p50": "p50", "p90": "p90",
                                      "p99": "p99", "p99.9": "p999"}.get(row["stat"], row["stat"])]
            if row["stat"] == "n":
                wanted = wanted or 0
            told = None if table == "NA" else int(table)
            judgement.figures += 1
            close = row["stat"].startswith("p") and None not in (wanted, told) and \
                wanted / HIGH - 1 <= told <= wanted * HIGH + 1
            if told != wanted and not close:
                judgement.differ(f"{where} {row['ring']} {row['stage']} {row['stat']} {name}",
                                 wanted, told)
        if row["diff_percent"] != "NA":
            old, later = int(row["base"]), int(row["new"])
            judgement.figures += 1
            if old and abs(100 * (later - old) / old - float(row["diff_percent"])) > 0.0006 + 51 / old:
                judgement.differ(f"{where} {row['ring']} {row['stage']} {row['stat']} diff",
                                 100 * (later - old) / old, row["diff_percent"])


def by_ring(tables):
    """(ring, stage): row, also of all rings together."""
    return {(row["title"], row["stage"]): row for row in tables["page_stages"]}
