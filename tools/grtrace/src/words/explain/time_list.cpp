// SPDX-License-Identifier: GPL-2.0
#include "words/explain/time_list.h"

#include <algorithm>

#include "lib/text/duration.h"
#include "lib/text/print_to.h"
#include "words/findings/standstill_text.h"
#include "words/tracker/session_facts.h"

namespace grtrace {

// Returns the end of the word at a place.
static size_t word_end(std::string_view text, size_t at)
{
	const size_t bracket = text[at] == '[' ? text.find(']', at) : text.npos;

	return std::min(text.find(' ', bracket == text.npos ? at : bracket), text.size());
}

void put_line(fmt::memory_buffer &out, std::string_view text, size_t columns, size_t indent)
{
	size_t end = std::min(text.find_first_not_of(' '), text.size());
	size_t used = end;

	out.append(text.substr(0, end));
	while (end < text.size()) {
		const size_t word = text.find_first_not_of(' ', end);
		const size_t next = word == text.npos ? word : word_end(text, word);

		if (next == text.npos)
			break;
		if (used + next - end > columns && used > indent) {
			out.push_back('\n');
			print_to(out, "{:{}}", "", indent);
			used = indent;
			end = word;
		}
		out.append(text.substr(end, next - end));
		used += next - end;
		end = next;
	}
	out.push_back('\n');
}

// Intervals that are due to no process belong together if they have the same kind.
static bool same_part(const Cause &a, const Cause &b)
{
	return a.kind == b.kind && a.process == b.process && a.ring == b.ring &&
	       (a.kind != CauseKind::hang || a.root == b.root);
}

TimeList::Part &TimeList::part_of(const Cause &cause)
{
	const auto known = std::ranges::find_if(
		parts_, [&](const Part &part) { return same_part(part.cause, cause); });

	if (known != parts_.end())
		return *known;
	parts_.push_back({.cause = cause});
	return parts_.back();
}

// Intervals are not in the order of time, so a job may come again after others.
void TimeList::add(const Cause &cause, const std::vector<JobName> &via, const std::string &bounds)
{
	Part &part = part_of(cause);
	const uint64_t ns = cause.to - cause.from;

	uint64_t &of_job = part.jobs[cause.root];

	part.ns += ns;
	of_job += ns;
	if (!bounds.empty() && part.bounds.find(bounds) == part.bounds.npos)
		part.bounds += (part.bounds.empty() ? "" : ", ") + bounds;
	if (of_job <= part.root_ns)
		return;
	part.root_ns = of_job;
	part.cause.root = cause.root;
	part.via = via;
	if (cause.root != JobName() && cause.root != via.back())
		part.via.push_back(cause.root);
}

// Times that are recorded in an impossible order count as not known.
void TimeList::finish(const Job &job, const Hang *hang)
{
	const uint64_t left = std::min(job.left_ts(), job.complete_ts);

	own_ = {job.ctx, job.seqno, job.ring};
	pid_ = job.pid;
	if (hang)
		hang_ = *hang;
	if (job.total() == Job::none)
		return;
	if (job.queue() == Job::none || job.start_ts > job.complete_ts) {
		parts_.clear();
		unknown_ = job.total();
		return;
	}
	executed_ = left == Job::none || left < job.start_ts ? 0 : left - job.start_ts;
	completing_ = left == Job::none || left < job.start_ts ? 0 : job.complete_ts - left;
	unknown_ = job.complete_ts - job.start_ts - executed_ - completing_;
}

std::vector<TimeList::Part> TimeList::sorted() const
{
	std::vector<Part> parts = parts_;
	auto own = [&](CauseKind kind, uint64_t ns) {
		if (ns)
			parts.push_back({.cause = {.kind = kind}, .waits = false, .ns = ns});
	};

	own(CauseKind::hardware, executed_);
	own(CauseKind::completion, completing_);
	own(CauseKind::unknown, unknown_);
	std::ranges::stable_sort(parts, std::ranges::greater(), &Part::ns);
	return parts;
}

JobName TimeList::root() const
{
	const std::vector<Part> parts = sorted();

	if (hang_ || parts.empty() || !parts.front().waits)
		return {};

	const Part &longest = parts.front();

	// No job has that fence: the story can only continue with the job that it blocked.
	if (longest.cause.kind == CauseKind::fence)
		return longest.via.size() > 1 ? longest.via[longest.via.size() - 2] : JobName();
	return longest.cause.root;
}

static std::string name_of(const JobName &job)
{
	return fmt::format("{}:{}", job.ctx, job.seqno);
}

// The root first.
static std::string chain_of(const std::vector<JobName> &via)
{
	std::string text;

	for (size_t i = via.size(); i--;)
		text += name_of(via[i]) + (i ? " <- " : "");
	return text;
}

// Returns a clause, and the records that support it.
std::string TimeList::text_of(const Part &part, const Session &session,
			      const WaitCauses &causes) const
{
	const Cause &cause = part.cause;
	const std::string ring = ring_title(session, cause.ring);
	const std::string job = name_of(cause.root);
	const std::string owner = process_text(causes, cause.process);
	const bool many = part.jobs.size() > 1;
	const std::string them = many ? fmt::format("{} jobs", part.jobs.size()) : job;
	const std::string most =
		many ? fmt::format(", longest {} for {}", job, trimmed_duration(part.root_ns)) : "";
	const Task *leader = session.tasks.leader(pid_);
	const uint32_t tgid = leader ? leader->tgid : pid_;
	auto ran = [&](const std::string &whose) {
		return fmt::format("{}{} of {} ran on {}{} [B to {}]", many ? "" : "job ", them,
				   whose, ring, most, many ? "their ends" : "its end");
	};

	if (!part.waits)
		return cause.kind == CauseKind::hardware ?
			       fmt::format("it ran itself{}{} [B to its end]", hang_ ? ", " : "",
					   hang_ ? hang_->until() : "") :
		       cause.kind == CauseKind::completion ? "it had ended [its end to C]" :
							     "no record says what it did";
	switch (cause.kind) {
	case CauseKind::hang:
		if (cause.root == own_)
			return fmt::format("it hung on {} until it was handed over again [{}]",
					   ring, part.bounds);
		return fmt::format("job {} of {} hung on {} [{}]", job, owner, ring, part.bounds);
	case CauseKind::own_queue:
		// The queue may be that of the job whose fence this one waited for.
		return ran(causes.process(cause.process).tgid == tgid ?
				   "its own process, " + owner + "," :
				   owner);
	case CauseKind::other_process:
	case CauseKind::unknown_process:
		return ran(owner);
	case CauseKind::dependency:
		return "it needed a fence: " + ran(owner);
	case CauseKind::host:
		return fmt::format("the host of the virtual machine had {} of {}{} [D to {}]", them,
				   ring, most, many ? "their ends" : "its end");
	case CauseKind::scheduler:
		return fmt::format("the scheduler did not pick {} for {}{}, no record says why "
				   "[until I]",
				   them, ring, most);
	case CauseKind::driver:
		return fmt::format("the driver did not hand {} to {}{} [I to D]", them, ring, most);
	case CauseKind::hardware:
		return fmt::format("{} had {} and did not begin {}{} [D to B]", ring, them,
				   many ? "them" : "it", most);
	case CauseKind::completion:
		return many ? fmt::format("{} of {} had ended and were not complete{} [their ends "
					  "to C]",
					  them, owner, most) :
			      fmt::format("job {} of {} had ended and was not complete [its end "
					  "to C]",
					  job, owner);
	case CauseKind::late_wake: // of a task: no part of a job's time
	case CauseKind::late_submit:
		return fmt::format("{}{} of {} {} not yet submitted{} [until Q]",
				   many ? "" : "job ", them, owner, many ? "were" : "was", most);
	case CauseKind::reset:
		return fmt::format("{} was reset and got {} again{} [D to D]", ring, them, most);
	case CauseKind::fence:
		return fmt::format(
			"the fence {}, of no job known to have ended, blocked [UN to UN or I]",
			job);
	case CauseKind::loss:
		return "records were lost: nothing is known about that time";
	case CauseKind::unknown:
		return "no record says what for";
	case CauseKind::not_over: // of no job that began
	case CauseKind::forgotten:
		return "a longer chain of jobs, or more at a time, than is followed";
	}
	return {};
}

// Returns "1.000 ms (50 %)".
static std::string share(uint64_t ns, uint64_t total)
{
	return fmt::format("{} ({:.0f} %)", trimmed_duration(ns),
			   100.0 * static_cast<double>(ns) / static_cast<double>(total));
}

// Follows a time.
std::string TimeList::clause_of(const Part &part, const Session &session,
				const WaitCauses &causes) const
{
	if (part.waits) {
		const std::string text = text_of(part, session, causes);

		return "as " + text.substr(0, text.rfind(" ["));
	}
	if (part.cause.kind == CauseKind::completion)
		return "after it had ended, until it was complete";
	if (part.cause.kind == CauseKind::unknown)
		return "without a record of what it did";
	const std::string ran = "running on " + ring_title(session, own_.ring);

	if (!hang_)
		return ran;
	return fmt::format("{}, {}{}", ran, hang_->until(), hang_->timed_out ? ": it hung" : "");
}

uint64_t TimeList::waited_of(const std::vector<Part> &parts)
{
	uint64_t waited = 0;

	for (const Part &part : parts)
		waited += part.waits ? part.ns : 0;
	return waited;
}

// Describes the longest part, whatever it is, and a hang in any case.
std::string TimeList::first_sentences(const std::vector<Part> &parts, uint64_t total,
				      const Session &session, const WaitCauses &causes) const
{
	const Part &most = parts.front();
	const auto held = std::ranges::find(parts, true, &Part::waits);
	std::string text = fmt::format("{}, {} of that {}.", trimmed_duration(total),
				       share(most.ns, total), clause_of(most, session, causes));
	const uint64_t waited = waited_of(parts);

	if (!most.waits && held != parts.end())
		text += fmt::format(" Before that it waited {}{}{} {}.", trimmed_duration(waited),
				    held->ns == waited ? "" : ", longest ",
				    held->ns == waited ? "" : share(held->ns, total),
				    clause_of(*held, session, causes));
	if (hang_ && (most.waits || most.cause.kind != CauseKind::hardware))
		text += fmt::format(" Then it hung: it ran {} on {}, {}.", share(executed_, total),
				    ring_title(session, own_.ring), hang_->until());
	return text;
}

void TimeList::print(fmt::memory_buffer &out, const Job &job, const Session &session,
		     const WaitCauses &causes, size_t columns) const
{
	static constexpr size_t indent = 24; // where the words of a row begin
	const std::vector<Part> parts = sorted();
	const uint64_t total = job.total() != Job::none ? job.total() : job.queue();

	if (parts.empty() || total == Job::none || !total)
		return;
	put_line(out,
		 fmt::format("It {} {}", job.complete() ? "took" : "waited",
			     first_sentences(parts, total, session, causes)),
		 columns, 0);
	out.push_back('\n');
	for (const Part &part : parts) {
		const double percent =
			100.0 * static_cast<double>(part.ns) / static_cast<double>(total);

		put_line(out,
			 fmt::format("{:>6.1f} % {}  {}", percent, duration_text(part.ns),
				     text_of(part, session, causes)),
			 columns, indent);
		if (part.via.size() > 2)
			put_line(out, std::string(indent, ' ') + chain_of(part.via), columns,
				 indent);
	}

	std::string row = fmt::format(" 100.0 % {}  Q to {}", duration_text(total),
				      job.complete() ? "C" : "B");
	if (const uint64_t waited = waited_of(parts); waited && job.complete())
		row += fmt::format(", {} of it waiting [Q to B]", trimmed_duration(waited));
	put_line(out, row, columns, indent);
	out.push_back('\n');
}

} // namespace grtrace
