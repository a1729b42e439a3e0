// SPDX-License-Identifier: GPL-2.0
//
// PerfettoTrace: turns the ftrace events of a trace that Perfetto recorded into a
// capture.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "words/foreign/event_forms.h"
#include "words/foreign/foreign_capture.h"
#include "words/foreign/packet_unpacker.h"
#include "words/foreign/perfetto_names.h"
#include "words/foreign/wire_reader.h"

namespace grtrace {

// A packet has events of one CPU in order, but packets of different CPUs overlap for as
// long as the recorder let them wait. So all events that are wanted are put in order first:
// memory is 24 bytes for each, beside the file's pages, and the bytes of those that were
// packed.
class PerfettoTrace {
public:
	// Both must outlive it. Packets that are packed become this many bytes at
	// most.
	PerfettoTrace(std::string_view bytes, ForeignCapture &capture,
		      uint64_t unpacked_most = UINT64_MAX)
		: bytes_(bytes), capture_(capture), unpacker_(unpacked_most),
		  unpacked_most_(unpacked_most)
	{
	}

	// Returns whether the bytes can be the beginning of such a file.
	static bool is_one(std::string_view first_bytes);

	// Returns why it was not read to its end, which is empty if it was.
	std::string read();

private:
	enum class What : uint8_t { event, loss, bad_pack, damage };

	struct Item {
		uint64_t ts;
		uint64_t at; // of the event's bytes in the file, or in what is kept
		uint32_t size;
		uint16_t cpu;
		What what; // another one than an event happened before ts
		bool is_kept;
	};

	// An event that has no message of its own, and is described in the trace.
	struct Description {
		struct Part {
			uint32_t number;
			std::string name;
		};

		std::string name;
		const EventForms::Forms *forms = nullptr; // nullptr: it is none of a GPU
		std::vector<Part> parts;
	};

	struct Value {
		std::string_view name;
		WireReader::Field field;
	};

	// More than a kernel has events, and an event has fields.
	static constexpr size_t descriptions_max = 16384;
	static constexpr size_t parts_max = 64;
	// Each writer of packets has one.
	static constexpr size_t sequences_max = 65536;

	bool index_packets(std::string_view packets);
	void index_packet(std::string_view packet);
	void index_packed(PacketUnpacker::Packer packer, std::string_view packed);
	void index_bundle(std::string_view bundle, bool lost);
	void index_event(std::string_view event, uint16_t cpu);
	void describe(std::string_view descriptor);
	void note(What what);
	bool wants(const WireReader::Field &field) const;
	void take(const Item &item);
	void take_event(std::string_view bytes, KernelEvent &event);
	void take_known(uint32_t number, std::string_view message, KernelEvent &event);
	void take_generic(std::string_view message, KernelEvent &event);
	void take_described(uint32_t number, std::string_view message, KernelEvent &event);
	void take_values(const EventForms::Forms &forms, KernelEvent &event);
	void take_switch(uint64_t ts, std::string_view from, std::string_view to);
	void name_task(uint32_t pid, uint64_t ts);

	std::string_view bytes_;
	ForeignCapture &capture_;
	PacketUnpacker unpacker_;
	const uint64_t unpacked_most_;
	const EventForms known_;
	PerfettoNames names_;
	std::unordered_map<uint32_t, const PerfettoNames::Name *> named_; // the last of each task
	std::unordered_map<uint32_t, Description> described_; // by number in FtraceEvent
	std::unordered_set<uint64_t> sequences_;
	std::vector<Item> items_;
	std::string kept_; // events that were packed
	bool is_packed_ = false; // the packet that is read
	uint64_t last_ts_ = 0; // of the last event
	uint16_t last_cpu_ = 0;
	std::string why_; // the first packet could not be unpacked
	std::vector<Value> values_; // of the current event
	FieldValues fields_;
};

} // namespace grtrace
