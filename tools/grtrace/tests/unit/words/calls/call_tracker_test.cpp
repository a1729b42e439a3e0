// SPDX-License-Identifier: GPL-2.0
#include "words/calls/call_tracker.h"

#include "unit/from_text.h"
#include "words/timeline/timeline_drawing.h"
#include "words/tracker/job_tracker.h"

namespace grtrace {

namespace {

// The calls that a view receives, as lines.
class Told : public TimelineView {
public:
	Told(const CallKinds &kinds, Lines &lines) : kinds_(kinds), lines_(lines) {}

	void called(const Call &call, std::span<const JobKey> jobs) override
	{
		std::string line = fmt::format("{} {} {}-{}", call.pid, kinds_.name(call.kind),
					       call.enter, call.exit);

		for (const JobKey &key : jobs)
			line += fmt::format(" {}:{}", key.ctx, key.seqno);
		lines_.push_back(line);
	}
	void wait_over(const Wait &wait) override
	{
		lines_.push_back(fmt::format("{} waits {}-{} {} {}:{}{}", wait.pid, wait.from,
					     wait.to == Job::none ? "" : fmt::to_string(wait.to),
					     wait.of_job ? "job" : "fence", wait.fence.ctx,
					     wait.fence.seqno, wait.end_lost ? ", end lost" : ""));
	}
	void submitted(const Job &job, const Call *call, uint64_t waiter_ts) override
	{
		std::string line = fmt::format("{}:{}", job.ctx, job.seqno);

		line += call ? fmt::format(" in {}-{}", call->enter, call->exit) : " in none";
		if (waiter_ts != Job::none)
			line += fmt::format(" back {}", waiter_ts);
		lines_.push_back(line);
	}
	void print(fmt::memory_buffer &) override {}

private:
	const CallKinds &kinds_;
	Lines &lines_;
};

struct Setting {
	explicit Setting(const std::string &text, TimelineChoice chosen = {})
		: choice(std::move(chosen)), diagnostics([](const std::string &) {}),
		  capture(diagnostics)
	{
		const Event *event;

		capture.open_memory(bytes_of("info start=1000\n"
					     "ring id=1 class=1 device=card0 name=gfx\n"
					     "ring id=2 class=3 device=card0 name=copy\n"
					     "cpu 0\n"
					     "task pid=7 tgid=7 comm=one ts=1000\n"
					     "task pid=8 tgid=7 comm=one ts=1000\n"
					     "task pid=9 tgid=9 comm=two ts=1000\n" +
						     text,
					     false),
				    true);
		TimelineDrawing drawing(choice, 0, capture);
		drawing.add(std::make_unique<Told>(drawing.kinds(), lines));
		while (capture.next(event) == Next::event)
			drawing.feed(*event);
		drawing.finish();
	}

