// SPDX-License-Identifier: GPL-2.0
#include "words/explain/job_story.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

#include "format/vocabulary.h"
#include "lib/text/duration.h"
#include "lib/text/errno_text.h"
#include "lib/text/print_to.h"
#include "read/capture/losses.h"
#include "words/findings/standstill_text.h"
#include "words/jobs/job_span.h"

namespace grtrace {

namespace {

// A sentence, and the time of what it describes.
struct Sentence {
	uint64_t ts;
	std::string text;
};

// Prints one story.
class Teller {
public:
	Teller(const JobStory &story, Capture &capture, const WaitCauses &causes, size_t columns)
		: story_(story), job_(story.job), session_(capture.session()),
		  unseen_(capture.unseen()), end_(capture.knows_end() ? capture.end_ts() : 0),
		  causes_(causes),
		  standing_(causes, capture, time_digits(capture.end_ts() - session_.start_ts)),
		  columns_(columns)
	{
	}

	void tell(fmt::memory_buffer &out, std::string_view capture);

private:
	std::string cite(const StorySource &source) const;
	std::string since_start(uint64_t ts) const;
	template <typename... Args>
	void say(uint64_t ts, fmt::format_string<Args...> format, Args &&...args)
	{
		sentences_.push_back({ts, fmt::format(format, std::forward<Args>(args)...)});
	}

	void say_submit();
	void say_dependency(const StoryDependency &known);
	void say_steps();
	void say_start();
	const char *at_the_earliest() const;
	void say_complete();
	void say_wait(const StoryWait &wait);
	void say_loss(const StoryLoss &loss);
	void print_head(fmt::memory_buffer &out, std::string_view capture);
	void print_standstill(fmt::memory_buffer &out);
	void print_missing(fmt::memory_buffer &out);
	void print_caveats(fmt::memory_buffer &out);
	void print_rest(fmt::memory_buffer &out);

