// SPDX-License-Identifier: GPL-2.0
//
// The options of `grtrace diff`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lib/text/status.h"
#include "read/filter/event_filter.h"
#include "words/diff/fail_condition.h"
#include "words/filter/job_filter.h"

namespace grtrace {

struct DiffOptions {
	enum class Form { table, csv, json };

	std::vector<std::string> inputs; // BASE, NEW
	std::string directory; // -D
	std::string output = "-"; // -o
	Form form = Form::table;
	EventFilter filter; // -w, of each capture from its own start
	JobFilter jobs; // --ring and similar options
	bool all_rings = false; // all rings as one
	std::vector<FailCondition> conditions; // --fail-if
	bool by_interval = true; // not --no-ci
	uint64_t seed = 1;
	bool strict = false;
	bool help = false;
	bool version = false;

	JobFilter &job_filter() { return jobs; }
	Status parse(int argc, char **argv);
	Status set_form(Form wanted);
	static std::string help_text();
};

} // namespace grtrace
