// SPDX-License-Identifier: GPL-2.0

#include "unit/from_text.h"

#include <utility>

#include <fmt/format.h>

#include "grparse/text_printer.h"

namespace grtrace {

std::vector<Bytes> bytes_of(std::string_view text, bool stream)
{
	Synth synth(stream);

	EXPECT_TRUE(synth.parse(text)) << synth.error();
	return synth.streams();
}

Bytes record_of(std::string_view line)
{
	const Bytes file = bytes_of("cpu none\n" + std::string(line) + "\n", true)[0];

	return Bytes(file.begin() + sizeof(grtrace_rec_packet), file.end());
}

Reading::Reading(std::vector<Bytes> streams, bool per_cpu, const char *format, const Reader &reader)
	: bytes(std::move(streams)),
	  diagnostics([this](const std::string &sentence) { sentences.push_back(sentence); }),
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

Reading::~Reading() = default;

std::unique_ptr<Reading> read_text(std::string_view text, const char *format)
{
	return std::make_unique<Reading>(bytes_of(text, false), true, format);
}

std::unique_ptr<Reading> read_stream(std::string_view text, const char *format)
{
	return std::make_unique<Reading>(bytes_of(text, true), false, format);
}

} // namespace grtrace
