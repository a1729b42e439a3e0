// SPDX-License-Identifier: GPL-2.0
//
// The simulated jobs are those that are read, on every path that a capture can take.
#include "unit/jobs_from_text.h"

#include <map>
#include <set>

#include "workload.h"

namespace grtrace {

namespace {

// A workload that was run, as its streams and as what really was.
struct Simulated {
	explicit Simulated(const WorkloadOptions &options)
	{
		bool stream = options.channels.stream;
		std::map<uint32_t, Bytes> files;
		Workload workload(
			options,
			[&](uint32_t cpu, const uint8_t *data, size_t size) {
				Bytes &file = files[stream ? 0 : cpu];
				file.insert(file.end(), data, data + size);
			},
			[&](const TrueJob &job) { truth.push_back(job); });
		Synth tables(true);

		EXPECT_TRUE(tables.parse(workload.tables())) << tables.error();
		files[0] = tables.streams()[0];
		workload.run();
		totals = workload.totals();
		for (auto &[cpu, bytes] : files)
			streams.push_back(bytes);
		reading = std::make_unique<JobReading>(streams, !stream);
	}

	const StreamStats &stats() const { return reading->capture.stats(); }

	std::vector<Bytes> streams;
	std::vector<TrueJob> truth;
	Channels::Totals totals;
	std::unique_ptr<JobReading> reading;
};

WorkloadOptions everything()
{
	WorkloadOptions options;

	options.jobs = 3000;
	options.rings = 6;
	options.processes = 8;
	options.contexts = 3;
	options.depend_permille = 100;
	options.wait_permille = 100;
	options.fail_permille = 20;
	options.channels.cpus = 3;
	options.channels.subbuf_size = 4096;
	return options;
}

void expect_undamaged(const Simulated &run)
{
	EXPECT_EQ(run.reading->sentences, Lines{});
	EXPECT_EQ(run.stats().damaged_bytes, 0u);
	EXPECT_EQ(run.stats().skipped_records, 0u);
	EXPECT_EQ(run.stats().unordered, 0u);
	EXPECT_EQ(run.stats().records, run.totals.written);
	EXPECT_EQ(run.stats().lost(), run.totals.lost + run.totals.overwritten);
}

using Key = std::tuple<uint64_t, uint32_t, uint64_t>;

std::map<Key, Job> jobs_by_key(const Simulated &run)
{
	std::map<Key, Job> jobs;

	for (const Job &job : run.reading->jobs)
		jobs[{job.ctx, job.ring, job.seqno}] = job;
	return jobs;
}

// All records are true.
void expect_truth(const Simulated &run)
{
	std::map<Key, Job> jobs = jobs_by_key(run);

	EXPECT_EQ(run.reading->jobs.size(), run.truth.size());
	for (const TrueJob &real : run.truth) {
		const Job &job = jobs[{real.ctx, real.ring, real.seqno}];

		SCOPED_TRACE(fmt::format("{}:{}", real.ctx, real.seqno));
		ASSERT_EQ(job.pid, real.pid);
		ASSERT_EQ(job.submit_ts, real.submit);
		ASSERT_EQ(job.pick_ts, real.pick);
		ASSERT_EQ(job.commit_ts, real.commit);
		ASSERT_EQ(job.start_ts, real.start);
		ASSERT_EQ(job.end_ts, real.end);
		ASSERT_EQ(job.complete_ts, real.complete);
		ASSERT_EQ(job.dependencies, real.dependencies);
		ASSERT_EQ(job.wait_ns, real.wait_ns);
		ASSERT_EQ(job.error, real.error);
	}
}

} // namespace

TEST(Workload, what_is_read_is_what_was)
{
	Simulated run(everything());

	EXPECT_EQ(run.truth.size(), 3000u);
	expect_undamaged(run);
	expect_truth(run);
	// Half of the rings record START.
	std::set<bool> inferred;
	for (const Job &job : run.reading->jobs)
		inferred.insert(job.start_inferred);
	EXPECT_EQ(inferred.size(), 2u);
}

TEST(Workload, one_stream_holds_the_same)
{
	WorkloadOptions options = everything();

	options.channels.stream = true;
	Simulated run(options);
	ASSERT_EQ(run.streams.size(), 1u);
	expect_undamaged(run);
	expect_truth(run);
}

TEST(Workload, a_seed_gives_the_same_bytes_again)
{
	WorkloadOptions options = everything();
	Simulated first(options);
	Simulated second(options);

	EXPECT_EQ(first.streams, second.streams);
	options.seed = 2;
	EXPECT_NE(Simulated(options).streams, first.streams);
}

TEST(Workload, steady_jobs_take_the_same_time)
{
	WorkloadOptions options;

	options.steady = true;
	options.rings = 1;
	Simulated run(options);
	expect_undamaged(run);
	for (const TrueJob &job : run.truth)
		ASSERT_EQ(job.end - job.start, run.truth[0].end - run.truth[0].start);
}

TEST(Workload, every_lost_record_is_told)
{
	WorkloadOptions options = everything();

	options.channels.drop_permille = 100;
	options.channels.overwrite_permille = 100;
	Simulated run(options);
	EXPECT_GT(run.totals.lost, 500u);
	EXPECT_GT(run.totals.overwritten, 500u);
	EXPECT_EQ(run.stats().records, run.totals.written);
	EXPECT_EQ(run.stats().lost(), run.totals.lost + run.totals.overwritten);
	EXPECT_EQ(run.stats().damaged_bytes, 0u);
}

TEST(Workload, truth_knows_which_records_are_there)
{
	WorkloadOptions options = everything();

	options.channels.drop_permille = 100;
	Simulated run(options);

	std::map<uint32_t, uint64_t> there, told;
	for (const TrueJob &job : run.truth)
		for (uint32_t type : {GRTRACE_SUBMIT, GRTRACE_COMPLETE})
			told[type] += job.recorded >> type & 1;
	for (const Event &event : run.reading->events)
		there[event.type]++;
	EXPECT_EQ(there[GRTRACE_SUBMIT], told[GRTRACE_SUBMIT]);
	EXPECT_EQ(there[GRTRACE_COMPLETE], told[GRTRACE_COMPLETE]);
	EXPECT_LT(told[GRTRACE_SUBMIT], run.truth.size());
}

TEST(Workload, a_capture_that_begins_and_ends_in_the_middle)
{
	WorkloadOptions options = everything();

	options.warm_jobs = 500;
	options.drain = false;
	Simulated run(options);
	expect_undamaged(run);

	unsigned int before = 0, open = 0;
	for (const TrueJob &job : run.truth) {
		before += !(job.recorded & 1u << GRTRACE_SUBMIT);
		open += job.complete == TrueJob::none;
	}
	EXPECT_GT(before, 0u);
	EXPECT_GT(open, 0u);
}

TEST(Workload, rings_without_start_or_commit_tell_none)
{
	WorkloadOptions options = everything();

	options.tells_start = options.tells_commit = false;
	Simulated run(options);
	expect_undamaged(run);
	for (const Event &event : run.reading->events) {
		ASSERT_NE(event.type, GRTRACE_START);
		ASSERT_NE(event.type, GRTRACE_COMMIT);
	}
}

TEST(Workload, seqnos_wrap_and_ids_are_recycled)
{
	WorkloadOptions options = everything();

	options.wrap = true;
	Simulated wrapped(options);
	expect_truth(wrapped);
	EXPECT_GT(wrapped.truth.back().seqno, 1ull << 32);

	options.wrap = false;
	options.recycle = true;
	Simulated recycled(options);
	expect_undamaged(recycled);
	std::map<uint64_t, std::set<uint32_t>> rings;
	for (const TrueJob &job : recycled.truth)
		rings[job.ctx].insert(job.ring);
	EXPECT_GT(rings.begin()->second.size(), 1u);
}

TEST(Workload, several_jobs_at_once_on_a_ring)
{
	WorkloadOptions options = everything();

	options.queues = 3;
	options.rings = 2;
	Simulated run(options);
	expect_undamaged(run);

	// They are recorded in the order in which they complete.
	std::map<uint32_t, uint64_t> newest;
	bool overtaken = false;
	for (const TrueJob &job : run.truth) {
		overtaken |= job.commit < newest[job.ring];
		newest[job.ring] = std::max(newest[job.ring], job.commit);
	}
	EXPECT_TRUE(overtaken);
}

TEST(Workload, clocks_may_be_read_before_gseq_is_taken)
{
	WorkloadOptions options = everything();

	options.reorder = true;
	Simulated run(options);
	expect_undamaged(run);

	bool backwards = false;
	uint64_t last = 0;
	for (const Event &event : run.reading->events) {
		backwards |= event.ts < last;
		last = event.ts;
	}
	EXPECT_TRUE(backwards);
}

TEST(Workload, hanging_jobs_fail_and_endless_ones_say_nothing)
{
	WorkloadOptions options = everything();

	options.fail_permille = 0;
	options.hang_permille = 20;
	options.endless_permille = 20;
	options.preempt_permille = 50;
	Simulated run(options);
	expect_undamaged(run);

	std::map<Key, Job> jobs = jobs_by_key(run);
	unsigned int hung = 0, endless = 0, preempted = 0;
	for (const TrueJob &real : run.truth) {
		const Job &job = jobs[{real.ctx, real.ring, real.seqno}];

		ASSERT_EQ(job.failed, real.error != 0);
		ASSERT_EQ(job.complete(), real.complete != TrueJob::none);
		hung += job.failed;
		endless += !job.complete();
		preempted += real.preempted;
	}
	EXPECT_GT(hung, 0u);
	EXPECT_GT(endless, 0u);
	EXPECT_GT(preempted, 0u);
}

} // namespace grtrace
