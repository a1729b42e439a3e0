// SPDX-License-Identifier: GPL-2.0
/// Who reserves room for a record asks whether there was any, and then
/// publishes it on every path, with what it was reserved with: a record that is
/// reserved and not published is lost and not counted.
///
/// A call whose result nobody takes asks for nothing: it only sees to it that
/// the next records find room in one sub-buffer.
///
// Confidence: High
// Options: --no-includes --include-headers

virtual report

@initialize:python@
@@

def say(position, text):
    coccilib.report.print_report(position[0], 'ERROR: ' + text)

// Every call is one of these two.
@assigned@
expression x;
position p;
@@

x = grtrace_channel_reserve@p(...);

@bare@
position p;
@@

grtrace_channel_reserve@p(...);

@elsewhere@
position p != { assigned.p, bare.p };
@@

grtrace_channel_reserve@p(...)

@script:python depends on report@
p << elsewhere.p;
@@

say(p, 'the address of a record goes into a variable first, and is asked for NULL')

// Nothing but the question may come first.
@asked@
expression x;
position p;
statement S1, S2;
@@

x = grtrace_channel_reserve@p(...);
... when != x
(
if (\(x\|likely(x)\)) S1
|
if (\(!x\|unlikely(!x)\)) S1
|
if (\(x\|likely(x)\)) S1 else S2
)

@unasked@
expression x;
position p != asked.p;
@@

x = grtrace_channel_reserve@p(...);

@script:python depends on report@
p << unasked.p;
@@

say(p, 'not asked for NULL before it is used')

// if (!record) return; fill; publish
@forgotten exists@
expression x, c, size, kind, ts;
identifier f;
position p;
statement S;
@@

f(...)
{
... when any
x = grtrace_channel_reserve@p(c, size, kind, ts, ...);
... when != x
if (\(!x\|unlikely(!x)\)) S
... when != grtrace_channel_publish(c, size, kind, ts)
    when any
}

@script:python depends on report@
p << forgotten.p;
@@

say(p, 'reserved, and on some path not published as it was reserved')

// if (record) { fill; publish }
@published_inside@
expression x, c, size, kind, ts;
position p;
@@

x = grtrace_channel_reserve@p(c, size, kind, ts, ...);
... when != x
if (\(x\|likely(x)\)) {
	... when strict
	grtrace_channel_publish(c, size, kind, ts);
	... when any
}

@forgotten_inside@
expression x;
position p != published_inside.p;
statement S;
@@

x = grtrace_channel_reserve@p(...);
... when != x
if (\(x\|likely(x)\)) S

@script:python depends on report@
p << forgotten_inside.p;
@@

say(p, 'reserved, and on some path not published as it was reserved')

@matched exists@
expression x, c, size, kind, ts;
position q;
@@

x = grtrace_channel_reserve(c, size, kind, ts, ...);
... when any
grtrace_channel_publish@q(c, size, kind, ts)

@unmatched@
position q != matched.q;
@@

grtrace_channel_publish@q(...)

@script:python depends on report@
q << unmatched.q;
@@

say(q, 'published, but not reserved here with the same arguments')
