// SPDX-License-Identifier: GPL-2.0
//
// The options of `grtrace export`.
#pragma once

#include <string>
#include <vector>

#include "lib/text/status.h"
#include "read/filter/event_filter.h"
#include "words/filter/job_filter.h"

namespace grtrace {

struct ExportFormat;

struct ExportOptions {
	// Rows of csv and json.
	enum class Rows { all, events, jobs, captures };

	std::vector<std::string> inputs;
	std::string directory; // -D
	std::string output = "-"; // -o
	const ExportFormat *format = nullptr; // --to
	Rows rows = Rows::all;
	bool asks_all = false; // --rows all was given
	bool fleet = false; // --fleet
	bool slow_only = false; // --slow-only
	bool has_null = false; // --null was given
	std::string null = "NA"; // --null
	std::string schema; // --schema
	EventFilter time; // --since, --until, -w
	JobFilter jobs; // --ring, --dev, --engine, --pid, --client, --ctx
	uint64_t limit = 0; // --limit, 0: none
	bool strict = false;
	bool help = false;
	bool version = false;

	Status parse(int argc, char **argv);
	static std::string help_text();
	Status set_format(const std::string &argument);
	Status set_rows(const std::string &argument);
	Status set_null(const std::string &argument);
	JobFilter &job_filter() { return jobs; }

private:
	Status check() const;
	Status check_rows() const;
	Status check_schema() const;
};

} // namespace grtrace
