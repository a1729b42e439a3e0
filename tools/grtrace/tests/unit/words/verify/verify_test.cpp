// SPDX-License-Identifier: GPL-2.0
//
// Each fault is put into a capture that is right otherwise: verify has to find
// that one and nothing else. A capture that is right has no fault.
#include "unit/from_text.h"

#include "words/verify/verify_capture.h"
#include "workload.h"

namespace grtrace {

namespace {

const std::string tables = "cpu none\ninfo start=1000\n"
			   "ring id=1 class=1 name=gfx\nring id=2 class=3 name=sdma\n"
			   "cpu 0\ntask pid=7 comm=a ts=2000\n";

const std::string first_job = "submit pid=7 ctx=5 ring=1 seqno=1 arg=1\n"
			      "pick pid=7 ctx=5 ring=1 seqno=1 arg=1\n"
			      "commit pid=7 ctx=5 ring=1 seqno=1 fence=9:1\n"
			      "start ctx=5 ring=1 seqno=1 flags=10\n"
			      "end ctx=5 ring=1 seqno=1 flags=9\n"
			      "complete ctx=5 ring=1 seqno=1 flags=9\n";

struct Verified {
	explicit Verified(std::vector<Bytes> streams, bool per_cpu = true, uint64_t limit = 10)
		: capture(limit)
	{
		capture.open_memory(std::move(streams), per_cpu);
		while (capture.next() != Next::end)
			;
		text = fmt::to_string(capture.findings().text());
		fmt::memory_buffer out;
		capture.findings().print_summary(out);
		summary = fmt::to_string(out);
	}

	uint64_t number(Severity severity) { return capture.findings().number(severity); }
	// There is this finding and no other.
	void expect(Severity severity, FaultKind kind, const char *sentence)
	{
		for (Severity each : {Severity::damage, Severity::fault, Severity::note})
			EXPECT_EQ(number(each), each == severity) << text;
		EXPECT_EQ(capture.findings().number(kind), 1u) << text;
		EXPECT_NE(text.find(sentence), text.npos) << text;
	}
	void expect_nothing() { EXPECT_EQ(text, ""); }

