// SPDX-License-Identifier: GPL-2.0
//
// A recording from tracefs, from the first check to the end table, in the order
// of record.cpp: what can fail, fails before tracing is on. The instance goes
// with this object, whatever happens.
#include "words/tracefs/trace_record.h"

#include "drive/control/capture_options.h"
#include "drive/run/command_run.h"
#include "drive/run/end_table.h"
#include "drive/run/run_end.h"
#include "format/silence.h"
#include "lib/text/print_to.h"
#include "words/tracefs/trace_events_found.h"
#include "words/tracefs/trace_instance.h"
#include "words/tracefs/trace_plan.h"
#include "words/tracefs/trace_reader.h"
#include "words/translate/device_names.h"

#include <fmt/format.h>
#include <unistd.h>

#include <memory>

namespace grtrace {

namespace {

constexpr int exit_error = 1;
constexpr int exit_usage = 2;

class TraceRecording {
public:
	explicit TraceRecording(const CaptureOptions &options)
		: options_(options), run_(options.command, options.seconds, options.to_stdout())
	{
	}

	Status plan() { return plan_trace(options_, DeviceNames(), &plan_); }
	int record();

private:
	Status set_up();
	Status set_up_events();
	Status open_outputs();
	Status run();
	void show_progress();
	void end_statistics();
	Status check_heard() const;

	const CaptureOptions &options_;
	TracePlan plan_;
	TraceInstance instance_;
	FoundEvents events_;
	StreamNotes notes_;
	std::unique_ptr<TraceReader> reader_;
	CommandRun run_;
	bool has_started_ = false;
	bool has_lost_ = false;
	bool has_events_ = false; // lost ones are some
	const bool has_terminal_ = isatty(STDERR_FILENO);
};

Status TraceRecording::set_up()
{
	std::vector<std::string> left;

	run_.run_as(options_.user);
	Status status = run_.prepare();

	if (status.ok())
		status = instance_.create(&left);
	for (const std::string &name : left)
		complain(fmt::format("removed the tracefs instance {}, which a recorder that was "
				     "killed left behind",
				     name));
	if (status.ok())
		status = instance_.set_clock(plan_.clock);
	if (status.ok())
		status = instance_.set_buffers(plan_.subbuf_kib, plan_.subbufs);
	return status.ok() ? set_up_events() : status;
}

Status TraceRecording::set_up_events()
{
	std::vector<std::string> remarks;
	Status status = events_.find(instance_, plan_.groups, &remarks);

	for (const std::string &remark : remarks)
		complain(remark);
	if (!status.ok())
		return status;
	if (!plan_.filter.devices.empty() && events_.has_old_sched())
		complain("this kernel's drm_sched events do not name the device: their jobs are "
			 "left out because a device was chosen");
	std::string markers;
	if (instance_.copy_markers() && instance_.format("ftrace", "print", &markers).ok() &&
	    !events_.parse_markers(markers))
		complain("the format of ftrace:print cannot be read: what programs write into "
			 "trace_marker is left out");
	notes_.sources = events_.sources();
	notes_.untold = events_.untold();
	return status;
}

Status TraceRecording::open_outputs()
{
	TraceReader::Plan plan;
	Status status = make_output_directory(options_.directory);

	plan.base = options_.output.empty() ? plan_.name : options_.output;
	if (!options_.directory.empty() && !options_.to_stdout())
		plan.base = options_.directory + "/" + plan.base;
	plan.clock_id = plan_.clock_id;
	plan.live = plan_.live;
	if (!plan_.live)
		notes_.features = GRTRACE_FEATURE_OVERWRITE;
	notes_.subbuf_bytes = static_cast<uint32_t>(instance_.subbuf_bytes());
	notes_.subbufs = static_cast<uint32_t>(plan_.subbuf_kib * 1024 * plan_.subbufs /
					       instance_.subbuf_bytes());
	notes_.host = options_.host_facts();
	notes_.start(plan_.clock_id);
	reader_ = std::make_unique<TraceReader>(instance_, plan, notes_);
	if (status.ok())
		status = reader_->prepare(&events_, plan_.filter);
	return status;
}

Status TraceRecording::run()
{
	Status status = run_.wait_for_start(options_.at);

	if (status.ok())
		status = instance_.switch_on(true);
	if (!status.ok())
		return status;
	has_started_ = true;
	run_.start_stopwatch();
	status = reader_->begin();
	if (status.ok())
		status = run_.start_command();
	if (status.ok())
		run_.wait_for_end(reader_->failure_fd(), [this] {
			show_progress();
			return true;
		});
	return status;
}

void TraceRecording::show_progress()
{
	if (!has_terminal_)
		return;
	write_to(stderr, fmt::format("\r{:8.1f} s  {:12} events  {:9.1f} MiB  {:10} lost",
				     run_.ending().seconds_since_start(), reader_->events(),
				     reader_->bytes() / (1024.0 * 1024.0), reader_->lost()));
}

void TraceRecording::end_statistics()
{
	std::vector<CpuCapture> cpus;

	for (const TraceReader::CpuTotals &total : reader_->totals()) {
		CpuCounts counts;

		counts.cpu = total.cpu;
		counts.offered = total.events + total.lost;
		counts.written = total.events;
		counts.notes = total.notes;
		counts.lost = total.lost;
		cpus.push_back({counts, total.bytes});
		has_lost_ |= total.lost;
		has_events_ |= counts.offered;
	}
	print_end(plan_.name, cpus, {.overwritten = reader_->overwritten()}, options_.to_stdout());
	if (reader_->untold())
		print_to(stderr, "{} events were skipped: their jobs began before the recording\n",
			 reader_->untold());
}

// This is known only at the end, because a driver may have been loaded during the
// recording.
Status TraceRecording::check_heard() const
{
	Silence silence;

	for (const TraceSource &source : events_.sources())
		silence.add(source.name, source.found, source.known);
	const std::string sentence = silence.sentence();
	return has_events_ || sentence.empty() ? Status() : Status::error(sentence);
}

int TraceRecording::record()
{
	Status status = set_up();

	if (status.ok())
		status = open_outputs();
	if (!status.ok()) {
		complain(status.sentence());
		return exit_error;
	}
	status = run();
	if (has_started_)
		status = join(status, instance_.switch_on(false));
	if (has_terminal_)
		write_to(stderr, fmt::format("\r{:60}\r", ""));
	status = join(status, reader_->finish());
	if (!status.ok())
		complain(status.sentence());
	if (has_started_)
		end_statistics();
	if (status.ok()) {
		status = check_heard();
		if (!status.ok())
			complain(status.sentence());
	}
	// This comes before waiting for a program that continues.
	instance_.remove();
	wait_for_command(run_);
	return status.ok() ? recording_exit_code(run_, options_.strict, has_lost_) : exit_error;
}

} // namespace

int trace_record_main(const CaptureOptions &options)
{
	if (is_for_terminal(options.output))
		return exit_usage;

	TraceRecording recording(options);
	Status status = recording.plan();

	if (status.ok() && options.has_debugfs)
		status = Status::error("-r names the module's debugfs; it cannot be combined with "
				       "--source tracefs");
	if (!status.ok()) {
		complain(status.sentence());
		return exit_usage;
	}
	return recording.record();
}

} // namespace grtrace
