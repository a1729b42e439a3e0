// SPDX-License-Identifier: GPL-2.0
//
// ParseOptions: the options of grparse, and the options that only grtrace-parse
// has.
#pragma once

#include <optional>
#include <string>

#include "grparse/additions.h"
#include "grparse/grparse_options.h"
#include "words/filter/job_filter.h"
#include "words/ioctl/ioctl_call.h"
#include "words/parse/program_table.h"
#include "words/rows/event_columns.h"

namespace grtrace {

class ParseAdditions : public Additions {
public:
	Status set(Option option, const std::string &argument) override;

	bool chooses() const override { return jobs_.any(); }
	Status find(const std::string &directory,
		    const std::vector<std::string> &inputs) const override;
	bool wants(const Event &event, Session &session) override
	{
		return jobs_.wants(event, session);
	}
	Status check(const CaptureSet &captures) const override { return jobs_.check(captures); }
	std::vector<std::string> missing() const override { return jobs_.missing(); }

	bool tracks() const override { return programs_.steps; }
	std::unique_ptr<Counting> counting(CaptureSet &captures) const override;

	std::unique_ptr<EventWriter> writer(const Session &session) const override;

	bool has_rows() const override { return rows_.has_value(); }
	void print_names(fmt::memory_buffer &out) const override;
	void print_row(fmt::memory_buffer &out, const Event &event, Capture &capture,
		       uint64_t elapsed) const override;

	bool has_interval = false; // of times

private:
	Status set_rows(const char *option, RowForm form);

	JobFilter jobs_; // --engine --ring --dev --pid --client --ctx
	ProgramStyle programs_; // -s -S -h -t
	std::optional<RowForm> rows_; // --csv --json
};

struct ParseOptions : GrparseOptions {
	ParseOptions()
	{
		more = &additions;
		printer.set_note_text(note_or_ioctl_text);
	}
	// Also finds out whether a part of the capture is enough.
	Status parse(int argc, char **argv);
	static std::string help_text();

	ParseAdditions additions;
};

} // namespace grtrace
