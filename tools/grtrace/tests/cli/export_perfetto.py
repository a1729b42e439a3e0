#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
#
# Reads a trace of Perfetto with Python's protobuf, as one who knows nothing but
# the definitions, and compares it with grtrace report --csv and the database.
# The definitions (perfetto_pb2.py, made by protoc) are in the current directory.
#
#	export_perfetto.py jobs TRACE JOBS DB
#	export_perfetto.py losses TRACE DB
#	export_perfetto.py numbers RAW		of protoc --decode_raw
import csv
import json
import re
import subprocess
import sys
from collections import defaultdict

sys.path.insert(0, '.')


def fail(text):
    print(text)
    sys.exit(1)


class Slice:
    def __init__(self, name, ts, event, annotations):
        self.name = name
        self.ts = ts
        self.end = None
        self.flows = set(event.flow_ids)
        self.ends = set(event.terminating_flow_ids)
        self.notes = annotations
        self.track = event.track_uuid


class Trace:
    """What Perfetto would show."""

    def __init__(self, path):
        import perfetto_pb2
        self.proto = perfetto_pb2
        with open(path, 'rb') as file:
            packets = perfetto_pb2.Trace.FromString(file.read()).packet
        self.tracks, self.counters = {}, defaultdict(list)
        self.instants, self.slices, self.stages = [], [], []
        self.snapshot = packets[0].clock_snapshot
        if not packets[0].sequence_flags & 1:
            fail('the first packet does not clear what is known')
        self.names = None
        events = [self.take(packet) for packet in packets]
        self.replay(sorted((event for event in events if event),
                           key=lambda event: event[0]))

    def take(self, packet):
        if packet.sequence_flags & 1:
            self.names = defaultdict(dict)
            if packet.trace_packet_defaults.timestamp_clock_id != \
                    self.snapshot.clocks[0].clock_id:
                fail('the clock is not the one of the snapshot')
        elif not packet.sequence_flags & 2:
            fail('a packet that needs no names')
        for field, values in packet.interned_data.ListFields():
            for value in values:
                if value.iid in self.names[field.name]:
                    fail(f'{field.name} {value.iid} is told twice')
                self.names[field.name][value.iid] = value
        if packet.HasField('track_descriptor'):
            track = packet.track_descriptor
            if track.parent_uuid and track.parent_uuid not in self.tracks:
                fail(f'the parent of {track.name} is not known')
            self.tracks[track.uuid] = track
        elif packet.HasField('gpu_render_stage_event'):
            self.stages.append(self.stage(packet))
        elif packet.HasField('track_event'):
            event = packet.track_event
            if event.track_uuid not in self.tracks:
                fail(f'track {event.track_uuid} is not known')
            return packet.timestamp, self.name_of(event), event, {
                self.names['debug_annotation_names'][note.name_iid].name:
                getattr(note, note.WhichOneof('value'))
                for note in event.debug_annotations}
        return None

    def name_of(self, event):
        for category in event.category_iids:
            assert self.names['event_categories'][category].name
        if event.name_iid:
            return self.names['event_names'][event.name_iid].name
        return event.name

    def stage(self, packet):
        event = packet.gpu_render_stage_event
        queue = self.names['gpu_specifications'][event.hw_queue_iid].name
        assert self.names['gpu_specifications'][event.stage_iid].name
        context = self.names['graphics_contexts'][event.context]
        return (queue, packet.timestamp, event.duration, event.submission_id,
                context.pid)

    def replay(self, events):
        """In the order of time: an END is of the slice that began last."""
        stacks = defaultdict(list)
        for ts, name, event, notes in events:
            stack = stacks[event.track_uuid]
            if event.type == event.TYPE_COUNTER:
                self.counters[event.track_uuid].append(
                    (ts, event.counter_value))
            elif event.type == event.TYPE_INSTANT:
                self.instants.append(Slice(name, ts, event, notes))
            elif event.type == event.TYPE_SLICE_BEGIN:
                if stack and name != 'blocked':
                    fail(f'{name} at {ts} begins within {stack[-1].name}')
                stack.append(Slice(name, ts, event, notes))
                self.slices.append(stack[-1])
            elif not stack:
                fail(f'nothing ends at {ts}')
            else:
                stack.pop().end = ts

    def place(self, uuid):
        """Device and ring of a track, and what it is of the ring."""
        names = []
        while uuid:
            names.append(self.tracks[uuid].name)
            uuid = self.tracks[uuid].parent_uuid
        names.reverse()
        if names[0].startswith('ring '):
            names.insert(0, None)
        return tuple(names)


