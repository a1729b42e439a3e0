#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
#
# Threads that issue ioctls, submit jobs in and outside of them, and wait: what a
# session and the annotator record of them, as two fixtures for synth.
#
# Usage: timeline_load.py SEED SESSION ANNOTATION
import random
import sys

CREATE, SUBMIT, WAIT = 0xc0104400, 0xc0104441, 0xc0104442

dice = random.Random(int(sys.argv[1]))
session, calls = [], []


def call(pid, cmd, enter, leave, result=0):
    # Some records of ioctls are lost, and so are those of who is still in one.
    if dice.random() < 0.03:
        calls.append((leave, f'cpu {pid % 4}\nlost events=1 first={leave} last={leave}'))
        return
    calls.append((leave, f'cpu {pid % 4}\nioctl pid={pid} cmd={cmd:#x} driver=mock '
                  f'ts={leave} duration={leave - enter} result={result}'))


def job(pid, seqno, now):
    """SUBMIT now; returns when it is complete."""
    key = f'ctx={pid} ring={1 + pid % 2} seqno={seqno}'
    where = f'cpu {pid % 4}\n'
    run = now + dice.randrange(100, 30000)
    done = run + int(10 ** dice.uniform(2, 5.5))
    code = -110 if dice.random() < 0.05 else 0
    session.append((now, f'{where}submit pid={pid} {key} ts={now}'))
    session.append((run, f'{where}{("pick", "commit fence=99:1")[pid % 2]} {key} ts={run}'))
    session.append((done, f'{where}complete {key} ts={done} arg={code & 0xffff}'))
    return done


def wait(pid, seqno, since, done):
    until = done + dice.randrange(0, 4000) if dice.random() < 0.8 else since + 500
    until = max(until, since + 100)
    for ts, what in (since, 'wait_enter'), (until, 'wait_exit'):
        session.append((ts, f'cpu {pid % 4}\n{what} pid={pid} ctx={pid} seqno={seqno} ts={ts}'))
    return until


def thread(pid):
    now, seqno = 5000 + dice.randrange(5000), 0
    done = {}
    while now < 4000000:
        now += dice.randrange(1, 20000)
        what = dice.random()
        if what < 0.1:      # outside of any ioctl
            seqno += 1
            done[seqno] = job(pid, seqno, now)
        elif what < 0.7:
            enter = now
            for _ in range(dice.randrange(4)):
                now += dice.randrange(0, 3000)
                seqno += 1
                done[seqno] = job(pid, seqno, now)
                # Some wait for their own job before they return.
                if dice.random() < 0.1:
                    now = wait(pid, seqno, now, done[seqno])
                now += 1
            now += dice.randrange(0, 3000)
            call(pid, SUBMIT, enter, now, dice.choice([0, 0, 0, -12]))
        elif seqno and what < 0.9:
            enter, now = now, now + 50
            now = wait(pid, seqno, now, done[seqno]) + 50
            call(pid, WAIT, enter, now)
        else:
            enter, now = now, now + dice.randrange(0, 50000)
            call(pid, CREATE, enter, now)


def write(path, head, lines):
    with open(path, 'w') as out:
        print(head, file=out)
        for _, text in sorted(lines, key=lambda line: line[0]):
            print(text, file=out)


tasks = ''.join(f'task pid={pid} tgid={70 + (pid - 70) // 2 * 2} comm=load{pid} ts=2000\n'
                for pid in range(70, 76))
for pid in range(70, 76):
    thread(pid)
write(sys.argv[2], 'cpu none\ninfo start=1000 real=1000001000 boot=1\n'
      'ring id=1 class=1 device=card0 driver=mock name=gfx\n'
      'ring id=2 class=3 device=card0 driver=mock name=copy\ncpu 0\n' + tasks, session)
write(sys.argv[3], 'session 0xabc\ncpu none\ninfo start=1000 real=1000001000 boot=1\n'
      'cpu 0\n' + tasks, calls)
