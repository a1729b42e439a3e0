// SPDX-License-Identifier: GPL-2.0
#include "words/monitor/monitor_output.h"

#include "lib/text/print_to.h"
#include "lib/text/utf8_text.h"

namespace grtrace {

namespace {

std::string joined(const EventDetails &details)
{
	std::string text;

	for (const auto &[name, cell] : details)
		text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, cell.shown());
	return text;
}

} // namespace

MonitorOutput::MonitorOutput(const MonitorOptions &options) : options_(options), out_(file_.text())
{
	(void)file_.open("-"); // which is always there
}

void MonitorOutput::begin()
{
	if (options_.form == MonitorForm::text && !options_.events && !options_.only_summary &&
	    !options_.plain)
		screen_.open();
	if (!screen_.is_open() && *options_.kind->label && options_.form == MonitorForm::text)
		print_to(out_, "{}: {}\n", options_.kind->name, options_.kind->label);
	if (options_.events && options_.form == MonitorForm::csv)
		print_to(out_, "time,cpu,event,pid,comm,fields\n");
}

void MonitorOutput::event(const MonitorEvent &event, uint64_t start_ts, const ProbeSpec &spec,
			  const std::string &comm, const EventDetails &details)
{
	const double time = static_cast<double>(static_cast<int64_t>(event.ts - start_ts)) / 1e9;

	if (options_.form == MonitorForm::csv) {
		CsvLine line(out_);

		line.text(fmt::format("{:.9f}", time));
		line.number(event.cpu);
		line.text(spec.event);
		line.number(event.pid);
		line.text(utf8_text(comm));
		line.text(joined(details));
		line.end();
	} else if (options_.form == MonitorForm::json) {
		JsonLine line(out_);

		line.number("ts", event.ts);
		line.number("cpu", event.cpu);
		line.text("event", spec.event);
		line.number("pid", event.pid);
		line.text("comm", comm);
		for (const auto &[name, cell] : details)
			cell.add_to(line, name);
		line.end();
	} else {
		print_to(out_, "{:14.9f} {:3} {:<28} {:7} {:<16} {}\n", time, event.cpu, spec.event,
			 event.pid, printable(comm), joined(details));
	}
	file_.drain();
}

void MonitorOutput::tables(const std::vector<MonitorTable> &tables, double time)
{
	for (const MonitorTable &table : tables) {
		switch (options_.form) {
		case MonitorForm::text:
			print_table(out_, table);
			if (&table != &tables.back())
				out_.push_back('\n');
			break;
		case MonitorForm::csv:
			// A single table needs its line of names only once.
			print_table_csv(out_, table, time, !has_header_ || tables.size() > 1);
			has_header_ = true;
			break;
		case MonitorForm::json:
			print_table_json(out_, table, time);
			break;
		}
	}
}

void MonitorOutput::interval(const std::vector<MonitorTable> &all, double time, uint64_t lost)
{
	if (options_.form == MonitorForm::text)
		print_to(out_, "grtrace monitor {}{}{}  {:.1f} s  {} lost\n", options_.kind->name,
			 *options_.kind->label ? ", " : "", options_.kind->label, time, lost);
	tables(all, time);
	if (screen_.is_open()) {
		screen_.paint({out_.data(), out_.size()});
		out_.clear();
	} else if (options_.form == MonitorForm::text) {
		out_.push_back('\n');
	}
}

void MonitorOutput::summary(const std::vector<MonitorTable> &all, double time, uint64_t lost)
{
	screen_.close();
	if (options_.form == MonitorForm::text) {
		print_to(out_, "Summary of {}{}{}, {:.1f} s, {} events lost\n", options_.kind->name,
			 *options_.kind->label ? ", " : "", options_.kind->label, time, lost);
		tables(all, time);
	} else if (options_.only_summary) {
		tables(all, time);
	}
	if (lost && !file_.failed())
		print_to(stderr, "{} events were lost; a larger buffer (-b) holds more\n", lost);
}

Status MonitorOutput::close()
{
	screen_.close();
	return file_.close();
}

} // namespace grtrace
