// SPDX-License-Identifier: GPL-2.0
//
// A kernel made up for tests: formats of trace events as its tracefs would show
// them, and events in their layout.
#pragma once

#include "format/vocabulary.h"
#include "trace_format.h"
#include "words/tracefs/device_names.h"
#include "words/tracefs/record_sink.h"
#include "words/tracefs/task_names.h"
#include "words/tracefs/trace_events_found.h"
#include "words/tracefs/translator.h"

#include <fmt/format.h>

#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace grtrace {

// Says what it was given, a line for each event: "0 Q 5:1 ring 1".
class TellingSink : public RecordSink {
public:
	void event(uint32_t cpu, const NewRecord &r) override
	{
		std::string line = fmt::format("{} {} {}:{}", cpu, record_kind(r.type)->letter,
					       r.ctx, r.seqno);

		if (r.ring)
			line += fmt::format(" ring {}", r.ring);
		if (r.has_fence)
			line += fmt::format(" <- {}:{}", r.fence_ctx, r.fence_seqno);
		if (r.arg)
			line += fmt::format(" arg {:#x}", r.arg);
		if (r.kind)
			line += fmt::format(" kind {} code {:#x}", r.kind, r.code);
		if (r.flags)
			line += fmt::format(" flags {:#x}", r.flags);
		lines.push_back(line);
		last = r;
	}
	void ring(uint32_t cpu, uint64_t, const RingFacts &r) override
	{
		notes.push_back(fmt::format("{} ring {} class {} {} {} {}", cpu, r.id,
					    r.engine_class, r.device, r.driver, r.name));
	}
	void task(uint32_t cpu, uint64_t, const TaskFacts &t) override
	{
		notes.push_back(fmt::format("{} task {} {} {}", cpu, t.pid, t.tgid, t.comm));
	}
	void message(uint32_t cpu, uint64_t, uint32_t, std::string_view text) override
	{
		lines.push_back(fmt::format("{} m {}", cpu, text));
	}
	void lost(uint32_t cpu, uint64_t, uint64_t, uint64_t events) override
	{
		lines.push_back(fmt::format("{} lost {}", cpu, events));
	}

	std::vector<std::string> lines, notes;
	NewRecord last;
};

struct FakeField {
	const char *type; // "char[]": a string, with its place in the record
	const char *name;
	size_t size;
};

inline const std::vector<FakeField> fence_class = {
	{"char[]", "driver", 0},
	{"char[]", "timeline", 0},
	{"unsigned int", "context", 4},
	{"unsigned int", "seqno", 4},
};

inline const std::vector<FakeField> new_job_class = {
	{"char[]", "name", 0},   {"u32", "job_count", 4},     {"int", "hw_job_count", 4},
	{"char[]", "dev", 0},    {"u64", "fence_context", 8}, {"u64", "fence_seqno", 8},
	{"u64", "client_id", 8},
};

inline const std::vector<FakeField> new_dep_class = {
	{"u64", "fence_context", 8},
	{"u64", "fence_seqno", 8},
	{"u64", "ctx", 8},
	{"u64", "seqno", 8},
};

inline const std::vector<FakeField> new_done_class = {
	{"u64", "fence_context", 8},
	{"u64", "fence_seqno", 8},
};

inline const std::vector<FakeField> old_job_class = {
	{"struct drm_sched_entity *", "entity", 8},
	{"struct dma_fence *", "fence", 8},
	{"char[]", "name", 0},
	{"uint64_t", "id", 8},
	{"u32", "job_count", 4},
	{"int", "hw_job_count", 4},
};

using FakeValues = std::map<std::string, uint64_t>;
using FakeTexts = std::map<std::string, std::string>;

class FakeKernel {
public:
	explicit FakeKernel(RecordFilter filter = {}, const std::string &sysfs = "/nonexistent")
		: devices(sysfs), tasks("/nonexistent", "/nonexistent"), filter_(std::move(filter))
	{
	}

