// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "lib/files/output_file.h"
#include "lib/text/status.h"
#include "words/monitor/monitor.h"
#include "words/monitor/monitor_options.h"
#include "words/monitor/monitor_screen.h"

#include <fmt/format.h>

#include <string>
#include <vector>

namespace grtrace {

// Writes a monitor's lines and tables to a screen, or to standard output in the chosen
// form.
class MonitorOutput {
public:
	explicit MonitorOutput(const MonitorOptions &options);

	void begin();
	void event(const MonitorEvent &event, uint64_t start_ts, const ProbeSpec &spec,
		   const std::string &comm, const EventDetails &details);
	void interval(const std::vector<MonitorTable> &tables, double time, uint64_t lost);
	void summary(const std::vector<MonitorTable> &tables, double time, uint64_t lost);
	void flush() { file_.flush(); }
	Status close();

	// Returns whether an output failed or its reader is gone, so that continuing is
	// pointless.
	bool failed() const { return file_.failed(); }
	bool reader_gone() const { return file_.reader_gone(); }

private:
	void tables(const std::vector<MonitorTable> &tables, double time);

	const MonitorOptions &options_;
	MonitorScreen screen_;
	OutputFile file_;
	fmt::memory_buffer &out_; // of file_
	bool has_header_ = false;
};

} // namespace grtrace