def sql(database, query):
    out = subprocess.run(['sqlite3', '-json', database, query], check=True,
                         stdout=subprocess.PIPE).stdout
    return json.loads(out) if out.strip() else []


def number(text):
    return None if text == 'NA' else int(text)


def equal(what, want, got):
    if want != got:
        missing, more = list(set(want) - set(got)), list(set(got) - set(want))
        fail(f'{what}: {len(want)} wanted, {len(got)} got; missing '
             f'{missing[:3]}, not wanted {more[:3]}')


def first(*steps):
    return next((step for step in steps if step is not None), None)


def want_jobs(path):
    """Slices and instants that each job should have."""
    wanted = defaultdict(list)
    with open(path, encoding='utf-8', errors='replace', newline='') as file:
        for row in csv.DictReader(file):
            job = {key: number(row[key]) for key in row if key.endswith('_ts')}
            ring = (None, f'ring {row["ring"]}') if row['dev'] == 'NA' else \
                (row['dev'], row['ring'])
            key = (*ring, int(row['ctx']), int(row['seqno']))
            last = first(job['end_ts'], job['complete_ts'])
            begun = first(job['start_ts'], last)
            for level, begin, end in (
                    ('queue', 'submit_ts',
                     first(job['commit_ts'], job['pick_ts'], begun)),
                    ('hardware queue', 'commit_ts', begun),
                    ('running', 'start_ts', last)):
                begin = job[begin]
                if begin is not None:
                    wanted[level].append(
                        (*key, begin, None if end is None else max(begin, end)))
            if job['complete_ts'] is not None:
                wanted['complete'].append((*key, job['complete_ts'],
                                           row['label'], int(row['error'])))
            if row['dev'] != 'NA' and row['t_exec'] != 'NA':
                wanted['stage'].append((row['ring'], job['start_ts'],
                                        int(row['t_exec']),
                                        int(row['seqno']) & 0xffffffff))
    return wanted


def got_jobs(trace):
    got = defaultdict(list)
    for one in trace.slices:
        place = trace.place(one.track)
        if len(place) == 3 and 'ctx' in one.notes:
            got[place[2]].append((*place[:2], one.notes['ctx'],
                                  one.notes['seqno'], one.ts, one.end))
    for one in trace.instants:
        if one.name == 'complete':
            got['complete'].append((*trace.place(one.track), one.notes['ctx'],
                                    one.notes['seqno'], one.ts,
                                    one.notes['label'], one.notes['error']))
    got['stage'] = [one[:4] for one in trace.stages]
    return got


def sort_key(row):
    return [(value is not None, str(value)) for value in row]


def check_steps(trace):
    """Each job's own arrow, from SUBMIT to COMPLETE."""
    submits = {flow for one in trace.instants if one.name == 'submit'
               for flow in one.flows}
    running = {flow for one in trace.slices for flow in one.flows}
    ended = {flow for one in trace.instants if one.name == 'complete'
             for flow in one.ends}
    # Some rings use numbers again.
    keys = {(one.notes['ctx'], one.notes['seqno']) for one in trace.instants
            if one.name == 'submit'}
    if len(submits) < len(keys):
        fail('two jobs have one arrow')
    if not submits <= running:
        fail('a SUBMIT whose job is never seen')
    return len(submits & ended)


def check_dependencies(trace, database):
    leaves = {flow: (one.notes['ctx'], one.notes['seqno'])
              for one in trace.instants if one.name == 'complete'
              for flow in one.flows}
    got = {(leaves[flow], (one.notes['ctx'], one.notes['seqno']))
           for one in trace.slices for flow in one.ends if flow in leaves}
    want = {((row['on_ctx'], row['on_seqno']), (row['ctx'], row['seqno']))
            for row in sql(database, '''SELECT DISTINCT d.* FROM dependency AS d
                JOIN job AS o ON o.ctx = on_ctx AND o.seqno = on_seqno
                  AND o.ring = on_ring
                JOIN job AS j ON j.ctx = d.ctx AND j.seqno = d.seqno
                  AND j.ring = d.ring
                WHERE o.complete_ts NOT NULL AND j.start_ts NOT NULL''')}
    equal('dependencies', want, got)
    return len(want)


def check_waits(trace, database):
    def thread(uuid):
        while not trace.tracks[uuid].HasField('thread'):
            uuid = trace.tracks[uuid].parent_uuid
        return trace.tracks[uuid].thread.tid
    got = sorted((thread(one.track), one.notes['ctx'], one.notes['seqno'],
                  one.ts, one.end) for one in trace.slices
                 if one.name == 'wait')
    want = sorted((row['pid'], row['ctx'], row['seqno'], row['from_ts'],
                   max(row['from_ts'], row['to_ts']))
                  for row in sql(database,
                                 "SELECT * FROM wait WHERE who = 'task' "
                                 "AND ctx IS NOT NULL"))
    equal('waits', want, got)
    woken = [one for one in trace.instants if one.name == 'woken']
    wakes = {flow for one in trace.instants if one.name == 'complete'
             for flow in one.flows}
    if sum(bool(one.ends & wakes) for one in woken) > len(want):
        fail('a wake-up too many')
    return len(want)


