# SPDX-License-Identifier: GPL-2.0
#
# monitor: what happens now, from the kernel's own events and kprobes.

words/monitor_PACKAGES := ncursesw libtracefs libtraceevent
words/monitor_DEBIAN := libncurses-dev libtracefs-dev libtraceevent-dev

$(O)/src/words/monitor/%.o: flags += $(shell pkg-config --cflags libtracefs libtraceevent ncursesw)
$(O)/tests/unit/words/monitor/%.o: flags += $(shell pkg-config --cflags libtracefs libtraceevent)
