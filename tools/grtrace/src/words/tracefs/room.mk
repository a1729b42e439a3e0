# SPDX-License-Identifier: GPL-2.0
# Recording without a module: the kernel's own events from tracefs.

words/tracefs_PACKAGES := libtracefs libtraceevent
words/tracefs_DEBIAN := libtracefs-dev libtraceevent-dev

tracefs_flags := $(shell pkg-config --cflags libtracefs libtraceevent)
$(O)/src/words/tracefs/%.o: flags += $(tracefs_flags)
$(O)/tests/unit/words/tracefs/%.o $(O)/tests/fuzz/tracefs%.o: flags += $(tracefs_flags)
$(O)/fuzz/src/words/tracefs/%.o $(O)/fuzz/tests/fuzz/tracefs%.o: flags += $(tracefs_flags)
