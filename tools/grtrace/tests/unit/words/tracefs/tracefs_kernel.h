// SPDX-License-Identifier: GPL-2.0
//
// A kernel made up for tests: formats of trace events as its tracefs would show
// them, and events in their layout.
#pragma once

#include "trace_format.h"
#include "unit/words/translate/telling_sink.h"
#include "words/tracefs/raw_events.h"
#include "words/tracefs/trace_events_found.h"
#include "words/translate/device_names.h"
#include "words/translate/task_names.h"
#include "words/translate/translator.h"

#include <fmt/format.h>

#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace grtrace {

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

		take({now_ += 1000, cpu_, data});
	}

	void take(const RawEvent &event)
	{
		translator();
		raw_->take(event);
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
			translator_ = std::make_unique<Translator>(filter_, devices, tasks, sink);
			raw_ = std::make_unique<RawEvents>(found.tep(), *translator_);
			for (const TraceEvent &event : found.events())
				raw_->add(event);
			raw_->add_markers(found.markers());
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
	std::unique_ptr<RawEvents> raw_;
	uint64_t now_ = 0;
	uint32_t cpu_ = 0;
	uint32_t pid_ = 1;
	uint8_t flags_ = 0;
};

} // namespace grtrace
