#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
#
# The latencies that grtrace timeline prints, against those of a slow and obvious
# computation from the rows of grparse --csv.
#
# Usage: timeline.py CSV TABLE
import csv
import math
import re
import sys

UNITS = {'ns': 1, 'us': 1e3, 'ms': 1e6, 's': 1e9}


def read(path):
    """Ioctls, jobs by key, waits."""
    ioctls, jobs, waits, waiting = [], {}, [], {}
    for row in csv.DictReader(open(path)):
        ts, pid = int(row['ts']), row['pid']
        if row['type'] == 'ioctl':
            ioctls.append({'pid': pid, 'enter': ts - int(row['duration']), 'exit': ts,
                           'name': f"{row['driver']} {row['ioctl']}",
                           'failed': int(row['result']) < 0})
        key = (row['ctx'], row['seqno'])
        if row['type'] == 'submit':
            jobs[key] = {'pid': pid, 'submit': ts, 'failed': False}
        elif row['type'] in ('pick', 'commit', 'complete'):
            jobs[key][row['type']] = ts
            if row['type'] == 'complete':
                jobs[key]['failed'] = row['code'] not in ('0', 'NA')
        elif row['type'] == 'wait_enter':
            waiting[pid, key] = ts
        elif row['type'] == 'wait_exit':
            waits.append((key, ts))
    return ioctls, jobs, waits


def truth(path):
    ioctls, jobs, waits = read(path)
    lines = {}

    def add(name, duration, failed):
        lines.setdefault(name, []).append((duration, failed))

    for call in ioctls:
        for name in call['name'], 'all':
            add(name, call['exit'] - call['enter'], call['failed'])
    without = 0
    for key, job in jobs.items():
        add('SUBMIT to COMPLETE', job['complete'] - job['submit'], job['failed'])
        run = job.get('commit', job.get('pick'))
        add('run to COMPLETE', job['complete'] - run, job['failed'])
        around = [call for call in ioctls if call['pid'] == job['pid'] and
                  call['enter'] <= job['submit'] <= call['exit']]
        if not around:
            without += 1
            continue
        call = min(around, key=lambda call: call['exit'])
        add('entry to COMPLETE', job['complete'] - call['enter'], job['failed'])
        back = [ts for fence, ts in waits if fence == key and ts >= job['complete']]
        if back:
            add('entry to waiter back', min(back) - call['enter'], job['failed'])
    return lines, without, len(jobs)


def printed(path):
    table, histograms = {}, {}
    title = None
    for line in open(path):
        line = line.rstrip('\n').removesuffix(' *')
        found = re.fullmatch(r'  (\S.*?) +(\d+) +(\d+) ((?: +[0-9.]+ (?:ns|us|ms|s )){6})', line)
        if found:
            values = [float(number) * UNITS[unit] for number, unit in
                      re.findall(r'([0-9.]+) (ns|us|ms|s)', found[4])]
            table[found[1]] = (int(found[2]), int(found[3]), *values)
        elif line.startswith('Histogram: '):
            title = line.removeprefix('Histogram: ')
            histograms[title] = []
        elif title and re.match(r' +\d+ +\d+ +\d+ ', line):
            histograms[title].append(tuple(int(word) for word in line.split()[:3]))
    return table, histograms


def near(value, other, part):
    return abs(value - other) <= max(part * other, 0.6)


def compare(name, values, line):
    times = sorted(duration for duration, _ in values)
    count, failed, least, mean, p50, p90, p99, most = line
    assert count == len(times), (name, count, len(times))
    assert failed == sum(failure for _, failure in values), (name, failed)
    for value, right in (least, times[0]), (mean, sum(times) / count), (most, times[-1]):
        assert near(value, right, 0.001) or abs(value - right) < 1, (name, value, right)
    for value, part in (p50, 0.5), (p90, 0.9), (p99, 0.99):
        right = times[math.ceil(round(count * part, 9)) - 1]
        assert right * 0.999 - 1 <= value <= right * 1.033 + 1, (name, part, value, right)


lines, without, jobs = truth(sys.argv[1])
table, histograms = printed(sys.argv[2])
assert set(table) == set(lines), (set(table), set(lines))
for name, values in lines.items():
    compare(name, values, table[name])
drawn = {'ioctl, from entry to return': 'all', 'GPU, SUBMIT to COMPLETE': 'SUBMIT to COMPLETE',
         "end to end, from the ioctl's entry to COMPLETE": 'entry to COMPLETE',
         "end to end, from the ioctl's entry until the waiter is back": 'entry to waiter back'}
assert {title.removesuffix(' *') for title in histograms} == set(drawn), histograms.keys()
for title, rows in histograms.items():
    times = [duration for duration, _ in lines[drawn[title.removesuffix(' *')]]]
    assert sum(count for _, _, count in rows) == len(times), title
    for low, below, count in rows:
        right = sum(low * 1000 <= duration < below * 1000 for duration in times)
        assert count == right, (title, low, count, right)
remark = f'{without} of {jobs:,} jobs have no ioctl'
assert not without or remark in open(sys.argv[2]).read(), remark
print(f"{len(lines['all'])} ioctls, {jobs} jobs, {without} without an ioctl, "
      f"{len(lines['entry to waiter back'])} waited for")