	Lines lines;
	TimelineChoice choice;
	Diagnostics diagnostics;
	Capture capture;
};

Lines told(const std::string &text, const TimelineChoice &choice = {})
{
	return Setting(text, choice).lines;
}

std::string submit(int pid, int ctx, int seqno, int ts, int ring = 1)
{
	return fmt::format("submit pid={} ctx={} ring={} seqno={} ts={}\n", pid, ctx, ring, seqno,
			   ts);
}

std::string complete(int ctx, int seqno, int ts, int ring = 1)
{
	return fmt::format("end ctx={0} ring={3} seqno={1} ts={2}\n"
			   "complete ctx={0} ring={3} seqno={1} ts={2}\n",
			   ctx, seqno, ts, ring);
}

std::string ioctl(int pid, uint64_t enter, uint64_t exit)
{
	return fmt::format("ioctl pid={} cmd=0xc0106442 driver=virtio_gpu "
			   "ts={} duration={}\n",
			   pid, exit, exit - enter);
}

} // namespace

TEST(CallTracker, finds_the_ioctl_of_a_job)
{
	EXPECT_EQ(told(submit(7, 5, 1, 2100) + submit(7, 5, 2, 2200) + ioctl(7, 2000, 2300) +
		       complete(5, 1, 2400) + complete(5, 2, 2500)),
		  Lines({"7 virtio_gpu EXECBUFFER 2000-2300 5:1 5:2", "5:1 in 2000-2300",
			 "5:2 in 2000-2300"}));
}

TEST(CallTracker, finds_it_for_a_job_that_is_over_first)
{
	EXPECT_EQ(told(submit(7, 5, 1, 2100) + complete(5, 1, 2200) + ioctl(7, 2000, 2300)),
		  Lines({"7 virtio_gpu EXECBUFFER 2000-2300 5:1", "5:1 in 2000-2300"}));
}

// Both ends of the interval belong to it.
TEST(CallTracker, takes_what_is_at_the_very_entry_and_return)
{
	EXPECT_EQ(told(submit(7, 5, 1, 2000) + submit(7, 5, 2, 2300) + ioctl(7, 2000, 2300)),
		  Lines({"7 virtio_gpu EXECBUFFER 2000-2300 5:1 5:2", "5:1 in 2000-2300",
			 "5:2 in 2000-2300"}));
}

TEST(CallTracker, knows_the_inner_of_nested_ioctls)
{
	EXPECT_EQ(told(submit(7, 5, 1, 2100) + submit(7, 5, 2, 2250) + ioctl(7, 2200, 2300) +
		       submit(7, 5, 3, 2400) + ioctl(7, 2000, 2500)),
		  Lines({"7 virtio_gpu EXECBUFFER 2200-2300 5:2",
			 "7 virtio_gpu EXECBUFFER 2000-2500 5:1 5:3", "5:1 in 2000-2500",
			 "5:2 in 2200-2300", "5:3 in 2000-2500"}));
}

// The record of 5:1's ioctl was lost; the next one has no part in it.
TEST(CallTracker, gives_a_job_to_no_other_ioctl)
{
	EXPECT_EQ(told(submit(7, 5, 1, 2100) + complete(5, 1, 2150) + submit(7, 5, 2, 2400) +
		       ioctl(7, 2300, 2500) + complete(5, 2, 2600)),
		  Lines({"7 virtio_gpu EXECBUFFER 2300-2500 5:2", "5:2 in 2300-2500",
			 "5:1 in none"}));
}

TEST(CallTracker, keeps_threads_of_a_process_apart)
{
	EXPECT_EQ(told(submit(7, 5, 1, 2100) + submit(8, 6, 1, 2110) + ioctl(8, 2050, 2200) +
		       ioctl(7, 2000, 2300)),
		  Lines({"8 virtio_gpu EXECBUFFER 2050-2200 6:1",
			 "7 virtio_gpu EXECBUFFER 2000-2300 5:1", "5:1 in 2000-2300",
			 "6:1 in 2050-2200"}));
}

TEST(CallTracker, knows_jobs_of_no_ioctl)
{
	EXPECT_EQ(told(ioctl(7, 2000, 2100) + submit(7, 5, 1, 2200) + ioctl(7, 2300, 2400) +
		       complete(5, 1, 2500) + complete(5, 2, 2600)),
		  Lines({"7 virtio_gpu EXECBUFFER 2000-2100", "7 virtio_gpu EXECBUFFER 2300-2400",
			 "5:2 in none", "5:1 in none"}));
}

// The task that was interrupted has nothing to do with it.
TEST(CallTracker, gives_a_job_of_an_interrupt_to_nobody)
{
	EXPECT_EQ(told("submit pid=7 ctx=5 ring=1 seqno=1 ts=2100 flags=4\n" +
		       complete(5, 1, 2200) + ioctl(7, 2000, 2300)),
		  Lines({"7 virtio_gpu EXECBUFFER 2000-2300", "5:1 in none"}));
}

TEST(CallTracker, knows_jobs_of_one_key_on_two_rings)
{
	EXPECT_EQ(told(submit(7, 5, 1, 2100, 1) + submit(7, 5, 1, 2110, 2) + ioctl(7, 2105, 2115) +
		       ioctl(7, 2000, 2200) + complete(5, 1, 2300, 2) + complete(5, 1, 2400, 1)),
		  Lines({"7 virtio_gpu EXECBUFFER 2105-2115 5:1",
			 "7 virtio_gpu EXECBUFFER 2000-2200 5:1", "5:1 in 2105-2115",
			 "5:1 in 2000-2200"}));
}

TEST(CallTracker, knows_jobs_of_no_ring)
{
	EXPECT_EQ(told(submit(7, 6, 1, 2100, 0) + submit(7, 5, 1, 2110, 0) + ioctl(7, 2105, 2115) +
		       complete(6, 1, 2300, 0) + complete(5, 1, 2400, 0)),
		  Lines({"7 virtio_gpu EXECBUFFER 2105-2115 5:1", "5:1 in 2105-2115",
			 "6:1 in none"}));
}

TEST(CallTracker, knows_the_first_who_is_back_from_a_job)
{
	EXPECT_EQ(told(submit(7, 5, 1, 2100) + ioctl(7, 2000, 2200) +
		       "wait_enter pid=7 ctx=5 seqno=1 ts=2210\n"
		       "wait_enter pid=9 ctx=5 seqno=1 ts=2220\n"
		       // this one gives up
		       "wait_exit pid=9 ctx=5 seqno=1 ts=2230\n"
		       "wait_enter pid=9 ctx=5 seqno=1 ts=2240\n" +
		       complete(5, 1, 2300) +
		       "wait_exit pid=9 ctx=5 seqno=1 ts=2320\n"
		       "wait_exit pid=7 ctx=5 seqno=1 ts=2350\n"),
		  Lines({"7 virtio_gpu EXECBUFFER 2000-2200 5:1", "9 waits 2220-2230 job 5:1",
			 "9 waits 2240-2320 job 5:1", "7 waits 2210-2350 job 5:1",
			 "5:1 in 2000-2200 back 2320"}));
}

TEST(CallTracker, knows_waits_for_fences_of_no_job)
{
	EXPECT_EQ(told("wait_exit pid=7 ctx=3 seqno=1 ts=2000\n"
		       "wait_enter pid=7 ctx=4 seqno=1 ts=2100\n"
		       "wait_enter pid=7 ctx=4 seqno=2 ts=2100\n"
		       "wait_exit pid=7 ctx=4 seqno=1 ts=2300\n"),
		  Lines({"7 waits 2100-2300 fence 4:1", "7 waits 2100- fence 4:2"}));
}

// If there are more than ThreadWaits::most, the oldest is reported
// as one whose end was lost.
TEST(CallTracker, knows_many_waits_at_once)
{
	std::string enter, exit;

	for (int seqno = 1; seqno <= 5; seqno++) {
		enter +=
			fmt::format("wait_enter pid=7 ctx=4 seqno={} ts={}\n", seqno, 2000 + seqno);
		exit += fmt::format("wait_exit pid=7 ctx=4 seqno={} ts={}\n", seqno, 3000 + seqno);
	}
	const Lines lines = told(enter + exit);
	ASSERT_EQ(lines.size(), 5u);
	EXPECT_EQ(lines[0], "7 waits 2001-3001 fence 4:1");
	EXPECT_EQ(lines[4], "7 waits 2005-3005 fence 4:5");

	std::string many;
	for (size_t seqno = 1; seqno <= ThreadWaits::most + 1; seqno++)
		many += fmt::format("wait_enter pid=7 ctx=4 seqno={} ts={}\n", seqno, 2000 + seqno);
	const Lines left = told(many);
	ASSERT_EQ(left.size(), ThreadWaits::most + 1);
	EXPECT_EQ(left[0], "7 waits 2001- fence 4:1, end lost");
}

TEST(CallTracker, passes_what_is_chosen)
{
	const std::string text = submit(7, 5, 1, 2100) + ioctl(7, 2000, 2200) +
				 submit(9, 6, 1, 2300, 2) + ioctl(9, 2250, 2400) +
				 complete(5, 1, 2500) + complete(6, 1, 2600, 2);
	TimelineChoice of_process, of_ring, later;

	ASSERT_TRUE(of_process.jobs.add_pids("9").ok());
	ASSERT_TRUE(of_ring.jobs.rings.add_rings("gfx").ok());
	ASSERT_TRUE(later.time.set_interval("0.00000155:1").ok());
	EXPECT_EQ(told(text, of_process),
		  Lines({"9 virtio_gpu EXECBUFFER 2250-2400 6:1", "6:1 in 2250-2400"}));
	EXPECT_EQ(told(text, of_ring),
		  Lines({"7 virtio_gpu EXECBUFFER 2000-2200 5:1", "5:1 in 2000-2200"}));
	EXPECT_EQ(told(text, later), Lines({"6:1 in 2250-2400"}));
}

// An ioctl that began before all time has what was submitted until it returned.
TEST(CallTracker, takes_any_duration)
{
	EXPECT_EQ(told(submit(7, 5, 1, 2100) +
		       "ioctl pid=7 cmd=0xc0106442 driver=virtio_gpu ts=2200 "
		       "duration=18446744073709551615\n"),
		  Lines({"7 virtio_gpu EXECBUFFER 0-2200 5:1", "5:1 in 0-2200"}));
}

// The same key again: the end of the first one was lost.
TEST(CallTracker, knows_a_job_whose_key_comes_again)
{
	EXPECT_EQ(told(submit(7, 5, 1, 2100) + submit(7, 5, 1, 2200) + ioctl(7, 2150, 2300) +
		       complete(5, 1, 2400)),
		  Lines({"5:1 in none", "7 virtio_gpu EXECBUFFER 2150-2300 5:1",
			 "5:1 in 2150-2300"}));
}

TEST(CallTracker, forgets_the_oldest_of_too_many)
{
	std::string text = submit(7, 5, 1, 2001) + complete(5, 1, 2002);

	// The last ones linger in the tracker.
	const size_t jobs = CallTracker::undecided_max + JobTracker::linger_max;

	for (size_t i = 0; i < jobs; i++)
		text += fmt::format("submit pid=9 ctx=6 ring=2 seqno={0} ts=+1\n"
				    "end ctx=6 ring=2 seqno={0} ts=+1\n"
				    "complete ctx=6 ring=2 seqno={0} ts=+1\n",
				    i + 1);
	Lines lines = told(text + ioctl(7, 2000, 10000000) + ioctl(9, 2000, 10000000));
	EXPECT_EQ(lines.size(), jobs + 3);
	EXPECT_EQ(lines[0], "5:1 in none");
	EXPECT_EQ(lines[1], "7 virtio_gpu EXECBUFFER 2000-10000000");
	EXPECT_EQ(lines[3], "6:1 in 2000-10000000");
}

TEST(CallKinds, names_a_limited_number)
{
	std::string text;

	for (uint32_t i = 0; i < CallKinds::limit + 5; i++)
		text += fmt::format("ioctl pid=7 cmd={} driver=mock\n", 0xc0000000 + i);
	Lines lines = told(text);
	EXPECT_NE(lines[CallKinds::limit - 2].find(" mock "), std::string::npos);
	EXPECT_NE(lines[CallKinds::limit - 1].find(" others "), std::string::npos);
	EXPECT_NE(lines.back().find(" others "), std::string::npos);
}

} // namespace grtrace
