# SPDX-License-Identifier: GPL-2.0
"""Compares what grtrace prints with the rows that SQL has for it."""

import csv
import errno
import io
import json
import re

from cells import Cell, cells, is_line, line_of, time_text
from printed import blocks, group_table, starting

KINDS = ("other", "timeout", "hang", "reset", "kill", "host", "wedged", "?")
GROUPS = {"ring": "RING", "device": "DEVICE", "ctx": "CTX", "process": "PID"}
CAUSES = {"host": "waiting for the host", "scheduler": "scheduler",
          "other": "blocked by another process", "depend": "blocked by a dependency",
          "no work": "no work submitted", "not known": "not known"}
# Other contents of a line: the picture of a depth, the bar of a histogram.
DRAWN = re.compile(r"\|[^|]*\||[\u2588-\u258f]+")


def error_name(code):
    """An error as it is printed."""
    name = errno.errorcode.get(-code) if code else None
    return "-" + name if name else str(code)


class Judgement:
    """The differences of one capture, each with the rows of both sides."""

    def __init__(self):
        self.figures = 0
        self.is_anchored = False  # most of its jobs are compared with what was simulated
        self.differences = []

    def differ(self, where, wanted, got):
        self.differences.append((where, wanted, got))

    def same(self, where, wanted, got):
        self.figures += 1
        if wanted != got:
            self.differ(where, wanted, got)

    def lines(self, where, wanted, got):
        """Printed lines, in this order."""
        for number in range(max(len(wanted), len(got))):
            right = wanted[number] if number < len(wanted) else None
            line = DRAWN.sub("", got[number]).rstrip() if number < len(got) else None
            self.figures += len(right or ())
            if right is None or line is None or not is_line(right, line):
                self.differ(where, "no line" if right is None else line_of(right),
                            "no line" if line is None else " ".join(line.split()))

    def any_order(self, where, wanted, got):
        """Printed lines of which the order says nothing: those that fit, first."""
        got = [DRAWN.sub("", line).rstrip() for line in got]
        left = []
        for right in wanted:
            self.figures += len(right)
            fits = next((line for line in got if is_line(right, line)), None)
            if fits is None:
                left.append(right)
            else:
                got.remove(fits)
        self.lines(where, left, got)


def check_text(tables, text, judgement):
    """grtrace report, all of its tables."""
    printed = blocks(text)
    check_groups(tables, printed, judgement)
    check_activity(tables, printed, judgement)
    check_histograms(tables, printed, judgement)
    check_lists(tables, printed, judgement)
    check_matrix(tables, printed, judgement)
    check_end(tables, printed, judgement)


def check_groups(tables, printed, judgement):
    for by, word in GROUPS.items():
        leave_out = ("by", "id") if by == "device" else ("by",)
        lines = group_table(printed, word)
        if by == "device":  # Its number follows from records that are no events.
            lines = [re.sub(r"^ *(\d+|-) ", "", line) for line in lines]
        judgement.lines(f"table {word}", [cells(row, *leave_out) for row in tables["group_rows"]
                                          if row["by"] == by], lines)
    headings = {}
    for row in tables["stage_rows"]:
        headings.setdefault(row["heading"], []).append(cells(row, "by", "heading"))
    for heading, rows in headings.items():
        judgement.lines(f"stages of {heading}", rows, printed.get(
            " ".join(f"Stages of {heading}".split()), ["", "none printed"])[1:])


def check_activity(tables, printed, judgement):
    for title, name in (("BUSY AND IDLE", "busy_rows"), ("DEVICE BUSY", "device_rows"),
                        ("QUEUE DEPTH", "depth_rows"), ("Q2Q", "arrival_rows")):
        wanted, got = [cells(row) for row in tables[name]], starting(printed, title)[1]
        # How deep a queue was while records were lost is not known; the figure has its mark.
        if name in ("depth_rows", "arrival_rows"):
            wanted = [row for row in wanted if all(cell.value != "*" for cell in row)]
            got = [line for line in got if not line.rstrip().endswith("*")]
        judgement.any_order(title, wanted, got)
    gaps = [cells({**row, "CAUSE": CAUSES[row["CAUSE"]]}) for row in tables["gap_rows"]]
    for row in gaps:
        row.insert(6, Cell("percent", "%"))
    judgement.any_order("idle gaps", gaps, [
        line for heading, lines in printed.items() if re.match(r"The (\d+ idle gaps|idle gap) that", heading)
        for line in lines[1:]])


