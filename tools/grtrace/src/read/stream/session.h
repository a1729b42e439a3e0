// SPDX-License-Identifier: GPL-2.0
//
// Session: the facts that a capture has about itself.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "format/host_facts.h"
#include "read/stream/event.h"
#include "read/stream/fence_table.h"
#include "read/stream/ring_table.h"
#include "read/stream/task_table.h"

namespace grtrace {

struct Source {
	std::string name;
	uint32_t found = 0; // tracepoints that existed
	uint32_t known = 0;
};

// The number or name of a GPU's model.
struct Model {
	std::string device; // by name
	std::string bus; // pci, of
	std::string id; // 1af4:1050; of a device tree the first compatible string
};

// An event type that this program does not know, as named in the METADATA.
struct EventName {
	std::string name;
	std::string letter;
};

// The tables of one capture. The decoder adds STREAM_INFO, METADATA, RING, TASK and FENCE_NAME
// records; all later stages read the tables. The same facts come several times (at the start,
// at the end, in every file); repeating them changes nothing.
struct Session {
	uint64_t id = 0; // 0 until the first packet
	bool have_info = false;
	bool told_features = false; // unknown features that may be ignored were reported
	bool refused = false; // by a feature that this program does not know, or as joined
	std::string joined; // says where another recording begins in one of its files
	uint64_t features = 0;
	uint64_t start_ts = 0; // without STREAM_INFO: ts of the first packet
	uint64_t start_real = 0; // 0 without STREAM_INFO
	uint32_t clock = GRTRACE_CLOCK_MONOTONIC;
	uint32_t subbuf_size = 0;
	uint32_t n_subbufs = 0;
	uint32_t nr_cpus = 0;
	uint8_t boot_id[16] = {};
	std::string release;
	HostFacts host; // any bytes, as they were given
	std::string snapshot_reason; // empty: the capture is not a snapshot
	uint64_t snapshot_ts = 0; // when it was frozen
	bool stopped = false; // the session had stopped when some of its tables were written
	bool is_segment = false; // of a recording that is divided into several
	std::string recorder; // empty: the module recorded it
	std::vector<std::string> untold; // facts that its sources do not report
	uint64_t rings_full = 0; // events of rings for which the kernel's table had no room
	std::vector<Source> sources;
	std::vector<Model> models; // models of the GPUs that were there
	std::map<uint16_t, EventName> event_names; // names of unknown event types
	std::map<uint32_t, std::string> class_names; // names of unknown engine classes
	RingTable rings;
	TaskTable tasks;
	FenceTable fences;

	// Returns the name of the event's type; "?" if neither this program nor the
	// METADATA knows it.
	const char *event_name(uint16_t type) const;
	const char *event_letter(uint16_t type) const;
	const char *class_name(uint32_t engine_class) const;
	// A reader may ignore unknown features in the lower half, but must refuse a capture
	// with one in the upper half.
	uint64_t unknown_features() const { return features & ~known; }
	bool must_refuse() const { return unknown_features() >> 32; }
	bool overwrite() const { return features & GRTRACE_FEATURE_OVERWRITE; }
	// Returns whether each sub-buffer has the names of its tasks.
	bool has_names() const { return features & GRTRACE_FEATURE_NAMES && subbuf_size; }

	// "1af4:1050", or "" where it is not known.
	std::string_view model_of(std::string_view device) const;

	// record points to a whole record, which is one of these tables or is ignored.
	void learn(const uint8_t *record, uint16_t type, size_t size);
	void learn_info(const uint8_t *record);
	void learn_metadata(const uint8_t *record, size_t size);
	// Returns whether the capture is to end where the session does.
	bool is_whole() const { return snapshot_reason.empty() && !is_segment; }
	// Returns whether another program recorded the trace that the capture was made of.
	bool is_imported() const;
	// Marks the session as merged: losses and the reasons for them come from the
	// captures that were merged.
	void be_merged() { recorder = merge_name; }
	bool is_merged() const { return recorder == merge_name; }

private:
	static constexpr const char *merge_name = "merge";
	static constexpr uint64_t known = GRTRACE_FEATURE_TOKEN_BUCKET | GRTRACE_FEATURE_WATCHLIST |
					  GRTRACE_FEATURE_OVERWRITE | GRTRACE_FEATURE_NAMES;

	void learn_line(std::string_view line);
	void learn_event(std::string_view line);
	void learn_class(std::string_view line);
	void learn_source(std::string_view line);
	void learn_device(std::string_view line);
	void learn_untold(std::string_view line);
};

// "bit 7, bit 40"
std::string feature_text(uint64_t features);

} // namespace grtrace
