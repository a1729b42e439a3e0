# SPDX-License-Identifier: GPL-2.0
"""turned.py [ROW]: a table on its side, a line for each column: its name, then its cells.

Reads CSV, or lines of JSON of which those of a kind ("row": ROW) are wanted.
"""
import csv
import json
import sys


def text(value):
    """As CSV has it; a cell is one word."""
    return 'NA' if value is None else str(value).replace(' ', '_') or '-'


if len(sys.argv) > 1:
    rows = [row for row in map(json.loads, sys.stdin) if row.pop('row', sys.argv[1]) == sys.argv[1]]
    names = list(rows[0])
else:
    table = csv.DictReader(sys.stdin)
    rows, names = list(table), table.fieldnames
for name in names:
    print(name, *(text(row[name]) for row in rows))
