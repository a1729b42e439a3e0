// SPDX-License-Identifier: GPL-2.0
/// A probe runs wherever its tracepoint stands: with any lock held, in any
/// interrupt. Nothing that it can reach in grtrace may sleep, allocate, print
/// or take a lock.
///
/// Where it begins: probe_*() in source_*.c, all of hook.c and record.c, and
/// relay's callback at the begin of a sub-buffer. Calls are followed over all
/// files, but not through pointers. What the kernel's own functions do is known
/// by their names only.
///
// Confidence: High
// Options: --no-includes --include-headers
// Comments: one process must see all files, so no --jobs

virtual report

@initialize:python@
@@

import os
import re

# What a name says about the function behind it.
FORBIDDEN = [(what, re.compile(r'_*(?:%s)$' % names)) for what, names in (
    ('allocates or frees',
     r'(?:devm_|drmm_|dma_)?(?:k|v|kv)[mzc]?(?:re)?alloc\w*|kmem_cache_(?!size)\w+'
     r'|(?:devm_|drmm_)?(?:k|v|kv)(?:mem|str|v?asprintf|strn)?dup\w*|k?v?asprintf|kasprintf'
     r'|(?:k|v|kv|kz)free\w*|kvfree\w*|kfree\w*|alloc_(?!tag)\w+|free_(?:page|percpu)\w*'
     r'|get_zeroed_page\w*|get_free_pages?\w*|mempool_\w+|xa_(?:store|insert|alloc|erase|cmpxchg)\w*'
     r'|ida?r?_(?:alloc|simple_get|free|remove)\w*|radix_tree_insert|k?mem(?:dup)\w*|vmap|vunmap'),
    ('sleeps',
     r'[mus]?s?sleep\w*|fsleep|usleep_range\w*|schedule(?!_work|_delayed_work)\w*|cond_resched\w*'
     r'|might_(?:sleep|fault|alloc)\w*|wait_(?:event|for|on|woken)\w*|io_schedule\w*|yield'
     r'|synchronize_\w+|rcu_barrier\w*|tracepoint_synchronize_unregister|flush_work\w*'
     r'|flush_delayed_work|cancel_(?:delayed_)?work_sync|(?:drain|flush|destroy)_workqueue|irq_work_sync'
     r'|kthread_stop|hrtimer_cancel|timer_(?:delete|shutdown)_sync|del_timer_sync|synchronize_irq'
     r'|dma_fence_wait\w*|request_(?:module|firmware|irq)\w*|static_(?:branch|key)_(?:slow_)?(?:enable|disable|inc|dec)\w*'
     r'|tracepoint_probe_\w+|(?:un)?register_\w*notifier|cpus_read_lock|debugfs_\w+|relay_(?:open|close)'),
    ('touches user memory',
     r'copy_(?:to|from)_user\w*|(?:get|put)_user\w*|clear_user|strn(?:cpy|len)_(?:from_)?user'
     r'|memdup_(?:array_)?user\w*|simple_(?:read_from|write_to)_buffer|copy_(?:to|from)_iter\w*'
     r'|kstrto\w+_from_user|fault_in_\w+'),
    ('prints',
     r'v?printk\w*|pr_(?:emerg|alert|crit|err|warn|warning|notice|info|cont|debug|devel)\w*'
     r'|(?:dev|drm|netdev)_(?:emerg|alert|crit|err|warn|notice|info|dbg)\w*|dump_stack|trace_printk'
     r'|WARN(?:_ONCE|_ON|_RATELIMIT)?|seq_\w+|print_hex_dump\w*'),
    ('takes a lock',
     r'(?:raw_)?(?:spin|read|write|seq)_(?:try)?lock\w*|write_seqlock\w*|read_seqlock_excl\w*'
     r'|mutex_(?:try)?lock\w*|(?:ww|rt)_mutex_(?:try)?lock\w*|down(?:_read|_write|_interruptible|_killable|_trylock|_timeout)*'
     r'|local_lock\w*|bit_spin_(?:try)?lock|task_lock|lock_task_\w+'),
    ('takes a lock inside',
     r'wake_up\w*|complete(?:_all)?|swake_up\w*|queue_(?:delayed_)?work\w*|schedule_(?:delayed_)?work\w*'
     r'|mod_timer\w*|add_timer\w*|hrtimer_(?:start|forward_now)\w*|kthread_queue_work|task_work_add'
     r'|call_rcu\w*|kfree_rcu\w*|dma_fence_(?:signal|put|add_callback|is_signaled)\w*'),
)]

