// SPDX-License-Identifier: GPL-2.0
//
// ProgramTable: the table of processes of grparse -s, -S and -h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "grparse/event_counts.h"
#include "lib/text/status.h"
#include "read/stream/session.h"
#include "words/data/id_map.h"
#include "words/tracker/job.h"
#include "words/tracker/open_waits.h"

namespace grtrace {

// How the table looks.
struct ProgramStyle {
	bool shown = false; // -s
	bool by_name = false; // -h: programs of the same name share a row
	bool steps = false; // -t: how long the steps took
	char sort = 0; // -S, 0: by pid

	// Sets the order of -S: one of N q Q c C w W f; capitals are times.
	Status set_sort(std::string_view key);
};

// Counts events and jobs of each process. Memory grows with processes.
class ProgramTable {
public:
	void add(const Event &event, Session &session);
	void add(const Job &job, Session &session);
	void print(fmt::memory_buffer &out, const ProgramStyle &style);

private:
	// Counts only jobs for which both times are known, each with its weight.
	struct Step {
		uint64_t jobs = 0;
		uint64_t sum = 0;
		uint64_t max = 0;

		void add(uint64_t ns, uint64_t weight);
		void add(const Step &other);
	};
	struct Program {
		EventCounts events;
		std::string comm;
		uint64_t jobs = 0;
		uint64_t over = 0; // jobs that are over
		uint64_t failed = 0; // failed jobs, over or not
		uint64_t waits = 0; // waits of its tasks, whose begin and end are known
		uint64_t wait_ns = 0; // sum of these waits
		Step queue; // SUBMIT to START
		Step exec; // START to END
		Step q2d;
		Step d2c;

		void add(const Program &other);
	};
	struct Row {
		std::string pid; // "-" for several
		uint32_t first_pid;
		Program program;
	};

	Program &program_of(uint32_t pid, Session &session);
	void add_wait(const Event &exit, Program &program);
	std::vector<Row> rows(const ProgramStyle &style);
	static bool before(const Row &a, const Row &b, char sort);
	static uint64_t sort_value(const Program &program, char sort);
	static void print_row(fmt::memory_buffer &out, const Row &row, bool steps);

	IdMap<Program> programs_; // by tgid
	OpenWaits waits_;
};

} // namespace grtrace
