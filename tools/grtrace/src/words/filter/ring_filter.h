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
#include "read/stream/session.h"

namespace grtrace {

// --engine, --ring and --dev; a ring must pass each that is given. Names are
// looked up in the capture's table, once per ring. Memory grows with rings.
class RingFilter {
public:
	// Names or letters of engine classes, also of those that only the
	// METADATA names.
	Status add_engines(std::string_view words);
	// Ids, names, or device/name, or "device name".
	Status add_rings(std::string_view words);
	// Names, or numbers as %M shows them.
	Status add_devices(std::string_view words);

	bool any() const { return !engines_.empty() || !rings_.empty() || !devices_.empty(); }
	// An event without a ring does not pass.
	bool wants(const Event &event, const Session &session)
	{
		return wants(event.ring, event.capture, session);
	}
	bool wants(uint32_t ring, uint32_t capture, const Session &session);

	// Marks the names that match a ring with a RING record.
	void meet(const Ring &ring, const Session &session);
	// Whether each name was seen, and a ring that passes.
	bool all_met() const;

	// Once all was read. A name that is in no capture is wrong usage, and so
	// is a combination that no ring has; the sentence lists the existing
	// names.
	Status check(const CaptureSet &captures) const;

private:
	enum class Verdict : uint8_t { unknown, pass, refuse };

	struct Choice {
		std::string word;
		bool is_number = false;
		uint64_t number = 0;
		bool met = false; // by a ring, or by an event of one
	};

	static bool names_engine(const Choice &choice, const Ring &ring, const Session &session);
	static bool names_ring(const Choice &choice, const Ring &ring);
	static bool names_device(const Choice &choice, const Ring &ring);
	bool judge(const Ring &ring, const Session &session) const;
	bool judge_unknown(uint32_t id);
	Verdict &verdict(uint32_t capture, uint32_t ring);

	std::string choices(bool met) const;

	std::vector<Choice> engines_;
	std::vector<Choice> rings_;
	std::vector<Choice> devices_;
	bool passed_ = false; // a ring that was met
	std::vector<std::vector<Verdict>> verdicts_; // by capture, by ring
};

} // namespace grtrace
