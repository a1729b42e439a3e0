// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "words/packets/packet_bytes.h"

#include <cstdint>
#include <string_view>

namespace grtrace {

// A job event before it is packed. Fields that its type does not have are 0.
struct NewRecord {
	uint64_t ts = 0;
	uint64_t ctx = 0;
	uint64_t fence_ctx = 0;
	uint32_t seqno = 0;
	uint32_t fence_seqno = 0;
	uint32_t ring = 0;
	uint32_t pid = 0;
	uint16_t type = 0;
	uint16_t flags = 0;
	uint16_t arg = 0;
	uint32_t kind = 0; // only for ERROR
	int32_t code = 0; // only for ERROR
	uint32_t guilty_pid = 0; // only for ERROR, as the next two; 0: not known
	std::string_view guilty_comm;
	std::string_view text;
	bool has_fence = false;
	uint64_t client = 0; // only for SUBMIT and QUEUE; 0: not known
	bool answered = false; // SUBMIT of a command of a virtual GPU, or the END of one
	uint32_t command = 0; // the type of the command, or of the response
	uint32_t state = 0; // only for QUEUE
	uint32_t reason = 0; // only for QUEUE
};

struct TaskFacts {
	uint32_t pid = 0;
	uint32_t tgid = 0;
	std::string_view comm;
};

struct FenceNameFacts {
	uint64_t ctx = 0;
	uint32_t pid = 0;
	std::string_view driver;
	std::string_view timeline;
};

// Receives records in the order of their time.
class RecordSink {
public:
	virtual ~RecordSink() = default;

	virtual void event(uint32_t cpu, const NewRecord &record) = 0;
	virtual void ring(uint32_t cpu, uint64_t ts, const RingFacts &ring) = 0;
	virtual void task(uint32_t cpu, uint64_t ts, const TaskFacts &task) = 0;
	virtual void fence_name(uint32_t cpu, uint64_t ts, const FenceNameFacts &fence) = 0;
	virtual void message(uint32_t cpu, uint64_t ts, uint32_t pid, std::string_view text) = 0;
	// Events between these times cannot be recorded.
	virtual void lost(uint32_t cpu, uint64_t first_ts, uint64_t last_ts, uint64_t events) = 0;
};

} // namespace grtrace
