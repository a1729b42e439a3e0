// SPDX-License-Identifier: GPL-2.0
//
// From a fixture's text to what the pipeline makes of it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "grparse/text_printer.h"
#include "read/capture/capture.h"
#include "synth.h"

namespace grtrace {

using Bytes = std::vector<uint8_t>;

inline std::vector<Bytes> bytes_of(std::string_view text, bool stream)
{
	Synth synth(stream);

	EXPECT_TRUE(synth.parse(text)) << synth.error();
	return synth.streams();
}

// The one record of a line that is for no CPU, without the packet around it.
inline Bytes record_of(std::string_view line)
{
	const Bytes file = bytes_of("cpu none\n" + std::string(line) + "\n", true)[0];

	return Bytes(file.begin() + sizeof(grtrace_rec_packet), file.end());
}

// Gets an event, while its bytes are there, and what was lost before it.
using Reader = std::function<void(const Event &, const std::vector<Gap> &)>;

// Reads a capture to its end and keeps lines, events (without their bytes) and sentences.
struct Reading {
	explicit Reading(std::vector<Bytes> streams, bool per_cpu = true,
			 const char *format = "%a %x:%S", const Reader &reader = nullptr)
		: bytes(std::move(streams)), diagnostics([this](const std::string &sentence) {
			  sentences.push_back(sentence);
		  }),
		  capture(diagnostics)
	{
		TextPrinter printer;
		const Event *event;

		EXPECT_TRUE(printer.set_format(format).ok());
		capture.open_memory(bytes, per_cpu);
		while (capture.next(event) == Next::event) {
			fmt::memory_buffer line;

			printer.print(line, *event, capture.session());
			lines.push_back(fmt::to_string(line));
			events.push_back(*event);
			if (reader)
				reader(*event, capture.take_gaps());
		}
	}

	std::vector<Bytes> bytes;
	std::vector<std::string> sentences;
	Diagnostics diagnostics;
	Capture capture;
	std::vector<std::string> lines;
	std::vector<Event> events;
};

// One file per CPU.
inline std::unique_ptr<Reading> read_text(std::string_view text, const char *format = "%a %x:%S")
{
	return std::make_unique<Reading>(bytes_of(text, false), true, format);
}

// One stream.
inline std::unique_ptr<Reading> read_stream(std::string_view text, const char *format = "%a %x:%S")
{
	return std::make_unique<Reading>(bytes_of(text, true), false, format);
}

using Lines = std::vector<std::string>;

} // namespace grtrace
