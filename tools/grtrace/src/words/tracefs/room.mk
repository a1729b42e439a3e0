# SPDX-License-Identifier: GPL-2.0
# Recording without a module: the kernel's own events from tracefs.
# Debian: libtracefs-dev libtraceevent-dev

ROOM_LIBS += $(shell pkg-config --libs libtracefs libtraceevent)

tracefs_flags := $(shell pkg-config --cflags libtracefs libtraceevent)
$(O)/src/words/tracefs/%.o: flags += $(tracefs_flags)
$(O)/tests/unit/words/tracefs/%.o: flags += $(tracefs_flags)
$(O)/fuzz/src/words/tracefs/%.o $(O)/fuzz/tests/fuzz/tracefs%.o: flags += $(tracefs_flags)
