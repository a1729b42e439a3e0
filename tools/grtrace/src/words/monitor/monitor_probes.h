// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "words/monitor/monitor.h"
#include "words/tracefs/event_buffer.h"
#include "words/tracefs/event_merge.h"
#include "words/tracefs/trace_instance.h"

#include <event-parse.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace grtrace {

// A probe of this kernel, with the places of its events' fields.
class AttachedProbe : public EventFields {
public:
	AttachedProbe(size_t index, const ProbeSpec &spec, struct tep_event *event);

	bool has(size_t field) const override;
	uint64_t number(size_t field) const override;
	std::string_view text(size_t field) const override;

	// Sets the event that the other functions read.
	void show(std::span<const uint8_t> data) { data_ = data; }
	size_t index() const { return index_; }
	int id() const { return id_; }

private:
	size_t index_;
	int id_;
	std::vector<tep_format_field *> fields_; // nullptr: the event lacks the field
	std::span<const uint8_t> data_;
};

// A monitor's probes: looks them up in the kernel and reads their events, in a tracefs
// instance that only they use. It needs memory for a few sub-buffers for each CPU.
class MonitorProbes {
public:
	using Take = std::function<void(const MonitorEvent &event)>;

	MonitorProbes();
	MonitorProbes(const MonitorProbes &) = delete;
	MonitorProbes &operator=(const MonitorProbes &) = delete;
	~MonitorProbes();

	// remarks: receives a sentence for each thing that cannot be shown on this kernel.
	// It is an error if the kernel has none of the probes.
	Status attach(const MonitorKind &kind, size_t buffer_kib,
		      std::vector<std::string> *remarks);
	Status switch_on() { return instance_.switch_on(true); }

	// Passes on the events that came, in the order of their time. It returns after
	// about turn_ns even if there are more events, because the caller has other work;
	// with last it passes on all events.
	Status read(bool last, const Take &take);
	// Returns whether read() left events for the next call.
	bool is_behind() const { return is_behind_; }

	uint64_t lost() const;
	size_t attached() const { return probes_.size(); }

	// Reads the format of an event in this kernel.
	bool parse(size_t index, const ProbeSpec &spec, const std::string &format);
	// Returns the probe of the event in these bytes; nullptr if there is none.
	AttachedProbe *find(std::span<const uint8_t> data, uint32_t *pid);

private:
	Status attach_one(size_t index, const ProbeSpec &spec);
	Status make_kprobe(const ProbeSpec &spec, std::string *without);
	void remark(const MonitorKind &kind, std::vector<std::string> *remarks) const;
	void dispatch(EventBuffer &buffer, const Take &take);
	bool dispatch_until(uint64_t end, const Take &take);

	static constexpr uint64_t turn_ns = 50'000'000;

	TraceInstance instance_;
	struct tep_handle *tep_;
	std::vector<std::unique_ptr<AttachedProbe>> probes_;
	std::vector<std::string> reasons_; // by probe: why it is missing
	std::vector<std::string> kprobes_; // kprobes that we created
	std::vector<std::unique_ptr<EventBuffer>> buffers_;
	std::unique_ptr<EventMerge> merge_;
	bool is_behind_ = false;
};

} // namespace grtrace
