# SPDX-License-Identifier: GPL-2.0
"""Which jobs there were, worked out from events in the plainest way.

What is a job and what its records mean is from include/uapi/drm/grtrace_drm.h,
Documentation/gpu/grtrace/usage.rst and the comment in src/job_tracker.h. This
keeps all jobs and all their records, and looks at times only when it has all.
"""

LINGER_NS = 100 * 1000 * 1000
LINGER_MAX = 1024
# What makes a job known. An ERROR, an IRQ or a wait of an unknown one does not.
MAKES_JOB = ("submit", "dep", "blocked", "pick", "commit", "start", "end",
             "complete")
STEPS = ("submit", "blocked", "pick", "commit", "start", "end", "complete")


class Job:
    def __init__(self, event, number):
        self.number = number
        self.key = (event.ctx, event.ring, event.seqno)
        self.ctx, self.ring, self.seqno = self.key
        self.weight = event.weight
        self.first = event  # record
        self.records = {}  # type: events; of its fences, too
        self.steps = []  # at, ts, type
        self.blocked_by = {}  # at: the job whose fence it was, or None
        self.flags = []  # events that may be marked as slow or inferred
        self.fences = []  # (ctx, seqno, role)
        self.waits = []  # pid, enter, exit: the last two are events
        self.open_waits = 0
        self.preempted = False
        self.since = None  # it lingers
        self.left = None  # order of those that left
        self.place_left = None  # at of the event then

    def has(self, kind):
        return kind in self.records

    def time(self, kind):
        """The first time a record of this type told, or None."""
        return min((e.ts for e in self.records.get(kind, [])), default=None)

    def order(self, kind):
        return min((e.at for e in self.records.get(kind, [])), default=None)


class Loss:
    """Records are missing between two times; told at a place in the order."""

    def __init__(self, at, start, end):
        self.at, self.start, self.end = at, min(start, end), max(start, end)

    def touches(self, start, end):
        return self.start <= end and start <= self.end


