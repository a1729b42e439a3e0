// SPDX-License-Identifier: GPL-2.0
//
// FindingText: a finding in plain sentences.
#pragma once

#include <string>

#include "read/capture/capture.h"
#include "words/findings/findings.h"

namespace grtrace {

// Names are those of the end of the capture, so all must outlive it.
class FindingText {
public:
	FindingText(const Findings &findings, const Capture &capture)
		: findings_(findings), session_(capture.session()),
		  digits_(digits_of(capture.length()))
	{
	}

	// Three words at most.
	static const char *title(const Finding &finding);
	// "at 0.764 s", "0.1 to 3.2 s"
	std::string place(const Finding &finding) const;
	std::string sentences(const Finding &finding) const;
	// "57:15 compute0 <- 59:13 compute0 <- 53:14 render0": the root first; empty
	// if there is nothing that the sentences do not say.
	std::string chain(const Finding &finding) const;
	// Hangs that are in no finding; empty if there is none.
	std::string quiet_hangs() const;
	// The waiting that is in no finding; empty if there is none.
	std::string rest() const;

	// Without the device's name where no other ring has this one.
	std::string ring(uint32_t id) const;
	std::string process(uint32_t number) const;
	static std::string job(const JobName &job);
	// In s from the start of the session.
	std::string at(uint64_t ts) const;

private:
	// The number of digits that distinguishes the two times of an interval.
	static int digits_of(uint64_t length);
	std::string on_ring(const Finding &finding) const;
	std::string who_waited(const Finding &finding) const;
	std::string mostly(const Finding &finding) const;
	std::string hang_text(const Hang &hang, bool with_time) const;
	std::string hang_waits(const Finding &finding) const;
	std::string quiet_waits(uint32_t hang) const;

	const Findings &findings_;
	const Session &session_;
	int digits_; // of a time in s
};

// Rounded to three digits, for people.
std::string short_time(uint64_t ns);

} // namespace grtrace
