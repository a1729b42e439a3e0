// SPDX-License-Identifier: GPL-2.0
#include "words/explain/story_collector.h"

#include <algorithm>
#include <utility>

#include "format/vocabulary.h"
#include "lib/text/print_to.h"
#include "lib/text/words_of.h"
#include "read/stream/note_text.h"

namespace grtrace {

Status NamedJob::parse(std::string_view text)
{
	const size_t colon = text.find(':');

	if (colon == text.npos || !parse_id(text.substr(0, colon), UINT64_MAX, ctx) ||
	    !parse_id(text.substr(colon + 1), UINT64_MAX, seqno))
		return Status::error("wants a job as ctx:seqno, such "
				     "as 5:17, not \"{}\"",
				     text);
	return {};
}

static std::string job_text(const Job &job, Session &session)
{
	std::string text = fmt::format("job {}:{}", job.ctx, job.seqno);

	if (job.submit_ts != Job::none)
		text += fmt::format(" of {}", task_text(session, job.pid));
	return text;
}

// Returns the source of the current event.
StorySource StoryCollector::source() const
{
	StorySource source = {event_->ts,  event_->gseq, event_->cseq,
			      event_->cpu, event_->type, event_->flags,
			      {}};

	if (event_->in_task())
		source.who = task_text(capture_.session(), event_->pid);
	return source;
}

JobStory *StoryCollector::open_story(uint64_t seqno_low, uint32_t ring)
{
	for (JobStory &story : stories_)
		if (!story.over && story.job.seqno_low() == seqno_low &&
		    (story.job.ring == ring || ring == GRTRACE_RING_NONE))
			return &story;
	return nullptr;
}

// Returns nullptr if this is another job, or if there are too many stories.
JobStory *StoryCollector::story_of(const Job &job)
{
	if (!name_.is(job))
		return nullptr;
	if (JobStory *story = open_story(job.seqno_low(), job.ring)) {
		story->job = job;
		return story;
	}
	if (stories_.size() == most_stories) {
		more_stories_++;
		return nullptr;
	}
	JobStory &story = stories_.emplace_back();
	story.job = job;
	story.first = source();
	story.waits = std::exchange(early_waits_, {});
	for (const StoryLoss &loss : recent_losses_)
		if (loss.to >= event_->ts)
			story.losses.push_back(loss);
	return &story;
}

StoryDependency &StoryCollector::dependency(JobStory &story, const StoryFence &fence)
{
	for (StoryDependency &known : story.dependencies)
		if (known.fence == fence)
			return known;
	if (story.dependencies.size() == JobStory::most) {
		story.left_out++;
		return story.dependencies.back();
	}
	StoryDependency &added = story.dependencies.emplace_back();
	added.fence = fence;
	added.told = source();
	return added;
}

StoryCollector::RecentFence &StoryCollector::recent(const StoryFence &fence)
{
	return recent_[hash_id(fence.ctx * 31 + fence.seqno) % recent_.size()];
}

static void set_once(StorySource &known, const StorySource &source)
{
	if (!known.known())
		known = source;
}

void StoryCollector::complete(JobStory &story)
{
	if (story.complete.known())
		return;
	story.complete = source();
	story.complete_error = event_->error();
}

// The first COMPLETE counts.
void StoryCollector::complete_again(JobStory &story)
{
	std::string text = "its completion is recorded once more";

	if (event_->error())
		text += fmt::format(", with the error {}", error_text(event_->error()));
	add_incident(story, source(), std::move(text));
}

// Steps since the previous COMMIT were for nothing, unless the job was done. The COMMIT of
// a complete job may be recorded late.
void StoryCollector::note_commit(JobStory &story)
{
	const StoryFence fence = {event_->fence_ctx, event_->fence_seqno};
	const bool named_before = story.was_handed_over_with(fence);

	if (story.complete.known())
		return;
	if (!story.commit.known()) {
		story.commit = source();
		story.hardware = fence;
	} else if (story.again.size() == JobStory::most) {
		story.left_out++;
		return;
	} else {
		story.again.push_back({source(), fence});
		if (!story.job.settled)
			undo_steps(story);
	}
	// The fence may have been signalled before the job named it.
	if (!named_before && recent(fence).fence == fence)
		set_once(story.end, recent(fence).source);
}

void StoryCollector::undo_steps(JobStory &story)
{
	if (story.start.known())
		add_incident(story, story.start,
			     "the hardware begins with it, before it is handed "
			     "over again");
	if (story.end.known())
		add_incident(story, story.end,
			     "the hardware is done with it, before it is "
			     "handed over again");
	story.start = {};
	story.end = {};
}

void StoryCollector::note_step(JobStory &story)
{
	const StoryFence fence = {event_->fence_ctx, event_->fence_seqno};

	switch (event_->type) {
	case GRTRACE_SUBMIT:
		set_once(story.submit, source());
		if (event_->has_fence)
			story.out = fence;
		break;
	case GRTRACE_BLOCKED:
		note_blocked(story, fence);
		break;
	case GRTRACE_PICK:
		story.pick = source();
		break;
	case GRTRACE_COMMIT:
		note_commit(story);
		break;
	case GRTRACE_START:
		set_once(story.start, source());
		break;
	case GRTRACE_END:
		set_once(story.end, source());
		break;
	case GRTRACE_COMPLETE:
		if (story.complete.type == GRTRACE_COMPLETE)
			complete_again(story);
		else
			complete(story);
		break;
	default:
		note_incident(story);
	}
}

void StoryCollector::note_blocked(JobStory &story, const StoryFence &fence)
{
	dependency(story, fence);
	if (!story.blocked.empty() && story.blocked.back().fence == fence)
		return;
	if (story.blocked.size() < JobStory::most)
		story.blocked.push_back({source(), fence});
	else
		story.left_out++;
}

static std::string said_of(const Event &error)
{
	const std::string detail = detail_text(error);

	return detail.empty() ? detail : ", " + detail;
}

void StoryCollector::note_incident(JobStory &story)
{
	std::string text;

	switch (event_->type) {
	case GRTRACE_ERROR:
		text = fmt::format("error: {}, code {}{}", error_kind_name(event_->kind),
				   event_->code, said_of(*event_));
		break;
	case GRTRACE_IRQ:
		text = "its interrupt came";
		break;
	case GRTRACE_CTX_SWITCH:
		text = fmt::format("the ring switched to it from {}:{}", event_->fence_ctx,
				   event_->fence_seqno);
		break;
	default:
		return;
	}
	add_incident(story, source(), std::move(text));
}

void StoryCollector::add_incident(JobStory &story, StorySource source, std::string text)
{
	if (story.incidents.size() < JobStory::most)
		story.incidents.push_back({std::move(source), std::move(text)});
	else
		story.left_out++;
}

// A reset is recorded when the jobs that it killed are over.
void StoryCollector::note_late_error()
{
	for (size_t i = stories_.size(); i--;)
		if (stories_[i].job.seqno_low() == event_->seqno &&
		    stories_[i].job.ring == event_->ring)
			return note_incident(stories_[i]);
}

StoryWait StoryCollector::new_wait() const
{
	return {task_text(capture_.session(), event_->pid), event_->pid, source(), {}, 0};
}

void StoryCollector::note_wait(JobStory &story)
{
	if (event_->type != GRTRACE_SYNC_WAIT_ENTER)
		return;
	if (story.waits.size() < JobStory::most)
		story.waits.push_back(new_wait());
	else
		story.left_out++;
}

// A task may wait for a job of which nothing is recorded yet.
void StoryCollector::note_early_wait()
{
	std::erase_if(early_waits_, [&](const StoryWait &wait) { return wait.pid == event_->pid; });
	if (event_->type == GRTRACE_SYNC_WAIT_ENTER && early_waits_.size() < JobStory::most)
		early_waits_.push_back(new_wait());
}

// A fence is signalled: the job's own, or one that it depends on.
void StoryCollector::note_fence()
{
	const StoryFence fence = {event_->ctx, event_->seqno};

	if (event_->type != GRTRACE_FENCE && event_->type != GRTRACE_COMPLETE)
		return;
	if (event_->type == GRTRACE_FENCE)
		recent(fence) = {fence, source()};
	for (JobStory &story : stories_) {
		if (story.over)
			continue;
		const bool own = is_of_name(); // so it is not another job's

		if (fence == story.last_hardware() && !own)
			set_once(story.end, source());
		else if (fence == story.out || (own && event_->type == GRTRACE_FENCE))
			complete(story);
		for (StoryDependency &known : story.dependencies)
			if (known.fence == fence)
				set_once(known.signalled, source());
	}
}

bool StoryCollector::is_of_name() const
{
	return event_->is_event() && event_->ctx == name_.ctx &&
	       event_->seqno == static_cast<uint32_t>(name_.seqno);
}

// An open story gets the event before the tracker may close it; a story that the event
// begins exists only after that.
bool StoryCollector::note(bool before)
{
	const bool is_wait =
		event_->type == GRTRACE_SYNC_WAIT_ENTER || event_->type == GRTRACE_SYNC_WAIT_EXIT;

	if (!event_->is_event() || (before && event_->type == GRTRACE_SUBMIT))
		return false;
	if (is_wait) {
		const StoryFence fence = {event_->ctx, event_->seqno};
		bool is_early = is_of_name();

		for (JobStory &story : stories_) {
			if (story.over ||
			    !(is_of_name() || fence == story.last_hardware() || fence == story.out))
				continue;
			note_wait(story);
			is_early = false;
		}
		if (is_early)
			note_early_wait();
		return true;
	}
	if (before)
		note_fence();
	if (!is_of_name())
		return true;
	JobStory *story = open_story(event_->seqno, event_->ring);
	if (story)
		note_step(*story);
	else if (before && event_->type == GRTRACE_ERROR)
		note_late_error();
	return story;
}

void StoryCollector::feed(const Event &event)
{
	const std::vector<Gap> gaps = capture_.take_gaps();

	for (const Gap &gap : gaps)
		note_loss({gap.cpu, {}, gap.records, gap.from_ts, gap.to_ts});
	tracker_.lose(gaps);
	event_ = &event;
	if (event.type == GRTRACE_LOST) {
		const Lost lost = lost_of(event);
		note_loss({event.cpu, source(), lost.records(), lost.first_ts, lost.last_ts});
	}

	const bool noted = note(true);
	tracker_.feed(event);
	if (!noted)
		note(false);
}

void StoryCollector::finish()
{
	tracker_.finish(capture_.end_ts());
	causes_.finish();
}

JobName StoryCollector::root() const
{
	if (stories_.empty())
		return {};

	const JobStory &story = stories_.back();
	const JobName own = {story.job.ctx, story.job.seqno, story.job.ring};

	if (!story.job.at_end)
		return story.time.root();

	const Standstill *one = causes_.not_over().of(own);
	return !one || one->job == own ? JobName() : one->job;
}

void StoryCollector::job(const Job &job)
{
	waiting_ = story_of(job);
	causes_.over(job);
	if (!waiting_)
		return;
	waiting_->over = true;

	const std::vector<Hang> &hangs = causes_.hangs();
	const auto hang = std::ranges::find_if(hangs, [&](const Hang &one) {
		return one.name == JobName{job.ctx, job.seqno, job.ring} &&
		       one.left == job.left_ts();
	});

	waiting_->time.finish(job, hang == hangs.end() ? nullptr : &*hang);
}

// A job that hung and was handed over again has no B of that time.
std::string StoryCollector::bounds_of(const Cause &cause) const
{
	if (cause.kind != CauseKind::hang || !cause.execution || !cause.execution->hang)
		return {};
	const auto known = std::ranges::find(resets_, cause.execution->hang, &ResetHang::number);

	if (known == resets_.end())
		return fmt::format("B {}", causes_.hangs()[cause.execution->hang - 1].until());
	return known->since_commit ? "D to the last D" : "the previous END to the last D";
}

void StoryCollector::note_reset_hangs(const Job &job, size_t before)
{
	const std::vector<Hang> &hangs = causes_.hangs();

	for (size_t i = before; i < hangs.size(); i++)
		if (job.hand_overs > 1 && hangs[i].left == job.last_commit_ts)
			resets_.push_back(
				{static_cast<uint32_t>(i + 1), hangs[i].start == job.commit_ts});
}

void StoryCollector::charge(const Cause &cause, const std::vector<JobName> &via)
{
	if (waiting_)
		waiting_->time.add(cause, via, bounds_of(cause));
}

void StoryCollector::moved(const Job &job, JobPhase, uint64_t)
{
	if (job.ctx != name_.ctx)
		return;
	if (job.seqno < name_.seqno)
		below_ = below_ == Job::none ? job.seqno : std::max(below_, job.seqno);
	else if (job.seqno > name_.seqno)
		above_ = std::min(above_, job.seqno);
	story_of(job);
}

void StoryCollector::depends(const Job &job, uint64_t ctx, uint32_t seqno, const Job *other)
{
	JobStory *story = story_of(job);

	causes_.depends(job, ctx, seqno, other);
	if (!story)
		return;
	StoryDependency &known = dependency(*story, {ctx, seqno});
	if (other)
		known.job = job_text(*other, capture_.session());
}

void StoryCollector::blocked(const Job &job, uint64_t from, uint64_t to)
{
	causes_.blocked(job, from, to);
}

void StoryCollector::stepped(const Job &job, JobPhase what, uint64_t)
{
	const bool stands_for_end = what == JobPhase::over && job.end_ts == Job::none;

	if (what != JobPhase::ended && !stands_for_end)
		return;
	if (job.slot >= left_.size())
		left_.resize(job.slot + 1);
	left_[job.slot] = source();
}

void StoryCollector::executed(const Job &job)
{
	RingEnd &last = ends_[job.ring];

	if (JobStory *story = story_of(job)) {
		if (job.previous_left_ts != Job::none && job.previous_left_ts == last.ts) {
			story->previous_end = last.source;
			story->previous_job = last.job;
		}
	}
	const size_t hangs = causes_.hangs().size();

	causes_.executed(job);
	note_reset_hangs(job, hangs);
	if (job.left_ts() == Job::none)
		return;
	last.ts = job.left_ts();
	last.source = left_[job.slot];
	last.job = job_text(job, capture_.session());
}

void StoryCollector::waited(const Job &job, uint32_t pid, uint64_t, uint64_t)
{
	JobStory *story = story_of(job);

	if (!story)
		return;
	for (StoryWait &wait : story->waits)
		if (wait.pid == pid && !wait.left.known()) {
			wait.left = source();
			wait.result = event_->error();
			return;
		}
}

void StoryCollector::note_loss(const StoryLoss &loss)
{
	if (recent_losses_.size() == JobStory::most)
		recent_losses_.pop_front();
	recent_losses_.push_back(loss);
	for (JobStory &story : stories_) {
		if (story.ends_by(loss.from))
			continue;
		if (story.losses.size() < JobStory::most)
			story.losses.push_back(loss);
		else
			story.left_out++;
	}
}

bool StoryCollector::tell(fmt::memory_buffer &out, size_t columns)
{
	for (const JobStory &story : stories_)
		tell_story(out, story, capture_, causes_, columns);
	if (more_stories_)
		print_to(out,
			 "More jobs have this name; only the first {} "
			 "are shown.\n",
			 most_stories);
	return !stories_.empty();
}

std::string StoryCollector::nearest() const
{
	const std::string head =
		fmt::format("{}: there is no job {}:{}", capture_.name(), name_.ctx, name_.seqno);

	if (below_ == Job::none && above_ == Job::none)
		return head + ", nor any other of that context";
	std::string text = head + "; the nearest of that context: ";
	if (below_ != Job::none)
		text += fmt::format("{}:{}", name_.ctx, below_);
	if (below_ != Job::none && above_ != Job::none)
		text += ", ";
	if (above_ != Job::none)
		text += fmt::format("{}:{}", name_.ctx, above_);
	return text;
}

} // namespace grtrace
