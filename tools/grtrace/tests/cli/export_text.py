#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
#
# Takes the text of ftrace apart as scripts do, by the formats of the kernel's
# events, and compares it with grparse --json, event by event.
#
#	export_text.py text|text-old EVENTS TEXT
import re
import sys

from json_rows import read_row

LINE = re.compile(r' *(.+)-(\d+) +\[(\d+)\] (.{5}) +(\d+)\.(\d{9}): (\w+): (.*)$')
LOST = re.compile(r'CPU:(\d+) \[LOST (\d+) EVENTS\]$')

JOB = (r'dev=(?P<dev>.+), fence=(?P<ctx>\d+):(?P<seqno>\d+), '
       r'ring=(?P<ring_name>.+), job count:(?P<queued>\d+), '
       r'hw job count:(?P<hardware>\d+), client_id:\d+')
OLD_JOB = (r'entity=[0-9a-f]{16}, id=\d+, fence=(?P<fence>[0-9a-f]{16}), '
           r'ring=(?P<ring_name>.+), job count:(?P<queued>\d+), '
           r'hw job count:(?P<hardware>\d+)')
FENCE = (r'driver=(?P<driver>.+) timeline=(?P<ring_name>.+) '
         r'context=(?P<ctx>\d+) seqno=(?P<seqno>\d+)')
OWN = (r'dev=(?P<dev>.+), fence=(?P<ctx>\d+):(?P<seqno>\d+), '
       r'ring=(?P<ring_name>[^,]+|.*?"b""?)'
       r'(?:, other fence=(?P<fence_ctx>\d+):(?P<fence_seqno>\d+))?'
       r'(?:, kind=(?P<kind_name>\S+), code=(?P<code>-?\d+), pid=(?P<guilty_pid>\d+),'
       r' comm=(?P<guilty_comm>.*?), text=(?P<error_text>.*))?')
DEPENDS = (r'fence=(?P<ctx>\d+):(?P<seqno>\d+) depends on (?:unsignalled )?'
           r'fence=(?P<fence_ctx>\d+):(?P<fence_seqno>\d+)')

BOTH = {
    'dma_fence_signaled': ('fence', FENCE),
    'dma_fence_wait_start': ('wait_enter', FENCE),
    'dma_fence_wait_end': ('wait_exit', FENCE),
    'tracing_mark_write': ('message', r'(?P<text>.*)'),
    'grtrace_unknown': (None, r'type=(?P<type>\d+)'),
    'grtrace_ioctl': ('ioctl', r'(?:\S+ )?(?P<ioctl>\S+) = .*'),
}
FORMATS = {
    'text': {
        'drm_sched_job_queue': ('submit', JOB),
        'drm_sched_job_run': ('pick', JOB),
        'drm_sched_job_hw_fence': ('commit', (
            r'dev=(?P<dev>.+), fence=(?P<ctx>\d+):(?P<seqno>\d+), '
            r'ring=(?P<ring_name>.+), hw fence=(?P<fence_ctx>\d+):'
            r'(?P<fence_seqno>\d+), error=0, client_id:\d+')),
        'drm_sched_job_done': (
            'complete', r'fence=(?P<ctx>\d+):(?P<seqno>\d+) signaled'),
        'drm_sched_job_add_dep': ('dep', DEPENDS),
        'drm_sched_job_unschedulable': ('blocked', DEPENDS),
    },
    'text-old': {
        'drm_sched_job': ('submit', OLD_JOB),
        'drm_run_job': ('pick', OLD_JOB),
        'drm_sched_process_job': (
            'complete', r'fence=(?P<fence>[0-9a-f]{16}) signaled'),
        'drm_sched_job_wait_dep': ('blocked', (
            r'job ring=(?P<ring_name>.+), id=\d+, depends '
            r'fence=[0-9a-f]{16}, context=(?P<fence_ctx>\d+), '
            r'seq=(?P<fence_seqno>\d+)')),
    },
}
FLAGS = {'task': '.....', 'softirq': '..s..', 'hardirq': 'd.h..', None: '.....'}


def fail(text):
    print(text)
    sys.exit(1)


def read_line(line, formats):
    found = LOST.match(line)
    if found:
        return {'type': 'lost', 'cpu': int(found.group(1)),
                'lost': int(found.group(2))}
    found = LINE.match(line)
    if not found:
        fail(f'no line of ftrace: {line}')
    comm, pid, cpu, flags, seconds, ns, name, text = found.groups()
    kind, fields = formats.get(name, (name.removeprefix('grtrace_'), OWN))
    values = re.fullmatch(fields, text)
    if not values:
        fail(f'no {name}: {text}')
    row = {key: value for key, value in values.groupdict().items()
           if value is not None}
    row.update(cpu=int(cpu), pid=int(pid), comm=comm, flags=flags,
               ts=int(seconds) * 10**9 + int(ns))
    row.setdefault('type', kind)
    return row


def wanted(event):
    """As a line says it."""
    if event['type'] == 'lost':
        return {'type': 'lost', 'cpu': event['cpu'],
                'lost': event['events'] + event['notes']}
    ring = event['ring_name'] or f'ring{event["ring"] or 0}'
    key = (((event['ctx'] or 0) << 32) | (event['seqno'] or 0)) % 2**64
    return dict(event, flags=FLAGS[event['where']], fence=f'{key:016x}',
                comm=event['comm'] or ('<...>' if event['pid'] else '<idle>'),
                ring_name=ring, dev=event['dev'] or '?',
                guilty_pid=event['guilty_pid'] or 0,
                guilty_comm=event['guilty_comm'] or '',
                error_text=event['error_text'] or '')


def with_gaps(events):
    """The events, with losses that no LOST reports before the CPU's next line."""
    due = {}
    gaps = {}
    for event in events:
        cpu = event['cpu']
        lost = event['cseq'] - due.get(cpu, 0)
        if lost > 0:
            gaps[cpu] = {'type': 'lost', 'cpu': cpu, 'events': lost, 'notes': 0}
        due[cpu] = event['cseq'] + (event['events'] + event['notes']
                                    if event['type'] == 'lost' else 1)
        if cpu in gaps:
            yield gaps.pop(cpu)
        yield event


def compare(want, got):
    for name, value in got.items():
        if name in ('queued', 'hardware'):
            if int(value) > 10000:
                fail(f'{value} jobs, in {got}')
        # Fences have no ring by that name.
        elif value != '?' and str(want.get(name)) != str(value):
            fail(f'{name}: {want.get(name)!r} wanted, {value!r} got, in {got}')


def main():
    style, events, text = sys.argv[1:]
    with open(events, encoding='utf-8') as file:
        want = [event for event in with_gaps(map(read_row, file))
                if event['type'] not in ('ring', 'task', 'sample', '384')]
    with open(text, encoding='utf-8', errors='replace') as file:
        got = [read_line(line.rstrip('\n'), {**BOTH, **FORMATS[style]})
               for line in file if not line.startswith('#')]
    if len(want) != len(got):
        fail(f'{len(want)} events wanted, {len(got)} got')
    for left, right in zip(want, got):
        compare(wanted(left), right)
    print(len(want), 'compared')


main()
