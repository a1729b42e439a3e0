// SPDX-License-Identifier: GPL-2.0
//
// FindingText: describes a finding in plain sentences.
#pragma once

#include <algorithm>
#include <string>

#include "read/capture/capture.h"
#include "words/findings/findings.h"
#include "words/findings/standstill_text.h"

namespace grtrace {

// It uses the names at the end of the capture. All arguments must outlive it.
class FindingText {
public:
	FindingText(const Findings &findings, const Capture &capture)
		: findings_(findings), session_(capture.session()),
		  digits_(time_digits(
			  std::min(capture.end_ts() - session_.start_ts, findings.interval_ns()))),
		  standing_(findings.causes(), capture, digits_)
	{
	}

	// Returns three words at most.
	const char *title(const Finding &finding) const;
	// Returns "at 0.764 s", or "0.1 to 3.2 s".
	std::string place(const Finding &finding) const;
	std::string sentences(const Finding &finding) const;
	// Returns "57:15 compute0 <- 59:13 compute0 <- 53:14 render0", the root first;
	// empty if it adds nothing to the sentences.
	std::string chain(const Finding &finding) const;
	// Describes hangs that are in no finding; empty if there is none.
	std::string quiet_hangs() const;
	// Describes the waiting that is in no finding; empty if there is none.
	std::string rest() const;

	// Returns the ring's name, without the device if it is unique.
	std::string ring(uint32_t id) const { return ring_text(session_, id); }
	std::string process(uint32_t number) const
	{
		return process_text(findings_.causes(), number);
	}
	static std::string job(const JobName &job);
	// Returns the time in s since the start of the session.
	std::string at(uint64_t ts) const { return time_text(session_, ts, digits_); }

private:
	bool tells_fences() const;
	const Standstill &standstill(const Finding &finding) const;
	const char *what_executes(const Finding &finding) const;
	std::string on_ring(const Finding &finding) const;
	std::string who_waited(const Finding &finding) const;
	std::string mostly(const Finding &finding) const;
	std::string late_wake(const Finding &finding) const;
	std::string fence(const Finding &finding) const;
	std::string hang_text(const Hang &hang, bool with_time) const;
	std::string hang_waits(const Finding &finding) const;
	std::string quiet_waits(uint32_t hang) const;

	const Findings &findings_;
	const Session &session_;
	int digits_; // for a time in s
	StandstillText standing_;
};

} // namespace grtrace