def check_histograms(tables, printed, judgement):
    titles = {"lat": "SUBMIT to COMPLETE", "queue": "SUBMIT to START", "exec": "START to END",
              "size": "size of jobs"}
    for what, title in titles.items():
        rows = [row for row in tables["histogram_rows"] if row["what"] == what]
        _, lines = starting(printed, "Histogram: " + title)
        wanted = []
        for row in rows:
            low = ["NA", "NA"] if row["low"] is None else [row["low"], row["high"]]
            share = [] if row["low"] is None else [Cell("%:f1", row["share"])]
            wanted.append([Cell("from", low[0]), Cell("below", low[1]), Cell("jobs", row["jobs"])] + share)
        got = [line for line in lines[1:] if not re.match(r" *\d+ +\d+ +0 +[0-9.NA]+ *$", line)]
        judgement.any_order(f"histogram {what}", wanted, got)
    lines = starting(printed, "Histogram: how jobs ended")[1]
    wanted = []
    for row in tables["result_rows"]:
        name = KINDS[row["code"]] if row["part"] == "error" else \
            "no COMPLETE recorded" if row["code"] is None else \
            "ok" if row["code"] == 0 else error_name(row["code"])
        wanted.append([Cell("", name), Cell("jobs", row["jobs"]), Cell("%:f1", row["share"])])
    judgement.any_order("histogram result", wanted, [
        line for line in lines if re.search(r" \d+ +[0-9.]+\b", line) and
        not re.search(r" 0 +0\.0 *$", line)])


def check_lists(tables, printed, judgement):
    lines = starting(printed, "Top ", "by total time")[1][1:]
    wanted = [cells(row) for row in tables["top_rows"]]
    judgement.any_order("longest jobs", wanted, [settle(line, wanted) for line in lines])
    check_blame(tables, starting(printed, "Top ", "by cause of their delay")[1][1:], judgement)


LABEL_LINE = re.compile(r"(.+): ([\d,]+) jobs?, ([\d.]+|NA) % of their time( \*)?$")


def check_blame(tables, lines, judgement):
    """Top N by cause of their delay: below each label its jobs."""
    groups, told = {}, {}
    for row in tables["blame_rows"]:
        groups.setdefault(row["label"], []).append(row)
    rows = []
    for line in lines:
        found = LABEL_LINE.match(line)
        if found:
            rows = told.setdefault(found[1], [found])
        elif not line.startswith("no job: "):
            rows.append(line)
    add_either(groups, told.get("slow execution", [None])[1:])
    for label in sorted(set(groups) | set(told)):
        wanted, got = groups.get(label, []), told.get(label, [None])
        jobs = sum(row["weight"] for row in wanted)
        known = [row for row in wanted if None not in (row["BLAMED:ns"], row["TOTAL:ns"])]
        total = sum(row["weight"] * row["TOTAL:ns"] for row in known)
        share = 100 * sum(row["weight"] * row["BLAMED:ns"] for row in known) / total if total else None
        judgement.lines(f"blame {label}", [[Cell("label", label + ":"), Cell("jobs:n", jobs),
                        Cell("word", "job," if jobs == 1 else "jobs,"), Cell("share:f1", share),
                        Cell("words", "% of their time")]] if wanted else [],
                        [re.sub(r" \*$", "", got[0][0])] if got[0] else [])
        judgement.any_order(f"blame {label}", [blame_cells(row) for row in wanted], got[1:])


def add_either(groups, lines):
    """Adds jobs that may be slow where the report says so: see settle()."""
    for row in groups.pop("ok or slow execution", []):
        if any(is_line(blame_cells(row), line) for line in lines):
            groups.setdefault("slow execution", []).append(row)


