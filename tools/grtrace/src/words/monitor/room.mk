# SPDX-License-Identifier: GPL-2.0
#
# monitor: what happens now, from the kernel's own events and kprobes.
# Debian: libncurses-dev, and what the room tracefs needs

ROOM_LIBS += $(shell pkg-config --libs ncursesw)

$(O)/src/words/monitor/%.o: flags += $(shell pkg-config --cflags libtracefs libtraceevent ncursesw)
$(O)/tests/unit/words/monitor/%.o: flags += $(shell pkg-config --cflags libtracefs libtraceevent)
