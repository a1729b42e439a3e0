// SPDX-License-Identifier: GPL-2.0
//
// The process that delayed another, from events.
#include "words/delays/delays.h"

#include <map>

#include "unit/from_text.h"
#include "words/tracker/job_tracker.h"
#include "workload.h"

namespace grtrace {

namespace {

// Reads a capture into the section; keeps what every job waited.
struct Delayed : JobSink, JobWatcher {
	explicit Delayed(std::string_view text)
		: Delayed(bytes_of(std::string("cpu 0\n") + std::string(text), false))
	{
	}

	explicit Delayed(std::vector<Bytes> streams)
		: diagnostics([](const std::string &) {}), capture(diagnostics),
		  delays(capture, losses, DelayRings::shared, 2)
	{
		JobTracker tracker(*this, this);
		const Event *event;

		capture.open_memory(std::move(streams), true);
		while (capture.next(event) == Next::event)
			tracker.feed(*event);
		tracker.finish();
		delays.finish(0);
		for (const DelayCell &cell : delays.cells()) {
			lines.push_back(line(cell));
			charged[{cell.ring, cell.victim.tgid}] += cell.ns;
		}
		delays.print(out);
	}

	static std::string line(const DelayCell &cell)
	{
		static const char *const kinds[] = {"", "itself", "?", "others", "nobody"};
		const char *kind = kinds[static_cast<size_t>(cell.kind)];

		return fmt::format("{} {} by {}: {} ns, {} jobs{}", cell.ring, cell.victim.comm,
				   *kind ? kind : cell.culprit.comm, cell.ns, cell.jobs,
				   cell.touched ? " *" : "");
	}

	void job(const Job &job) override
	{
		const Task *task = capture.session().tasks.find(job.pid);

		if (job.over() && job.queue() != Job::none)
			waited[{job.ring, task ? task->tgid : job.pid}] += job.queue() * job.weight;
	}
	void moved(const Job &, JobPhase, uint64_t) override {}
	void blocked(const Job &job, uint64_t from, uint64_t to) override
	{
		delays.blocked(job, from, to);
	}
	void executed(const Job &job) override { delays.executed(job); }
	void lost(uint64_t from, uint64_t to) override { losses.add(from, to); }

	using Sums = std::map<std::pair<uint32_t, uint32_t>, uint64_t>;

