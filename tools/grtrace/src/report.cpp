// SPDX-License-Identifier: GPL-2.0
#include "report.h"

#include <algorithm>
#include <iterator>

#include "duration.h"
#include "job_csv.h"
#include "losses.h"
#include "vocabulary.h"

namespace grtrace {

Report::Report(const ReportOptions &options, Capture &capture, OutputFile *csv)
	: options_(options), capture_(capture), csv_(csv), top_(options.top),
	  rings_("RING", "NAME"), contexts_("CTX", "RING"),
	  processes_("PID", "COMM")
{
}

Report::RingStages &Report::ring_stages(uint32_t ring)
{
	if (ring > RingTable::max_id)
		ring = GRTRACE_RING_NONE;
	if (ring >= stages_.size())
		stages_.resize(ring + 1);
	if (!stages_[ring])
		stages_[ring] = std::make_unique<RingStages>();
	return *stages_[ring];
}

std::string Report::ring_title(uint32_t id) const
{
	const Ring &ring = capture_.session().rings.find(id);

	return ring.known ? fmt::format("{} {}", ring.device_name, ring.name) :
			    fmt::format("ring {}", id);
}

static uint64_t measured(const std::string &what, const Job &job)
{
	return what == "queue" ? job.queue() :
	       what == "exec"  ? job.exec() :
				 job.total();
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
	if (job.start_inferred || job.time_inferred)
		inferred_ += job.weight;
	if (job.slow_queue)
		slow_queue_ += job.weight;
	if (job.slow_exec)
		slow_exec_ += job.weight;
}

void Report::job(const Job &job)
{
	Session &session = capture_.session();
	RingStages &ring = ring_stages(job.ring);
	JobLabel label = label_of(job, options_.thresholds, ring.exec_p90);

	count(job);
	labels_[static_cast<size_t>(label)] += job.weight;

	// The percentile walks through the histogram: not for every job.
	ring.stages.add(job);
	uint64_t done = ring.stages.stage(Stages::b2e).count();
	if (done == JobThresholds::slow_after || (done && done % 256 == 0))
		ring.exec_p90 = ring.stages.stage(Stages::b2e).percentile(900);

	if (csv_) {
		JobCsv::print(csv_->text(), job, label, session);
		csv_->drain();
	}
	top_.add(job, label, session);

	JobGroup &by_ring = rings_.group(job.ring);
	if (by_ring.name.empty())
		by_ring.name = ring_title(job.ring);
	JobGroups::add(by_ring, job, label);

	if (options_.per_ctx) {
		JobGroup &group = contexts_.group(job.ctx);
		if (group.name.empty())
			group.name = ring_title(job.ring);
		JobGroups::add(group, job, label);
	}
	if (options_.per_process && job.submit_ts != Job::none) {
		const Task *task = session.tasks.find(job.pid);
		JobGroup &group = processes_.group(task ? task->tgid : job.pid);
		if (group.name.empty())
			group.name = task ? task->name() : "?";
		JobGroups::add(group, job, label);
	}
	if (!options_.histogram.empty()) {
		uint64_t value = measured(options_.histogram, job);
		if (value != Job::none)
			histogram_.add(value, job.weight);
	}
}

void Report::print_rings(fmt::memory_buffer &out)
{
	rings_.print(out);
	for (uint32_t id = 0; id < stages_.size(); id++) {
		const Ring &ring = capture_.session().rings.find(id);

		if (stages_[id])
			stages_[id]->stages.print(
				out,
				fmt::format("Stages of {} ({})", ring_title(id),
					    engine_name(ring.engine_class)));
	}
}

void Report::print_labels(fmt::memory_buffer &out) const
{
	auto it = std::back_inserter(out);
	bool first = true;

	fmt::format_to(it, "\nLabels:");
	for (size_t i = 0; i < nr_job_labels; i++) {
		if (!labels_[i])
			continue;
		fmt::format_to(it, "{} {} {}", first ? "" : ",",
			       thousands(labels_[i]),
			       job_label_name(JobLabel(i)));
		first = false;
	}
	out.push_back('\n');
}

// Powers of two, at least 12 rows, at most 40 marks.
void Report::print_histogram(fmt::memory_buffer &out) const
{
	std::vector<uint64_t> rows = histogram_.by_microseconds();
	auto it = std::back_inserter(out);

	rows.resize(std::max<size_t>(rows.size(), 12));
	uint64_t most = *std::max_element(rows.begin(), rows.end());

	fmt::format_to(it, "\n{:>12} {:>12} {:>10}  {}\n", "from us", "to us",
		       "jobs",
		       options_.histogram == "queue" ? "SUBMIT to START" :
		       options_.histogram == "exec"  ? "START to END" :
						       "SUBMIT to COMPLETE");
	for (size_t i = 0; i < rows.size(); i++) {
		// A row that is not empty shows at least one mark.
		uint64_t marks = most ? (rows[i] * 40 + most - 1) / most : 0;

		fmt::format_to(it, "{:>12} {:>12} {:>10}  {:#>{}}\n",
			       i ? 1ull << (i - 1) : 0, 1ull << i, rows[i], "",
			       marks);
	}
}

void Report::print(fmt::memory_buffer &out)
{
	auto it = std::back_inserter(out);

	fmt::format_to(it, "Report of {}\n", capture_.name());
	print_sampling(out, capture_);
	if (options_.per_ring)
		print_rings(out);
	if (options_.per_ctx)
		contexts_.print(out);
	if (options_.per_process)
		processes_.print(out);
	if (!options_.histogram.empty())
		print_histogram(out);
	if (options_.top)
		top_.print(out, capture_.session());
	print_labels(out);
	print_end(out);
}

void Report::print_end(fmt::memory_buffer &out) const
{
	const StreamStats &stats = capture_.stats();
	auto it = std::back_inserter(out);

	print_losses(out, capture_);
	fmt::format_to(it,
		       "Jobs: {} seen, {} incomplete, {} begun before the "
		       "capture",
		       thousands(jobs_), thousands(incomplete_),
		       thousands(begun_before_));
	if (cut_)
		fmt::format_to(it, ", {} cut by a change of sampling",
			       thousands(cut_));
	fmt::format_to(it, "\n");
	if (slow_queue_ || slow_exec_)
		fmt::format_to(it,
			       "Marked as slow: {} in the queue, {} in "
			       "execution\n",
			       thousands(slow_queue_), thousands(slow_exec_));
	fmt::format_to(it, "Inferred: timestamps of {} jobs\n",
		       thousands(inferred_));
	if (stats.records)
		fmt::format_to(it, "Cost: {:.1f} bytes of capture per record\n",
			       static_cast<double>(stats.bytes) /
				       static_cast<double>(stats.records));
	print_session(out, capture_);
	print_coverage(out, capture_);
}

} // namespace grtrace
