// SPDX-License-Identifier: GPL-2.0
//
// Why jobs were late, from events.
#include "words/findings/findings.h"

#include <map>
#include <string>
#include <vector>

#include "unit/from_text.h"
#include "words/findings/finding_text.h"
#include "words/tracker/job_tracker.h"
#include "workload.h"

namespace grtrace {

namespace {

using Lines = std::vector<std::string>;

// Reads a capture into the section, and adds up what its jobs waited.
struct Found : JobSink, JobWatcher {
	explicit Found(const std::string &text) : Found(bytes_of("cpu 0\n" + text, false)) {}

	explicit Found(std::vector<Bytes> streams)
		: diagnostics([](const std::string &) {}), capture(diagnostics),
		  findings(capture, losses)
	{
		JobTracker tracker(*this, this);
		const Event *event;

		capture.open_memory(std::move(streams), true);
		while (capture.next(event) == Next::event) {
			tracker.lose(capture.take_gaps());
			tracker.feed(*event);
		}
		tracker.finish();
		findings.finish(0);
		for (const Finding &finding : findings.all()) {
			lines.push_back(line(finding));
			sum += finding.ns;
		}
		sum += findings.rest_ns();
	}

	std::string line(const Finding &finding) const
	{
		std::string chain;

		for (const JobName &name : finding.chain)
			chain += " " + FindingText::job(name);
		return fmt::format("{} {} ns, {} jobs:{}", cause_word(finding.kind), finding.ns,
				   finding.jobs, chain);
	}

	void job(const Job &job) override
	{
		if (job.queue() != Job::none)
			waited += job.queue() * job.weight;
		findings.job(job, JobLabel::ok);
	}
	void moved(const Job &, JobPhase, uint64_t) override {}
	void blocked(const Job &job, uint64_t from, uint64_t to) override
	{
		findings.blocked(job, from, to);
	}
	void executed(const Job &job) override { findings.watcher_of_executions()->executed(job); }
	void depends(const Job &job, uint64_t ctx, uint32_t seqno, const Job *on) override
	{
		findings.depends(job, ctx, seqno, on);
	}
	void lost(uint64_t from, uint64_t to) override { losses.add(from, to); }

