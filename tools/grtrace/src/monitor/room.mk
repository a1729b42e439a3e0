# SPDX-License-Identifier: GPL-2.0
#
# monitor: what happens now, from the kernel's own events and kprobes.
# Debian: libncurses-dev, and what the room tracefs needs

CAPTURE_ROOMS += \
	monitor/amdgpu_monitor \
	monitor/i915_monitor \
	monitor/monitor_kinds \
	monitor/monitor_main \
	monitor/monitor_options \
	monitor/monitor_output \
	monitor/monitor_probes \
	monitor/monitor_screen \
	monitor/monitor_table \
	monitor/nvidia_monitor \
	monitor/process_table \
	monitor/sched_monitor \
	monitor/vblank_monitor \

ROOM_LIBS += $(shell pkg-config --libs ncursesw)

$(O)/src/monitor/%.o: flags += $(shell pkg-config --cflags libtracefs libtraceevent ncursesw)
$(O)/tests/unit/monitor_%.o: flags += $(shell pkg-config --cflags libtracefs libtraceevent)
