// SPDX-License-Identifier: GPL-2.0
//
// A recording, from the first check to the end table. Everything that can fail for lack of
// room, permission or a device comes before the start of the session, and a later failure
// does not leave the session running.
#include "drive/record/record.h"

#include "drive/control/capture_options.h"
#include "drive/control/config_backup.h"
#include "drive/control/control.h"
#include "drive/control/device.h"
#include "drive/control/session_plan.h"
#include "drive/control/sources.h"
#include "drive/record/clock_marks.h"
#include "drive/relay/recorder.h"
#include "drive/run/command_run.h"
#include "drive/run/end_table.h"
#include "drive/run/run_end.h"
#include "format/silence.h"
#include "lib/options/exec_word.h"
#include "lib/run/command.h"
#include "lib/text/print_to.h"

#include <fmt/format.h>
#include <sys/sysinfo.h>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace grtrace {

namespace {

constexpr int exit_error = 1;
constexpr int exit_usage = 2;

class Recording {
public:
	explicit Recording(const CaptureOptions &options)
		: options_(options), run_(options.command, options.seconds, options.to_stdout())
	{
	}

	int record();
	int save();

private:
	Status set_up();
	Status open_outputs();
	Status run();
	Status end();
	Status watch_for_snapshots();
	void end_watch();
	int finish(const Status &begun);
	Status check_heard() const;
	bool tick();
	void show_progress();
	Status end_statistics();
	void print_cost() const;

