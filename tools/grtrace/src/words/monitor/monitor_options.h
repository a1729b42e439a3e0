// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "lib/options/options.h"
#include "lib/text/status.h"
#include "words/monitor/monitor_table.h"

#include <cstdint>
#include <string>
#include <vector>

namespace grtrace {

struct MonitorKind;

// The options of `grtrace monitor`.
struct MonitorOptions {
	const MonitorKind *kind = nullptr;
	std::vector<uint32_t> pids; // -p; empty: all
	std::vector<std::string> rings; // --ring; empty: all
	uint64_t interval_ms = 1000; // -i
	unsigned int seconds = 0; // -w; 0: no limit
	size_t buffer_kib = 1024; // -b, for each CPU
	bool events = false; // -v
	bool only_summary = false; // --summary
	bool plain = false; // --plain
	MonitorForm form = MonitorForm::text;
	std::string user; // --user; empty: as who called sudo
	bool help = false;
	bool version = false;
	std::vector<std::string> command;

	Status parse(int argc, char **argv);
	static std::string help_text();
	Status set_form(MonitorForm wanted);
	Status set_seconds(const std::string &argument);
	Status set_buffer(const std::string &argument);
	Status set_interval(const std::string &argument);
	Status add_pids(const std::string &argument);
	Status add_rings(const std::string &argument);

private:
	Status take(const GivenOption &word);
	Status check() const;
};

} // namespace grtrace
