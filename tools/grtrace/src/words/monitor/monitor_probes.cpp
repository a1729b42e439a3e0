// SPDX-License-Identifier: GPL-2.0
#include "words/monitor/monitor_probes.h"

#include "drive/run/kprobe_events.h"
#include "words/tracefs/field_value.h"
#include "words/translate/stream_notes.h"

#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sstream>

namespace grtrace {

AttachedProbe::AttachedProbe(size_t index, const ProbeSpec &spec, struct tep_event *event)
	: index_(index), id_(event->id)
{
	for (const char *name : spec.fields)
		fields_.push_back(*name ? tep_find_field(event, name) : nullptr);
}

bool AttachedProbe::has(size_t field) const
{
	return field < fields_.size() && fields_[field];
}

uint64_t AttachedProbe::number(size_t field) const
{
	return has(field) ? field_number(fields_[field], data_) : 0;
}

std::string_view AttachedProbe::text(size_t field) const
{
	return has(field) ? field_text(fields_[field], data_) : std::string_view();
}

MonitorProbes::MonitorProbes() : tep_(tep_alloc()) {}

MonitorProbes::~MonitorProbes()
{
	merge_.reset();
	buffers_.clear();
	instance_.remove();
	for (const std::string &name : kprobes_)
		write_kprobe_event("-:" + name + "\n");
	tep_free(tep_);
}

bool MonitorProbes::parse(size_t index, const ProbeSpec &spec, const std::string &format)
{
	// If it cannot parse something, that is at most the print format of the event.
	tep_parse_event(tep_, format.c_str(), format.size(), spec.system);
	const std::string name = spec.function ? kprobe_name(spec.event) : std::string(spec.event);
	struct tep_event *event = tep_find_event_by_name(tep_, spec.system, name.c_str());
	if (!event)
		return false;
	probes_.push_back(std::make_unique<AttachedProbe>(index, spec, event));
	return true;
}

// Leaves out arguments whose place the kernel does not know, because their values could be
// wrong. without: receives their names.
Status MonitorProbes::make_kprobe(const ProbeSpec &spec, std::string *without)
{
	const std::string name = fmt::format("{}/{}", spec.system, kprobe_name(spec.event));
	const std::string head =
		fmt::format("{}:{} {}", spec.at_return ? 'r' : 'p', name, spec.function);
	const std::string arguments = spec.arguments ? spec.arguments : "";
	int error = write_kprobe_event(fmt::format("{} {}\n", head, arguments));

	if (error && !arguments.empty()) {
		std::string known = head;

		error = write_kprobe_event(head + "\n");
		std::istringstream words(arguments);
		for (std::string word; !error && words >> word;) {
			write_kprobe_event("-:" + name + "\n");
			if (write_kprobe_event(fmt::format("{} {}\n", known, word))) {
				*without += (without->empty() ? "" : ", ");
				*without += word.substr(0, word.find('='));
				error = write_kprobe_event(known + "\n");
			} else {
				known += fmt::format(" {}", word);
			}
		}
	}
	if (error)
		return Status::error("{}(): {}", spec.function,
				     error == ENOENT || error == EINVAL ?
					     "the function does not exist or cannot be probed" :
					     strerror(error));
	kprobes_.push_back(name);
	return {};
}

Status MonitorProbes::attach_one(size_t index, const ProbeSpec &spec)
{
	std::string name = spec.event, format, without;

	if (spec.function) {
		Status made = make_kprobe(spec, &without);

		if (!made.ok())
			return made;
		name = kprobe_name(spec.event);
	} else if (!instance_.has_event(spec.system, spec.event)) {
		return Status::error("this kernel has no such event now");
	}
	Status status = instance_.format(spec.system, name.c_str(), &format);
	if (status.ok() && !parse(index, spec, format))
		status = Status::error("its format cannot be read");
	if (status.ok())
		status = instance_.enable(spec.system, name.c_str());
	if (status.ok() && !without.empty())
		reasons_[index] = fmt::format("seen without {}: the module has no BTF that "
					      "describes it",
					      without);
	return status;
}

void MonitorProbes::remark(const MonitorKind &kind, std::vector<std::string> *remarks) const
{
	auto is_attached = [&](std::string_view name) {
		return std::any_of(probes_.begin(), probes_.end(), [&](const auto &probe) {
			return name == kind.probes[probe->index()].event;
		});
	};

	for (size_t i = 0; i < kind.probes.size(); i++) {
		const ProbeSpec &spec = kind.probes[i];

		if (reasons_[i].empty() || (spec.instead && is_attached(spec.instead)))
			continue;
		remarks->push_back(fmt::format("{}:{}: {}", spec.system, spec.event, reasons_[i]));
	}
}

Status MonitorProbes::attach(const MonitorKind &kind, size_t buffer_kib,
			     std::vector<std::string> *remarks)
{
	std::vector<std::string> left;
	Status status = instance_.create(&left);

	remove_left_kprobes();
	if (status.ok())
		status = instance_.set_clock("mono");
	if (status.ok())
		status = instance_.set_buffers(std::max<size_t>(buffer_kib / 8, 4), 8);
	// Keeps the process of threads that have exited; without this option they have no
	// name.
	(void)!instance_.set_option("record-tgid").ok();
	if (!status.ok())
		return status;
	reasons_.resize(kind.probes.size());
	for (size_t i = 0; i < kind.probes.size(); i++) {
		const Status one = attach_one(i, kind.probes[i]);

		if (!one.ok())
			reasons_[i] = fmt::format("{}; not seen: {}", one.sentence(),
						  kind.probes[i].without);
	}
	if (probes_.empty())
		return Status::error("this kernel has nothing for it to show: {}", kind.load);
	remark(kind, remarks);
	for (const unsigned int cpu : instance_.cpus()) {
		Fd fd;

		status = instance_.open_cpu(cpu, &fd);
		if (!status.ok())
			return status;
		buffers_.push_back(std::make_unique<EventBuffer>(cpu, std::move(fd),
								 instance_.subbuf_bytes()));
	}
	merge_ = std::make_unique<EventMerge>(buffers_);
	return status;
}

AttachedProbe *MonitorProbes::find(std::span<const uint8_t> data, uint32_t *pid)
{
	struct tep_record record = {};

	record.data = const_cast<uint8_t *>(data.data());
	record.size = static_cast<int>(data.size());
	const int id = tep_data_type(tep_, &record);
	*pid = static_cast<uint32_t>(tep_data_pid(tep_, &record));
	for (const auto &probe : probes_)
		if (probe->id() == id) {
			probe->show(data);
			return probe.get();
		}
	return nullptr;
}

void MonitorProbes::dispatch(EventBuffer &buffer, const Take &take)
{
	const RawEvent raw = *buffer.front();
	MonitorEvent event;

	event.ts = raw.ts;
	event.cpu = raw.cpu;
	if (const AttachedProbe *probe = find(raw.data, &event.pid)) {
		event.probe = probe->index();
		event.fields = probe;
		take(event);
	}
	buffer.pop();
}

// Returns false if the time is over and there are more events.
bool MonitorProbes::dispatch_until(uint64_t end, const Take &take)
{
	// Reading the clock costs as much as an event.
	constexpr uint32_t events_a_look = 256;

	for (uint32_t i = 1; EventBuffer *buffer = merge_->next(); i++) {
		dispatch(*buffer, take);
		if (i % events_a_look == 0 && clock_now(CLOCK_MONOTONIC) >= end)
			return false;
	}
	return true;
}

Status MonitorProbes::read(bool last, const Take &take)
{
	const uint64_t end = last ? UINT64_MAX : clock_now(CLOCK_MONOTONIC) + turn_ns;

	if (last && !instance_.switch_on(false).ok())
		return Status::error("tracing cannot be switched off");
	do {
		const uint64_t now = clock_now(CLOCK_MONOTONIC);
		bool drained = true;

		for (const auto &buffer : buffers_) {
			Status status = buffer->fill(now);

			if (!status.ok())
				return status;
			drained = drained && buffer->is_drained();
		}
		if (drained && last)
			merge_->finish();
		bool moved = false;
		is_behind_ = !dispatch_until(end, [&](const MonitorEvent &event) {
			moved = true;
			take(event);
		}) || !drained;
		merge_->end_round(moved || drained);
	} while (is_behind_ && clock_now(CLOCK_MONOTONIC) < end);
	return {};
}

uint64_t MonitorProbes::lost() const
{
	uint64_t lost = 0;

	for (const auto &buffer : buffers_) {
		BufferStats stats;

		if (instance_.stats(buffer->cpu(), &stats).ok())
			lost += stats.overrun + stats.refused;
	}
	return lost;
}

} // namespace grtrace