	const CaptureOptions &options_;
	Control control_;
	SessionPlan plan_;
	SessionConfig config_;
	SourceModules sources_;
	ConfigBackup backup_;
	std::string snapshot_base_;
	Command watch_; // saves the snapshots that triggers take, until this is closed
	Fd watch_end_;
	std::unique_ptr<Recorder> recorder_;
	CommandRun run_;
	bool is_running_ = false; // our session runs
	bool has_started_ = false; // and has something to report
	bool has_lost_ = false;
	bool snapshots_saved_ = true; // no snapshot failed to be saved
	bool has_events_ = false; // some of the lost records were events
	const bool has_terminal_ = isatty(STDERR_FILENO);
};

Status Recording::set_up()
{
	std::string state;
	Status status = control_.open(options_.debugfs);

	if (status.ok())
		status = control_.state(&state);
	if (status.ok() && state == "running")
		status = Status::error("a session is already running (its recorder may have been "
				       "killed); stop it with grtrace record -k or grtrace stop");
	// This comes before the rings of their drivers are looked up.
	if (status.ok())
		sources_.load();
	if (status.ok())
		status = plan_session(control_, options_, &plan_);
	// From the first change on, a signal must not end the program before the change
	// is undone.
	run_.run_as(options_.user);
	if (status.ok())
		status = run_.prepare();
	if (status.ok())
		status = backup_.take(control_);
	if (status.ok())
		status = backup_.change(control_, plan_.settings);
	if (status.ok())
		status = read_session_config(control_, plan_.settings, &config_);
	if (status.ok() && options_.snapshots && !config_.has_triggers)
		status = Status::error(
			"--snapshots needs a reason to take one: name it with --snapshot-on");
	if (status.ok() && !config_.narrowed.empty())
		complain("set before and still in force:" + config_.narrowed);
	if (plan_.name.empty())
		plan_.name = capture_name(config_.device);
	return status;
}

Status Recording::open_outputs()
{
	std::vector<unsigned int> cpus;
	RecordPlan plan;
	Status status = make_output_directory(options_.directory);

	std::string base =
		options_.output.empty() || options_.to_stdout() ? plan_.name : options_.output;
	if (!options_.directory.empty())
		base = options_.directory + "/" + base;
	plan.base = options_.to_stdout() ? "-" : base;
	snapshot_base_ = base;
	plan.subbuf_bytes = config_.subbuf_bytes;
	plan.live = !config_.overwrite || options_.max_size;
	if (options_.max_size)
		plan.segment_bytes = std::max<uint64_t>(options_.max_size, plan.subbuf_bytes);
	if (options_.keep)
		plan.keep = options_.keep;
	plan.host = options_.host_facts();
	recorder_ = std::make_unique<Recorder>(control_, plan);
	// Trace files appear with the session. This many CPUs exist; if their numbers
	// have holes, the recorder adds and removes files.
	for (int cpu = 0; cpu < get_nprocs(); cpu++)
		cpus.push_back(cpu);
	if (status.ok())
		status = recorder_->prepare(cpus);
	return status;
}

Status Recording::run()
{
	Status status = run_.wait_for_start(options_.at);

	if (status.ok())
		status = control_.start();
	if (!status.ok())
		return status;
	is_running_ = has_started_ = true;
	write_clock_marks(options_.debugfs);
	run_.start_stopwatch();
	status = recorder_->begin();
	if (status.ok())
		status = watch_for_snapshots();
	if (status.ok())
		status = run_.start_command();
	if (status.ok())
		run_.wait_for_end(recorder_->failure_fd(), [this] { return tick(); });
	return status;
}

// Returns whether to continue.
bool Recording::tick()
{
	std::string state;
	Status status = control_.state(&state);

	if (status.ok() && (state == "stopped" || state == "idle")) {
		complain("another program stopped the session");
		is_running_ = false;
		return false;
	}
	// A driver may have been loaded meanwhile.
	sources_.load();
	status = join(status, recorder_->adopt_cpus());
	if (has_terminal_)
		show_progress();
	if (!status.ok())
		complain(status.sentence());
	return status.ok();
}

// grtrace-snapshot prints its own messages. If it is not installed, that matters only once a
// trigger has taken a snapshot.
Status Recording::watch_for_snapshots()
{
	const std::string most = fmt::format("{}", std::max(options_.snapshots, 1u));
	std::vector<std::string> words = {find_word_program("snapshot"), "--watch", most};
	int ends[2];

	if (!config_.has_triggers || words[0].empty())
		return Status();
	words.insert(words.end(), {"-r", options_.debugfs, "-o", snapshot_base_});
	if (!options_.host.host.empty())
		words.insert(words.end(), {"--host", options_.host.host});
	for (const auto &[key, value] : options_.host.tags)
		words.insert(words.end(), {"--tag", key + "=" + value});
	if (pipe2(ends, O_CLOEXEC))
		return Status::error("pipe: {}", strerror(errno));
	const Fd input(ends[0]);
	watch_end_ = Fd(ends[1]);
	return watch_.start(words, {input.get(), STDERR_FILENO});
}

// A snapshot that cannot be saved does not end the recording. A trigger may have fired just
// before the end.
void Recording::end_watch()
{
	std::string stats;

	watch_end_.close();
	if (watch_.is_running()) {
		snapshots_saved_ = watch_.wait() == 0;
	} else if (config_.has_triggers && control_.read("stats", &stats).ok() &&
		   named_number(parse_named(stats, ' '), "snapshots")) {
		complain("a snapshot was taken and is not saved: the word snapshot is not "
			 "installed");
		snapshots_saved_ = false;
	}
}

void Recording::show_progress()
{
	std::vector<CpuCounts> stats;
	uint64_t events = 0, lost = 0, bytes = 0;

	// The line is rewritten soon: an error here does not concern the capture.
	if (!control_.cpu_stats(&stats).ok())
		return;
	for (const CpuCounts &cpu : stats) {
		events += cpu.written;
		lost += cpu.lost;
		bytes += recorder_->bytes(cpu.cpu);
	}
	write_to(stderr, fmt::format("\r{:8.1f} s  {:12} events  {:9.1f} MiB  {:10} lost",
				     run_.ending().seconds_since_start(), events,
				     bytes / (1024.0 * 1024.0), lost));
}

// Stops the session, if it is ours and still runs, and saves the rest.
Status Recording::end()
{
	if (is_running_)
		write_clock_marks(options_.debugfs);

	Status status = is_running_ ? control_.stop() : Status();

	is_running_ = false;
	if (has_terminal_)
		write_to(stderr, fmt::format("\r{:60}\r", ""));
	if (has_started_)
		end_watch();
	return join(status, recorder_->finish());
}

Status Recording::end_statistics()
{
	std::vector<CpuCounts> stats;
	std::vector<CpuCapture> cpus;
	std::string counters;
	Status status = control_.cpu_stats(&stats);

	if (status.ok())
		status = control_.read("stats", &counters);
	if (!status.ok())
		return status;
	for (const CpuCounts &cpu : stats) {
		const uint64_t saved = recorder_->bytes(cpu.cpu);

		if (saved || cpu.offered || recorder_->has(cpu.cpu))
			cpus.push_back({cpu, saved});
		has_lost_ |= cpu.lost || cpu.lost_notes;
		has_events_ |= cpu.offered;
	}
	const std::vector<NamedText> named = parse_named(counters, ' ');
	print_end(plan_.name, cpus,
		  {named_number(named, "rate_limited_drops"),
		   named_number(named, "backpressure_drops"), named_number(named, "overwritten")},
		  options_.to_stdout());
	if (recorder_->removed())
		print_to(stderr,
			 "{} older captures were removed (--keep {}): their events count as "
			 "overwritten\n",
			 recorder_->removed(), options_.keep);
	print_cost();
	return Status();
}

// On stderr: the table is blktrace's, and scripts read it from stdout.
void Recording::print_cost() const
{
	const std::vector<std::string> words = {find_word_program("status"), "--cost", "-r",
						options_.debugfs};
	Command command;

	if (words[0].empty())
		return complain("what the trace cost is not known: the word status is not "
				"installed");
	if (const Status status = command.start(words, {.out = STDERR_FILENO}); !status.ok())
		return complain(status.sentence());
	command.wait();
}

int Recording::record()
{
	Status status = set_up();

	if (status.ok())
		status = open_outputs();
	if (!status.ok()) {
		status = join(status, backup_.restore(control_));
		complain(status.sentence());
		return exit_error;
	}
	return finish(run());
}

int Recording::save()
{
	std::string state;
	Status status = control_.open(options_.debugfs);

	if (status.ok())
		status = control_.state(&state);
	if (status.ok() && state == "idle")
		status = Status::error("there is no session to save");
	if (status.ok())
		status = read_session_config(control_, {}, &config_);
	if (status.ok()) {
		plan_.name = capture_name(config_.device);
		config_.overwrite = true; // in any mode: it is read after the stop
		config_.has_triggers = false;
		status = open_outputs();
	}
	if (!status.ok()) {
		complain(status.sentence());
		return exit_error;
	}
	// A session that was stopped before can still be saved.
	is_running_ = state == "running";
	has_started_ = true;
	return finish(recorder_->begin());
}

// Events that were sent by hand also count.
Status Recording::check_heard() const
{
	Silence silence;
	const Status status = read_sources(control_, &silence);
	const std::string sentence = silence.sentence();

	if (!status.ok() || has_events_ || sentence.empty())
		return status;
	return Status::error(sentence);
}

// @begun: status of the recording so far
int Recording::finish(const Status &begun)
{
	Status status = join(begun, end());

	// The configuration is restored before waiting for a program that continues.
	status = join(status, backup_.restore(control_));
	if (!status.ok())
		complain(status.sentence());
	if (!status.ok() && has_started_)
		complain(
			"the table counts the events the kernel wrote; not all of them were saved");
	if (has_started_) {
		Status counted = end_statistics();

		if (counted.ok() && status.ok())
			counted = check_heard();
		if (!counted.ok())
			complain(counted.sentence());
		status = join(status, counted);
	}
	wait_for_command(run_);
	return status.ok() && snapshots_saved_ ?
		       recording_exit_code(run_, options_.strict, has_lost_) :
		       exit_error;
}

} // namespace

bool records_from_tracefs(const CaptureOptions &options)
{
	if (!options.source.empty())
		return options.source == "tracefs";
	if (options.has_debugfs || !access((options.debugfs + "/grtrace").c_str(), F_OK) ||
	    errno != ENOENT)
		return false;
	complain("recording from tracefs, as the module grtrace is not loaded");
	return true;
}

int record_main(const CaptureOptions &options)
{
	if (is_for_terminal(options.output))
		return exit_usage;
	if (options.sched || options.vblank) {
		complain("--sched and --vblank need --source tracefs");
		return exit_usage;
	}
	if ((options.max_size && options.to_stdout()) || (options.keep && !options.max_size)) {
		complain(options.keep && !options.max_size ? "--keep needs --max-size" :
							     "--max-size needs files");
		return exit_usage;
	}
	// Its packets repeat the names, so each capture has them.
	CaptureOptions rolling = options;
	if (options.max_size && !find_named(options.settings, "mode"))
		rolling.settings.emplace_back("mode", "overwrite");
	return Recording(rolling).record();
}

int save_main(const CaptureOptions &options)
{
	return Recording(options).save();
}

} // namespace grtrace
