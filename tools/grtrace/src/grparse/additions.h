// SPDX-License-Identifier: GPL-2.0
//
// Additions: what grtrace-parse does that grparse does not.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "grparse/counting.h"
#include "lib/text/status.h"
#include "read/capture/capture_set.h"

namespace grtrace {

// Writes events as one stream again (-d).
class EventWriter {
public:
	virtual ~EventWriter() = default;
	virtual void write(fmt::memory_buffer &out, const Event &event) = 0;
	// An event was left out; later events in the stream move up.
	virtual void skip(const Event &event) = 0;
	// All was written.
	virtual void finish(fmt::memory_buffer &out) = 0;
};

// These options need more than events as text: a choice of jobs, the times and sums of jobs,
// lines for other programs, and the stream. grparse knows the options, and runs
// grtrace-parse of the suite for them, just as it runs grtrace-explain. Otherwise the same
// code leads from a capture to the text.
class Additions {
public:
	enum class Option {
		engine,
		ring,
		dev,
		pid,
		client,
		ctx,
		csv,
		json,
		track,
		programs,
		sort,
		by_name,
	};

	virtual ~Additions() = default;
	virtual Status set(Option option, const std::string &argument) = 0;

	// The choice of jobs: whether jobs were chosen, and whether the choice
	// can be met.
	virtual bool chooses() const = 0;
	virtual Status find(const std::string &directory,
			    const std::vector<std::string> &inputs) const = 0;
	virtual bool wants(const Event &event, Session &session) = 0;
	// To be called when all was read: is anything missing, either required or
	// optional?
	virtual Status check(const CaptureSet &captures) const = 0;
	virtual std::vector<std::string> missing() const = 0;

	// Whether -t was given.
	virtual bool tracks() const = 0;
	// The captures must outlive it.
	virtual std::unique_ptr<Counting> counting(CaptureSet &captures) const = 0;

	// The session must outlive it.
	virtual std::unique_ptr<EventWriter> writer(const Session &session) const = 0;

	// Lines for programs, in place of text.
	virtual bool has_rows() const = 0;
	virtual void print_names(fmt::memory_buffer &out) const = 0;
	virtual void print_row(fmt::memory_buffer &out, const Event &event, Capture &capture,
			       uint64_t elapsed) const = 0;
};

} // namespace grtrace
