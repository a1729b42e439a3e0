# SPDX-License-Identifier: GPL-2.0
# Recording without a module: the kernel's own events from tracefs.
# Debian: libtracefs-dev libtraceevent-dev

CAPTURE_ROOMS += \
	tracefs/device_names \
	tracefs/event_buffer \
	tracefs/event_merge \
	tracefs/field_value \
	tracefs/packet_writer \
	tracefs/record_filter \
	tracefs/ring_names \
	tracefs/running_jobs \
	tracefs/sched_jobs \
	tracefs/stream_notes \
	tracefs/task_names \
	tracefs/trace_event \
	tracefs/trace_events_found \
	tracefs/trace_instance \
	tracefs/trace_plan \
	tracefs/trace_reader \
	tracefs/trace_record \
	tracefs/translator \
	tracefs/translator_amdgpu \

ROOM_LIBS += $(shell pkg-config --libs libtracefs libtraceevent)

tracefs_flags := $(shell pkg-config --cflags libtracefs libtraceevent)
$(O)/src/tracefs/%.o: flags += $(tracefs_flags)
$(O)/tests/unit/tracefs_%.o: flags += $(tracefs_flags)
