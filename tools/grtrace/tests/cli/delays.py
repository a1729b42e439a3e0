#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Who delayed whom, worked out anew, slowly.

Usage: delays.py EVENTS JOBS CELLS

EVENTS is of grparse --csv, JOBS of grtrace report --csv, CELLS of grtrace report
--delays-csv, of a capture without loss. Every wait is compared with every
execution on its ring; the definition stands in src/delay_split.h. Prints what
differs by more than rounding, and exits with 1 then.
"""
import csv
import sys
from collections import defaultdict


def rows(path):
    with open(path, newline='') as file:
        return list(csv.DictReader(file))


def number(text):
    return None if text in ('NA', '') else int(text)


class Job:
    def __init__(self, row):
        self.ring = (row['dev'], row['ring'])
        self.ctx, self.seqno = int(row['ctx']), int(row['seqno'])
        self.tgid = number(row['tgid'])
        self.submit, self.commit, self.start, self.end, self.complete = (
            number(row[name + '_ts'])
            for name in ('submit', 'commit', 'start', 'end', 'complete'))
        self.failed = row['label'] == 'failed'
        self.picked = False
        self.blocked = []  # from, to, owner


def merged(spans):
    """Spans without overlaps, in order."""
    out = []
    for start, end in sorted(spans):
        if out and start <= out[-1][1]:
            out[-1][1] = max(out[-1][1], end)
        else:
            out.append([start, end])
    return out


def clipped(spans, pieces):
    return [(max(a, c), min(b, d)) for a, b in spans for c, d in pieces
            if max(a, c) < min(b, d)]


def length(spans):
    return sum(end - start for start, end in merged(spans))


class Lives:
    """Jobs by the key that events have; contexts may be used again."""

    def __init__(self, jobs):
        self.jobs = defaultdict(list)
        for job in jobs:
            self.jobs[job.ctx, job.seqno & 0xffffffff].append(job)

    def find(self, ctx, seqno, ts, ring=None):
        for job in self.jobs[ctx, seqno]:
            over = max(job.end or 0, job.complete or 0) or float('inf')
            if (job.submit or 0) <= ts <= over and ring in (None, job.ring):
                return job
        return None


def read_steps(path, lives):
    """BLOCKED and PICK, which no row of a job tells in full."""
    open_blocks = {}
    for row in rows(path):
        if row['type'] not in ('blocked', 'pick'):
            continue
        ts = int(row['ts'])
        job = lives.find(int(row['ctx']), int(row['seqno']), ts,
                         (row['dev'], row['ring_name']))
        if job in open_blocks:
            since, owner = open_blocks.pop(job)
            job.blocked.append((since, ts, owner))
        if row['type'] == 'pick':
            job.picked = True
            continue
        owner = lives.find(int(row['fence_ctx']), int(row['fence_seqno']), ts)
        open_blocks[job] = ts, owner.tgid if owner else None


def executions(jobs):
    """By ring: start, end, tgid."""
    found = defaultdict(list)
    tells_end = {job.ring for job in jobs if job.end is not None}
    left = defaultdict(int)
    for job in sorted(jobs, key=lambda job: job.end or job.complete or 0):
        end, start = job.end, job.start
        unseen = None is job.submit is job.commit and not job.picked
        if end is None and (job.failed or unseen
                            or job.ring not in tells_end):
            end = job.complete
        if unseen and start is None:
            start = left[job.ring]
        if job.end is not None or job.failed or unseen:
            left[job.ring] = end or 0
        if end is not None and start is not None and start < end:
            found[job.ring].append((start, end, job.tgid))
    return found


def split(job, ended):
    """By process: ns. None is one that is not known, '' is nobody."""
    shares = defaultdict(float)
    pieces = [(job.submit, job.start)]
    for start, end, owner in job.blocked:
        for a, b in clipped([(start, end)], [(job.submit, job.start)]):
            shares[owner] += b - a
            pieces = [piece for c, d in pieces
                      for piece in ((c, min(d, a)), (max(c, b), d))
                      if piece[0] < piece[1]]
    by_process = defaultdict(list)
    for start, end, tgid in ended:
        if end <= job.start:
            by_process[tgid] += clipped([(start, end)], pieces)
    covered = length([span for spans in by_process.values() for span in spans])
    total = sum(map(length, by_process.values()))
    for tgid, spans in by_process.items():
        if spans:
            shares[tgid] += length(spans) * covered / total
    shares[''] = length(pieces) - covered
    return shares


def kind_of(victim, culprit):
    if culprit == '':
        return 'nobody', None
    if culprit is None:
        return 'unknown', None
    return ('itself' if culprit == victim else 'process'), culprit


def main():
    jobs = [Job(row) for row in rows(sys.argv[2])]
    read_steps(sys.argv[1], Lives(jobs))
    ended = executions(jobs)
    expected = defaultdict(lambda: [0.0, 0])
    for job in jobs:
        if job.submit is None or job.start is None or job.start < job.submit:
            continue
        if job.end is None and job.complete is None:
            continue
        for culprit, ns in split(job, ended[job.ring]).items():
            cell = expected[job.ring, job.tgid, kind_of(job.tgid, culprit)]
            cell[0] += ns
            cell[1] += 1
    differ = 0
    told = {}
    for row in rows(sys.argv[3]):
        key = ((row['dev'], row['ring']), int(row['victim_tgid']),
               (row['kind'], number(row['culprit_tgid'])))
        told[key] = int(row['ns'])
    for key in sorted(set(told) | set(expected), key=str):
        ns, number_of_jobs = expected.get(key, (0, 0))
        if abs(told.get(key, 0) - ns) > number_of_jobs:
            print(key, 'told', told.get(key), 'expected', ns)
            differ += 1
    processes = {key for key in told if key[2][0] == 'process'}
    print(len(told), 'cells,', len(processes), 'of other processes,', differ,
          'differ')
    return 1 if differ or not processes else 0


if __name__ == '__main__':
    sys.exit(main())
