#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
#
# Compares what babeltrace2 prints of a capture with grparse --json, event by
# event, and what it says was discarded with what was lost.
#
#	export_ctf.py EVENTS PRINTED WARNINGS [LOST]
import re
import sys

from json_rows import read_row

EVENT = re.compile(r'\[(\d+)\] (\w+): \{ cpu_id = (\d+) \}, \{ (.*)$')
FIELD = re.compile(r'(\w+) = (?:"((?:[^"\\]|\\.)*)"'
                   r'|\( (?:"(?:[^"\\]|\\.)*"|<unknown>) : container = (\d+) \)'
                   r'|0x([0-9A-F]+)|(-?\d+))')
# Where grparse says more than the record: of these CTF has the record's.
RECORDS = {'text': {'message'}, 'tgid': {'task'}, 'comm': {'task'},
           'dev': {'ring'}, 'driver': {'ring', 'ioctl'}, 'ring_name': {'ring'}}


def fail(text):
    print(text)
    sys.exit(1)


def number_or_text(found):
    _, text, container, hexadecimal, decimal = found
    if container or decimal:
        return int(container or decimal)
    if hexadecimal:
        return int(hexadecimal, 16)
    return re.sub(r'\\(.)', r'\1', text)


def read_printed(path):
    events = []
    with open(path, encoding='utf-8') as file:
        for line in file:
            found = EVENT.match(line)
            if not found:
                fail(f'no event: {line}')
            stamp, name, cpu, rest = found.groups()
            fields = {one[0]: number_or_text(one)
                      for one in FIELD.findall(rest)}
            fields.setdefault('type', name)
            fields.update(stamp=int(stamp), cpu=int(cpu))
            if name == 'unknown':
                fields['type'] = str(fields['type'])
            events.append(fields)
    return events


def key(event):
    return event['cpu'], event['cseq'], event['type'] != 'lost'


def compare(want, got):
    for name, value in want.items():
        if name == 'engine' or want['type'] not in RECORDS.get(
                name, {want['type']}):
            continue
        if name == 'ring' and value is None:
            value = 0 if 'ctx' in got else None
        if name in got and value is not None and got[name] != value:
            fail(f'{name}: {value!r} wanted, {got[name]!r} got, in {got}')
        if name not in got and value is not None and name in NEEDED:
            fail(f'{name}: {value!r} wanted, none got, in {got}')
    # A command has the fields in any case.
    fence = got.get('fence_ctx') or got.get('fence_seqno') or want['type'] != 'submit' and 'fence_ctx' in got
    if (want['fence_ctx'] is None) == bool(fence):
        fail(f'a fence more or less, in {got}')
    if got['stamp'] < got['ts'] and got['type'] != 'lost':
        fail(f'its time stamp is before its time, in {got}')


NEEDED = {'cpu', 'gseq', 'cseq', 'ts', 'type', 'pid', 'ctx', 'seqno', 'arg',
          'flags', 'weight', 'kind', 'events', 'notes', 'first_ts', 'last_ts',
          'limited', 'pressure', 'sample', 'previous', 'ioctl', 'cmd',
          'duration', 'result', 'handles', 'cgroup', 'minor'}


def main():
    with open(sys.argv[1], encoding='utf-8') as file:
        want = sorted((read_row(line) for line in file), key=key)
    got = sorted(read_printed(sys.argv[2]), key=key)
    if len(want) != len(got):
        fail(f'{len(want)} events wanted, {len(got)} got')
    for left, right in zip(want, got):
        # Notes of unknown type have no more than that.
        if left['type'].isdigit():
            left = dict(left, weight=None)
        compare(left, right)

    with open(sys.argv[3], encoding='utf-8') as file:
        discarded = sum(map(int, re.findall(r'Tracer discarded (\d+) events?',
                                            file.read())))
    if discarded != int(sys.argv[4]):
        fail(f'{sys.argv[4]} lost, {discarded} discarded')
    late = sum(one['stamp'] != one['ts'] for one in got
               if one['type'] != 'lost')
    print(f'{late} have the time stamp of an earlier one')
    print(len(want), 'compared')


main()
