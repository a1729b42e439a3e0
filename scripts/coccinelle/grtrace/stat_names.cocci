// SPDX-License-Identifier: GPL-2.0
/// The counters are an array by enum grtrace_stat. A hook counts with a
/// constant of it, or with a variable of this type that says why an event was
/// refused; never with a number, and never into what is only a sum of other
/// counters, as there is no memory behind that. Who reads may count through
/// all of them.
///
// Confidence: High
// Options: --no-includes --include-headers

virtual report

@initialize:python@
@@

import os
import re

def sums(path):
    "The names in stats.h beside this file that are sums: those behind COUNTERS."
    header = os.path.join(os.path.dirname(path), 'stats.h')
    names = []
    if os.path.exists(header):
        text = open(header).read()
        behind = re.search(r'\bGRTRACE_STAT_COUNTERS,(.*?)}', text, re.S)
        names = re.findall(r'GRTRACE_STAT_\w+', behind.group(1)) if behind else []
    return names + ['GRTRACE_STAT_COUNTERS', 'GRTRACE_STAT_COUNT']

@by_name@
identifier C =~ "^GRTRACE_STAT_[A-Z_]+$";
identifier fn = {grtrace_stat_add,grtrace_stat_inc,grtrace_stat_sum,grtrace_stat_cpu,grtrace_stat_name};
position p;
@@

fn@p(C, ...)

@by_variable@
enum grtrace_stat stat;
identifier fn = {grtrace_stat_add,grtrace_stat_inc,grtrace_stat_sum,grtrace_stat_cpu,grtrace_stat_name};
position p;
@@

fn@p(stat, ...)

// a function that returns one; the compiler knows its type
@by_call@
identifier g;
identifier fn = {grtrace_stat_sum,grtrace_stat_cpu,grtrace_stat_name};
position p;
@@

fn@p(g(...), ...)

@by_loop@
identifier i;
identifier fn = {grtrace_stat_sum,grtrace_stat_cpu,grtrace_stat_name};
position p;
@@

for (i = 0; i < GRTRACE_STAT_COUNT; i++) { <+... fn@p(i, ...) ...+> }

@other@
identifier fn = {grtrace_stat_add,grtrace_stat_inc,grtrace_stat_sum,grtrace_stat_cpu,grtrace_stat_name};
expression E;
position p != { by_name.p, by_variable.p, by_call.p, by_loop.p };
@@

fn@p(E, ...)

@script:python depends on report@
p << other.p;
fn << other.fn;
E << other.E;
@@

coccilib.report.print_report(p[0], 'ERROR: %s(%s): not a name of enum grtrace_stat' % (fn, E))

@counted@
identifier C;
identifier fn = {grtrace_stat_add,grtrace_stat_inc};
position p;
@@

fn@p(C, ...)

@script:python depends on report@
p << counted.p;
fn << counted.fn;
C << counted.C;
@@

if C in sums(p[0].file):
    coccilib.report.print_report(p[0], 'ERROR: %s(%s): a sum has no counter of its own' % (fn, C))