	VerifyCapture capture;
	std::string text;
	std::string summary;
};

Verified verify(const std::string &text)
{
	return Verified(bytes_of(tables + text, false));
}

// The same of a flight recorder, whose packets may be overwritten.
Verified verify_overwrite(const std::string &text)
{
	std::string all = tables + text;

	all.insert(all.find(" start="), " features=" + std::to_string(GRTRACE_FEATURE_OVERWRITE));
	return Verified(bytes_of(all, false));
}

} // namespace

TEST(Verify, a_job_as_it_should_be)
{
	verify(first_job).expect_nothing();
}

// ------------------------------------------------------------- the job's life

TEST(Verify, complete_without_submit)
{
	verify(first_job + "complete ctx=5 ring=1 seqno=2 flags=9\n")
		.expect(Severity::fault, FaultKind::no_submit,
			"memory.0:776: complete 5:2 ring 1 (CPU 0, gseq 7): it "
			"has no SUBMIT, though one of an earlier seqno of its "
			"context is there [fault no-submit]");
}

TEST(Verify, complete_of_a_job_from_before_is_a_note)
{
	verify("complete ctx=5 ring=1 seqno=1 flags=9\n" + first_job)
		.expect(Severity::note, FaultKind::no_submit, "before the capture began");
}

TEST(Verify, complete_without_submit_where_records_were_lost_is_a_note)
{
	verify(first_job + "lost events=3\n"
			   "complete ctx=5 ring=1 seqno=2 flags=9\n")
		.expect(Severity::note, FaultKind::no_submit,
			"records were lost or left out there");
}

// The loss is on another CPU, and reported later in a stream.
TEST(Verify, a_loss_told_later_counts_too)
{
	Verified v(bytes_of(tables + first_job +
				    "complete ctx=5 ring=1 seqno=2 flags=9\n"
				    "cpu 1\nlost events=3 first=7500 "
				    "last=10000\nirq ring=1 flags=9\n",
			    true),
		   false);

	v.expect(Severity::note, FaultKind::no_submit, "[note no-submit]");
}

TEST(Verify, complete_without_submit_after_a_change_of_sampling_is_a_note)
{
	verify(first_job + "sampling 4\nsample n=4 previous=1\n"
			   "complete ctx=5 ring=1 seqno=2 flags=9\n")
		.expect(Severity::note, FaultKind::no_submit, "left out");
}

TEST(Verify, pick_before_submit)
{
	verify("pick pid=7 ctx=5 ring=1 seqno=1 arg=1\n" + first_job)
		.expect(Severity::fault, FaultKind::early_step,
			"pick 5:1 ring 1 (CPU 0, gseq 1): the job is submitted "
			"only later, with gseq 2");
}

// A CPU reads the clock and is late with its number.
TEST(Verify, the_order_of_times_excuses_that_of_numbers)
{
	verify("cpu 1\npick ctx=5 ring=1 seqno=1 flags=9 ts=4000\ncpu 0\n"
	       "submit pid=7 ctx=5 ring=1 seqno=1 ts=3900\n")
		.expect_nothing();
	verify("cpu 1\npick ctx=5 ring=1 seqno=1 flags=9 ts=4000\ncpu 0\n"
	       "submit pid=7 ctx=5 ring=1 seqno=1 ts=4100\n")
		.expect(Severity::fault, FaultKind::early_step, "pick 5:1");
}

TEST(Verify, commit_before_submit)
{
	verify("commit pid=7 ctx=5 ring=1 seqno=1 fence=9:1\n"
	       "submit pid=7 ctx=5 ring=1 seqno=1\n")
		.expect(Severity::fault, FaultKind::early_step, "commit 5:1");
}

TEST(Verify, submit_twice)
{
	verify("submit pid=7 ctx=5 ring=1 seqno=1\n"
	       "submit pid=7 ctx=5 ring=1 seqno=1\n")
		.expect(Severity::fault, FaultKind::submit_twice, "the job is in flight");
}

TEST(Verify, a_context_that_begins_again_is_a_note)
{
	verify(first_job + first_job)
		.expect(Severity::note, FaultKind::seqno_order, "begins again");
}

TEST(Verify, seqno_backwards)
{
	verify(first_job + "submit pid=7 ctx=5 ring=1 seqno=4\n"
			   "submit pid=7 ctx=5 ring=1 seqno=3\n")
		.expect(Severity::fault, FaultKind::seqno_order,
			"seqno 4 of its context was submitted before");
}

TEST(Verify, seqnos_wrap)
{
	verify("submit pid=7 ctx=5 ring=1 seqno=0xffffffff\n"
	       "submit pid=7 ctx=5 ring=1 seqno=0\n"
	       "submit pid=7 ctx=5 ring=1 seqno=1\n")
		.expect_nothing();
}

TEST(Verify, end_before_commit)
{
	const std::string text = "submit pid=7 ctx=5 ring=1 seqno=1\n"
				 "end ctx=5 ring=1 seqno=1 flags=9\n"
				 "commit pid=7 ctx=5 ring=1 seqno=1 fence=9:1\n";

	verify(text).expect(Severity::fault, FaultKind::end_early,
			    "handed to the hardware only later");
}

TEST(Verify, a_host_and_a_hardware_fence_may_be_that_fast)
{
	verify("ring id=3 driver=virtio_gpu name=controlq\n"
	       "submit pid=7 ctx=5 ring=3 seqno=1\n"
	       "end ctx=5 ring=3 seqno=1 flags=9\n"
	       "commit pid=7 ctx=5 ring=3 seqno=1 fence=5:1\n")
		.expect_nothing();
	verify("submit pid=7 ctx=5 ring=1 seqno=1\n"
	       "fence ctx=9 seqno=1 flags=9\n"
	       "commit pid=7 ctx=5 ring=1 seqno=1 fence=9:1\n")
		.expect_nothing();
}

TEST(Verify, end_twice)
{
	verify(first_job + "end ctx=5 ring=1 seqno=1 flags=9\n")
		.expect(Severity::fault, FaultKind::end_twice, "the job ended with gseq 5 already");
}

TEST(Verify, end_twice_after_an_error_is_a_note)
{
	verify(first_job + "error ring=1 kind=3 code=0 flags=9\n"
			   "end ctx=5 ring=1 seqno=1 flags=9\n")
		.expect(Severity::note, FaultKind::end_twice, "end 5:1");
}

TEST(Verify, start_after_end)
{
	verify(first_job + "start ctx=5 ring=1 seqno=1 flags=10\n")
		.expect(Severity::fault, FaultKind::start_late, "the job was over with gseq 5");
}

TEST(Verify, complete_twice)
{
	verify(first_job + "complete ctx=5 ring=1 seqno=1 flags=9\n")
		.expect(Severity::fault, FaultKind::complete_twice, "complete with gseq 6 already");
}

TEST(Verify, complete_out_of_order)
{
	verify("submit pid=7 ctx=5 ring=1 seqno=1\n"
	       "submit pid=7 ctx=5 ring=1 seqno=2\n"
	       "complete ctx=5 ring=1 seqno=2 flags=9\n"
	       "complete ctx=5 ring=1 seqno=1 flags=9\n")
		.expect(Severity::fault, FaultKind::complete_order,
			"seqno 2 of its context was complete before");
}

// As a scheduler that goes away does.
TEST(Verify, cancelled_last_to_first_is_a_note)
{
	verify("submit pid=7 ctx=5 ring=1 seqno=1\n"
	       "submit pid=7 ctx=5 ring=1 seqno=2\n"
	       "complete ctx=5 ring=1 seqno=2 flags=9 arg=-125\n"
	       "complete ctx=5 ring=1 seqno=1 flags=9 arg=-125\n")
		.expect(Severity::note, FaultKind::complete_order, "[note complete-order]");
}

TEST(Verify, time_backwards_in_a_job)
{
	verify("submit pid=7 ctx=5 ring=1 seqno=1 ts=900000\n"
	       "cpu 1\npick ctx=5 ring=1 seqno=1 flags=9 ts=500000\n")
		.expect(Severity::fault, FaultKind::job_clock,
			"its time is 400000 ns before that of the job's "
			"SUBMIT");
}

TEST(Verify, begun_before_its_dependency)
{
	const std::string both = "submit pid=7 ctx=5 ring=1 seqno=1\n"
				 "submit pid=7 ctx=6 ring=2 seqno=1\n"
				 "dep pid=7 ctx=6 ring=2 seqno=1 fence=5:1\n";

	verify(both + "pick pid=7 ctx=6 ring=2 seqno=1\n"
		      "complete ctx=5 ring=1 seqno=1 flags=9 ts=+2000000\n")
		.expect(Severity::fault, FaultKind::dependency,
			"pick 6:1 ring 2 (CPU 0, gseq 4): the job depends on "
			"5:1, which was complete only 2000000 ns later");
	verify(both + "complete ctx=5 ring=1 seqno=1 flags=9\n"
		      "pick pid=7 ctx=6 ring=2 seqno=1\n")
		.expect_nothing();
}

TEST(Verify, on_one_ring_to_be_picked_before_is_enough)
{
	verify("submit pid=7 ctx=5 ring=1 seqno=1\n"
	       "submit pid=7 ctx=6 ring=1 seqno=1\n"
	       "dep pid=7 ctx=6 ring=1 seqno=1 fence=5:1\n"
	       "pick pid=7 ctx=5 ring=1 seqno=1\n"
	       "pick pid=7 ctx=6 ring=1 seqno=1\n"
	       "complete ctx=5 ring=1 seqno=1 flags=9 ts=+2000000\n")
		.expect_nothing();
}

// ------------------------------------------------------------ single records

TEST(Verify, wait_exit_without_enter)
{
	verify("wait_enter pid=7 ctx=5 seqno=1\nwait_exit pid=7 ctx=5 seqno=1\n"
	       "wait_exit pid=7 ctx=5 seqno=2\n")
		.expect(Severity::fault, FaultKind::no_wait,
			"task 7 did not begin to wait for this fence");
	verify("wait_exit pid=7 ctx=5 seqno=2\n")
		.expect(Severity::note, FaultKind::no_wait, "before the capture");
}

TEST(Verify, unknown_ring)
{
	verify("submit pid=7 ctx=5 ring=4 seqno=1\n"
	       "submit pid=7 ctx=5 ring=4 seqno=2\n")
		.expect(Severity::fault, FaultKind::unknown_ring,
			"submit 5:1 ring 4 (CPU 0, gseq 1): ring 4 has no RING "
			"record");
}

TEST(Verify, no_task)
{
	verify("submit pid=8 ctx=5 ring=1 seqno=1\n"
	       "submit pid=8 ctx=5 ring=1 seqno=2\n")
		.expect(Severity::note, FaultKind::no_task, "pid 8");
}

TEST(Verify, numbers_that_mean_nothing)
{
	verify("ring id=3 class=7 name=x\n")
		.expect(Severity::fault, FaultKind::bad_value,
			"ring (CPU 0): ring 3 has engine class 7, the last one "
			"is 6");
	verify("error pid=7 ctx=5 ring=1 kind=7 code=1\n")
		.expect(Severity::fault, FaultKind::bad_value, "its kind is 7, the last one is 6");
	verify("queue_state pid=7 ctx=5 ring=1 state=2 reason=3\n")
		.expect(Severity::fault, FaultKind::bad_value, "its state is 2, the last one is 1");
	verify("queue_state pid=7 ctx=5 ring=1 state=1 reason=13\n")
		.expect(Severity::fault, FaultKind::bad_value,
			"its reason is 13, the last one is 12");
	verify("irq ring=1 flags=0x49\n")
		.expect(Severity::note, FaultKind::bad_value,
			"its flags are 0x49, and this program does not know 0x40 of these");
	verify("irq ring=1 flags=0xd\n")
		.expect(Severity::fault, FaultKind::bad_value, "softirq and hardirq at once");
	Verified(bytes_of("cpu none\ninfo start=0 clock=3\n", false))
		.expect(Severity::fault, FaultKind::bad_value,
			"memory.0:64: STREAM_INFO has clock 3, which does not exist");
}

TEST(Verify, each_number_up_to_the_last_means_something)
{
	std::string all;

	for (int kind = 0; kind <= GRTRACE_ERROR_WEDGED; kind++)
		all += fmt::format("error pid=7 ctx=5 ring=1 seqno=1 kind={} code=1\n", kind);
	for (int reason = 0; reason <= GRTRACE_QUEUE_FAULTED; reason++)
		all += fmt::format("queue_state pid=7 ctx=5 ring=1 state={} reason={}\n",
				   reason % 2, reason);
	for (int engine = 0; engine <= 6; engine++)
		all += fmt::format("ring id={} class={} name=x\n", engine + 3, engine);
	verify(first_job + all + "irq ring=1 flags=0x39\n").expect_nothing();
	for (int clock : {GRTRACE_CLOCK_MONOTONIC, GRTRACE_CLOCK_BOOTTIME})
		Verified(bytes_of(fmt::format("cpu none\ninfo start=0 clock={}\n", clock), false))
			.expect_nothing();
}

TEST(Verify, time_backwards_on_a_cpu)
{
	verify("irq ring=1 flags=9 ts=500000\nirq ring=1 flags=9 ts=400000\n")
		.expect(Severity::fault, FaultKind::clock,
			"its time is 100000 ns before that of the record "
			"before it on CPU 0");
	verify("irq ring=1 flags=9 ts=500000\nirq ring=1 flags=9 ts=499999\n").expect_nothing();
}

TEST(Verify, gseq_backwards_or_twice)
{
	verify("irq ring=1 flags=9\nirq ring=1 flags=9 seq=0\n")
		.expect(Severity::damage, FaultKind::damage,
			"a record whose gseq is far from that of the record "
			"before it, or not above it");
	verify("irq ring=1 flags=9\ncpu 1\nirq ring=1 flags=9 gseq=1\n")
		.expect(Severity::fault, FaultKind::gseq, "a record on CPU 0 has the same gseq");
}

// ------------------------------------------------------------------ the files

TEST(Verify, a_hole_in_gseq)
{
	verify("irq ring=1 flags=9 gseq=5\n")
		.expect(Severity::damage, FaultKind::hole,
			"4 records are in no file, the first of them is gseq "
			"1");
	verify_overwrite("overwritten 2\nirq ring=1 flags=9\n").expect_nothing();
	verify("overwritten 2\nirq ring=1 flags=9\n")
		.expect(Severity::damage, FaultKind::hole, "2 records are in no file");
}

TEST(Verify, damage)
{
	Verified v(bytes_of(tables + first_job + "raw 1 2 3\n", false));

	v.expect(Severity::damage, FaultKind::damage,
		 "memory.0:776: the file ends inside a record, 3 bytes after "
		 "its start; 3 bytes skipped [damage damage]");
}

TEST(Verify, bytes_repeated)
{
	verify("packet cseq=0\nirq ring=1 flags=9\n")
		.expect(Severity::damage, FaultKind::damage,
			"a packet whose cseq goes back on its CPU");
}

TEST(Verify, nothing_at_all)
{
	Verified(std::vector<Bytes>{Bytes()})
		.expect(Severity::damage, FaultKind::damage, "the capture is empty");
	Verified(bytes_of("packet major=2 minor=0\n", false))
		.expect(Severity::damage, FaultKind::damage, "format version 2.0");
	Verified(bytes_of("raw 1 2 3 4 5 6 7 8\n", false))
		.expect(Severity::damage, FaultKind::damage, "not a grtrace capture");
}

TEST(Verify, no_stream_info)
{
	Verified(bytes_of("irq flags=9\n", false))
		.expect(Severity::damage, FaultKind::no_stream_info, "memory: no STREAM_INFO");
}

TEST(Verify, lost_arithmetic)
{
	// Both ways to count, a packet that repeats, and one overwritten.
	verify_overwrite("lost events=2\nirq ring=1 flags=9\npacket\n"
			 "irq ring=1 flags=9\npacket lost=2\nlost events=3\n"
			 "packet\nirq ring=1 flags=9\n"
			 "overwritten 5\npacket lost=9\nirq ring=1 flags=9\n"
			 "packet lost=9\nirq ring=1 flags=9\n")
		.expect_nothing();
	verify("lost events=2\npacket lost=3\nirq ring=1 flags=9\n")
		.expect(Severity::damage, FaultKind::lost_sum,
			"the packet says that 3 records were lost on CPU 0 so "
			"far, but LOST records report 2");
	verify_overwrite("overwritten 5\npacket lost=6\nirq ring=1 flags=9\n")
		.expect(Severity::damage, FaultKind::lost_sum, "6 records");
}

TEST(Verify, a_loss_that_ends_before_it_begins)
{
	verify("lost events=2 first=4000 last=3000\nirq ring=1 flags=9\n")
		.expect(Severity::fault, FaultKind::bad_value, "it ends before it begins");
}

// ------------------------------------------------------------------- the sums

TEST(Verify, a_limit_of_lines_but_not_of_the_sums)
{
	std::string text = tables;
	for (int i = 0; i < 30; i++)
		text += "irq ring=1 flags=0xd\n";
	Verified v(bytes_of(text, false), true, 3);

	EXPECT_EQ(std::count(v.text.begin(), v.text.end(), '\n'), 3);
	EXPECT_EQ(v.number(Severity::fault), 30u);
	EXPECT_NE(v.summary.find("30 fault  bad-value       a number that "
				 "means nothing\n"),
		  v.summary.npos);
	EXPECT_NE(v.summary.find("memory: 0 damaged places, 30 faults, 0 notes\n"), v.summary.npos);
}

// ---------------------------------------------------- whatever shape, if right

namespace {

struct Shape {
	const char *name;
	void (*set)(WorkloadOptions &options);
};

void expect_clean(const WorkloadOptions &options, const char *name)
{
	std::vector<Bytes> streams(options.channels.cpus);
	Workload workload(options,
			  [&](uint32_t cpu, const uint8_t *bytes, size_t size) {
				  Bytes &to = streams[options.channels.stream ? 0 : cpu];
				  to.insert(to.end(), bytes, bytes + size);
			  },
			  {});
	std::vector<Bytes> tables = bytes_of(workload.tables(), true);
	streams[0] = tables[0];
	workload.run();
	if (options.channels.stream)
		streams.resize(1);
	Verified v(streams, !options.channels.stream);

	EXPECT_EQ(v.number(Severity::damage), 0u) << name << " " << options.seed << "\n" << v.text;
	EXPECT_EQ(v.number(Severity::fault), 0u) << name << " " << options.seed << "\n" << v.text;
}

} // namespace

TEST(Verify, no_false_alarm_whatever_the_workload)
{
	const Shape shapes[] = {
		{"plain", [](WorkloadOptions &) {}},
		{"queues", [](WorkloadOptions &o) { o.queues = 3; }},
		{"steady", [](WorkloadOptions &o) { o.steady = true; }},
		{"no start", [](WorkloadOptions &o) { o.tells_start = false; }},
		{"no commit", [](WorkloadOptions &o) { o.tells_commit = false; }},
		{"recycle", [](WorkloadOptions &o) { o.recycle = true; }},
		{"wrap", [](WorkloadOptions &o) { o.wrap = true; }},
		{"reorder", [](WorkloadOptions &o) { o.reorder = true; }},
		{"stream", [](WorkloadOptions &o) { o.channels.stream = true; }},
		{"cut", [](WorkloadOptions &o) { o.drain = false; }},
		{"warm", [](WorkloadOptions &o) { o.warm_jobs = 200; }},
		{"drop", [](WorkloadOptions &o) { o.channels.drop_permille = 30; }},
		{"overwrite",
		 [](WorkloadOptions &o) {
			 o.channels.overwrite_permille = 200;
			 o.channels.subbuf_size = 4096;
		 }},
		{"lossy stream",
		 [](WorkloadOptions &o) {
			 o.channels.drop_permille = 30;
			 o.channels.stream = true;
		 }},
		{"everything",
		 [](WorkloadOptions &o) {
			 o.queues = 2;
			 o.recycle = o.reorder = true;
			 o.warm_jobs = 100;
			 o.endless_permille = 5;
			 o.channels.drop_permille = 10;
		 }},
	};

	for (const Shape &shape : shapes) {
		for (uint64_t seed = 1; seed <= 6; seed++) {
			WorkloadOptions options;

			options.seed = seed;
			options.jobs = 600;
			options.channels.cpus = 1 + seed % 4;
			options.fail_permille = 20;
			options.hang_permille = seed % 2 ? 5 : 0;
			options.depend_permille = 200;
			options.preempt_permille = 50;
			options.wait_permille = 100;
			shape.set(options);
			expect_clean(options, shape.name);
		}
	}
}

} // namespace grtrace
