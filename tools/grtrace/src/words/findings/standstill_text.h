// SPDX-License-Identifier: GPL-2.0
//
// StandstillText: says in a sentence what was not over when the capture ended.
#pragma once

#include <string>

#include "read/capture/capture.h"
#include "words/findings/not_over.h"
#include "words/findings/wait_causes.h"

namespace grtrace {

// It uses the names at the end of the capture. All arguments must outlive it.
class StandstillText {
public:
	// digits: of a time in s.
	StandstillText(const WaitCauses &causes, const Capture &capture, int digits)
		: causes_(causes), session_(capture.session()), end_(capture.end_ts()),
		  digits_(digits)
	{
	}

	// Returns three words at most.
	static const char *title(const Standstill &one);
	// Returns what stands still, since when, and how much waits for it.
	std::string sentence(const Standstill &one) const;
	// Returns "3.90 s": how long it lasted until the end.
	std::string lasted(uint64_t since) const;

private:
	std::string of_process(const Standstill &one) const;
	std::string fence(const Standstill &one) const;
	std::string since(const Standstill &one) const;
	std::string what(const Standstill &one) const;
	std::string behind(const Standstill &one) const;
	std::string tasks(const Standstill &one) const;

	const WaitCauses &causes_;
	const Session &session_;
	const uint64_t end_;
	const int digits_;
};

// Returns "firefox (610)".
std::string process_text(const WaitCauses &causes, uint32_t number);
// Returns the ring's name, without the device if it is unique.
std::string ring_text(const Session &session, uint32_t id);
// Returns the time in s since the start of the session.
std::string time_text(const Session &session, uint64_t ts, int digits);
// Returns how many digits of a time in s distinguish the two times of an interval.
int time_digits(uint64_t length);
// Rounds to three digits, for people.
std::string short_time(uint64_t ns);

} // namespace grtrace
