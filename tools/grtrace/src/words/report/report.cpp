// SPDX-License-Identifier: GPL-2.0
#include "words/report/report.h"

#include <algorithm>

#include "format/silence.h"
#include "lib/text/print_to.h"
#include "read/capture/losses.h"
#include "words/activity/activity.h"
#include "words/jobs/job_columns.h"
#include "words/report/job_histogram.h"
#include "words/report/result_histogram.h"
#include "words/report/top_blockers.h"
#include "words/report/top_jobs.h"
#include "words/terminal/fold_tables.h"
#include "words/tracker/session_facts.h"

namespace grtrace {

Report::Report(ReportOptions &options, uint32_t index, Capture &capture, OutputFile *csv)
	: options_(options), capture_(capture), csv_(csv),
	  terminal_(TerminalFacts::of(options.output), options.colour, options.width),
	  sections_(options.jobs, index, capture.session()),
	  whole_(options.jobs, index, capture.session()),
	  labeller_(options.thresholds, capture.session())
{
	add_sections();
}

// Adds the sections in the order in which they are printed.
void Report::add_sections()
{
	const LossSpans &losses = sections_.losses();

	if (options_.per_ring)
		add_groups(GroupBy::ring);
	if (options_.busy || options_.wants_picture() || !options_.depth_csv.empty())
		activity_ =
			&sections_.add<Activity>(options_.busy, options_.gaps, capture_, losses);
	if (options_.per_device)
		add_groups(GroupBy::device);
	if (options_.per_engine)
		add_groups(GroupBy::engine);
	if (options_.per_ctx)
		add_groups(GroupBy::context);
	if (options_.per_process)
		add_groups(GroupBy::process);
	for (const std::string &word : options_.histograms) {
		if (const HistogramKind *kind = find_histogram(word))
			sections_.add<JobHistogram>(*kind, capture_, terminal_, losses);
		else
			sections_.add<ResultHistogram>(terminal_, losses);
	}
	if (options_.top)
		sections_.add<TopJobs>(options_.top, capture_);
	if (options_.top)
		sections_.add<TopBlockers>(options_.top, capture_, losses);
	if (options_.delays != DelayRings::none || !options_.delays_csv.empty() ||
	    !options_.html.empty())
		delays_ =
			&sections_.add<Delays>(capture_, losses, options_.delays, options_.proofs);
	if (options_.wants_picture())
		picture_ = &sections_.add<Picture>(capture_, losses, *activity_);
	if (options_.wants_findings() || options_.wants_picture())
		findings_ = &whole().add<Findings>(capture_, whole().losses());
	if (options_.screen)
		add_strips();
}

void Report::add_groups(GroupBy by)
{
	groups_.push_back(&sections_.add<GroupTable>(by, capture_, sections_.losses()));
}

// In an interval, the busy table only covers its records, and not everything that was on a
// ring.
void Report::add_strips()
{
	Activity *activity = options_.filter.has_interval() ? nullptr : activity_;

	if (!activity)
		activity = &whole().add<Activity>(false, size_t(0), capture_, whole().losses());
	strips_ = &whole().add<RingStrips>(*activity, whole().losses());
}

void Report::count(const Job &job)
{
	jobs_ += job.weight;
	if (job.cut)
		cut_ += job.weight;
	else if (!job.over())
		incomplete_ += job.weight;
	if (!job.cut && job.submit_ts == Job::none)
		begun_before_ += job.weight;
	// Rings differ in this, so a branch would be mispredicted.
	const uint64_t inferred = job.start_inferred | job.time_inferred;
	inferred_ += inferred * job.weight;
	inferred_starts_ += uint64_t(job.start_inferred) * job.weight;
	if (job.touched)
		touched_ += job.weight;
	if (job.slow_queue)
		slow_queue_ += job.weight;
	if (job.slow_exec)
		slow_exec_ += job.weight;
}

void Report::job(const Job &job)
{
	const JobLabel label = labeller_.label(job);

	// It says something about its ring, where the chosen jobs may be.
	out_of_order_ |= job.overtaken && (job.start_inferred || job.start_ts == Job::none);
	if (!sections_.wants(job))
		return sections_.give(job, label, false);
	count(job);
	longest_.add(job);
	labels_[static_cast<size_t>(label)] += job.weight;
	if (label == JobLabel::failed)
		failed_.add(job, capture_.session().tasks);

	if (csv_) {
		JobRow row(job, label, capture_.session());

		print_csv(csv_->text(), job_columns(), row);
		csv_->drain();
	}
	sections_.give(job, label, true);
}

void Report::begin(uint64_t ts)
{
	sections_.begin(ts);
	if (!options_.filter.has_interval())
		begin_ = ts;
}

// Begins the part of the capture within the interval, if there is one.
void Report::begin_whole(uint64_t ts)
{
	const uint64_t start = capture_.session().start_ts;
	const EventFilter &filter = options_.filter;
	const uint64_t from = start + std::min(filter.from_ns(), UINT64_MAX - start);
	const uint64_t to = start + std::min(filter.to_ns(), UINT64_MAX - start);

	begin_ = std::max(ts, from);
	end_ = to;
	if (findings_)
		findings_->clip(from, to);
	if (strips_)
		strips_->clip(from, to);
	whole_.begin(begin_);
}

void Report::finish(uint64_t ts)
{
	sections_.finish(ts);
	if (!options_.filter.has_interval())
		end_ = std::max(begin_, ts);
}

void Report::finish_whole(uint64_t ts)
{
	end_ = std::max(begin_, std::min(ts, end_));
	whole_.finish(end_);
}

void Report::print_labels(fmt::memory_buffer &out) const
{
	bool first = true;

	print_to(out, "\nLabels:");
	for (size_t i = 0; i < nr_job_labels; i++) {
		if (!labels_[i])
			continue;
		print_to(out, "{} {} {}", first ? "" : ",", thousands(labels_[i]),
			 job_label_name(JobLabel(i)));
		first = false;
	}
	print_to(out, "{}\n", sections_.losses().empty() ? "" : " *");
}

// Returns why there is no job, if that is known; else an empty text.
std::string Report::silence() const
{
	const std::vector<Source> &sources = capture_.session().sources;
	Silence silence;

	// A capture that names no sources may have had some.
	if (jobs_ || (sources.empty() && capture_.stats().events))
		return "";
	if (capture_.session().is_imported())
		return "no job is known: the trace has no event of a submission; record again, "
		       "with the events of gpu_scheduler or of the GPU's driver (grtrace import "
		       "--events)";
	for (const Source &source : sources)
		silence.add(source.name, source.found, source.known);
	return silence.sentence();
}

void Report::print_screen(fmt::memory_buffer &out, const ScreenInput &input) const
{
	Screen screen(capture_, *findings_, *strips_, terminal_);

	screen.print(out,
		     {jobs_, failed_, inferred_starts_, out_of_order_, begin_, end_,
		      options_.filter.has_interval(), options_.jobs.any(), damaged_times_,
		      longest_},
		     input, options_.full);
}

void Report::print_tables(fmt::memory_buffer &out)
{
	fmt::memory_buffer tables;

	print_to(tables, "Report of {}\n", capture_.name());
	print_sampling(tables, capture_);
	sections_.print(tables);
	print_labels(tables);
	print_end(tables);
	const std::string_view text(tables.data(), tables.size());
	// A program that reads them expects one line for each row.
	if (terminal_.has_width)
		out.append(fold_tables(text, terminal_.width));
	else
		out.append(text);
}

void Report::print(fmt::memory_buffer &out, const ScreenInput &input)
{
	const std::string silent = silence();

	if (!silent.empty()) {
		print_to(out, "Report of {}\n{}\n\n", capture_.name(), silent);
		print_end(out);
		return;
	}
	if (options_.screen)
		print_screen(out, input);
	if (options_.screen && !options_.full)
		print_stop(out);
	if (options_.screen && options_.full)
		out.push_back('\n');
	if (!options_.screen || options_.full)
		print_tables(out);
}

void Report::print_stop(fmt::memory_buffer &out) const
{
	if (stopped_)
		print_to(out,
			 "Stopped after {} events (--limit): what comes later was not "
			 "read.\n",
			 thousands(options_.limit));
}

void Report::print_groups_csv(fmt::memory_buffer &out) const
{
	for (GroupTable *table : groups_)
		table->print_csv(out);
}

void Report::print_depth_csv(fmt::memory_buffer &out) const
{
	activity_->print_depth_csv(out);
}

void Report::print_delays(fmt::memory_buffer &out) const
{
	if (delays_)
		delays_->print_csv(out);
}

// The sources that fed the capture, and the facts that none of them can see.
static void print_coverage(fmt::memory_buffer &out, const Capture &capture)
{
	const Session &session = capture.session();

	print_to(out, "Coverage: ");
	if (session.sources.empty())
		print_to(out, "the capture names no sources");
	for (size_t i = 0; i < session.sources.size(); i++) {
		const Source &source = session.sources[i];

		print_to(out, "{}{}", i ? ", " : "", source.name);
		// A source without tracepoints is a driver that calls the API itself.
		if (source.known && !source.found)
			print_to(out, " (nothing to listen to: its driver was not loaded)");
		else if (source.found < source.known)
			print_to(out, " ({} of {} tracepoints)", source.found, source.known);
	}
	// The module knows this, but not a recorder without the module.
	if (session.is_merged())
		print_to(out, "\n  merged from other captures");
	else if (!session.recorder.empty())
		print_to(out, "\n  recorded from {}", session.recorder);
	for (size_t i = 0; i < session.untold.size(); i++) {
		std::string fact = session.untold[i];

		std::replace(fact.begin(), fact.end(), '_', ' ');
		print_to(out, "{}{}", i ? ", " : ", without events for: ", fact);
	}
	if (session.rings_full)
		print_to(out,
			 "\n  {} times the kernel's table had no room for a ring: those "
			 "events have no ring",
			 thousands(session.rings_full));
	print_to(out, "\n  user-mode queues are not seen by the kernel, nor here\n");
}

void Report::print_end(fmt::memory_buffer &out) const
{
	const StreamStats &stats = capture_.stats();

	print_stop(out);
	print_losses(out, capture_);
	print_to(out, "Jobs: {} seen, {} incomplete, {} {}", thousands(jobs_),
		 thousands(incomplete_), thousands(begun_before_),
		 lacks(capture_.session(), "submissions") ? "without a record of their submission" :
							    "begun before the capture");
	if (cut_)
		print_to(out, ", {} cut by a change of sampling", thousands(cut_));
	print_to(out, "\n");
	if (damaged_times_)
		print_to(out, "Damaged: {} records have an impossible time\n",
			 thousands(damaged_times_));
	if (!sections_.losses().empty())
		print_to(out,
			 "Touched by loss: {} jobs were in flight when "
			 "records were lost\n"
			 "  * records were lost in the time that this "
			 "figure is about\n",
			 thousands(touched_));
	if (slow_queue_ || slow_exec_)
		print_to(out,
			 "Marked as slow: {} in the queue, {} in "
			 "execution\n",
			 thousands(slow_queue_), thousands(slow_exec_));
	print_to(out, "Inferred: timestamps of {} jobs\n", thousands(inferred_));
	if (options_.per_ring || options_.per_device || options_.per_ctx || options_.per_process)
		print_to(out, "Stages: Q2I SUBMIT to PICK, I2D to the first COMMIT, RESET to "
			      "the last one, D2B to START,\n  B2E to END, E2C to COMPLETE; "
			      "Q2C all of it, C2W COMPLETE until a waiting task is back; "
			      "%Q2C its part of that\n");
	if (stats.records && stats.bytes)
		print_to(out, "Cost: {:.1f} bytes of capture per record\n",
			 static_cast<double>(stats.bytes) / static_cast<double>(stats.records));
	print_session(out, capture_);
	print_coverage(out, capture_);
}

} // namespace grtrace