class Jobs:
    """All jobs of a list of events."""

    def __init__(self, events, losses, live):
        self.jobs = []
        self.losses = losses
        self.live = live  # one stream: losses are told when they are over
        self.flight = []  # jobs that have not left
        self.by_fence = {}  # (ctx, seqno): jobs and roles, in flight
        self.lingering = []
        self.gone = 0
        self.gone_keys = set()
        self.early = {}  # fences signalled before a COMMIT named them
        self.waiting = {}  # pid: {fence: WE}
        self.running = {}  # ring: job with the last START
        self.newest = {}  # ctx: widest seqno
        self.ends = {}  # ring: [(at, ts, job)]
        self.samples = [e.at for e in events if e.type == "sample"]
        self.now = 0
        self.reading = True

        for event in events:
            self.now = max(self.now, event.ts)
            self.event = event
            self.expire(event.ts)
            self.note_flags(event)
            handle = getattr(self, "on_" + event.type, None)
            if handle:
                handle(event)
        self.reading = False
        for job in list(self.lingering) + list(self.flight):
            if job.left is None:
                self.leave(job)
        for job in self.jobs:
            self.tell(job)

    # ------------------------------------------------- which job has a record

    def find(self, ctx, seqno, ring=None):
        """A job in flight that has this fence, and as what; the oldest."""
        for job, role in self.by_fence.get((ctx, seqno), []):
            if ring is None or job.ring == ring:
                return job, role
        return None, None

    def find_key(self, event):
        job, role = self.find(event.ctx, event.seqno, event.ring)
        return job if role == "key" else None

    def add_fence(self, job, ctx, seqno, role):
        job.fences.append((ctx, seqno, role))
        self.by_fence.setdefault((ctx, seqno), []).append((job, role))

    def job_of(self, event):
        job = self.find_key(event)
        if job is None:
            job = Job(event, len(self.jobs))
            job.wide = self.widen(event.ctx, event.seqno)
            self.jobs.append(job)
            self.flight.append(job)
            self.add_fence(job, event.ctx, event.seqno, "key")
        return job

    def widen(self, ctx, low):
        """Counts the wraps of a context."""
        newest = self.newest.get(ctx)
        if newest is None:
            self.newest[ctx] = low
            return low
        wide = (newest >> 32 << 32) + low
        wide = min(wide - 2**32, wide, wide + 2**32,
                   key=lambda n: abs(n - newest))
        if wide < 0:
            return low  # from before the first that was seen
        self.newest[ctx] = max(newest, wide)
        return wide

    def put(self, job, kind, event):
        job.records.setdefault(kind, []).append(event)
        job.steps.append((self.event.at, event.ts, kind))

    # ------------------------------------------------------------ when it left

    def leave(self, job):
        self.gone += 1
        job.left = self.gone
        job.place_left = self.event.at
        if self.reading and not job.has("complete") and not job.has("end"):
            # Its key is another's now: it is over.
            job.steps.append((self.event.at, self.now, "complete"))
        self.gone_keys.add((job.ctx, job.seqno))
        self.flight.remove(job)
        if job in self.lingering:
            self.lingering.remove(job)
        for ctx, seqno, role in job.fences:
            self.by_fence[ctx, seqno].remove((job, role))
        if self.running.get(job.ring) is job:
            del self.running[job.ring]

    def linger(self, job, now):
        if job.since is None:
            job.since = now
            self.lingering.append(job)
            self.expire(now)

    def expire(self, now):
        while self.lingering and (
                now - self.lingering[0].since >= LINGER_NS or
                len(self.lingering) > LINGER_MAX):
            self.leave(self.lingering[0])

    def look(self, job, now):
        """Does it leave, linger or stay?"""
        if job.left is not None:
            return
        complete, ended = job.has("complete"), job.has("end")
        fence_to_come = any(role != "key" for _, _, role in job.fences)
        if complete and ended and not job.open_waits:
            self.leave(job)
        elif complete or (ended and not fence_to_come):
            self.linger(job, now)

    # ------------------------------------------------------------------ records

    def on_submit(self, event):
        job = self.find_key(event)
        if job and (job.has("submit") or job.has("complete")):
            self.leave(job)
        job = self.job_of(event)
        self.put(job, "submit", event)
        if event.fence_ctx is not None and (
                (event.fence_ctx, event.fence_seqno) !=
                (event.ctx, event.seqno)):
            self.add_fence(job, event.fence_ctx, event.fence_seqno, "out")

    def on_dep(self, event):
        self.put(self.job_of(event), "dep", event)

    def on_blocked(self, event):
        job = self.job_of(event)
        self.put(job, "blocked", event)
        job.blocked_by[event.at] = self.find(event.fence_ctx,
                                             event.fence_seqno)[0]

    def on_pick(self, event):
        self.put(self.job_of(event), "pick", event)

    def on_commit(self, event):
        if (not self.find_key(event) and
                (event.ctx, event.seqno) in self.gone_keys):
            return  # the host was done before it was told
        job = self.job_of(event)
        self.put(job, "commit", event)
        fence = (event.fence_ctx, event.fence_seqno)
        if fence == (event.ctx, event.seqno) or any(
                role == "hardware" for _, _, role in job.fences):
            return
        self.add_fence(job, *fence, "hardware")
        if fence in self.early:
            self.end(job, self.early.pop(fence))

    def on_start(self, event):
        job = self.job_of(event)
        self.put(job, "start", event)
        self.running[event.ring] = job

    def on_end(self, event):
        self.end(self.job_of(event), event)

    def end(self, job, event):
        if not job.has("end"):
            self.leave_ring(job, event.ts)
        self.put(job, "end", event)
        self.look(job, event.ts)

    def on_complete(self, event):
        job = self.find_key(event)
        if job is None:
            job, role = self.find(event.ctx, event.seqno)
            if role == "hardware":
                return self.end(job, event)
            if role != "out":
                job = self.job_of(event)
        return self.complete(job, event)

    def complete(self, job, event):
        """One that failed may never END; of one that was on its ring before
        the capture began END may not be recognised."""
        first = not job.has("complete")
        self.put(job, "complete", event)
        failed = job.has("error") or any(e.code for e in
                                         job.records["complete"])
        if first and not job.has("end") and (failed or not any(
                job.has(kind) for kind in ("submit", "pick", "commit"))):
            self.leave_ring(job, event.ts)
        self.look(job, event.ts)

    def leave_ring(self, job, ts):
        self.ends.setdefault(job.ring, []).append((self.event.at, ts, job))

    def on_fence(self, event):
        job, role = self.find(event.ctx, event.seqno)
        if role == "hardware":
            self.end(job, event)
        elif job:
            self.complete(job, event)
        else:
            self.early[event.ctx, event.seqno] = event

    def on_error(self, event):
        job = self.find_key(event)
        if job is None and (event.ctx or event.seqno):
            job, _ = self.find(event.ctx, event.seqno)
        if job:
            self.put(job, "error", event)

    def on_ctx_switch(self, event):
        """The ring left the job: while it ran it was preempted."""
        if event.fence_seqno:
            job, _ = self.find(event.fence_ctx, event.fence_seqno)
        else:
            job = self.running.get(event.ring)
        if (job and job.ctx == event.fence_ctx and job.has("start") and
                not job.has("end") and not job.has("complete")):
            job.preempted = True

    def on_wait_enter(self, event):
        fence = (event.ctx, event.seqno)
        job, _ = self.find(*fence)
        if job:
            job.open_waits += 1
        self.waiting.setdefault(event.pid, {})[fence] = event

    def on_wait_exit(self, event):
        fence = (event.ctx, event.seqno)
        enter = self.waiting.get(event.pid, {}).pop(fence, None)
        job, _ = self.find(*fence)
        if enter is None or job is None:
            return
        job.waits.append((event.pid, enter, event))
        job.open_waits = max(job.open_waits - 1, 0)
        if job.since is not None:
            self.look(job, event.ts)

    def note_flags(self, event):
        if not event.is_event or event.flags is None:
            return
        job = self.find_key(event) or self.find(event.ctx, event.seqno)[0]
        if job:
            job.flags.append(event)

    # -------------------------------------------------------------- its figures

    def tell(self, job):
        for step in STEPS:
            setattr(job, step, job.time(step))
        job.pid = job.records["submit"][0].pid if job.submit else None
        job.over = job.complete is not None or job.end is not None
        job.start_inferred = False
        if job.start is None:
            self.infer_start(job)
        job.time_inferred = any(
            e.time_source == "inferred" and
            (e.ctx, e.ring, e.seqno) == job.key for e in job.flags)
        job.slow_queue = any(e.flags & 0x10 for e in job.flags)
        job.slow_exec = any(e.flags & 0x20 for e in job.flags)
        self.tell_error(job)
        self.tell_cut(job)
        self.tell_waits(job)
        self.tell_touched(job)

    def infer_start(self, job):
        """An in-order ring began with the job when it had it and was done with
        the one before."""
        limit = job.complete if job.end is None else job.end
        since = job.commit
        if limit is None:
            return
        if since is None or since > limit:
            since = job.pick
        if since is None:
            return
        before = self.end_before(job, since, limit)
        if before is not None:
            since = max(since, before)
        job.start = min(since, limit)
        job.start_inferred = True

    def end_before(self, job, since, limit):
        """The last END of another job on its ring meanwhile, none if a newer
        one of its context was done before it."""
        place = job.order("end")
        if place is None:
            place = job.order("complete")
        else:
            place = [at for at, _, one in self.ends[job.ring]
                     if one is job][-1]
        others = [(ts, one) for at, ts, one in self.ends.get(job.ring, [])
                  if at < place and one is not job and ts > since]
        for _, one in others:
            behind = (one.seqno - job.seqno) & 0xFFFFFFFF  # or wrapped
            if (one.ctx == job.ctx and 0 < behind < 1 << 31 and
                    one.first.at > job.first.at):
                return None
        return max((ts for ts, _ in others if ts <= limit), default=None)

    def tell_error(self, job):
        """A COMPLETE's error counts, the first; an ERROR always."""
        job.failed, job.error = False, 0
        told = [e for kind in ("complete", "error")
                for e in job.records.get(kind, [])]
        for event in sorted(told, key=lambda e: e.at):
            if event.type == "error":
                job.failed, job.error = True, event.code
            elif event.code and not job.failed:
                job.failed, job.error = True, event.code

    def tell_cut(self, job):
        before = [at for at in self.samples if at < job.first.at]
        until = [at for at in self.samples if at <= job.place_left]
        job.cut = ((not job.over and len(before) != len(until)) or
                   (job.submit is None and bool(before)))

    def tell_waits(self, job):
        job.wait_ns = sum(max(e.ts - b.ts, 0) for _, b, e in job.waits)
        job.blocked_ns = difference(job.blocked, job.pick)
        if job.waits or job.blocked_ns is not None:
            job.gpu_wait = job.wait_ns + (job.blocked_ns or 0)
        else:
            job.gpu_wait = None

    def tell_touched(self, job):
        """Certain: something was lost between its first and its last time.
        Possible: or at one of these times, or a loss was told in between."""
        times = [getattr(job, step) for step in STEPS]
        times = [ts for ts in times if ts is not None]
        end = job.complete if job.over and job.complete else self.now
        job.span = (min(times, default=1 << 64), max(times, default=0))
        begin = min([job.first.ts, *times])
        job.touched_surely = not self.live and any(
            loss.start < end and begin < loss.end for loss in self.losses)
        job.touched_maybe = job.touched_surely or any(
            job.first.at <= loss.at + 1 and loss.at <= job.place_left or
            loss.touches(begin, self.now) for loss in self.losses)


