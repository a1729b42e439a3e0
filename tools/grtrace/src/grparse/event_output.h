// SPDX-License-Identifier: GPL-2.0
//
// EventOutput: where grparse's events and tables go.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "grparse/grparse_options.h"
#include "lib/files/output_file.h"
#include "read/capture/capture_set.h"
#include "read/stream/stream_writer.h"

namespace grtrace {

// Text or rows (-o), and the events as one stream again (-d). Each file may be missing.
class EventOutput {
public:
	EventOutput(GrparseOptions &options, CaptureSet &captures)
		: options_(options), rows_(options.rows()), captures_(captures)
	{
	}

	// The captures are open.
	Status open();

	// elapsed: ns since the step before, or Job::none
	void print(const Event &event, uint64_t elapsed);
	// An event that is not wanted; those behind it in the stream move up.
	void skip(const Event &event)
	{
		if (writer_)
			writer_->skip(event);
	}

	// The output for tables, which are for people and must not mix with
	// lines for a program.
	fmt::memory_buffer &tables();
	fmt::memory_buffer &text() { return text_.text(); }
	void flush();

	// The output's reader is gone.
	bool failed() const { return text_.failed() || binary_.failed(); }
	// The most important first.
	std::vector<OutputFile *> files() { return {&binary_, &text_}; }
	// Prints the tables that are in none of the files; last of all.
	void print_tables_aside() const;

private:
	Status open(OutputFile &file, const std::string &path);
	bool wants_text(const Event &event) const;
	void print_text(const Event &event, uint64_t elapsed);

	GrparseOptions &options_;
	Additions *const rows_; // lines for programs
	CaptureSet &captures_;
	OutputFile text_;
	OutputFile binary_;
	fmt::memory_buffer aside_; // tables that do not belong into text_
	std::unique_ptr<BinaryWriter> writer_;
};

} // namespace grtrace