def blame_cells(row):
    what = row["blocked_by"] and "by " + row["blocked_by"] if row["PART"] == "blocked" else ""
    if row["label"] == "host-bound":
        what = ", ".join(f"{stage} {time_text(row[stage])}" for stage in ("I2D", "E2C"))
    if row["label"] == "failed":
        kinds, _, code = row["errors"].partition(";")
        what = ", ".join([KINDS[min(int(kind), 7)] for kind in kinds.split(",") if kind] +
                         [error_name(int(code))] + (["by " + row["guilty"]] if row["guilty"] else []))
    found = cells(row, "label", "errors", "guilty", "blocked_by", "weight", "mark", "I2D", "E2C")
    return found + [Cell("WHAT", what), Cell("mark", row["mark"])]


def settle(line, wanted):
    """A label that may be either, as the percentile is 3 % high, becomes "ok or slow
    execution", which is how SQL says it."""
    found = re.search(r" (\S+:\d+) +(ok|slow execution)( \*)?$", line)
    if not found:
        return line
    for row in wanted:
        label = row[-2]
        if label.value == "ok or slow execution" and row[-3].value == found[1]:
            return line[:found.start(2)] + label.value + (found[3] or "")
    return line


MATRIX_LINE = re.compile(r"(.*?\(\d+\) +\d+ +\S+ +\S+ +(?:[\d.]+|NA)) ")


def check_matrix(tables, printed, judgement):
    """Compares the table of who delayed whom: whose jobs waited, for how long, for whose."""
    rings = {}
    for row in tables["delay_rows"]:
        rings.setdefault(row["title"], []).append(row)
    for title, rows in rings.items():
        _, lines = starting(printed, f"Who delayed whom on {title}:")
        got = [MATRIX_LINE.match(line) for line in lines if not line.startswith("  ")]
        wanted = []
        for row in rows:
            parts = [cell for cell in tables["delay_cells"] if cell["ring_id"] == row["ring"] and
                     cell["victim_tgid"] == row["process"]]
            others = sum(cell["ns"] for cell in parts if cell["kind"] == "process")
            wait = row["WAIT:ns"]
            wanted.append([Cell("VICTIM", row["VICTIM"]), Cell("JOBS", row["JOBS"]),
                           Cell("WAIT:ns", wait),
                           Cell("BY OTHERS:f1", 100 * others / wait if wait else None)])
        judgement.any_order(f"matrix {title}", wanted, [found[1] for found in got if found])


def check_end(tables, printed, judgement):
    end = "\n".join(printed.get("the end", ()))
    right = tables["end_rows"][0]
    found = re.search(r"^Labels: (.*?)( \*)?$", end, re.M)
    labels = {label: int(jobs.replace(",", "")) for jobs, label in
              (part.split(" ", 1) for part in (found[1] if found else "").split(", ") if " " in part)}
    open_labels = {"ok", "slow execution"} if any(
        row["label"] == "ok or slow execution" for row in tables["label_rows"]) else set()
    for row in tables["label_rows"]:
        if row["label"] not in open_labels | {"ok or slow execution"}:
            judgement.same(f"label {row['label']}", row["jobs"], labels.get(row["label"], 0))
    for what, pattern in (
            ("records", r"^Records: ([\d,]+) read"), ("jobs", r"^Jobs: ([\d,]+) seen"),
            ("incomplete", r"^Jobs: .* ([\d,]+) incomplete"),
            ("began_before", r"^Jobs: .* ([\d,]+) begun before"),
            ("cut", r"^Jobs: .* ([\d,]+) cut by a change"),
            ("touched", r"^Touched by loss: ([\d,]+) jobs"),
            ("inferred", r"^Inferred: timestamps of ([\d,]+) jobs"),
            ("slow_queue", r"^Marked as slow: ([\d,]+) in the queue"),
            ("slow_exec", r"^Marked as slow: .* ([\d,]+) in execution"),
            ("lost", r"^Lost: ([\d,]+) records"), ("places", r"^Lost: .* in ([\d,]+) places"),
            ("lost_events", r"^Lost: .* ([\d,]+) events"), ("lost_notes", r"^Lost: .* ([\d,]+) notes")):
        found = re.search(pattern, end, re.M)
        judgement.same(what, right[what], int(found[1].replace(",", "")) if found else 0)


def read_csv(text):
    return list(csv.DictReader(io.StringIO(text)))


def by_key(rows, keys, judgement, where):
    """Rows by their key; of two with the same key, in their order."""
    found = {}
    for row in rows:
        key = tuple(str(row[name]) if row[name] is not None else "NA" for name in keys)
        found[key + (sum(1 for other in found if other[:-1] == key),)] = row
    return found


