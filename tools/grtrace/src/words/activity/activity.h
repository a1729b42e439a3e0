// SPDX-License-Identifier: GPL-2.0
//
// Activity: how busy rings and devices were, and why they were idle.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "read/capture/capture.h"
#include "read/stream/ring_map.h"
#include "words/activity/held_jobs.h"
#include "words/activity/ring_activity.h"
#include "words/data/histogram.h"
#include "words/data/span_union.h"
#include "words/data/spans.h"
#include "words/jobs/job_section.h"

namespace grtrace {

// Receives the busy times of rings: for each ring in the order of time, without overlaps.
class BusySink {
public:
	virtual ~BusySink() = default;

	virtual void busy(uint32_t ring, uint64_t from, uint64_t to) = 0;
};

// A job's way through the software queues is known as it happens. Its later steps, from
// PICK on, are known only when the tracker has settled the job, because COMMIT may be
// recorded after END, and START may be inferred. Until then such a job is *open*, and its
// ring is not evaluated beyond the job's beginning.
//
// Memory grows with rings, by some 10 KiB each, and with the jobs in flight. A job
// that stays open for very long is evaluated with the facts known by then.
class Activity : public ReportSection {
public:
	// Shows the `gaps` idle gaps that held jobs up longest, or nothing if shown is
	// false. Both references must outlive it.
	Activity(bool shown, size_t gaps, Capture &capture, const LossSpans &losses)
		: shown_(shown), nr_gaps_(shown ? gaps : 0), capture_(capture), losses_(losses)
	{
	}

	// The sink must outlive this object.
	void report_to(BusySink &sink) { sink_ = &sink; }

	void begin(uint64_t ts) override { start_ = ts; }
	JobWatcher *watcher_of_moves() override { return this; }
	JobWatcher *watcher_of_executions() override { return this; }
	void moved(const Job &job, JobPhase from, uint64_t ts) override;
	void executed(const Job &job) override;
	void lost(uint64_t from, uint64_t to) override;
	void finish(uint64_t ts) override;
	void print(fmt::memory_buffer &out) override;
	static void print_depth_header(fmt::memory_buffer &out);
	// The queue depths over time as lines of CSV: the greatest one of each interval.
	void print_depth_csv(fmt::memory_buffer &out) const;

	// After finish(): how long a ring was busy; no value if the ring does not record
	// that.
	std::optional<uint64_t> busy_ns(uint32_t ring) const;

private:
	// How many changes of a ring may wait, and how many make a pass worthwhile.
	static constexpr size_t waiting_max = 16384;
	static constexpr size_t waiting_few = 256;
	// How many changes may wait for jobs that were cut by a loss, and how many such
	// jobs a ring may have. Each settled job is compared with all of these jobs.
	static constexpr size_t waiting_cut = 4096;
	static constexpr size_t cut_max = 256;

	struct Device {
		SpanUnion busy;
		bool used = false;
		bool known = true; // the busy time of each of its rings is known
	};
	// A gap in the list of the longest gaps.
	struct Listed {
		IdleGap gap;
		uint32_t ring;
		std::string ended_by; // empty: the end of the capture
	};
	using Gaps = std::vector<Listed>; // a heap, the shortest in front
	// A job from the first step after the software queue until it is settled. Its times
	// are used before that only if they must be.
	struct OpenJob {
		Job job;
		RingPlace place = RingPlace::none;
		bool executes = false; // the ring knows when it began
		uint64_t since = 0;
		uint64_t floor = 0; // as in Ring, at that time
		uint64_t lost_until = 0; // end of the losses known at that time
		// For a job that was cut: when records were lost, and when the last job
		// before the loss left the ring.
		uint64_t until = Job::none;
		uint64_t last_left = Job::none;
	};
	struct Ring : RingActivityWatcher {
		Ring(uint32_t ring, uint64_t start, Activity &activity)
			: id(ring), all(activity), activity(start, *this)
		{
		}

