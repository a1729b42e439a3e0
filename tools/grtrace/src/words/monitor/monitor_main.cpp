// SPDX-License-Identifier: GPL-2.0
//
// grtrace monitor: what happens on GPUs now. This file is its table of contents.
#include "words/monitor/monitor_main.h"

#include "drive/run/command_run.h"
#include "lib/options/word_main.h"
#include "lib/text/print_to.h"
#include "words/monitor/monitor.h"
#include "words/monitor/monitor_clock.h"
#include "words/monitor/monitor_options.h"
#include "words/monitor/monitor_output.h"
#include "words/monitor/monitor_probes.h"
#include "words/monitor/monitor_tasks.h"

#include <algorithm>

using namespace grtrace;

namespace {

constexpr int most_tick_ms = 100;

int refuse(const Status &status)
{
	print_to(stderr, "grtrace monitor: {}\n", status.sentence());
	return exit_error;
}

// A run from the probes to lines or tables.
class Run {
public:
	explicit Run(const MonitorOptions &options)
		: options_(options), tasks_(options.pids, options.rings),
		  monitor_(options.kind->make(tasks_)), output_(options),
		  run_(options.command, options.seconds, true), clock_(options.interval_ms)
	{
	}

	int run();

private:
	Status set_up();
	Status follow();
	Status read(bool last);
	void take(const MonitorEvent &event);
	void tick();
	int finish(Status status);

	const MonitorOptions &options_;
	MonitorTasks tasks_;
	std::unique_ptr<Monitor> monitor_;
	MonitorProbes probes_;
	MonitorOutput output_;
	CommandRun run_;
	MonitorClock clock_;
};

Status Run::set_up()
{
	std::vector<std::string> remarks;

	run_.run_as(options_.user);
	Status status = run_.prepare();

	if (status.ok())
		status = probes_.attach(*options_.kind, options_.buffer_kib, &remarks);
	for (const std::string &sentence : remarks)
		print_to(stderr, "grtrace monitor: {}\n", sentence);
	if (status.ok())
		status = probes_.switch_on();
	clock_.start();
	return status;
}

void Run::take(const MonitorEvent &event)
{
	EventDetails details;

	if (!monitor_->take(event, options_.events ? &details : nullptr) || !options_.events)
		return;
	output_.event(event, clock_.started(), options_.kind->probes[event.probe],
		      tasks_.name_of(event.pid), details);
}

Status Run::read(bool last)
{
	tasks_.refresh();
	return probes_.read(last, [this](const MonitorEvent &event) { take(event); });
}

// Prints the next table when it is due.
void Run::tick()
{
	const std::optional<double> took = clock_.take_interval();

	monitor_->set_lost(probes_.lost());
	if (took && !options_.events && !options_.only_summary)
		output_.interval(monitor_->interval(*took), clock_.seconds(), probes_.lost());
}

Status Run::follow()
{
	const int tick_ms =
		static_cast<int>(std::min<uint64_t>(options_.interval_ms, most_tick_ms));
	Status status;

	while (status.ok() && !output_.failed() &&
	       run_.goes_on(-1, probes_.is_behind() ? 0 : tick_ms)) {
		status = read(false);
		tick();
		output_.flush();
	}
	return status;
}

int Run::finish(Status status)
{
	const double took = clock_.seconds();
	const Status rest = read(true);

	if (status.ok())
		status = rest;
	monitor_->set_lost(probes_.lost());
	output_.summary(monitor_->summary(took), took, probes_.lost());
	const Status closed = output_.close();
	if (status.ok())
		status = closed;
	run_.wait_for_command();
	if (!status.ok())
		return refuse(status);
	const int code = run_.exit_code();

	return !code && output_.reader_gone() ? exit_reader_gone : code;
}

int Run::run()
{
	if (const Status status = set_up(); !status.ok())
		return refuse(status);
	output_.begin();
	run_.start_stopwatch();
	const Status status = run_.start_command();
	return finish(status.ok() ? follow() : status);
}

} // namespace

int monitor_main(int argc, char **argv)
{
	return word_main<MonitorOptions, Run>(argc, argv);
}
