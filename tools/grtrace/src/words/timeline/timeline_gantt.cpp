// SPDX-License-Identifier: GPL-2.0
#include "words/timeline/timeline_gantt.h"

#include <algorithm>

#include "words/jobs/job_span.h"

namespace grtrace {

TimelineGantt::TimelineGantt(const Terminal &terminal, TimelineChoice &choice, uint32_t index,
			     Capture &capture, const CallKinds &kinds)
	: terminal_(terminal), choice_(choice), index_(index), capture_(capture),
	  grid_(terminal.width - margin),
	  threads_(terminal, grid_, losses_, capture.session(), kinds)
{
}

// Returns whether there is room for one more row. A ring needs at least rows for its depth,
// its errors, and the processes without a row of their own.
bool TimelineGantt::has_room() const
{
	return (rows_ + 1) * grid_.capacity() * 2 * sizeof(uint64_t) <= memory_max;
}

TimelineGantt::Track *TimelineGantt::track_of(uint32_t ring)
{
	std::unique_ptr<Track> &track = tracks_[ring];

	has_track_ = true;
	if (!track) {
		if (!has_room())
			return nullptr;
		rows_ += 3;
		track = std::make_unique<Track>();
		track->ring = ring;
	}
	return track.get();
}

uint32_t TimelineGantt::process_of(const Job &job)
{
	const bool known = job.submit_ts != Job::none;
	const Task *leader = known ? capture_.session().tasks.leader(job.pid) : nullptr;
	uint32_t tgid = leader ? leader->tgid : job.pid;
	uint64_t key = known ? tgid : UINT64_MAX;

	if (!index_of_.find(key)) {
		index_of_.get(key) = static_cast<uint32_t>(processes_.size());
		processes_.emplace_back();
		processes_.back().tgid = tgid;
		processes_.back().letter = known ? '*' : '?';
	}
	uint32_t index = *index_of_.find(key);
	if (processes_[index].comm.empty() && leader)
		processes_[index].comm = leader->name();
	return index;
}

TimelineGantt::Process &TimelineGantt::process_at(uint32_t index)
{
	return index == others ? others_ : processes_[index];
}

TimelineGantt::Lane &TimelineGantt::lane_of(Track &track, uint32_t process)
{
	std::vector<Lane> &lanes = track.lanes;
	auto find = [&](uint32_t wanted) {
		return std::find_if(lanes.begin(), lanes.end(),
				    [&](const Lane &lane) { return lane.process == wanted; });
	};
	auto found = find(process);

	if (found == lanes.end() && !has_room()) {
		process = others;
		found = find(process);
	}
	if (found == lanes.end()) {
		rows_ += process != others;
		lanes.push_back({process, 0, {}});
		found = lanes.end() - 1;
	}
	// The next job is probably of the same process.
	std::swap(*found, lanes.front());
	return lanes.front();
}

void TimelineGantt::event(const Event &event)
{
	const Session &session = capture_.session();

	if (event.type == GRTRACE_MESSAGE)
		note_message(event);
	if (!event.is_event() || event.ts < choice_.from(session))
		return;
	if (!begun_) {
		uint64_t from = choice_.from(session);

		// If a start was given, the drawing begins there.
		grid_.begin(choice_.time.from_ns() ? from : event.ts);
		begun_ = true;
	}
	grid_.reach(std::min(event.ts, choice_.to(session)));
	settle_marks();
	if (event.ts > choice_.to(session))
		return;
	if (event.type == GRTRACE_ERROR)
		note_error(event);
}

// A line of `grtrace record --vblank` begins with the event's name. In lines that merge
// made from other tools' events, the name has a colon after it, and perhaps the system and
// a colon before it.
static bool is_vblank(std::string_view line)
{
	std::string_view event = line.substr(0, line.find(' '));

	if (event.ends_with(':'))
		event.remove_suffix(1);
	event.remove_prefix(event.rfind(':') + 1); // npos + 1 is 0
	return event == "vblank" || event == "drm_vblank_event";
}

// Other tracers may have run for longer: their events do not make the drawing longer.
void TimelineGantt::note_message(const Event &event)
{
	if (!begun_ || event.ts < grid_.origin() || event.ts > choice_.to(capture_.session()))
		return;
	mark(is_vblank(message_of(event)) ? vblanks_ : notes_, event.ts);
}

void TimelineGantt::note_error(const Event &event)
{
	if (event.ring == GRTRACE_RING_NONE) {
		nr_device_errors_++;
		mark(device_errors_, event.ts);
	} else if (!choice_.jobs.rings.any() ||
		   choice_.jobs.rings.wants(event.ring, index_, capture_.session())) {
		if (Track *track = track_of(event.ring))
			mark(track->errors, event.ts);
	}
}

void TimelineGantt::mark(TimelineSums &sums, uint64_t ts)
{
	if (ts < grid_.end())
		sums.add(grid_, ts, ts + 1, 1);
	else
		marks_.push_back({&sums, ts});
}

// A moment is drawn as the nanosecond after it, or at the end of the interval as the one
// before it.
void TimelineGantt::settle_marks()
{
	std::erase_if(marks_, [this](const Mark &mark) {
		uint64_t ts = mark.ts;

		if (ts >= grid_.end() && !ended_)
			return false;
		if (ts > grid_.end())
			return true;
		if (ts >= grid_.end())
			ts = grid_.end() - (grid_.span() != 0);
		mark.sums->add(grid_, ts, ts + 1, 1);
		return true;
	});
}

void TimelineGantt::end(uint64_t ts)
{
	if (begun_)
		grid_.reach(std::min(ts, choice_.to(capture_.session())));
	ended_ = true;
	settle_marks();
}

// A job that is in flight at the end of the capture counts as on its ring until then,
// unless its end may have been lost.
uint64_t TimelineGantt::on_ring_until(const Job &job) const
{
	if (job.over_by() != Job::none)
		return job.over_by();
	return ended_ && !job.touched ? grid_.end() : Job::none;
}

// The time may be known of a job that still has the ring, though it has no START.
static uint64_t began(const Job &job)
{
	return std::min(job.start_ts, job.has_ring_since);
}

void TimelineGantt::Stays::note(const Job &job)
{
	known |= began(job) != Job::none;
	not_known |= began(job) == Job::none && job.handed_over;
}

void TimelineGantt::executed(const Job &job)
{
	uint64_t until = on_ring_until(job);

	if (!begun_ || until == Job::none || !choice_.jobs.wants(job, index_, capture_.session()))
		return;
	Track *track = track_of(job.ring);
	if (!track)
		return;
	add_depth(*track, job);
	if (began(job) == Job::none)
		return;
	track->started += job.weight;
	if (job.start_ts == Job::none || job.start_inferred || job.time_inferred)
		track->inferred += job.weight;

	uint64_t from = std::max(began(job), grid_.origin());
	until = std::min(until, grid_.end());
	if (from >= until)
		return;
	Lane &lane = lane_of(*track, process_of(job));
	lane.sums.add(grid_, from, until, job.weight);
	lane.on_ring += (until - from) * job.weight;
	process_at(lane.process).on_ring += (until - from) * job.weight;
}

// Counts jobs from SUBMIT to END, as the report does.
void TimelineGantt::add_depth(Track &track, const Job &job)
{
	uint64_t since = job.submit_ts;

	for (uint64_t ts : {job.blocked_ts, job.pick_ts, job.commit_ts, job.start_ts})
		since = std::min(since, ts);
	track.depth.add(grid_, since, on_ring_until(job), job.weight);
}

void TimelineGantt::job(const Job &job)
{
	const JobSpan span(job);
	const uint64_t until = on_ring_until(job);
	const uint64_t last = std::max(span.last, until == Job::none ? 0 : until);

	if (!begun_ || span.first > grid_.end() || last < grid_.origin() ||
	    !choice_.jobs.wants(job, index_, capture_.session()))
		return;

	Track *track = track_of(job.ring);
	if (!track) {
		jobs_left_out_ += job.weight;
		return;
	}
	track->jobs += job.weight;
	track->stays.note(job);
	Process &process = process_at(process_of(job));
	process.jobs += job.weight;
	process.stays.note(job);
	if (!job.failed)
		return;
	track->failed += job.weight;
	uint64_t over = job.complete() ? job.complete_ts : span.last;
	if (over >= grid_.origin() && over <= grid_.end())
		mark(track->errors, over);
}

void TimelineGantt::called(const Call &call, std::span<const JobKey>)
{
	if (begun_)
		threads_.called(call);
}

void TimelineGantt::wait_over(const Wait &wait)
{
	if (begun_)
		threads_.wait_over(wait);
}

void TimelineGantt::lost(uint64_t from, uint64_t to)
{
	losses_.add(from, to);
}

} // namespace grtrace
