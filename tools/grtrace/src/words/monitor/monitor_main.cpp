// SPDX-License-Identifier: GPL-2.0
//
// grtrace monitor: what happens on GPUs now. This file is its table of contents.
#include "words/monitor/monitor_main.h"

#include "drive/run/command.h"
#include "drive/run/ending.h"
#include "lib/options/word_main.h"
#include "lib/text/print_to.h"
#include "words/monitor/monitor.h"
#include "words/monitor/monitor_options.h"
#include "words/monitor/monitor_output.h"
#include "words/monitor/monitor_probes.h"
#include "words/monitor/monitor_tasks.h"
#include "words/tracefs/stream_notes.h"

#include <time.h>

#include <algorithm>

using namespace grtrace;

namespace {

constexpr int most_tick_ms = 100;

void say(const std::string &sentence)
{
	print_to(stderr, "grtrace monitor: {}\n", sentence);
}

// The run: probes in, lines or tables out.
class Run {
public:
	explicit Run(const MonitorOptions &options)
		: options_(options), tasks_(options.pids, options.rings),
		  monitor_(options.kind->make(tasks_)), output_(options)
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
	double seconds() const;

	const MonitorOptions &options_;
	MonitorTasks tasks_;
	std::unique_ptr<Monitor> monitor_;
	MonitorProbes probes_;
	MonitorOutput output_;
	Command command_;
	Ending ending_;
	uint64_t start_ts_ = 0;
	uint64_t table_ts_ = 0; // of the last table
	bool is_released_ = false;
};

double Run::seconds() const
{
	return (clock_now(CLOCK_MONOTONIC) - start_ts_) / 1e9;
}

Status Run::set_up()
{
	std::vector<std::string> remarks;
	Status status = Command::find(options_.command);

	if (status.ok())
		status = ending_.prepare();
	if (status.ok())
		status = probes_.attach(*options_.kind, options_.buffer_kib, &remarks);
	for (const std::string &sentence : remarks)
		say(sentence);
	if (status.ok() && !options_.command.empty())
		status = command_.fork(options_.command, true);
	if (status.ok())
		status = probes_.switch_on();
	start_ts_ = table_ts_ = clock_now(CLOCK_MONOTONIC);
	return status;
}

void Run::take(const MonitorEvent &event)
{
	EventDetails details;

	if (!monitor_->take(event, options_.events ? &details : nullptr) || !options_.events)
		return;
	output_.event(event, start_ts_, options_.kind->probes[event.probe],
		      tasks_.name_of(event.pid), details);
}

Status Run::read(bool last)
{
	tasks_.refresh();
	return probes_.read(last, [this](const MonitorEvent &event) { take(event); });
}

void Run::tick()
{
	const uint64_t now = clock_now(CLOCK_MONOTONIC);
	const uint64_t due = options_.interval_ms * 1000000;

	if (options_.events || options_.only_summary || now - table_ts_ < due)
		return;
	output_.interval(monitor_->interval((now - table_ts_) / 1e9), seconds(), probes_.lost());
	table_ts_ = now;
}

Status Run::follow()
{
	const int tick_ms =
		static_cast<int>(std::min<uint64_t>(options_.interval_ms, most_tick_ms));
	Status status;

	while (status.ok() && !output_.failed()) {
		switch (ending_.wait(-1, probes_.is_behind() ? 0 : tick_ms)) {
		case Ending::Event::signal:
			command_.forward(ending_.signal_for_child());
			return {};
		case Ending::Event::time:
			return {};
		case Ending::Event::child:
			if (command_.has_ended())
				return {};
			break;
		case Ending::Event::tick:
		case Ending::Event::failure:
			break;
		}
		status = read(false);
		tick();
		output_.flush();
	}
	return status;
}

int Run::finish(Status status)
{
	const double took = seconds();
	const Status rest = read(true);

	if (status.ok())
		status = rest;
	output_.summary(monitor_->summary(took), took, probes_.lost());
	const Status closed = output_.close();
	if (status.ok())
		status = closed;
	while (is_released_ && command_.is_running() && !command_.has_ended())
		if (ending_.wait(-1, most_tick_ms) == Ending::Event::signal)
			break;
	if (!status.ok()) {
		say(status.sentence());
		return exit_error;
	}
	if (output_.reader_gone() && !command_.exit_code())
		return exit_reader_gone;
	return command_.exit_code();
}

int Run::run()
{
	Status status = set_up();

	if (!status.ok()) {
		say(status.sentence());
		return exit_error;
	}
	ending_.start(options_.seconds);
	output_.begin();
	if (!options_.command.empty()) {
		status = command_.release();
		is_released_ = status.ok();
	}
	return finish(status.ok() ? follow() : status);
}

} // namespace

int monitor_main(int argc, char **argv)
{
	return word_main<MonitorOptions, Run>(argc, argv);
}