def difference(start, end):
    if start is None or end is None or end < start:
        return None
    return end - start


def queue(job):
    return difference(job.submit, job.start)


def execution(job):
    return difference(job.start, job.end)


def host(job):
    """The time in which it was between PICK and COMMIT or between END and
    COMPLETE, and not yet complete."""
    commit = job.commit
    if commit is not None and job.complete is not None:
        commit = min(commit, job.complete)
    spans = [(start, end) for start, end in
             ((job.pick, commit), (job.end, job.complete))
             if difference(start, end) is not None]
    if not spans:
        return None
    edges = sorted({edge for span in spans for edge in span})
    return sum(b - a for a, b in zip(edges, edges[1:])
               if any(start <= a and b <= end for start, end in spans))


def total(job):
    return difference(job.submit, job.complete)


def completion(job):
    return difference(job.end, job.complete)


def find_losses(events, places):
    """LOST notes, and places where the numbers of a CPU jump."""
    losses = [Loss(e.at, e.first_ts, e.last_ts) for e in events
              if e.type == "lost"]
    for place in places:
        if place["kind"] == "missing":
            before = [e.at for e in events if e.cpu == place["cpu"] and
                      e.cseq < place["cseq"]]
            losses.append(Loss(max(before, default=0), place["from"],
                               place["to"]))
    return losses
