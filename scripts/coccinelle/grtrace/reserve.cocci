// SPDX-License-Identifier: GPL-2.0
/// Who writes a record asks whether there is room (reserve makes it, fits only
/// looks), takes the address only if so, and then publishes on every path, with
/// what was asked for: a record that is neither published nor counted is lost in
/// silence.
///
/// NOUN_fill() is called with room: it publishes, and asks for nothing.
/// grtrace_channel_room() asks for several records in one sub-buffer, which then ask
/// for themselves or are filled.
///
// Confidence: High
// Options: --no-includes --include-headers

virtual report

@initialize:python@
@@

import os
import re

def say(position, text):
    if not in_channel(position):
        coccilib.report.print_report(position[0], 'ERROR: ' + text)

# What is made of the questions, instead of using them.
def in_channel(position):
    return os.path.basename(position[0].file) in ('channel_write.h', 'channel.c')

def in_fill(position):
    return re.match('[a-z]*_fill$', position[0].current_element)

NO_ROOM = 'the address of a record for which no room was made'
NOT_PUBLISHED = 'there is room, and on some path it is not published as it was asked for'

// Each question is of one of these forms.
// if (!room) leave
@refused@
identifier ask = {grtrace_channel_reserve,grtrace_channel_fits};
statement S;
position p;
@@

if (\(!ask@p(...)\|unlikely(!ask@p(...))\)) S

// if (room) { ... }
@granted@
identifier ask = {grtrace_channel_reserve,grtrace_channel_fits};
statement S;
position p;
@@

if (\(ask@p(...)\|likely(ask@p(...))\)) S

// the answer first goes into a variable
@noted@
expression x;
identifier ask = {grtrace_channel_reserve,grtrace_channel_fits};
statement S1, S2;
position p;
@@

x = ask@p(...);
(
if (\(x\|likely(x)\)) S1
|
if (\(!x\|unlikely(!x)\)) S1
|
if (\(x\|likely(x)\)) S1 else S2
)

@other@
identifier ask = {grtrace_channel_reserve,grtrace_channel_fits};
position p != { refused.p, granted.p, noted.p };
@@

ask@p(...)

@script:python depends on report@
p << other.p;
@@

say(p, 'the answer whether there is room is not looked at')

// From here on: published on every path?
@forgotten exists@
expression x, c, size, kind;
identifier ask = {grtrace_channel_reserve,grtrace_channel_fits};
identifier fill =~ "^[a-z]*_fill$";
identifier f;
statement S;
position p;
@@

f(...)
{
... when any
(
if (\(!ask@p(c, size, kind, ...)\|unlikely(!ask@p(c, size, kind, ...))\)) S
|
x = ask@p(c, size, kind, ...);
if (\(!x\|unlikely(!x)\)) S
)
... when != grtrace_channel_publish(c, size, kind)
    when != fill(c, ...)
    when any
}

@script:python depends on report@
p << forgotten.p;
@@

say(p, NOT_PUBLISHED)

@granted_published@
expression c, size, kind;
identifier ask = {grtrace_channel_reserve,grtrace_channel_fits};
identifier fill =~ "^[a-z]*_fill$";
position p;
@@

if (\(ask@p(c, size, kind, ...)\|likely(ask@p(c, size, kind, ...))\))
(
{
	... when strict
\(	grtrace_channel_publish(c, size, kind);
\|	fill(c, ...);
\)
	... when any
}
|
	fill(c, ...);
)

@granted_forgotten@
identifier ask = {grtrace_channel_reserve,grtrace_channel_fits};
statement S;
position p != granted_published.p;
@@

if (\(ask@p(...)\|likely(ask@p(...))\)) S

@script:python depends on report@
p << granted_forgotten.p;
@@

say(p, NOT_PUBLISHED)

@noted_published@
expression x, c, size, kind;
identifier ask = {grtrace_channel_reserve,grtrace_channel_fits};
identifier fill =~ "^[a-z]*_fill$";
position p;
@@

x = ask@p(c, size, kind, ...);
if (\(x\|likely(x)\)) {
	... when strict
\(	grtrace_channel_publish(c, size, kind);
\|	fill(c, ...);
\)
	... when any
}

@noted_granted_forgotten@
expression x;
identifier ask = {grtrace_channel_reserve,grtrace_channel_fits};
statement S;
position p != noted_published.p;
@@

x = ask@p(...);
if (\(x\|likely(x)\)) S

@script:python depends on report@
p << noted_granted_forgotten.p;
@@

say(p, NOT_PUBLISHED)

// NOUN_fill() publishes whatever happens.
@filler@
identifier fill =~ "^[a-z]*_fill$";
identifier c;
position p;
@@

fill@p(struct grtrace_chan_cpu *c, ...)
{
	... when strict
	grtrace_channel_publish(c, ...);
	... when any
}

@no_filler@
identifier fill =~ "^[a-z]*_fill$";
identifier c;
position p != filler.p;
@@

fill@p(struct grtrace_chan_cpu *c, ...) { ... }

@script:python depends on report@
p << no_filler.p;
@@

say(p, 'a NOUN_fill() that does not publish on every path')

// Published only what was asked for.
@matched exists@
expression c, size, kind;
identifier ask = {grtrace_channel_reserve,grtrace_channel_fits};
position q;
@@

ask(c, size, kind, ...)
... when any
grtrace_channel_publish@q(c, size, kind)

@unmatched@
position q != matched.q;
@@

grtrace_channel_publish@q(...)

@script:python depends on report@
q << unmatched.q;
@@

if not in_fill(q):
    say(q, 'published, but room was not asked for here with the same arguments')

@filled exists@
expression c;
identifier ask = {grtrace_channel_reserve,grtrace_channel_fits,grtrace_channel_room};
identifier fill =~ "^[a-z]*_fill$";
position q;
@@

ask(c, ...)
... when any
fill@q(c, ...)

@unfilled@
struct grtrace_chan_cpu *c;
identifier fill =~ "^[a-z]*_fill$";
position q != filled.q;
@@

fill@q(c, ...)

@script:python depends on report@
q << unfilled.q;
@@

say(q, 'filled, but room was not asked for here')

// The address: not before there is room, and not after it was published.
@early exists@
expression c;
identifier ask = {grtrace_channel_reserve,grtrace_channel_fits};
identifier f;
position q;
@@

f(...)
{
... when != ask(c, ...)
grtrace_channel_at@q(c)
... when any
}

@late exists@
expression c;
identifier ask = {grtrace_channel_reserve,grtrace_channel_fits};
position q;
@@

grtrace_channel_publish(c, ...)
... when != ask(c, ...)
grtrace_channel_at@q(c)

@script:python depends on report@
q << early.q;
@@

if not in_fill(q):
    say(q, NO_ROOM)

@script:python depends on report@
q << late.q;
@@

say(q, NO_ROOM)
