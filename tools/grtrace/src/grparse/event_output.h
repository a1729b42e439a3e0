// SPDX-License-Identifier: GPL-2.0
//
// EventOutput: writes grparse's events and tables.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "grparse/grparse_options.h"
#include "lib/files/output_file.h"
#include "read/capture/capture_set.h"

namespace grtrace {

// Writes text or rows (-o), and the events as one stream again (-d). Either file may be
// absent.
class EventOutput {
public:
	EventOutput(GrparseOptions &options, CaptureSet &captures)
		: options_(options), rows_(options.rows()), captures_(captures)
	{
	}

	// Opens the outputs; the captures must be open.
	Status open();

	// elapsed: ns since the step before, or no_time
	void print(const Event &event, uint64_t elapsed);
	// Leaves out an event.
	void skip(const Event &event)
	{
		if (writer_)
			writer_->skip(event);
	}

	// Returns the output for tables. They are for people and must not mix with lines
	// for a program.
	fmt::memory_buffer &tables();
	fmt::memory_buffer &text() { return text_.text(); }
	void flush();
	// Ends the stream of -d.
	void finish();

	// Returns whether an output failed or its reader is gone.
	bool failed() const { return text_.failed() || binary_.failed(); }
	// Returns the files, the most important first.
	std::vector<OutputFile *> files() { return {&binary_, &text_}; }
	// Prints the tables that are in none of the files; to be called last.
	void print_tables_aside() const;

private:
	Status open(OutputFile &file, const std::string &path, mode_t mode);
	bool wants_text(const Event &event) const;
	void print_text(const Event &event, uint64_t elapsed);

	GrparseOptions &options_;
	Additions *const rows_; // lines for programs
	CaptureSet &captures_;
	OutputFile text_;
	OutputFile binary_;
	fmt::memory_buffer aside_; // tables that are not to be in text_
	std::unique_ptr<EventWriter> writer_;
};

} // namespace grtrace