def check_threads(trace, database):
    got = {(track.thread.tid, track.thread.pid)
           for track in trace.tracks.values() if track.HasField('thread')}
    want = {(row['pid'], row['tgid']) for row in sql(database, '''
        SELECT DISTINCT task.pid, tgid FROM job JOIN task ON task.id = job.task
        WHERE submit_ts NOT NULL''')}
    if not want <= got:
        fail(f'threads missing: {want - got}')


def jobs(path, report, database):
    trace = Trace(path)
    want, got = want_jobs(report), got_jobs(trace)
    compared = 0
    for what in ('queue', 'hardware queue', 'running', 'complete', 'stage'):
        equal(what, sorted(want[what], key=sort_key),
              sorted(got[what], key=sort_key))
        compared += len(want[what])
    steps = check_steps(trace)
    dependencies = check_dependencies(trace, database)
    waits = check_waits(trace, database)
    check_threads(trace, database)
    for uuid, values in trace.counters.items():
        if min(value for _, value in values) < 0:
            fail(f'{trace.place(uuid)} is below 0')
    print(f'{steps} arrows, {dependencies} dependencies, {waits} waits')
    print(compared, 'compared')


def depths(path, database, manual):
    """The greatest depth of each ring, by the manual's query."""
    with open(manual, encoding='utf-8') as file:
        query = re.search(r'-- query: depth\n-- .*\n((?:.+\n)*)', file.read())
    trace = Trace(path)
    want = {(row['dev'], row['ring']): row['depth']
            for row in sql(database, query.group(1))}
    got = {}
    for uuid, values in trace.counters.items():
        *ring, what = trace.place(uuid)
        if what == 'jobs':
            got[tuple(ring)] = max(value for _, value in values)
        if values[-1][1]:
            fail(f'{ring}: {values[-1][1]} {what} at the end')
    equal('depths', want.items(), got.items())
    print(len(want), 'compared')


def losses(path, database):
    trace = Trace(path)
    got = sorted((one.ts, one.end, one.notes.get('cpu', -1),
                  one.notes.get('events', -1), one.notes.get('notes', -1))
                 for one in trace.slices if one.name in ('lost', 'missing'))
    want = sorted((row['first_ts'], max(row['first_ts'], row['last_ts']),
                   *(-1 if row[key] is None else row[key]
                     for key in ('cpu', 'events', 'notes')))
                  for row in sql(database, 'SELECT first_ts, last_ts, events, '
                                 'notes, iif(event, cpu, NULL) AS cpu FROM loss'))
    equal('losses', want, got)
    print(len(want), 'compared')


# The numbers of Perfetto's own definitions, from the root down; none of them may
# ever change.
NUMBERS = '''
1.6.1.1 1.6.1.2 1.6.2 1.8 1.10 1.13 1.87 1.59.58
1.60.1 1.60.2 1.60.3.1 1.60.3.6 1.60.4.1 1.60.4.2 1.60.4.5 1.60.5 1.60.8.3
1.60.11 1.60.12
1.11.3 1.11.4.1 1.11.4.3 1.11.4.4 1.11.4.6 1.11.9 1.11.10 1.11.11 1.11.23
1.11.30 1.11.47 1.11.48
1.12.1.1 1.12.1.2 1.12.2.1 1.12.2.2 1.12.3.1 1.12.3.2 1.12.23.1 1.12.23.2
1.12.24.1 1.12.24.2 1.12.24.4
1.53.1 1.53.2 1.53.5 1.53.10 1.53.11 1.53.13 1.53.14
'''.split()


def numbers(raw):
    path, got = [], set()
    with open(raw, encoding='utf-8', errors='replace') as file:
        for line in file:
            found = re.match(r' *(\d+)(: | \{)', line)
            if not found:
                path.pop()
                continue
            got.add('.'.join([*path, found.group(1)]))
            if line.rstrip().endswith('{'):
                path.append(found.group(1))
    missing = sorted(set(NUMBERS) - got)
    if missing:
        fail(f'not found: {missing}')
    print(len(NUMBERS), 'compared')


def main():
    what, *arguments = sys.argv[1:]
    {'jobs': jobs, 'depths': depths, 'losses': losses,
     'numbers': numbers}[what](*arguments)


main()
