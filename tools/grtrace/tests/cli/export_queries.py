# SPDX-License-Identifier: GPL-2.0
#
# The results that the queries of the manual have to find, computed from the lines of
# grparse --json and grtrace report --csv: slow and obvious. A function for each,
# by its name.
from collections import defaultdict

LOW = 0xffffffff


def total(job):
    if job['submit_ts'] is None or job['complete_ts'] is None:
        return None
    took = job['complete_ts'] - job['submit_ts']
    return took if took >= 0 else None


def over(job):
    return job['end_ts'] if job['end_ts'] is not None else job['complete_ts']


def by(rows, *keys):
    """Rows in groups, in the order of SQL: NULL first."""
    groups = defaultdict(list)
    for row in rows:
        groups[tuple(row[key] for key in keys)].append(row)
    return sorted(groups.items(),
                  key=lambda item: [(value is not None, value or 0
                                     if not isinstance(value, str) else value)
                                    for value in item[0]])


def stands_for(jobs):
    """Where jobs were sampled, each stands for several."""
    return sum(job['weight'] for job in jobs)


def slowest(_events, jobs):
    rows = []
    for (dev, ring), group in by([job for job in jobs if total(job) is not None],
                                 'dev', 'ring'):
        group.sort(key=lambda job: -total(job))
        rows += [(dev, ring, job['ctx'], job['seqno'], job['comm'], total(job))
                 for job in group[:3]]
    return rows


def waited(events, jobs):
    """Tasks from WE to WX, jobs from one UN to the next or to PICK."""
    owners = {(job['ctx'], job['seqno'] & LOW): job['tgid'] for job in jobs
              if job['pid'] is not None}
    waits, open_tasks, open_jobs = [], {}, {}
    for event in events:
        key = event['ctx'], event['seqno']
        if event['type'] == 'wait_enter':
            open_tasks[event['pid'], key] = event['ts']
        elif event['type'] == 'wait_exit':
            since = open_tasks.pop((event['pid'], key), None)
            if since is not None:
                waits.append(('task', event['tgid'], key, event['ts'] - since))
        elif event['type'] in ('blocked', 'pick') and key in open_jobs:
            since, fence = open_jobs.pop(key)
            waits.append(('job', owners[key], fence, event['ts'] - since))
        if event['type'] == 'blocked':
            open_jobs[key] = (event['ts'],
                              (event['fence_ctx'], event['fence_seqno']))
    sums = defaultdict(lambda: [0, 0])
    for who, waiter, fence, ns in waits:
        if fence in owners and owners[fence] is not None:
            sums[who, waiter, owners[fence]][0] += 1
            sums[who, waiter, owners[fence]][1] += ns
    return sorted(((*key, *value) for key, value in sums.items()),
                  key=lambda row: (-row[4], row[:3]))


def busy(events, jobs):
    """Each moment between two steps is busy or not."""
    times = [event['ts'] for event in events if event['type'] != 'lost']
    rows = []
    for (dev, ring), group in by(jobs, 'dev', 'ring'):
        spans = sorted((job['start_ts'], over(job)) for job in group
                       if job['start_ts'] is not None
                       and over(job) is not None
                       and over(job) >= job['start_ts'])
        if not spans:
            continue
        sum_ns, until = 0, 0
        for start, end in spans:
            sum_ns += max(0, end - max(start, until))
            until = max(until, end)
        rows.append((dev, ring, sum_ns, round(100.0 * sum_ns /
                                              (max(times) - min(times)), 2)))
    return rows


def percentiles(_events, jobs):
    rows = []
    for (tgid,), group in by([job for job in jobs if total(job) is not None],
                             'tgid'):
        values = sorted(total(job) for job in group)

        def nearest_rank(percent):
            return values[-(-len(values) * percent // 100) - 1]
        rows.append((tgid, len(values), nearest_rank(50), nearest_rank(99)))
    return rows


def depth(_events, jobs):
    rows = []
    for (dev, ring), group in by(jobs, 'dev', 'ring'):
        steps = []
        for job in group:
            if job['submit_ts'] is None:
                continue
            steps.append((job['submit_ts'], job['weight']))
            if over(job) is not None:
                steps.append((over(job), -job['weight']))
        now, most, when = 0, 0, None
        for ts, step in sorted(steps):
            now += step
            if now > most:
                most, when = now, ts
        rows.append((dev, ring, most, when))
    return rows


def engines(_events, jobs):
    return [(*key, stands_for(group),
             sum(job['t_exec'] * job['weight'] for job in group
                 if job['t_exec'] is not None)
             if any(job['t_exec'] is not None for job in group) else None)
            for key, group in by(jobs, 'tgid', 'engine')]


def labels(_events, jobs):
    return [(*key, stands_for(group)) for key, group in
            by(jobs, 'dev', 'ring', 'label', 'error')]


def chain(events, jobs):
    """By the fences that DEP names; a job is known while it is in flight."""
    known = {(job['ctx'], job['seqno'] & LOW): job for job in jobs}
    slow = max((job for job in jobs if total(job) is not None), key=total)
    depends = defaultdict(set)
    for event in events:
        on = event['fence_ctx'], event['fence_seqno']
        if event['type'] == 'dep' and on in known and \
                known[on]['complete_ts'] > event['ts']:
            depends[event['ctx'], event['seqno']].add(on)
    rows, level = set(), {(slow['ctx'], slow['seqno'] & LOW)}
    number = 0
    while level:
        rows |= {(number, key) for key in level}
        level = {on for key in level for on in depends[key]}
        number += 1
    return sorted((number, key[0], known[key]['seqno'],
                   known[key]['submit_ts'], known[key]['complete_ts'])
                  for number, key in rows)


def rate(events, jobs):
    start = next(event['ts'] - event['time'] for event in events)
    slots = [dict(job, slot=(job['submit_ts'] - start) // 100000)
             for job in jobs if job['submit_ts'] is not None]
    return [(*key, stands_for(group)) for key, group in by(slots, 'slot', 'tgid')]


def gaps(events):
    """Where cseq jumps: from behind the record before to the one after."""
    start = next(event['ts'] - event['time'] for event in events)
    due = defaultdict(lambda: (0, start))
    for event in sorted(events, key=lambda event: (event['cpu'],
                                                   event['cseq'])):
        number, since = due[event['cpu']]
        if event['cseq'] > number:
            yield (event['cpu'], since, event['ts'],
                   event['cseq'] - number)
        records = (event['events'] + event['notes']
                   if event['type'] == 'lost' else 1)
        due[event['cpu']] = (event['cseq'] + records,
                             (event['last_ts'] or event['ts']) + 1)


def losses(events, jobs):
    places = [(event['cpu'], event['first_ts'], event['last_ts'],
               event['events'] + event['notes'])
              for event in events if event['type'] == 'lost']
    places += gaps(events)
    rows = []
    for place in places:
        flying = [job for job in jobs if job['submit_ts'] is not None
                  and job['submit_ts'] <= place[2]
                  and (job['complete_ts'] is None
                       or job['complete_ts'] >= place[1])]
        rows.append((*place, stands_for(flying)))
    return sorted(rows, key=lambda row: row[1:3])