	const JobStory &story_;
	const Job &job_;
	Session &session_;
	const uint64_t unseen_; // numbers that are in no file
	const uint64_t end_; // when the recording ended; 0: not known
	const WaitCauses &causes_;
	const StandstillText standing_;
	const size_t columns_;
	std::vector<Sentence> sentences_;
};

// Returns "[D, CPU 1, gseq 7, software]".
std::string Teller::cite(const StorySource &source) const
{
	static constexpr const char *times[] = {"software", "interrupt", "hardware", "inferred"};

	if (!source.known())
		return "[no record]";
	std::string number = fmt::format("gseq {}", source.gseq);
	if (source.type == GRTRACE_LOST)
		number = fmt::format("before cseq {}", source.cseq);
	return fmt::format("[{}, CPU {}, {}, {}]", session_.event_letter(source.type), source.cpu,
			   number, times[source.flags & GRTRACE_TIME_MASK]);
}

std::string Teller::since_start(uint64_t ts) const
{
	const int64_t ns = static_cast<int64_t>(ts - session_.start_ts);
	const uint64_t distance = ns < 0 ? session_.start_ts - ts : static_cast<uint64_t>(ns);

	return fmt::format("{}{}.{:09}", ns < 0 ? "-" : "", distance / 1000000000,
			   distance % 1000000000);
}

void Teller::say_submit()
{
	if (!story_.submit.known())
		return;
	say(job_.submit_ts, "{} submitted it {}", task_text(session_, job_.pid),
	    cite(story_.submit));
}

void Teller::say_dependency(const StoryDependency &known)
{
	const bool declared = known.told.type == GRTRACE_DEP;
	const std::string whose =
		known.job.empty() ? "no job that is in flight and recorded" : known.job;

	if (declared)
		say(known.told.ts, "it depends on the fence {}:{}, of {} {}", known.fence.ctx,
		    known.fence.seqno, whose, cite(known.told));
	if (known.signalled.known())
		say(known.signalled.ts, "the fence {}:{} is signalled {}", known.fence.ctx,
		    known.fence.seqno, cite(known.signalled));
}

void Teller::say_steps()
{
	for (const StoryBlocked &known : story_.blocked)
		say(known.source.ts,
		    "the scheduler cannot continue with it because of the fence "
		    "{}:{} {}",
		    known.fence.ctx, known.fence.seqno, cite(known.source));
	if (story_.pick.known())
		say(job_.pick_ts, "the scheduler takes it off its queue {}", cite(story_.pick));
	if (story_.commit.known())
		say(job_.commit_ts,
		    "it is handed to the ring, with the hardware fence {}:{} "
		    "{}",
		    story_.hardware.ctx, story_.hardware.seqno, cite(story_.commit));
	for (const StoryHandOver &again : story_.again)
		say(again.source.ts,
		    "it is handed to the ring again, with the hardware fence "
		    "{}:{} {}",
		    again.hardware.ctx, again.hardware.seqno, cite(again.source));
	say_start();
	if (job_.end_ts != Job::none)
		say(job_.end_ts, "the hardware is done with it {}", cite(story_.end));
	say_complete();
}

// START is recorded, or inferred from two other records.
void Teller::say_start()
{
	if (job_.start_ts == Job::none)
		return;
	if (!job_.start_inferred)
		return say(job_.start_ts, "the hardware begins with it {}", cite(story_.start));
	const char *who = session_.rings.find(job_.ring).has(GRTRACE_RING_CPU) ? "CPU" : "hardware";
	if (story_.previous_end.known() && job_.start_ts == job_.previous_left_ts)
		return say(job_.start_ts,
			   "inferred: the {} can begin with it, because the ring is done with {} "
			   "{}{}",
			   who, story_.previous_job, cite(story_.previous_end), at_the_earliest());

	const bool committed = job_.start_ts == job_.last_commit_ts;
	say(job_.start_ts, "inferred: the {} can begin with it, because the ring {} {}{}", who,
	    committed ? "has no job before it" : "may have it once it is picked",
	    cite(committed ? story_.last_commit() : story_.pick), at_the_earliest());
}

const char *Teller::at_the_earliest() const
{
	return session_.rings.find(job_.ring).has(GRTRACE_RING_SHARED) ?
		       "; other rings share the hardware, so it may have begun much later" :
		       "";
}

void Teller::say_complete()
{
	if (!job_.complete())
		return;
	if (!story_.complete_error)
		return say(job_.complete_ts, "its completion is visible to waiters {}",
			   cite(story_.complete));
	say(job_.complete_ts, "its completion is visible to waiters, with the error {} {}",
	    error_text(story_.complete_error), cite(story_.complete));
}

std::string how_left(int result)
{
	if (result == -ETIME)
		return "waits no longer, because the time of its wait is over";
	return result ? "waits no longer, with the error " + errno_text(result) : "continues";
}

void Teller::say_wait(const StoryWait &wait)
{
	// A wait that was open when records were lost may be over.
	if (!wait.left.known() && end_ && job_.at_end && story_.losses.empty())
		return say(wait.entered.ts,
			   "{} begins to wait for it, and still did so at the end, after {} {}",
			   wait.who, trimmed_duration(end_ - wait.entered.ts), cite(wait.entered));
	if (!wait.left.known())
		return say(wait.entered.ts,
			   "{} begins to wait for it; no record shows when that ended {}", wait.who,
			   cite(wait.entered));
	say(wait.entered.ts, "{} begins to wait for it {}", wait.who, cite(wait.entered));
	say(wait.left.ts, "{} {}, after {} {}", wait.who, how_left(wait.result),
	    trimmed_duration(Job::between(wait.entered.ts, wait.left.ts)), cite(wait.left));
}

void Teller::say_loss(const StoryLoss &loss)
{
	const bool told = loss.source.known();

	say(loss.from, "{} records of {} {} until {}: this story may have a gap {}", loss.records,
	    cpu_text(loss.cpu), told ? "found no room" : "are missing", since_start(loss.to),
	    told ? cite(loss.source) : "[their numbers are in no file]");
}

void Teller::print_head(fmt::memory_buffer &out, std::string_view capture)
{
	const Ring &ring = session_.rings.find(job_.ring);
	std::string where = " on a ring that no record names";

	if (ring.known)
		where = fmt::format(" on ring {} (id {}, {}) of {} ({})", ring.name, ring.id,
				    session_.class_name(ring.engine_class), ring.device_name,
				    ring.driver);
	else if (job_.ring != GRTRACE_RING_NONE)
		where = fmt::format(" on ring {}, which no record describes", job_.ring);
	put_line(out, fmt::format("{}: job {}:{}{}", capture, job_.ctx, job_.seqno, where),
		 columns_, 2);
	out.push_back('\n');
}

// That a job was not over matters more than what its time was spent on.
void Teller::print_standstill(fmt::memory_buffer &out)
{
	const JobName own = {job_.ctx, job_.seqno, job_.ring};
	const Standstill *one = causes_.not_over().of(own);

	if (!job_.at_end || !end_)
		return;
	if (!one)
		put_line(out, "It was not over when the recording ended.", columns_, 0);
	else
		put_line(out,
			 fmt::format("{}{}", one->job == own ? "" : "It was not over at the end: ",
				     standing_.sentence(*one)),
			 columns_, 0);
	out.push_back('\n');
}

void Teller::print_missing(fmt::memory_buffer &out)
{
	const struct {
		uint64_t ts;
		const char *what;
	} steps[] = {
		{job_.submit_ts, "its SUBMIT"},
		{job_.pick_ts, "its PICK"},
		{job_.commit_ts, "its COMMIT"},
		{job_.start_inferred ? Job::none : job_.start_ts, "its START"},
		{job_.end_ts, "its END"},
		{job_.complete_ts, "its COMPLETE"},
	};
	std::string text, last;

	for (const auto &step : steps) {
		if (step.ts != Job::none)
			continue;
		if (!last.empty())
			text += (text.empty() ? "" : ", ") + last;
		last = step.what;
	}
	if (!last.empty())
		print_to(out, "No record has {}{}{}.\n", text, text.empty() ? "" : " or ", last);
	if (job_.passed_ts != Job::none && job_.gone_ts() == Job::none)
		print_to(out,
			 "A later job of its context was complete at {}, so it was over by then.\n",
			 since_start(job_.passed_ts));
}

void Teller::print_caveats(fmt::memory_buffer &out)
{
	if (job_.preempted)
		print_to(out, "It was preempted: the ring left its "
			      "context while it ran.\n");
	if (job_.slow_queue)
		print_to(out, "The kernel marked it: too long in the "
			      "queue.\n");
	if (job_.slow_exec)
		print_to(out, "The kernel marked it: too long on the "
			      "hardware.\n");
	if (job_.failed)
		print_to(out, "It failed with {}.\n", error_text(job_.error));
	if (job_.weight > 1)
		print_to(out, "Sampled: it stands for {} jobs.\n", job_.weight);
	const size_t losses = story_.losses_in_flight();

	if (losses)
		print_to(out,
			 "Records were lost in {} places while it "
			 "was there: this may not be all.\n",
			 losses);
	if (unseen_)
		print_to(out,
			 "{} sequence numbers are in no file: a file is missing or was cut, "
			 "so this may not be all.\n",
			 thousands(unseen_));
	if (!losses && !unseen_)
		print_to(out, "No record was lost while it was there.\n");
	if (story_.left_out)
		print_to(out, "{} more records about it are not shown.\n",
			 thousands(story_.left_out));
}

void Teller::print_rest(fmt::memory_buffer &out)
{
	fmt::memory_buffer lines;

	lines.push_back('\n');
	print_missing(lines);
	print_caveats(lines);
	for (std::string_view rest(lines.data(), lines.size()); !rest.empty();) {
		const size_t end = rest.find('\n');

		put_line(out, rest.substr(0, end), columns_, 2);
		rest.remove_prefix(end + 1);
	}
}

void Teller::tell(fmt::memory_buffer &out, std::string_view capture)
{
	say_submit();
	for (const StoryDependency &known : story_.dependencies)
		say_dependency(known);
	say_steps();
	for (const StoryWait &wait : story_.waits)
		say_wait(wait);
	for (const StoryIncident &incident : story_.incidents)
		say(incident.source.ts, "{} {}", incident.text, cite(incident.source));
	for (const StoryLoss &loss : story_.losses)
		say_loss(loss);
	std::stable_sort(sentences_.begin(), sentences_.end(),
			 [](const Sentence &a, const Sentence &b) { return a.ts < b.ts; });

	print_head(out, capture);
	print_standstill(out);
	story_.time.print(out, job_, session_, causes_, columns_);
	for (const Sentence &sentence : sentences_)
		put_line(out, fmt::format("{:>16}  {}", since_start(sentence.ts), sentence.text),
			 columns_, 18);
	print_rest(out);
	out.push_back('\n');
}

} // namespace

uint64_t JobStory::last_ts() const
{
	uint64_t last = JobSpan(job).last;

	if (!job.complete())
		return Job::none;
	for (const StoryIncident &incident : incidents)
		last = std::max(last, incident.source.ts);
	return last;
}

bool JobStory::ends_by(uint64_t ts) const
{
	const auto lasts = [&](const StoryWait &wait) {
		return !wait.left.known() || wait.left.ts >= ts;
	};

	return over || (ts > last_ts() && std::ranges::none_of(waits, lasts));
}

size_t JobStory::losses_in_flight() const
{
	return std::ranges::count_if(losses,
				     [&](const StoryLoss &loss) { return loss.from <= last_ts(); });
}

bool JobStory::was_handed_over_with(const StoryFence &fence) const
{
	return (commit.known() && hardware == fence) ||
	       std::any_of(again.begin(), again.end(),
			   [&](const StoryHandOver &other) { return other.hardware == fence; });
}

std::string error_text(int error)
{
	if (error >= 0 || error < -4095)
		return fmt::format("{}", error);
	return fmt::format("{} ({})", error, strerror(-error));
}

std::string task_text(Session &session, uint32_t pid)
{
	const Task *task = session.tasks.find(pid);

	if (!task)
		return fmt::format("thread {}", pid);
	return fmt::format("{} (thread {} of process {})", task->name(), pid, task->tgid);
}

void tell_story(fmt::memory_buffer &out, const JobStory &story, Capture &capture,
		const WaitCauses &causes, size_t columns)
{
	Teller(story, capture, causes, columns).tell(out, capture.name());
}

} // namespace grtrace