	Diagnostics diagnostics;
	Capture capture;
	LossSpans losses;
	Findings findings;
	Lines lines;
	uint64_t waited = 0;
	uint64_t sum = 0;
};

const std::string tasks = "task pid=11 tgid=10 comm=game\n"
			  "task pid=20 tgid=20 comm=solver\n";

// 5:1 of the solver runs for 9 ms on ring 1.
const std::string long_job = tasks + "submit pid=20 ctx=5 ring=1 seqno=1 ts=1000000\n"
				     "pick ctx=5 ring=1 seqno=1 ts=1000000\n"
				     "commit ctx=5 ring=1 seqno=1 fence=90:1 ts=1000000\n";
const std::string long_job_ends = "fence ctx=90 seqno=1 ts=10000000\n"
				  "complete ctx=5 ring=1 seqno=1 ts=10000000\n";

} // namespace

TEST(Findings, another_process_had_the_ring)
{
	Found f(long_job +
		"submit pid=11 ctx=6 ring=1 seqno=1 ts=2000000\n"
		"pick ctx=6 ring=1 seqno=1 ts=2000000\n"
		"commit ctx=6 ring=1 seqno=1 fence=90:2 ts=2000000\n" +
		long_job_ends +
		"fence ctx=90 seqno=2 ts=11000000\n"
		"complete ctx=6 ring=1 seqno=1 ts=11000000\n");

	EXPECT_EQ(f.lines, (Lines{"other_process 8000000 ns, 1 jobs: 6:1 5:1"}));
	EXPECT_EQ(f.findings.all()[0].root_end, 10000000u);
	EXPECT_EQ(f.sum, f.waited);
}

// 7:2 is queued after 7:1, which waits for 6:1, which waits for the ring: all of that is
// due to 5:1, which ran into its timeout.
TEST(Findings, a_chain_is_followed_to_its_end)
{
	Found f(long_job +
		"submit pid=11 ctx=6 ring=1 seqno=1 ts=2000000\n"
		"submit pid=11 ctx=7 ring=2 seqno=1 ts=2000000\n"
		"blocked ctx=7 ring=2 seqno=1 fence=6:1 ts=2000000\n"
		"submit pid=11 ctx=7 ring=2 seqno=2 ts=3000000\n"
		"pick ctx=6 ring=1 seqno=1 ts=3000000\n"
		"commit ctx=6 ring=1 seqno=1 fence=90:2 ts=3000000\n"
		"error ctx=5 ring=1 seqno=1 kind=1 code=-62 ts=10000000\n" +
		long_job_ends +
		"fence ctx=90 seqno=2 ts=10000100\n"
		"complete ctx=6 ring=1 seqno=1 ts=10000200\n"
		"pick ctx=7 ring=2 seqno=1 ts=10000300\n"
		"commit ctx=7 ring=2 seqno=1 fence=91:1 ts=10000300\n"
		"pick ctx=7 ring=2 seqno=2 ts=10000300\n"
		"commit ctx=7 ring=2 seqno=2 fence=91:2 ts=10000300\n"
		"fence ctx=91 seqno=1 ts=10000400\n"
		"fence ctx=91 seqno=2 ts=10000500\n"
		"complete ctx=7 ring=2 seqno=1 ts=10000500\n"
		"complete ctx=7 ring=2 seqno=2 ts=10000500\n");

	EXPECT_EQ(f.lines, (Lines{"hang 23000000 ns, 3 jobs: 7:2 7:1 6:1 5:1"}));
	EXPECT_EQ(f.findings.all()[0].rings, (std::vector<uint32_t>{1, 2}));
	ASSERT_EQ(f.findings.hangs().size(), 1u);
	EXPECT_TRUE(f.findings.is_told(1));
	EXPECT_EQ(f.sum, f.waited);
}

TEST(Findings, a_fence_of_no_job_is_named_as_such)
{
	Found f(tasks + "submit pid=11 ctx=6 ring=1 seqno=1 ts=2000000\n"
			"blocked ctx=6 ring=1 seqno=1 fence=77:1 ts=2000000\n"
			"pick ctx=6 ring=1 seqno=1 ts=9000000\n"
			"commit ctx=6 ring=1 seqno=1 fence=90:2 ts=9000000\n"
			"fence ctx=90 seqno=2 ts=10000000\n"
			"complete ctx=6 ring=1 seqno=1 ts=11000000\n");

	EXPECT_EQ(f.lines, (Lines{"fence 7000000 ns, 1 jobs: 6:1 77:1"}));
}

// Contexts with the same names are one; others are another.
TEST(Findings, fences_of_no_job_are_told_by_their_drivers)
{
	Found f(tasks + "fence_name ctx=77 driver=nvidia timeline=prime ts=1000000\n"
			"fence_name ctx=78 driver=nvidia timeline=prime\n"
			"submit pid=11 ctx=6 ring=1 seqno=1 ts=2000000\n"
			"blocked ctx=6 ring=1 seqno=1 fence=77:1 ts=2000000\n"
			"blocked ctx=6 ring=1 seqno=1 fence=78:1 ts=7000000\n"
			"blocked ctx=6 ring=1 seqno=1 fence=79:1 ts=9000000\n"
			"pick ctx=6 ring=1 seqno=1 ts=12000000\n"
			"commit ctx=6 ring=1 seqno=1 fence=90:2 ts=12000000\n"
			"fence ctx=90 seqno=2 ts=13000000\n"
			"complete ctx=6 ring=1 seqno=1 ts=13000000\n");

	EXPECT_EQ(f.lines, (Lines{"fence 7000000 ns, 1 jobs: 6:1 77:1",
				  "fence 3000000 ns, 1 jobs: 6:1 79:1"}));
	ASSERT_EQ(f.findings.all().size(), 2u);
	const FindingText text(f.findings, f.capture);
	EXPECT_STREQ(text.title(f.findings.all()[0]), "Foreign fence");
	EXPECT_EQ(
		text.sentences(f.findings.all()[0]),
		"1 job on ring 1 waited 7.00 ms for fences of driver nvidia (prime), which are no "
		"jobs that were recorded. Mostly for 77:1, which blocked for 5.00 ms at 0.0020 s.");
	EXPECT_STREQ(text.title(f.findings.all()[1]), "Unknown fence");
	EXPECT_EQ(f.sum, f.waited);
}

TEST(Findings, of_lost_records_nothing_is_said)
{
	Found f(tasks + "submit pid=11 ctx=6 ring=1 seqno=1 ts=2000000\n"
			"lost events=3 notes=0 first=3000000 last=8000000 ts=8000000\n"
			"pick ctx=6 ring=1 seqno=1 ts=9000000\n"
			"commit ctx=6 ring=1 seqno=1 fence=90:2 ts=9000000\n"
			"fence ctx=90 seqno=2 ts=10000000\n"
			"complete ctx=6 ring=1 seqno=1 ts=11000000\n");

	EXPECT_EQ(f.lines, (Lines{"loss 7000000 ns, 1 jobs: 6:1"}));
	EXPECT_EQ(f.sum, f.waited);
}

TEST(Findings, below_a_millisecond_nothing_is_one)
{
	Found f(tasks + "submit pid=11 ctx=6 ring=1 seqno=1 ts=2000000\n"
			"pick ctx=6 ring=1 seqno=1 ts=2999999\n"
			"commit ctx=6 ring=1 seqno=1 fence=90:2 ts=2999999\n"
			"fence ctx=90 seqno=2 ts=10000000\n"
			"complete ctx=6 ring=1 seqno=1 ts=11000000\n");

	EXPECT_TRUE(f.findings.all().empty());
	EXPECT_EQ(f.findings.rest()[static_cast<size_t>(CauseKind::scheduler)], 999999u);
	EXPECT_EQ(f.sum, f.waited);
}

// 20 jobs that are picked some time after their SUBMIT.
static std::string picked_after(uint64_t ns)
{
	std::string text = tasks;

	for (uint64_t i = 1; i <= 20; i++)
		text += fmt::format("submit pid=11 ctx=6 ring=1 seqno={0} ts={1}\n"
				    "pick ctx=6 ring=1 seqno={0} ts={2}\n"
				    "commit ctx=6 ring=1 seqno={0} fence=90:{0} ts={2}\n"
				    "fence ctx=90 seqno={0} ts={3}\n"
				    "complete ctx=6 ring=1 seqno={0} ts={3}\n",
				    i, i * 1000000, i * 1000000 + ns, i * 1000000 + 900000);
	return text;
}

TEST(Findings, jobs_that_each_wait_less_than_100_us_are_not_late)
{
	Found f(picked_after(99999));

	EXPECT_TRUE(f.findings.all().empty());
	EXPECT_EQ(f.findings.rest()[static_cast<size_t>(CauseKind::scheduler)], 1999980u);
	EXPECT_EQ(f.sum, f.waited);

	Found late(picked_after(100000));

	EXPECT_EQ(late.lines, (Lines{"scheduler 2000000 ns, 20 jobs: 6:1"}));
	EXPECT_EQ(late.sum, late.waited);
}

// 6:1 waits 60 us for 5:1, and then 60 us for 5:2 of the same process.
TEST(Findings, short_waits_of_a_job_for_one_cause_count_together)
{
	std::string text = tasks;

	for (uint64_t i = 0; i < 20; i++) {
		const uint64_t ts = 1000000 + i * 1000000;

		text += fmt::format("submit pid=20 ctx=5 ring=1 seqno={0} ts={2}\n"
				    "pick ctx=5 ring=1 seqno={0} ts={2}\n"
				    "commit ctx=5 ring=1 seqno={0} fence=90:{0} ts={2}\n"
				    "submit pid=20 ctx=5 ring=1 seqno={1} ts={2}\n"
				    "pick ctx=5 ring=1 seqno={1} ts={2}\n"
				    "commit ctx=5 ring=1 seqno={1} fence=90:{1} ts={2}\n"
				    "submit pid=11 ctx=6 ring=1 seqno={0} ts={2}\n"
				    "pick ctx=6 ring=1 seqno={0} ts={2}\n"
				    "commit ctx=6 ring=1 seqno={0} fence=91:{0} ts={2}\n"
				    "fence ctx=90 seqno={0} ts={3}\n"
				    "complete ctx=5 ring=1 seqno={0} ts={3}\n"
				    "fence ctx=90 seqno={1} ts={4}\n"
				    "complete ctx=5 ring=1 seqno={1} ts={4}\n"
				    "fence ctx=91 seqno={0} ts={5}\n"
				    "complete ctx=6 ring=1 seqno={0} ts={5}\n",
				    2 * i + 1, 2 * i + 2, ts, ts + 60000, ts + 120000, ts + 130000);
	}

	Found f(text);

	// 5:2 waited 60 us for 5:1, which is less.
	EXPECT_EQ(f.lines, (Lines{"other_process 2400000 ns, 20 jobs: 6:1 5:1"}));
	EXPECT_EQ(f.findings.rest()[static_cast<size_t>(CauseKind::own_queue)], 1200000u);
	EXPECT_EQ(f.sum, f.waited);
}

// The job that waited is handed over twice.
TEST(Findings, a_reset_is_one)
{
	Found f(tasks + "submit pid=11 ctx=6 ring=1 seqno=1 ts=2000000\n"
			"pick ctx=6 ring=1 seqno=1 ts=2000000\n"
			"commit ctx=6 ring=1 seqno=1 fence=90:2 ts=2000000\n"
			"commit ctx=6 ring=1 seqno=1 fence=90:3 ts=9000000\n"
			"fence ctx=90 seqno=3 ts=10000000\n"
			"complete ctx=6 ring=1 seqno=1 ts=11000000\n");

	EXPECT_EQ(f.lines, (Lines{"reset 7000000 ns, 1 jobs: 6:1"}));
}

// In any case no ns is counted twice, and none is left out.
TEST(Findings, random_loads_add_up)
{
	for (uint64_t seed = 1; seed <= 12; seed++) {
		WorkloadOptions options;
		std::map<uint32_t, Bytes> files;

		options.seed = seed;
		options.jobs = 1000;
		options.queues = 1 + seed % 2 * 2;
		options.depend_permille = 150;
		options.hang_permille = seed % 3 * 10;
		options.recycle = options.wrap = seed % 2;
		options.drain = seed % 4;
		options.channels.drop_permille = seed % 3 == 2 ? 20 : 0;
		Workload workload(options,
				  [&](uint32_t cpu, const uint8_t *data, size_t size) {
					  Bytes &file = files[cpu];
					  file.insert(file.end(), data, data + size);
				  },
				  {});
		Synth tables(true);
		ASSERT_TRUE(tables.parse(workload.tables()));
		files[0] = tables.streams()[0];
		workload.run();
		std::vector<Bytes> streams;
		for (auto &[cpu, bytes] : files)
			streams.push_back(bytes);

		SCOPED_TRACE(seed);
		Found f(streams);
		EXPECT_EQ(f.sum, f.waited);
		EXPECT_NE(f.waited, 0u);
	}
}

// The scheduler has not looked at 6:1, as the ring was busy; what it needs took longer.
TEST(Findings, a_fence_that_only_dep_names_holds_a_job_and_those_behind_it)
{
	Found f(long_job +
		"submit pid=11 ctx=7 ring=2 seqno=1 ts=1000000\n"
		"pick ctx=7 ring=2 seqno=1 ts=1000000\n"
		"commit ctx=7 ring=2 seqno=1 fence=91:1 ts=1000000\n"
		"dep ctx=6 ring=1 seqno=1 fence=7:1 ts=2000000\n"
		"submit pid=20 ctx=6 ring=1 seqno=1 ts=2000000\n"
		"submit pid=20 ctx=6 ring=1 seqno=2 ts=3000000\n" +
		long_job_ends +
		"fence ctx=91 seqno=1 ts=12000000\n"
		"complete ctx=7 ring=2 seqno=1 ts=12000000\n"
		"pick ctx=6 ring=1 seqno=1 ts=12000000\n"
		"commit ctx=6 ring=1 seqno=1 fence=90:2 ts=12000000\n"
		"pick ctx=6 ring=1 seqno=2 ts=12000000\n"
		"commit ctx=6 ring=1 seqno=2 fence=90:3 ts=12000000\n"
		"fence ctx=90 seqno=2 ts=12000100\n"
		"complete ctx=6 ring=1 seqno=1 ts=12000100\n"
		"fence ctx=90 seqno=3 ts=12000200\n"
		"complete ctx=6 ring=1 seqno=2 ts=12000200\n");

	EXPECT_EQ(f.lines, (Lines{"dependency 19000000 ns, 2 jobs: 6:2 6:1 7:1"}));
	EXPECT_EQ(f.sum, f.waited);
}

// A fence of the same ring only has to be there before it.
TEST(Findings, of_its_own_ring_a_fence_holds_a_job_until_it_is_picked)
{
	Found f(long_job +
		"submit pid=11 ctx=7 ring=1 seqno=1 ts=1000000\n"
		"dep ctx=6 ring=1 seqno=1 fence=7:1 ts=2000000\n"
		"submit pid=20 ctx=6 ring=1 seqno=1 ts=2000000\n"
		"pick ctx=7 ring=1 seqno=1 ts=3000000\n"
		"commit ctx=7 ring=1 seqno=1 fence=90:2 ts=3000000\n" +
		long_job_ends +
		"pick ctx=6 ring=1 seqno=1 ts=10000000\n"
		"commit ctx=6 ring=1 seqno=1 fence=90:3 ts=10000000\n"
		"fence ctx=90 seqno=2 ts=15000000\n"
		"complete ctx=7 ring=1 seqno=1 ts=15000000\n"
		"fence ctx=90 seqno=3 ts=15000100\n"
		"complete ctx=6 ring=1 seqno=1 ts=15000100\n");

	// 7:1 waited 9 ms for 5:1; 6:1 1 ms for that, 7 ms for 5:1 and 5 ms for 7:1.
	EXPECT_EQ(f.sum, f.waited);
	EXPECT_EQ(f.lines, (Lines{"other_process 10000000 ns, 2 jobs: 7:1 5:1",
				  "own_queue 7000000 ns, 1 jobs: 6:1 5:1",
				  "other_process 5000000 ns, 1 jobs: 6:1 7:1"}));
}

TEST(Findings, a_hang_that_is_run_again_hung_until_the_reset)
{
	Found f(long_job + "submit pid=11 ctx=6 ring=1 seqno=1 ts=2000000\n"
			   "pick ctx=6 ring=1 seqno=1 ts=2000000\n"
			   "commit ctx=6 ring=1 seqno=1 fence=90:2 ts=2000000\n"
			   "error ctx=5 ring=1 seqno=1 kind=1 code=-62 ts=8000000\n"
			   "error ctx=5 ring=1 seqno=1 kind=3 code=0 ts=8500000\n"
			   "commit ctx=5 ring=1 seqno=1 fence=90:3 ts=9000000\n"
			   "commit ctx=6 ring=1 seqno=1 fence=90:4 ts=9000000\n"
			   "fence ctx=90 seqno=3 ts=9500000\n"
			   "complete ctx=5 ring=1 seqno=1 ts=9500000\n"
			   "fence ctx=90 seqno=4 ts=9600000\n"
			   "complete ctx=6 ring=1 seqno=1 ts=9600000\n");

	// Itself 8 ms, 6:1 7 ms.
	ASSERT_EQ(f.findings.hangs().size(), 1u);
	EXPECT_EQ(f.findings.hangs()[0].start, 1000000u);
	EXPECT_EQ(f.findings.hangs()[0].left, 9000000u);
	EXPECT_EQ(f.findings.all()[0].ns, 15000000u);
	EXPECT_EQ(f.findings.all()[0].root, (JobName{5, 1, 1}));
	EXPECT_EQ(f.sum, f.waited);
}

TEST(Findings, of_times_in_no_order_nothing_is_said)
{
	Found f(tasks + "submit pid=11 ctx=6 ring=1 seqno=1 ts=20000000\n"
			"pick ctx=6 ring=1 seqno=1 ts=3000000\n"
			"commit ctx=6 ring=1 seqno=1 fence=90:2 ts=29000000\n"
			"fence ctx=90 seqno=2 ts=30000000\n"
			"complete ctx=6 ring=1 seqno=1 ts=31000000\n");

	EXPECT_EQ(f.lines, (Lines{"unknown 9000000 ns, 1 jobs: 6:1"}));
}

} // namespace grtrace
