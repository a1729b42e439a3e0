// SPDX-License-Identifier: GPL-2.0
//
// From a fixture's text to what the pipeline makes of it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "read/capture/capture.h"
#include "synth.h"

namespace grtrace {

using Bytes = std::vector<uint8_t>;

std::vector<Bytes> bytes_of(std::string_view text, bool stream);

// The one record of a line that is for no CPU, without the packet around it.
Bytes record_of(std::string_view line);

// Gets an event, while its bytes are there, and what was lost before it.
using Reader = std::function<void(const Event &, const std::vector<Gap> &)>;

// Reads a capture to its end and keeps lines, events (without their bytes) and sentences.
struct Reading {
	explicit Reading(std::vector<Bytes> streams, bool per_cpu = true,
			 const char *format = "%a %x:%S", const Reader &reader = nullptr);
	~Reading();

	std::vector<Bytes> bytes;
	std::vector<std::string> sentences;
	Diagnostics diagnostics;
	Capture capture;
	std::vector<std::string> lines;
	std::vector<Event> events;
};

// One file per CPU.
std::unique_ptr<Reading> read_text(std::string_view text, const char *format = "%a %x:%S");

// One stream.
std::unique_ptr<Reading> read_stream(std::string_view text, const char *format = "%a %x:%S");

using Lines = std::vector<std::string>;

} // namespace grtrace
