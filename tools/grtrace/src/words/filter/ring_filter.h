// SPDX-License-Identifier: GPL-2.0
//
// RingFilter: which rings the user wants to see.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lib/text/status.h"
#include "read/capture/capture_set.h"
#include "read/stream/event.h"
#include "read/stream/ring_map.h"
#include "read/stream/session.h"

namespace grtrace {

// A ring must pass all given options among --engine, --ring and --dev. Names are looked up
// in the capture's table, once per ring. Memory grows with rings.
class RingFilter {
public:
	// Takes names or letters of engine classes, including classes that only the
	// METADATA names.
	Status add_engines(std::string_view words);
	// Takes ids, names, device/name, or "device name".
	Status add_rings(std::string_view words);
	// Takes names of devices, or their numbers as grparse prints them.
	Status add_devices(std::string_view words);

	bool any() const { return !engines_.empty() || !rings_.empty() || !devices_.empty(); }
	// An event without a ring does not pass.
	bool wants(const Event &event, const Session &session)
	{
		return wants(event.ring, event.capture, session);
	}
	bool wants(uint32_t ring, uint32_t capture, const Session &session);

	// Marks the given names that match this ring, which has a RING record.
	void meet(const Ring &ring, const Session &session);
	// Returns whether each name was seen, and whether at least one ring passes.
	bool all_met() const;

	// To be called when everything was read. A name that no capture has is wrong usage,
	// and so is a combination that no ring has. The error lists the existing names.
	Status check(const CaptureSet &captures) const;

private:
	enum class Verdict : uint8_t { unknown, pass, refuse };

	struct Choice {
		std::string word;
		bool is_number = false;
		uint64_t number = 0;
		uint64_t mask = 0; // of classes
		bool met = false; // a ring, or an event of one, matched it
	};

	Status add_engine_mask(std::string_view word, std::string_view digits);
	static bool names_engine(const Choice &choice, const Ring &ring, const Session &session);
	static bool names_ring(const Choice &choice, const Ring &ring);
	static bool names_device(const Choice &choice, const Ring &ring, const Session &session);
	bool judge(const Ring &ring, const Session &session) const;
	bool judge_unknown(uint32_t id);
	Verdict &verdict(uint32_t capture, uint32_t ring);

	std::string choices(bool met) const;

	std::vector<Choice> engines_;
	std::vector<Choice> rings_;
	std::vector<Choice> devices_;
	bool passed_ = false; // a ring passed
	std::vector<RingMap<Verdict>> verdicts_; // by capture
};

} // namespace grtrace
