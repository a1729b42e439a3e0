// SPDX-License-Identifier: GPL-2.0
//
// PerfettoTracks: the tracks of one capture.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <unordered_set>

#include "read/stream/session.h"
#include "words/data/id_map.h"
#include "words/export/perfetto_writer.h"
#include "words/export/slice_lanes.h"

namespace grtrace {

// Describes each track before its first use:
//
//	device
//	  ring			COMPLETE, errors, preemptions
//	    queue		lanes: SUBMIT to COMMIT
//	    hardware queue	lanes: COMMIT to START
//	    running		lanes: START to END
//	    jobs, jobs on the hardware	counters
//	process
//	  thread		SUBMITs, waits
//	    waits, ioctls	lanes
//	lost records, messages
//
// All functions return the uuid of the track. Memory grows with tracks.
class PerfettoTracks {
public:
	// The levels below a ring, from top to bottom.
	enum class Level { queue, hardware, running };

	PerfettoTracks(PerfettoWriter &out, uint32_t index, Session &session)
		: out_(out), index_(index), session_(session)
	{
	}

	uint64_t ring(uint32_t ring);
	// Returns a lane that is free from begin to end.
	uint64_t lane(uint32_t ring, Level level, uint64_t begin, uint64_t end);
	uint64_t depth(uint32_t ring, bool hardware);
	uint64_t thread(uint32_t pid);
	uint64_t wait(uint32_t pid, uint64_t begin, uint64_t end);
	uint64_t call(uint32_t pid, uint64_t begin, uint64_t end);
	uint64_t lost(uint64_t begin, uint64_t end);
	uint64_t messages();

private:
	enum class Kind : uint8_t {
		capture = 1,
		process,
		thread,
		device,
		ring,
		lane,
		depth = lane + 3, // one lane for each level
		hardware_depth,
		wait,
		ioctl,
		lost,
		messages,
	};
	// The name that the thread had at the time when its track was
	// described.
	struct Thread {
		Task task;
		bool told = false;
		SliceLanes waits;
		SliceLanes ioctls;
	};
	struct RingTracks {
		SliceLanes lanes[3]; // by level
		bool told = false;
		bool named = false;
	};

	uint64_t uuid(Kind kind, uint64_t id = 0, uint32_t lane = 0) const;
	// Puts the descriptor of a track into the current packet, and returns it.
	proto::TrackDescriptor *tell(uint64_t uuid, uint64_t parent, std::string_view name);
	uint64_t device(const Ring &ring);
	uint64_t child(uint64_t uuid, uint64_t parent, const char *name, int32_t rank);
	void tell_process(uint32_t tgid, const Task &task);

	PerfettoWriter &out_;
	uint32_t index_;
	Session &session_;
	std::unordered_set<uint64_t> told_;
	IdMap<RingTracks> rings_;
	IdMap<Thread> threads_;
	SliceLanes lost_;
};

} // namespace grtrace