		void busy(uint64_t from, uint64_t to) override;
		void idle(const IdleGap &gap, const GapEnd *end) override;
		void gaps_void() override;
		void note_steps(const Job &job);
		void note_submit(const Job &job);

		uint32_t id;
		Activity &all;
		RingActivity activity;
		std::vector<OpenJob> open;
		// Jobs that were open when records were lost, until they are settled.
		std::vector<OpenJob> cut;
		RingSteps steps;
		bool left_since = true; // a job has left since the last query
		uint64_t last_left_by_now = Job::none;
		uint64_t floor = 0; // from the last loss
		uint64_t last_left = Job::none;
		uint64_t last_submit = Job::none;
		Histogram arrivals; // btt's Q2Q: from SUBMIT to SUBMIT
		size_t pass_at = waiting_few; // number of waiting changes at which to make a pass
		Gaps gaps;
	};
	// A job in the software queue, found by slot.
	struct Stand {
		RingPlace place = RingPlace::none;
		uint32_t losses = 0; // losses before it
	};

	uint32_t tgid_of(uint32_t pid);
	bool meets_other(const Job &job);
	Stand &stand_of(const Job &job);
	Ring &ring_of(uint32_t id);
	Ring &new_ring(uint32_t id);
	const Ring *known_ring(uint32_t id) const;
	// Calls what(ring) for each ring that has jobs, by id.
	template <class F> void each_ring(F what) const
	{
		rings_.each([&](uint32_t, const std::unique_ptr<Ring> &ring) {
			if (ring)
				what(*ring);
		});
	}
	Device &device_of(uint32_t ring);
	bool is_of_device(uint32_t ring) const;
	static bool is_forgotten(const Ring &ring, const Job &job);
	void open(Ring &ring, const Job &job, RingPlace stood, uint64_t ts);
	void take(Ring &ring, OpenJob &open);
	static uint64_t last_left_before(const Ring &ring, uint64_t until);
	uint64_t last_left_by_now(Ring &ring);
	static uint64_t begin_of(const Ring &ring, const Job &job, bool lost, uint64_t last_left);
	void begin_execution(Ring &ring, OpenJob &open, uint64_t ts);
	void close(Ring &ring, OpenJob &open, uint64_t left, uint64_t gone);
	void note_begun_before(Ring &ring, const OpenJob &open);
	void close_cut(Ring &ring, OpenJob &cut);
	void close_oldest_cut(Ring &ring, size_t few);
	void take_open(Ring &ring, uint64_t before);
	void pass_some(Ring &ring);
	void sum_up(Device &device);
	static bool is_worse(const Listed &a, const Listed &b);
	void list_gap(Ring &ring, const IdleGap &gap, const GapEnd *end);
	Gaps worst_gaps() const;
	std::string name_of(const GapEnd &job);

	size_t title_width() const;
	void print_rings(fmt::memory_buffer &out) const;
	void print_devices(fmt::memory_buffer &out) const;
	void print_depths(fmt::memory_buffer &out) const;
	void print_arrivals(fmt::memory_buffer &out) const;
	void print_gaps(fmt::memory_buffer &out) const;
	void print_gap(fmt::memory_buffer &out, const Listed &listed) const;

	bool shown_;
	size_t nr_gaps_;
	Capture &capture_;
	const LossSpans &losses_;
	BusySink *sink_ = nullptr;
	uint64_t start_ = 0;
	uint64_t end_ = 0;
	uint64_t now_ = 0;
	bool moved_ = false; // some job moved since the last loss
	uint32_t nr_losses_ = 0;
	uint64_t first_lost_ = UINT64_MAX;
	uint64_t lost_until_ = 0;
	RingMap<std::unique_ptr<Ring>> rings_; // rings with jobs
	std::vector<Device> devices_; // the last one means "not known"
	// The ring whose device has enough spans to sum up. This is not a pointer to
	// the device, because the device may move.
	std::optional<uint32_t> sum_up_;
	std::vector<Stand> stands_;
	HeldJobs held_;
};

} // namespace grtrace
