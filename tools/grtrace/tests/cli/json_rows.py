# SPDX-License-Identifier: GPL-2.0
#
# Lines of --json as rows. A number that is a name, with which nothing is calculated,
# is a string in each kind of row.
import json

IDS = {'session', 'ctx', 'seqno', 'fence_ctx', 'fence_seqno', 'cgroup',
       'start_real'}


def read_row(line):
    row = json.loads(line)
    for key in IDS & row.keys():
        if row[key] is not None:
            assert isinstance(row[key], str), (key, row)
            row[key] = int(row[key])
    return row
