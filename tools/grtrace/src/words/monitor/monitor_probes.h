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

// A probe of this kernel: where the fields of its events are.
class AttachedProbe : public EventFields {
public:
	AttachedProbe(size_t index, const ProbeSpec &spec, struct tep_event *event);

	bool has(size_t field) const override;
	uint64_t number(size_t field) const override;
	std::string_view text(size_t field) const override;

	// The event that the others are about.
	void show(std::span<const uint8_t> data) { data_ = data; }
	size_t index() const { return index_; }
	int id() const { return id_; }

private:
	size_t index_;
	int id_;
	std::vector<tep_format_field *> fields_; // nullptr: it has none
	std::span<const uint8_t> data_;
};

// A monitor's probes in a tracefs instance of our own, from looking them up in
// the kernel to the last event. Memory is a few sub-buffers for each CPU.
class MonitorProbes {
public:
	using Take = std::function<void(const MonitorEvent &event)>;

	MonitorProbes();
	MonitorProbes(const MonitorProbes &) = delete;
	MonitorProbes &operator=(const MonitorProbes &) = delete;
	~MonitorProbes();

	// remarks: a sentence for each thing that cannot be seen here. It is an
	// error if the kernel has none of them.
	Status attach(const MonitorKind &kind, size_t buffer_kib,
		      std::vector<std::string> *remarks);
	Status switch_on() { return instance_.switch_on(true); }

	// Hands out what came, in the order of its time, for about turn_ns,
	// because the caller has other work, however many events there are.
	// last: all of them.
	Status read(bool last, const Take &take);
	// There was more.
	bool is_behind() const { return is_behind_; }

	uint64_t lost() const;
	size_t attached() const { return probes_.size(); }

	// Takes the format of an event, as the kernel has it.
	bool parse(size_t index, const ProbeSpec &spec, const std::string &format);
	// The probe of the event in these bytes; nullptr: none.
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
	std::vector<std::string> reasons_; // by probe: why it is not there
	std::vector<std::string> kprobes_; // that we have made
	std::vector<std::unique_ptr<EventBuffer>> buffers_;
	std::unique_ptr<EventMerge> merge_;
	bool is_behind_ = false;
};

} // namespace grtrace
