// SPDX-License-Identifier: GPL-2.0
#pragma once

#include <event-parse.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// The kernel's own trace events that a recording is made from, and their
// fields, which are found by name: offsets differ between kernels.
namespace grtrace {

// The meaning of an event for the translator.
enum class TraceKind {
	sched_queue,
	sched_dep,
	sched_blocked,
	sched_run,
	sched_done,
	old_queue, // until 6.16: jobs by the addresses of their fences
	old_wait,
	old_run,
	old_done,
	fence_init,
	fence_emit,
	fence_signaled,
	fence_wait_start,
	fence_wait_end,
	virtio_queue,
	virtio_response,
	i915_add,
	i915_execute,
	i915_out,
	i915_wait_begin,
	i915_wait_end,
	amdgpu_ioctl,
	amdgpu_run,
	amdgpu_userq_fence,
	amdgpu_userq_state,
	amdgpu_userq_gone,
	vblank,
	task_switch,
	task_wakeup,
};

// The meaning of a field for the translator, whatever its name in an event.
enum class Field {
	ring,
	device,
	ctx,
	seqno,
	fence_ctx, // of another fence than the job's
	fence_seqno,
	address, // of the job's fence
	entity,
	id, // of the job on its ring
	client,
	driver,
	timeline,
	type,
	flags,
	engine_class,
	instance,
	completed,
	crtc,
	pid,
	next_pid,
	state,
	count
};

// Which recordings want the event.
enum class TraceGroup { always, sched, vblank };

struct TraceGroups {
	bool sched = false;
	bool vblank = false;

	bool has(TraceGroup group) const;
};

struct FieldSpec {
	Field field;
	const char *name;
	bool needed; // without it the event says nothing
};

struct TraceEventSpec {
	TraceKind kind;
	const char *source; // as the modules' sources are called
	const char *system;
	const char *name;
	TraceGroup group;
	std::vector<FieldSpec> fields;
};

// All of them; of the DRM scheduler's, a kernel has the old or the new ones.
std::span<const TraceEventSpec> trace_event_specs();

// An event of this kernel: its fields' places. It is good as long as the tep
// handle that has parsed the event.
class TraceEvent {
public:
	// @missing: names of fields that are not there
	TraceEvent(const TraceEventSpec &spec, struct tep_event *event,
		   std::vector<std::string> *missing);

	const TraceEventSpec &spec() const { return *spec_; }
	int id() const { return event_->id; }
	bool is_usable() const { return usable_; }
	bool has(Field field) const { return at(field); }

	// Values in one record's bytes; 0 and empty for what is not there.
	uint64_t number(Field field, std::span<const uint8_t> data) const;
	std::string_view text(Field field, std::span<const uint8_t> data) const;

private:
	tep_format_field *at(Field field) const { return fields_[static_cast<size_t>(field)]; }

	const TraceEventSpec *spec_;
	struct tep_event *event_;
	std::array<tep_format_field *, static_cast<size_t>(Field::count)> fields_ = {};
	bool usable_ = true;
};

} // namespace grtrace