def check_rows(where, wanted, got, keys, judgement, fits=None):
    """Rows of figures, found by their keys; fits() decides on what may differ."""
    right = by_key(wanted, keys, judgement, where)
    told = by_key(got, keys, judgement, where)
    for key in [*right, *(key for key in told if key not in right)]:
        if key not in right or key not in told:
            judgement.differ(f"{where} {' '.join(map(str, key[:-1]))}",
                             right.get(key, "no row"), told.get(key, "no row"))
            continue
        wrong = {}
        for name, value in right[key].items():
            if name not in told[key]:
                continue
            judgement.figures += 1
            value = "NA" if value is None else str(value)
            if value != told[key][name] and not (fits and fits(name, right[key], told[key])):
                wrong[name] = (value, told[key][name])
        if wrong:
            judgement.differ(f"{where} {' '.join(map(str, key[:-1]))}",
                             {name: pair[0] for name, pair in wrong.items()},
                             {name: pair[1] for name, pair in wrong.items()})


def either_label(name, right, told):
    return name == "label" and right["label"] == "ok or slow execution" and \
        told["label"] in ("ok", "slow execution")


def rounded(name, right, told):
    """Where processes shared a moment, each job may be a ns off."""
    return name in ("ns", "part") and right["slack"] and told[name] != "NA" and \
        abs(int(told[name]) - right[name]) <= (right["slack"] if name == "ns" else 1)


GROUP_COLUMNS = {"by": "by", "name": "name", "JOBS": "jobs", "FAILED": "failed", "OPEN": "open",
                 "QUEUE avg:ns": "queue_avg", "EXEC avg:ns": "exec_avg", "EXEC sum:ns": "exec_sum",
                 "WAIT sum:ns": "wait_sum", "TOTAL avg:ns": "total_avg",
                 "TOTAL max:ns": "total_max"}


def check_groups_csv(tables, text, judgement):
    wanted = []
    for row in tables["group_rows"]:
        line = {column: row[name] for name, column in GROUP_COLUMNS.items()}
        line = {name: int(value) if isinstance(value, float) else value
                for name, value in line.items()}
        # The number of a device follows from records that are no events.
        line["id"] = "?" if row["by"] == "device" else row["id"]
        line["touched"] = int(row["mark"] == "*")
        wanted.append(line)
    got = read_csv(text)
    for row in got:
        if row["by"] == "device":
            row["id"] = "?"
    check_rows("--groups-csv", wanted, got, ("by", "id", "name"), judgement)


def check_depth_csv(tables, text, judgement):
    """The greatest depth of each interval, and no time without one."""
    steps = {}
    for row in tables["depth_steps"]:
        steps.setdefault(row["title"], []).append(row)
    printed = {}
    for row in read_csv(text):
        title = f"ring {row['ring']}" if row["dev"] == "NA" else f"{row['dev']} {row['ring']}"
        printed.setdefault(title, []).append({key: int(row[key]) for key in
                                              ("from_ns", "to_ns", "depth")})
    for title, wanted in steps.items():
        got = printed.get(title, [])
        judgement.same(f"--depth-csv: intervals of {title}",
                       [wanted[0]["from_ts"], *(row["to_ns"] for row in got[:-1]), wanted[-1]["to_ts"]],
                       [*(row["from_ns"] for row in got), *(row["to_ns"] for row in got[-1:])])
        judgement.same(f"--depth-csv: depths of {title}", [
            max((step["depth"] for step in wanted
                 if step["from_ts"] < row["to_ns"] and step["to_ts"] > row["from_ns"]), default=0)
            for row in got], [row["depth"] for row in got])


def check_jobs(tables, text, judgement, where="report --csv"):
    wanted, got = tables["job_rows"], read_csv(text)
    if wanted and got and list(wanted[0]) != list(got[0]):
        judgement.differ(f"{where}: columns", list(wanted[0]), list(got[0]))
    check_rows(where, wanted, got, ("dev", "ring", "ctx", "seqno"), judgement, either_label)