# guard(NAME) and scoped_guard(NAME, ...) that take nothing.
HARMLESS_GUARDS = ('irq', 'irqsave', 'preempt', 'preempt_notrace', 'rcu', 'rcu_sched')

# Calls that probes do not get to: (caller, callee), and why.
UNREACHABLE = {
    # rings that are owned are interned by their driver, in process context
    ('grtrace_ring_intern', 'grtrace_rings_owner_lock'),
    ('grtrace_ring_intern', 'grtrace_rings_owner_unlock'),
}

defined = {}	# (file, name) -> position
calls = {}	# (file, name) -> {callee: position}
begins = set()	# (file, name)
findings = set()

def verdict(name):
    for what, names in FORBIDDEN:
        if names.match(name):
            return what
    return None

def is_begin(path, name):
    base = os.path.basename(path)
    return base in ('hook.c', 'record.c') or base.startswith('source_') and name.startswith('probe_')

def add_call(position, callee):
    calls.setdefault((position.file, position.current_element), {}).setdefault(callee, position)

@func@
identifier f;
position q;
@@

f@q(...) { ... }

@script:python@
f << func.f;
q << func.q;
@@

defined[q[0].file, f] = q[0]
if is_begin(q[0].file, f):
    begins.add((q[0].file, f))

@call@
identifier g;
position p;
@@

g@p(...)

@script:python@
g << call.g;
p << call.p;
@@

add_call(p[0], g)

@guarded@
identifier lock;
identifier guard = {guard,scoped_guard,scoped_cond_guard};
position p;
@@

guard@p(lock, ...)

@script:python@
lock << guarded.lock;
p << guarded.p;
@@

if lock not in HARMLESS_GUARDS:
    add_call(p[0], 'mutex_lock, by guard(%s),' % lock)

// scoped_guard() is a loop to the parser
@scoped@
identifier lock;
iterator name scoped_guard;
statement S;
position p;
@@

scoped_guard@p(lock, ...) S

@script:python@
lock << scoped.lock;
p << scoped.p;
@@

if lock not in HARMLESS_GUARDS:
    add_call(p[0], 'mutex_lock, by scoped_guard(%s),' % lock)

@callback@
identifier ops, f;
position p;
@@

struct rchan_callbacks ops@p = { .subbuf_start = f, };

@script:python@
f << callback.f;
p << callback.p;
@@

begins.add((p[0].file, f))

@finalize:python depends on report@
@@

def find(path, name):
    "The definition that a call in path means: its own of this file, else the only one."
    if (path, name) in defined:
        return (path, name)
    for key in defined:
        if key[1] == name:
            return key
    return None

def walk(node, trail, seen):
    for callee, position in sorted(calls.get(node, {}).items()):
        if (node[1], callee) in UNREACHABLE:
            continue
        below = find(node[0], callee)
        if below:
            if below not in seen:
                seen.add(below)
                walk(below, trail + [callee], seen)
            continue
        what = verdict(callee.split(',')[0])
        if what:
            findings.add((position.file, int(position.line), int(position.column), int(position.column_end),
                          callee, what, ' -> '.join(trail)))

for begin in sorted(begins):
    if find(*begin):
        walk(find(*begin), [begin[1]], {begin})

told = set()
for path, line, column, end, callee, what, trail in sorted(findings):
    if (path, line, callee) not in told:
        told.add((path, line, callee))
        print('%s:%d:%d-%d: ERROR: %s %s in probe context: %s' % (path, line, column, end, callee, what, trail))
