# SPDX-License-Identifier: GPL-2.0
"""Compares the tables that grparse -s ends with to the rows of SQL."""

import re

CELL = re.compile(r" ([A-Z][a-z ]+): +([\d,]+)")
HEADING = re.compile(r"(?:CPU(\d+) \(|Ring (\d+) |(Total) \().*:$")
PROGRAM = re.compile(r"(.+?) +(\d+) +" + " +".join([r"([\d,]+|NA)"] * 7) + "$")


def number(text):
    return int(text.replace(",", ""))


def check_summary(tables, text, judgement):
    check_counts(tables, text, judgement)
    check_programs(tables, text, judgement)


def check_counts(tables, text, judgement):
    told, rows = {}, {}
    for line in text.splitlines():
        found = HEADING.match(line)
        if found:
            part = 1 if found[1] else 2 if found[2] else 3
            rows = told.setdefault((part, int(found[1] or found[2] or 0)), {})
        elif line.startswith(" "):
            rows.update((name, number(count)) for name, count in CELL.findall(line))
        else:
            rows = {}
    for row in tables["count_rows"]:
        key = (row.pop("part"), row.pop("id"))
        for name in ("Queue states", "Ioctls"):
            if not row[name]:  # has no line then
                del row[name]
        judgement.same(f"grparse -s, counts of {key}", row, told.pop(key, None))
        judgement.figures += len(row)
    total = told.pop((3, 0), None)
    if total and any(total.values()) or told:
        judgement.differ("grparse -s, counts", "no table", told or total)


def check_programs(tables, text, judgement):
    """A time is cut to whole us, or NA; a program that did nothing has no line."""
    told = {}
    for line in text.partition("\n\nCPU")[0].splitlines():
        found = PROGRAM.match(line)
        if found:
            told[int(found[2])] = [None if cell == "NA" else number(cell)
                                     for cell in found.groups()[2:]]
    for row in tables["program_rows"]:
        process = row["process"]
        times = [row[name] if row[name] is None else row[name] // 1000
                 for name in ("exec", "wait", "queue")]
        judgement.same(f"grparse -s, program {process}",
                       [row["QUEUED"], row["COMPLETED"], row["WAITS"], row["FAILED"], *times],
                       told.pop(process, None))
    for process, row in told.items():
        judgement.differ(f"grparse -s, program {process}", "no line", row)