	Diagnostics diagnostics;
	Capture capture;
	LossSpans losses;
	Delays delays;
	Lines lines;
	Sums waited;
	Sums charged;
	fmt::memory_buffer out;
};

const std::string tasks = "task pid=11 tgid=10 comm=game\n"
			  "task pid=20 tgid=20 comm=solver\n";

} // namespace

TEST(Delays, charges_the_owner_of_what_executed)
{
	Delayed d(tasks + "submit pid=20 ctx=5 ring=1 seqno=1 ts=1000\n"
			  "start ctx=5 ring=1 seqno=1 ts=1100\n"
			  "submit pid=11 ctx=6 ring=1 seqno=1 ts=1200\n"
			  "submit pid=11 ctx=6 ring=1 seqno=2 ts=1200\n"
			  "end ctx=5 ring=1 seqno=1 ts=1500\n"
			  "start ctx=6 ring=1 seqno=1 ts=1510\n"
			  "end ctx=6 ring=1 seqno=1 ts=1700\n"
			  "start ctx=6 ring=1 seqno=2 ts=1700\n"
			  "end ctx=6 ring=1 seqno=2 ts=1800\n"
			  "complete ctx=6 ring=1 seqno=2 ts=1810\n");

	EXPECT_EQ(d.lines,
		  (Lines{"1 game by solver: 600 ns, 2 jobs", "1 game by itself: 190 ns, 1 jobs",
			 "1 game by nobody: 20 ns, 2 jobs", "1 solver by nobody: 100 ns, 1 jobs"}));
	EXPECT_EQ(d.charged, d.waited);

	const DelayProof &proof = d.delays.cells()[0].proofs[0];
	EXPECT_EQ(proof.wait, 310u);
	EXPECT_EQ(proof.part, 300u);
	EXPECT_EQ(proof.culprit_ctx, 5u);
	EXPECT_EQ(proof.culprit_seqno, 1u);
}

TEST(Delays, charges_the_owner_of_the_fence)
{
	Delayed d(tasks + "submit pid=20 ctx=5 ring=2 seqno=1 ts=1000\n"
			  "submit pid=11 ctx=6 ring=1 seqno=1 ts=1000\n"
			  "blocked ctx=6 ring=1 seqno=1 fence=5:1 ts=1100\n"
			  "blocked ctx=6 ring=1 seqno=1 fence=99:1 ts=1300\n"
			  "pick ctx=6 ring=1 seqno=1 ts=1400\n"
			  "commit ctx=6 ring=1 seqno=1 fence=9:1 ts=1410\n"
			  "fence ctx=9 seqno=1 ts=1500\n"
			  "complete ctx=6 ring=1 seqno=1 ts=1510\n");

	EXPECT_EQ(d.lines,
		  (Lines{"1 game by solver: 200 ns, 1 jobs", "1 game by nobody: 110 ns, 1 jobs",
			 "1 game by ?: 100 ns, 1 jobs"}));
	EXPECT_TRUE(d.delays.cells()[0].proofs[0].blocked);
}

TEST(Delays, tells_rings_of_one_process_only_when_asked)
{
	Delayed d(tasks + "submit pid=20 ctx=5 ring=1 seqno=1 ts=1000\n"
			  "start ctx=5 ring=1 seqno=1 ts=1100\n"
			  "end ctx=5 ring=1 seqno=1 ts=1500\n"
			  "complete ctx=5 ring=1 seqno=1 ts=1510\n");

	EXPECT_EQ(d.out.size(), 0u);
	EXPECT_EQ(d.delays.rings()[0].processes, 1u);
	EXPECT_EQ(d.lines, Lines{"1 solver by nobody: 100 ns, 1 jobs"});
}

// Names may be learned late, and a pid may be used again.
TEST(Delays, a_process_is_its_tgid)
{
	Delayed d("submit pid=20 ctx=5 ring=1 seqno=1 ts=1000\n"
		  "start ctx=5 ring=1 seqno=1 ts=1100\n"
		  "end ctx=5 ring=1 seqno=1 ts=1500\n"
		  "task pid=20 tgid=20 comm=sh\n"
		  "submit pid=20 ctx=5 ring=1 seqno=2 ts=2000\n"
		  "start ctx=5 ring=1 seqno=2 ts=2100\n"
		  "end ctx=5 ring=1 seqno=2 ts=2500\n"
		  "task pid=20 tgid=20 comm=solver\n"
		  "submit pid=20 ctx=5 ring=1 seqno=3 ts=3000\n"
		  "start ctx=5 ring=1 seqno=3 ts=3100\n"
		  "end ctx=5 ring=1 seqno=3 ts=3500\n");

	EXPECT_EQ(d.lines, Lines{"1 solver by nobody: 300 ns, 3 jobs"});
}

TEST(Delays, a_pid_may_be_another_process_later)
{
	Delayed d("task pid=20 tgid=10 comm=first\n"
		  "submit pid=20 ctx=5 ring=1 seqno=1 ts=1000\n"
		  "start ctx=5 ring=1 seqno=1 ts=1100\n"
		  "end ctx=5 ring=1 seqno=1 ts=1500\n"
		  "submit pid=20 ctx=5 ring=1 seqno=2 ts=2000\n"
		  "start ctx=5 ring=1 seqno=2 ts=2100\n"
		  "end ctx=5 ring=1 seqno=2 ts=2500\n"
		  "task pid=20 tgid=20 comm=second\n"
		  "submit pid=20 ctx=5 ring=1 seqno=3 ts=3000\n"
		  "start ctx=5 ring=1 seqno=3 ts=3300\n"
		  "end ctx=5 ring=1 seqno=3 ts=3500\n");

	EXPECT_EQ(d.lines, (Lines{"1 second by nobody: 300 ns, 1 jobs",
				  "1 first by nobody: 200 ns, 2 jobs"}));
}

// Without a START it is unknown when it executed.
TEST(Delays, what_began_before_the_capture_is_charged_with_nothing)
{
	Delayed d(tasks + "submit pid=11 ctx=6 ring=1 seqno=1 ts=1000\n"
			  "end ctx=5 ring=1 seqno=8 ts=1400\n"
			  "end ctx=5 ring=1 seqno=9 ts=1500\n"
			  "start ctx=6 ring=1 seqno=1 ts=1510\n"
			  "end ctx=6 ring=1 seqno=1 ts=1700\n");

	EXPECT_EQ(d.lines, Lines{"1 game by nobody: 510 ns, 1 jobs"});
	EXPECT_EQ(d.delays.rings()[0].unseen, 2u);
}

// Its records may as well have been lost.
TEST(Delays, after_a_loss_nothing_is_assumed)
{
	Delayed d(tasks + "submit pid=11 ctx=6 ring=1 seqno=1 ts=1000\n"
			  "lost events=3 first=1100 last=1200\n"
			  "end ctx=5 ring=1 seqno=9 ts=1500\n"
			  "start ctx=6 ring=1 seqno=1 ts=1510\n"
			  "end ctx=6 ring=1 seqno=1 ts=1700\n");

	EXPECT_EQ(d.lines, Lines{"1 game by nobody: 510 ns, 1 jobs *"});
	EXPECT_EQ(d.delays.rings()[0].unseen, 1u);
	EXPECT_TRUE(d.delays.cells()[0].proofs[0].touched);
}

TEST(Delays, jobs_that_never_ended_are_left_out)
{
	Delayed d(tasks + "submit pid=20 ctx=5 ring=1 seqno=1 ts=1000\n"
			  "start ctx=5 ring=1 seqno=1 ts=1100\n"
			  "submit pid=11 ctx=6 ring=1 seqno=1 ts=1200\n"
			  "blocked ctx=6 ring=1 seqno=1 fence=5:1 ts=1300\n");

	EXPECT_EQ(d.lines, Lines{});
	EXPECT_EQ(d.delays.rings()[0].processes, 0u);
}

TEST(Delays, where_no_end_is_told_completion_is_the_end)
{
	Delayed d(tasks + "submit pid=20 ctx=5 ring=1 seqno=1 ts=1000\n"
			  "pick ctx=5 ring=1 seqno=1 ts=1100\n"
			  "submit pid=11 ctx=6 ring=1 seqno=1 ts=1200\n"
			  "complete ctx=5 ring=1 seqno=1 ts=1500\n"
			  "pick ctx=6 ring=1 seqno=1 ts=1550\n"
			  "complete ctx=6 ring=1 seqno=1 ts=1600\n");

	EXPECT_EQ(d.lines,
		  (Lines{"1 game by solver: 300 ns, 1 jobs", "1 game by nobody: 50 ns, 1 jobs",
			 "1 solver by nobody: 100 ns, 1 jobs"}));
}

TEST(Delays, a_hung_job_is_charged_until_it_is_given_up)
{
	Delayed d(tasks + "submit pid=20 ctx=5 ring=1 seqno=1 ts=1000\n"
			  "commit ctx=5 ring=1 seqno=1 fence=9:1 ts=1100\n"
			  "fence ctx=9 seqno=1 ts=1200\n"
			  "complete ctx=5 ring=1 seqno=1 ts=1210\n"
			  "submit pid=20 ctx=5 ring=1 seqno=2 ts=1300\n"
			  "commit ctx=5 ring=1 seqno=2 fence=9:2 ts=1300\n"
			  "submit pid=11 ctx=6 ring=1 seqno=1 ts=1400\n"
			  "commit ctx=6 ring=1 seqno=1 fence=9:3 ts=1500\n"
			  "error ctx=5 ring=1 seqno=2 kind=1 code=-110 ts=7000\n"
			  "complete ctx=5 ring=1 seqno=2 arg=-125 ts=8000\n"
			  "fence ctx=9 seqno=3 ts=8500\n"
			  "complete ctx=6 ring=1 seqno=1 ts=8510\n");

	ASSERT_FALSE(d.lines.empty());
	EXPECT_EQ(d.lines[0], "1 game by solver: 6600 ns, 1 jobs");
}

// The scheduler does not look at what is queued behind a blocked job.
TEST(Delays, charges_it_with_what_waits_behind_the_blocked_job)
{
	Delayed d(tasks + "submit pid=20 ctx=5 ring=2 seqno=1 ts=1000\n"
			  "submit pid=11 ctx=6 ring=1 seqno=1 ts=1000\n"
			  "submit pid=11 ctx=6 ring=1 seqno=2 ts=1050\n"
			  "blocked ctx=6 ring=1 seqno=1 fence=5:1 ts=1100\n"
			  "pick ctx=6 ring=1 seqno=1 ts=1400\n"
			  "start ctx=6 ring=1 seqno=1 ts=1400\n"
			  "end ctx=6 ring=1 seqno=1 ts=1500\n"
			  "pick ctx=6 ring=1 seqno=2 ts=1500\n"
			  "start ctx=6 ring=1 seqno=2 ts=1510\n"
			  "end ctx=6 ring=1 seqno=2 ts=1600\n");

	EXPECT_EQ(d.lines,
		  (Lines{"1 game by solver: 600 ns, 2 jobs", "1 game by nobody: 160 ns, 2 jobs",
			 "1 game by itself: 100 ns, 1 jobs"}));
	EXPECT_EQ(d.charged, d.waited);
}

// Until when is not known if records were lost meanwhile.
TEST(Delays, charges_no_fence_over_a_loss)
{
	Delayed d(tasks + "submit pid=20 ctx=5 ring=2 seqno=1 ts=1000\n"
			  "submit pid=11 ctx=6 ring=1 seqno=1 ts=1000\n"
			  "submit pid=11 ctx=6 ring=1 seqno=2 ts=1000\n"
			  "blocked ctx=6 ring=1 seqno=1 fence=5:1 ts=1100\n"
			  "lost events=2 notes=0 first=1150 last=1200\n"
			  "end ctx=6 ring=1 seqno=1 ts=1900\n"
			  "pick ctx=6 ring=1 seqno=2 ts=1910\n"
			  "start ctx=6 ring=1 seqno=2 ts=1920\n"
			  "end ctx=6 ring=1 seqno=2 ts=2000\n");

	EXPECT_EQ(d.lines, Lines{"1 game by nobody: 920 ns, 1 jobs *"});
}

// Between two that were blocked the ring went on.
TEST(Delays, charges_who_executed_between_two_blocked_jobs)
{
	Delayed d(tasks + "submit pid=20 ctx=5 ring=2 seqno=1 ts=1000\n"
			  "submit pid=20 ctx=7 ring=1 seqno=1 ts=1000\n"
			  "submit pid=11 ctx=6 ring=1 seqno=1 ts=1000\n"
			  "submit pid=11 ctx=6 ring=1 seqno=2 ts=1000\n"
			  "blocked ctx=6 ring=1 seqno=1 fence=99:1 ts=1000\n"
			  "pick ctx=6 ring=1 seqno=1 ts=1200\n"
			  "start ctx=7 ring=1 seqno=1 ts=1150\n"
			  "end ctx=7 ring=1 seqno=1 ts=1260\n"
			  "blocked ctx=6 ring=1 seqno=2 fence=99:2 ts=1300\n"
			  "pick ctx=6 ring=1 seqno=2 ts=1400\n"
			  "start ctx=6 ring=1 seqno=2 ts=1410\n"
			  "end ctx=6 ring=1 seqno=2 ts=1500\n");

	EXPECT_EQ(d.lines,
		  (Lines{"1 game by ?: 300 ns, 1 jobs", "1 game by solver: 60 ns, 1 jobs",
			 "1 game by nobody: 50 ns, 1 jobs", "1 solver by nobody: 150 ns, 1 jobs"}));
}

// A job that is picked only waits for the ring.
TEST(Delays, not_with_what_waits_before_it)
{
	Delayed d(tasks + "submit pid=20 ctx=5 ring=2 seqno=1 ts=1000\n"
			  "submit pid=11 ctx=6 ring=1 seqno=1 ts=1000\n"
			  "submit pid=11 ctx=6 ring=1 seqno=2 ts=1000\n"
			  "pick ctx=6 ring=1 seqno=1 ts=1000\n"
			  "blocked ctx=6 ring=1 seqno=2 fence=5:1 ts=1000\n"
			  "pick ctx=6 ring=1 seqno=2 ts=1200\n"
			  "start ctx=6 ring=1 seqno=1 ts=1300\n"
			  "end ctx=6 ring=1 seqno=1 ts=1400\n");

	EXPECT_EQ(d.lines, Lines{"1 game by nobody: 300 ns, 1 jobs"});
}

TEST(Delays, of_many_fences_that_block_it_the_first_are_forgotten)
{
	std::string text = tasks + "submit pid=20 ctx=5 ring=2 seqno=1 ts=1000\n"
				   "submit pid=11 ctx=6 ring=1 seqno=1 ts=1000\n";

	for (size_t i = 0; i <= BlockedWindow::limit; i++)
		text += "blocked ctx=6 ring=1 seqno=1 fence=5:1 ts=+10\n";
	Delayed d(text + "pick ctx=6 ring=1 seqno=1 ts=+10\n"
			 "end ctx=6 ring=1 seqno=1 ts=+10\n");

	EXPECT_EQ(d.lines, (Lines{"1 game by solver: 20490 ns, 1 jobs",
				  "1 game by nobody: 20490 ns, 1 jobs"}));
	EXPECT_EQ(d.charged, d.waited);
	EXPECT_GT(d.delays.rings()[0].forgotten, 20000u);
}

TEST(Delays, a_queue_deeper_than_the_window_is_said)
{
	std::string text = tasks + "submit pid=11 ctx=6 ring=1 seqno=1 ts=1000\n";
	constexpr size_t jobs = ExecWindow<>::limit + 1;

	for (size_t i = 1; i <= jobs; i++)
		text += fmt::format("submit pid=20 ctx=5 ring=1 seqno={0}\n"
				    "start ctx=5 ring=1 seqno={0}\n"
				    "end ctx=5 ring=1 seqno={0}\n"
				    "complete ctx=5 ring=1 seqno={0}\n",
				    i);
	Delayed d(text + "start ctx=6 ring=1 seqno=1\n"
			 "end ctx=6 ring=1 seqno=1\n");

	// Each job executed 1 of 4 us.
	EXPECT_EQ(d.charged, d.waited);
	EXPECT_EQ(d.delays.cells()[0].kind, Culprit::nobody);
	uint64_t kept = ExecWindow<>::limit / 2 + 1;
	for (const DelayCell &cell : d.delays.cells())
		if (cell.kind == Culprit::process) {
			EXPECT_EQ(cell.ns, kept * 1000);
		}
	EXPECT_GT(d.delays.rings()[0].forgotten, 1000u * 1000);
	EXPECT_NE(fmt::to_string(d.out).find("waits so long"), std::string::npos);
}

// Simulated rings, with what makes matters worse.
TEST(Delays, what_is_charged_is_what_was_waited)
{
	for (uint64_t seed = 1; seed <= 12; seed++) {
		WorkloadOptions options;
		std::map<uint32_t, Bytes> files;

		options.seed = seed;
		options.jobs = 2000;
		options.processes = 7;
		options.queues = 1 + seed % 2 * 2;
		options.depend_permille = 150;
		options.preempt_permille = 50;
		options.hang_permille = seed % 3 * 10;
		options.recycle = options.wrap = seed % 2;
		options.drain = seed % 4;
		options.warm_jobs = seed % 5 * 20;
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
		Delayed d(streams);
		EXPECT_GT(d.lines.size(), 20u);
		EXPECT_EQ(d.charged, d.waited);
		for (const DelayRing &ring : d.delays.rings())
			EXPECT_EQ(ring.forgotten, 0u);
	}
}

} // namespace grtrace