def check_findings(tables, text, judgement):
    """Findings and the rest are all that jobs waited and tasks lost, and none is too small."""
    rows = [json.loads(line) for line in text.splitlines()]
    waited = sum(row["t_queue"] * row["weight"] for row in tables["job_rows"]
                 if row["t_queue"] is not None)
    parts = [row["ns"] for row in rows if row["row"] in ("finding", "rest")]
    found = [row["ns"] for row in rows if row["row"] == "finding" and row["kind"] != "not_over"]
    standing = [row for row in rows if row["row"] == "finding" and row["kind"] == "not_over"]
    check_not_over(tables, standing, judgement)
    judgement.same("--json: waited_ns", waited, rows[0]["waited_ns"])
    late = tables["late_wakes"][0]
    woken = rows[0]["woken_ns"] if late["is_open"] else late["ns"]
    judgement.same("--json: woken_ns", woken, rows[0]["woken_ns"])
    waited += woken
    judgement.same("--json: findings and the rest", waited, sum(parts))
    judgement.same("--json: findings below 1 ms or 1 %", [],
                   [ns for ns in found if ns < 10**6 or ns < waited // 100])
    # A job that waited less than 100 us is late for nothing but a hang.
    late = sum(row["weight"] for row in tables["job_rows"] if (row["t_queue"] or 0) >= 10**5)
    for row in rows:
        if row["row"] == "finding" and row["kind"] not in ("hang", "late_wake"):
            judgement.same(f"--json: jobs of {row['kind']}, of which no more were late", True,
                           row["jobs"] <= late and row["ns"] >= row["jobs"] * 10**5)
    judgement.same("--json: the longest first", sorted(found, reverse=True), found)
    judgement.same("--json: its end", len(found) + len(standing), rows[-1]["findings"])


def check_not_over(tables, standing, judgement):
    """A finding about the end is of a job without END and COMPLETE, and adds to no sum."""
    still = {f"{row['ctx']}:{row['seqno']}" for row in tables["job_rows"]
             if row["end_ts"] is None and row["complete_ts"] is None}
    for row in standing:
        judgement.same("--json: what is not over has no ns", 0, row["ns"])
        if row["root"] is not None:
            judgement.same(f"--json: {row['root']} is not over", True, row["root"] in still)


SCREEN_RING = re.compile(r" (.*?)[ \u2581-\u2588]* +(\?|>?[\d.]+ %)(?:  [#\d+ ]*)?$")


def check_screen(tables, text, judgement):
    """The first screen: each ring's busy share, and that none is left out unsaid."""
    found = re.search(r" busy(?:  late)?\n((?: .*\n)*)", text)
    head = found[1].splitlines() if found else []
    more = re.fullmatch(r" and ([\d,]+) rings? more", head[-1]) if head else None
    lines = [SCREEN_RING.match(line) for line in (head[:-1] if more else head)]
    left = [(row["title"], share_text(row)) for row in tables["screen_rings"]]
    judgement.same("screen: rings", len(left),
                   len(lines) + (int(more[1].replace(",", "")) if more else 0))
    names = [line[1] for line in lines if line]
    titles = [title for title, _ in left]
    if len(set(titles)) == len(titles):
        judgement.same("screen: names of rings that are the same", [],
                       [name for name in set(names) if names.count(name) > 1])
    for line, text_line in zip(lines, head):
        right = [(title, share) for title, share in left
                 if line and (" " + title).endswith(line[1].strip())]
        fits = [row for row in right if line[2] == row[1]]
        judgement.same(f"screen: busy share of {text_line}", True, bool(fits))
        if fits:
            left.remove(fits[0])
        elif right:
            judgement.differ("screen", right, line[2])


def share_text(row):
    if row["share"] is None:
        return "?"
    return f"{'>' if row['lossy'] else ''}{row['share']:.1f} %"


def check_delays(tables, text, judgement):
    got = read_csv(text)
    for row in got:
        if row["kind"] != "process":
            row["culprit_tgid"] = "NA"
        if row["part"] == "NA":
            row["part"] = "0"
    wanted = [{**row, "culprit_tgid": row["culprit_tgid"] if row["kind"] == "process" else None}
              for row in tables["delay_cells"]]
    check_rows("--delays-csv", wanted, got,
               ("dev", "ring", "victim_tgid", "kind", "culprit_tgid"), judgement, rounded)
