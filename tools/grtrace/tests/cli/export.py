#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
#
# Compares exports, as other programs read them, with what grparse and grtrace
# report say. Prints how many rows agree, or the first that does not.
#
#	export.py rows WANT GOT		WANT: grparse --json or report --csv;
#					GOT: an array of JSON
#	export.py json ROW WANT GOT	GOT: lines of grtrace export --to json
#	export.py query MANUAL NAME DB EVENTS JOBS
#	export.py busy MANUAL DB REPORT
#	export.py slow EVENTS JOBS GOT	GOT: --rows events --slow-only; all are CSV
import csv
import json
import re
import subprocess
import sys

import export_queries
from json_rows import read_row


def fail(text):
    print(text)
    sys.exit(1)


def read_json(path):
    """An array, or an object a line; sqlite3 prints nothing for no rows."""
    with open(path, encoding='utf-8') as file:
        text = file.read()
    if text.startswith('['):
        return json.loads(text)
    return [read_row(line) for line in text.splitlines()]


def read_csv(path):
    with open(path, encoding='utf-8', newline='') as file:
        return list(csv.DictReader(file))


def read_want(path):
    """Rows, and whether they have types."""
    with open(path, encoding='utf-8', errors='replace') as file:
        typed = file.read(1) == '{'
    return (read_json(path) if typed else read_csv(path)), typed


def same(want, got, typed):
    """A value as grparse has it, and as SQL or JSON have it."""
    if not typed:
        return want == ('NA' if got is None else str(got))
    if isinstance(want, int) and isinstance(got, int):
        return (want - got) % 2**64 == 0
    return want == got


def compare(want, got, typed, ignored=()):
    if len(want) != len(got):
        fail(f'{len(want)} rows wanted, {len(got)} got')
    late = late_rings(got)
    for number, (left, right) in enumerate(zip(want, got)):
        for key, value in left.items():
            if key in ignored or (key in RING_KEYS and value in (None, 'NA')
                                  and number < late.get(right.get('ring'), 0)):
                continue
            if key not in right or not same(value, right[key], typed):
                fail(f'row {number}, {key}: {value!r} wanted, '
                     f'{right.get(key)!r} got, in {right}')
    print(len(want), 'compared')


RING_KEYS = {'ring_name', 'dev', 'engine', 'driver'}


def late_rings(rows):
    """A database has one name for a ring, grparse has none before its record:
    the row at which each is named."""
    return {row['ring']: number for number, row in enumerate(rows)
            if row.get('type') == 'ring'}


def query_text(manual, name):
    with open(manual, encoding='utf-8') as file:
        text = file.read()
    found = re.search(rf'-- query: {name}\n-- .*\n((?:.+\n)*)', text)
    if not found:
        fail(f'{manual} has no query {name}')
    return found.group(1)


def run_query(manual, name, database):
    out = subprocess.run(['sqlite3', '-json', database,
                          query_text(manual, name)],
                         check=True, stdout=subprocess.PIPE).stdout
    return json.loads(out) if out.strip() else []


def query(manual, name, database, events, jobs):
    got = [tuple(row.values()) for row in run_query(manual, name, database)]
    want = getattr(export_queries, name)(read_json(events), jobs_of(jobs))
    if got != want:
        for number, (left, right) in enumerate(zip(want, got)):
            if left != right:
                fail(f'row {number}: {left} wanted, {right} got')
        fail(f'{len(want)} rows wanted, {len(got)} got')
    print(len(want), 'compared')


def jobs_of(path):
    """With numbers where there are numbers, None for NA."""
    def value(text):
        if text == 'NA':
            return None
        return int(text) if re.fullmatch(r'-?\d+', text) else text
    return [{key: value(text) for key, text in row.items()}
            for row in read_csv(path)]


def busy(manual, database, report):
    """The percentages of grtrace report --busy, with its two digits."""
    with open(report, encoding='utf-8') as file:
        lines = file.read().split('BUSY AND IDLE')[1].split('\n\n')[0]
    want = {}
    for line in lines.splitlines()[1:]:
        words = line.split()
        want[words[0], words[1]] = float(words[2])
    rows = run_query(manual, 'busy', database)
    for row in rows:
        key = row['dev'], row['ring']
        if abs(want[key] - row['busy']) > 0.011:
            fail(f'{key}: {want[key]} wanted, {row["busy"]} got')
    if len(rows) != len(want):
        fail(f'{len(want)} rings wanted, {len(rows)} got')
    print(len(want), 'compared')


def slow(events, jobs, got):
    """Those of slow jobs are wanted, in any order: a row waits for the end of its job."""
    late = {(job['ctx'], int(job['seqno']) % 2**32) for job in read_csv(jobs)
            if job['label'] not in ('ok', 'incomplete', 'unknown')}
    want = [row for row in read_csv(events)
            if row['ctx'] != 'NA' and (row['ctx'], int(row['seqno'])) in late]
    want, got = ({tuple(row.values()) for row in rows} for rows in (want, read_csv(got)))
    if want != got:
        fail(f'{len(want - got)} missing: {sorted(want - got)[:2]}, '
             f'{len(got - want)} not wanted: {sorted(got - want)[:2]}')
    print(len(want), 'compared')


def main():
    what, *arguments = sys.argv[1:]
    if what == 'rows':
        want, typed = read_want(arguments[0])
        compare(want, read_json(arguments[1]), typed)
    elif what == 'json':
        row, want, got = arguments
        want, typed = read_want(want)
        compare(want, [one for one in read_json(got) if one['row'] == row],
                typed)
    elif what == 'query':
        query(*arguments)
    elif what == 'slow':
        slow(*arguments)
    else:
        busy(*arguments)


main()
