// SPDX-License-Identifier: GPL-2.0
#include "words/report/top_blockers.h"

#include <algorithm>
#include <iterator>

#include "lib/text/duration.h"
#include "lib/text/print_to.h"
#include "read/capture/losses.h"
#include "words/data/worst.h"
#include "words/report/failed_jobs.h"

namespace grtrace {

// In the order in which they are printed: causes outside of the job come first.
static const JobLabel labels[] = {
	JobLabel::blocked,    JobLabel::long_queue, JobLabel::slow_execution,
	JobLabel::host_bound, JobLabel::preempted,  JobLabel::failed,
};

Blame blame_of(const Job &job, JobLabel label)
{
	const Blame parts[] = {
		{"queue", job.queue()}, {"exec", job.exec()}, {"host", host_ns(job)}};
	Blame longest;

	switch (label) {
	case JobLabel::blocked:
		return {"blocked", job.blocked()};
	case JobLabel::long_queue:
		return parts[0];
	case JobLabel::slow_execution:
	case JobLabel::preempted:
		return parts[1];
	case JobLabel::host_bound:
		return parts[2];
	case JobLabel::failed:
		for (const Blame &part : parts)
			if (part.ns != Job::none &&
			    (longest.ns == Job::none || part.ns > longest.ns))
				longest = part;
		return longest;
	default:
		return {};
	}
}

// A job whose part is not known comes last.
bool TopBlockers::worse(const Job &a, uint64_t a_ns, const Job &b, uint64_t b_ns)
{
	if (a_ns != b_ns)
		return a_ns + 1 > b_ns + 1;
	if (a.ctx != b.ctx)
		return a.ctx < b.ctx;
	return a.seqno < b.seqno;
}

std::string TopBlockers::comm_of(uint32_t pid)
{
	const Task *task = capture_.session().tasks.find(pid);

	return std::string(task ? task->name() : "?");
}

static std::string short_duration(uint64_t ns)
{
	std::string text = duration_text(ns);

	return text.substr(text.find_first_not_of(' '));
}

// Returns further facts about the cause.
std::string TopBlockers::note_of(const Job &job, JobLabel label)
{
	std::string note;

	switch (label) {
	case JobLabel::blocked:
		note = fmt::format("by {}:{}", job.blocker_ctx, job.blocker_seqno);
		if (const std::string comm = comm_of(job.blocker_pid);
		    job.blocker_pid && comm != "?")
			note += fmt::format(" of {}", comm);
		return note;
	case JobLabel::host_bound:
		return fmt::format("I2D {}, E2C {}",
				   short_duration(Job::between(job.pick_ts, job.commit_ts)),
				   short_duration(job.completion()));
	case JobLabel::failed:
		return failure_text(job, capture_.session().tasks);
	default:
		return note;
	}
}

void TopBlockers::job(const Job &job, JobLabel label)
{
	if (std::find(std::begin(labels), std::end(labels), label) == std::end(labels))
		return;

	Class &own = classes_[static_cast<size_t>(label)];
	const Blame blame = blame_of(job, label);

	own.jobs += job.weight;
	if (blame.ns != Job::none && job.total() != Job::none) {
		own.blamed += static_cast<double>(blame.ns) * job.weight;
		own.total += static_cast<double>(job.total()) * job.weight;
	}
	// Most jobs are not among the worst.
	if (own.heap.size() == limit_ &&
	    !worse(job, blame.ns, own.heap.front().job, own.heap.front().blame.ns))
		return;
	keep_worst(own.heap, limit_,
		   {job, blame, job.submit_ts == Job::none ? "?" : comm_of(job.pid),
		    note_of(job, label)},
		   [](const Entry &a, const Entry &b) { return worse(a, b); });
}

static std::string share_text(double part, double whole)
{
	return whole > 0 ? fmt::format("{:.1f}", part * 100 / whole) : "NA";
}

static std::string ring_name(const Session &session, uint32_t id)
{
	const Ring &ring = session.rings.find(id);

	return ring.known || id == GRTRACE_RING_NONE ? ring.name : fmt::format("ring {}", id);
}

void TopBlockers::print_class(fmt::memory_buffer &out, JobLabel label)
{
	const Session &session = capture_.session();
	Class &own = classes_[static_cast<size_t>(label)];

	std::sort(own.heap.begin(), own.heap.end(),
		  [](const Entry &a, const Entry &b) { return worse(a, b); });
	print_to(out, "{}: {} {}, {} % of their time{}\n", job_label_name(label),
		 thousands(own.jobs), own.jobs == 1 ? "job" : "jobs",
		 share_text(own.blamed, own.total), losses_.empty() ? "" : " *");
	for (const Entry &entry : own.heap) {
		const Job &job = entry.job;
		uint64_t total = job.total();
		bool known = entry.blame.ns != Job::none && total != Job::none;

		// No spaces at the end of a line.
		std::string note = entry.note + (job.touched ? " *" : "");
		std::string name = fmt::format("{}:{}", job.ctx, job.seqno);
		print_to(out, "{} {:<7} {:>5} {} {}  {:<12} {:<16} {}{}\n",
			 duration_text(entry.blame.ns), entry.blame.part,
			 known ? share_text(static_cast<double>(entry.blame.ns),
					    static_cast<double>(total)) :
				 "NA",
			 duration_text(total),
			 duration_text(Job::between(session.start_ts, job.submit_ts)),
			 ring_name(session, job.ring), entry.comm,
			 note.empty() ? name : fmt::format("{:<15} ", name), note);
	}
}

void TopBlockers::print(fmt::memory_buffer &out)
{
	std::string none;

	print_to(out,
		 "\nTop {} by cause of their delay\n"
		 "{:>11} {:<7} {:>5} {:>11} {:>11}  {:<12} {:<16} {:<15} "
		 "{}\n",
		 limit_, "BLAMED", "PART", "%", "TOTAL", "AT", "RING", "COMM", "CTX:SEQNO", "WHAT");
	for (JobLabel label : labels) {
		if (classes_[static_cast<size_t>(label)].jobs)
			print_class(out, label);
		else
			none += fmt::format("{}{}", none.empty() ? "" : ", ",
					    job_label_name(label));
	}
	if (!none.empty())
		print_to(out, "no job: {}\n", none);
}

} // namespace grtrace
