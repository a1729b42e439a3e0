// SPDX-License-Identifier: GPL-2.0
//
// TextSource: trace.dat or perf.data as the input of a merge.
#pragma once

#include <map>
#include <memory>

#include "lib/files/fd.h"
#include "lib/run/run_user.h"
#include "words/data/id_map.h"
#include "words/foreign/tool_lines.h"
#include "words/foreign/trace_line.h"
#include "words/merge/merge_source.h"
#include "words/merge/text_jobs.h"

namespace grtrace {

// A kind of file, with the commands that print its content.
struct TextFormat {
	const char *kind;
	std::string_view magic; // the first bytes of such a file
	// The command that prints its facts, without the file's name.
	std::vector<std::string> facts;
	std::vector<std::string> events;
	// Reads a line of that output; returns false if it says nothing about the clock.
	bool (*learn)(std::string_view line, ClockFacts &clock);
};

// Returns nullptr if the file is of neither kind.
const TextFormat *find_text_format(std::string_view first_bytes);

// Runs the program that wrote the file to read it. The event of a job becomes its record. Each
// other event becomes a MESSAGE, "<event>: <fields>", and a TASK comes before the first event
// of a thread.
class TextSource : public MergeSource {
public:
	TextSource(const TextFormat &format, std::string path)
		: format_(format), path_(std::move(path))
	{
	}

	Status open() override;
	const ClockFacts &clock() const override { return clock_; }
	uint64_t start_ts() const override { return start_ts_; }
	Next next(MergeRecord &record) override;
	Status close() override;

	const char *kind() const override { return format_.kind; }
	uint64_t lost() const override { return lost_; }
	Session *session() override { return &jobs_.session(); }
	bool is_text() const override { return true; }
	void leave_to(const Session &capture) override { jobs_.leave_to(capture); }
	// Returns how many lines had an event.
	uint64_t events() const { return events_; }

private:
	struct Name {
		char comm[GRTRACE_COMM_LEN] = {};
	};

	Status copy_for(const RunUser &user);
	std::vector<std::string> command(std::vector<std::string> words) const;
	Status find_marks();
	bool read();
	void message(MergeRecord &record) const;
	void task(MergeRecord &record) const;
	void tell_lost(MergeRecord &record, uint32_t cpu, uint64_t lost, uint64_t to);
	void begin(MergeRecord &record) const;
	bool learn_name();

	const TextFormat &format_;
	std::string path_;
	// The file that the program opens is a copy, where it runs as another user.
	Fd copy_;
	std::string opened_ = path_;
	const RunUser *user_ = careful_user();
	ClockFacts clock_;
	std::unique_ptr<ToolLines> lines_;
	TraceLine ahead_; // read, but not yet returned
	bool have_ahead_ = false;
	// trace-cmd prints no time for missing events, so their number is kept until the
	// next event of the same CPU.
	std::map<uint32_t, uint64_t> dropped_;
	std::map<uint32_t, uint64_t> newest_ts_; // by CPU
	TextJobs jobs_;
	uint64_t start_ts_ = 0;
	uint64_t last_ts_ = 0;
	uint64_t lost_ = 0;
	uint64_t events_ = 0;
	IdMap<Name> names_;
};

} // namespace grtrace
