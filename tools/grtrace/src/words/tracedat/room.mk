# SPDX-License-Identifier: GPL-2.0
# trace.dat by trace-cmd's library; without it `grtrace import` runs trace-cmd.

words/tracedat_PACKAGES := libtracecmd libtracefs libtraceevent
words/tracedat_DEBIAN := libtracecmd-dev libtracefs-dev libtraceevent-dev

tracedat_flags := $(shell pkg-config --cflags libtraceevent)
$(O)/src/words/tracedat/%.o $(O)/fuzz/src/words/tracedat/%.o: flags += $(tracedat_flags)
$(O)/tests/fuzz/tracedat%.o $(O)/fuzz/tests/fuzz/tracedat%.o: flags += $(tracedat_flags)