	// An event of the table, with these fields; @gap moves them.
	bool define(const std::string &name, const std::vector<FakeField> &fields, size_t gap = 0)
	{
		for (const TraceEventSpec &spec : trace_event_specs()) {
			if (name != spec.name)
				continue;
			Layout &layout = layouts_[name];
			layout.id = 100 + int(layouts_.size());
			layout.fields = fields;
			layout.gap = gap;
			return found.parse(spec, format(name, layout), &remarks);
		}
		return false;
	}

	// The context that the next events come from.
	void on(uint32_t cpu, uint32_t pid, uint8_t flags = 0)
	{
		cpu_ = cpu;
		pid_ = pid;
		flags_ = flags;
	}

	void happen(const std::string &name, const FakeValues &values, const FakeTexts &texts = {})
	{
		const std::vector<uint8_t> data = pack(name, values, texts);

		translator().take({now_ += 1000, cpu_, data});
	}

	std::vector<uint8_t> pack(const std::string &name, const FakeValues &values,
				  const FakeTexts &texts) const
	{
		const Layout &layout = layouts_.at(name);
		std::vector<uint8_t> data(end_of(layout));

		put(data, 0, layout.id, 2);
		data[2] = flags_;
		put(data, 4, pid_, 4);
		for (size_t i = 0; i < layout.fields.size(); i++) {
			const FakeField &field = layout.fields[i];
			const auto text = texts.find(field.name);
			const auto value = values.find(field.name);

			if (text != texts.end()) {
				const size_t at = data.size();
				const size_t size = text->second.size() + 1;

				data.resize(at + size);
				memcpy(&data[at], text->second.c_str(), size);
				put(data, offset(layout, i), at | size << 16, 4);
			} else if (value != values.end()) {
				put(data, offset(layout, i), value->second, field.size);
			}
		}
		return data;
	}

	Translator &translator()
	{
		if (!translator_) {
			translator_ = std::make_unique<Translator>(found.tep(), filter_, devices,
								   tasks, sink);
			for (const TraceEvent &event : found.events())
				translator_->add(event);
		}
		return *translator_;
	}

	FoundEvents found;
	DeviceNames devices;
	TaskNames tasks;
	TellingSink sink;
	std::vector<std::string> remarks;

private:
	struct Layout {
		int id = 0;
		size_t gap = 0;
		std::vector<FakeField> fields;
	};

	static bool is_text(const FakeField &field) { return !strcmp(field.type, "char[]"); }
	static size_t size_of(const FakeField &field) { return is_text(field) ? 4 : field.size; }
	// Each field at a multiple of its size, as a compiler would.
	static size_t offset(const Layout &layout, size_t index)
	{
		size_t at = trace_common_bytes + layout.gap;

		for (size_t i = 0;; i++) {
			const size_t size = size_of(layout.fields[i]);

			at = (at + size - 1) / size * size;
			if (i == index)
				return at;
			at += size;
		}
	}
	static size_t end_of(const Layout &layout)
	{
		const size_t last = layout.fields.size() - 1;

		return offset(layout, last) + size_of(layout.fields[last]);
	}
	static void put(std::vector<uint8_t> &data, size_t at, uint64_t value, size_t size)
	{
		memcpy(&data[at], &value, size);
	}

	static std::string format(const std::string &name, const Layout &layout)
	{
		std::vector<TraceField> fields;

		for (size_t i = 0; i < layout.fields.size(); i++) {
			const FakeField &field = layout.fields[i];

			fields.push_back({field.type, field.name, offset(layout, i), size_of(field),
					  is_text(field)});
		}
		return trace_format(name, size_t(layout.id), fields);
	}

	RecordFilter filter_;
	std::map<std::string, Layout> layouts_;
	std::unique_ptr<Translator> translator_;
	uint64_t now_ = 0;
	uint32_t cpu_ = 0;
	uint32_t pid_ = 1;
	uint8_t flags_ = 0;
};

} // namespace grtrace
