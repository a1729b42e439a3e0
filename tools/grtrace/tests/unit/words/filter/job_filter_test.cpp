// SPDX-License-Identifier: GPL-2.0
#include "words/filter/job_filter.h"

#include "format/vocabulary.h"
#include "unit/from_text.h"

namespace grtrace {

// The letters of the events that pass, "Q" of seqno 1 as "Q1".
static std::string passing(JobFilter &filter)
{
	auto bytes = bytes_of("cpu none\ninfo start=0\n"
			      "ring id=1 class=1 device=card0 driver=mock name=gfx\n"
			      "ring id=2 class=3 device=card0 driver=mock name=sdma\n"
			      "cpu 0\ntask pid=71 tgid=70 comm=a\ntask pid=70 tgid=70 comm=leader\n"
			      "submit pid=71 ctx=5 ring=1 seqno=1 fence=9:1 client=12\n"
			      "submit pid=80 ctx=6 ring=2 seqno=2 client=0xffffffffffffffff\n"
			      "pick pid=3 ctx=5 ring=1 seqno=1\n"
			      "commit pid=3 ctx=5 ring=1 seqno=1 fence=8:1\n"
			      "fence pid=4 ctx=8 seqno=1\n"
			      "ctx_switch pid=3 ctx=8 ring=2 seqno=3\n"
			      "fence pid=4 ctx=8 seqno=3\n"
			      "wait_enter pid=80 ctx=6 seqno=2\n"
			      "complete pid=4 ctx=6 ring=2 seqno=2\n",
			      false);
	Diagnostics diagnostics(nullptr);
	Capture capture(diagnostics);
	std::string letters;
	const Event *event;

	capture.open_memory(bytes, true);
	while (capture.next(event) == Next::event)
		if (event->is_event() && filter.wants(*event, capture.session()))
			letters += fmt::format("{}{} ", record_kind(event->type)->letter,
					       event->seqno);
	return letters;
}

TEST(JobFilter, without_a_wish_all_passes)
{
	JobFilter filter;

	EXPECT_FALSE(filter.any());
	EXPECT_EQ(passing(filter), "Q1 Q2 I1 D1 FS1 CS3 FS3 WE2 C2 ");
}

// Workers and interrupts report on it later.
TEST(JobFilter, a_job_is_of_the_process_that_submitted_it)
{
	JobFilter thread, process;

	ASSERT_TRUE(thread.add_pids("71").ok());
	EXPECT_EQ(passing(thread), "Q1 I1 D1 FS1 ");
	ASSERT_TRUE(process.add_pids("70").ok());
	EXPECT_EQ(passing(process), "Q1 I1 D1 FS1 ");
	EXPECT_EQ(process.missing(), Lines{});
}

TEST(JobFilter, a_process_is_chosen_by_its_name)
{
	JobFilter filter, process, long_name;

	ASSERT_TRUE(filter.add_pids("98,a").ok());
	EXPECT_EQ(passing(filter), "Q1 I1 D1 FS1 ");
	EXPECT_EQ(filter.missing(),
		  (Lines{"--pid 98: no event of such a thread or process was read"}));
	for (const char *word : {"99999999999", "-5", "+4294967296", "1,-5"}) {
		const Status status = process.add_pids(word);

		ASSERT_FALSE(status.ok()) << word;
		EXPECT_NE(status.sentence().find("\" is not a number from 0 to 4294967295"),
			  std::string::npos)
			<< status.sentence();
	}
	ASSERT_TRUE(process.add_pids("-").ok());
	ASSERT_TRUE(process.add_pids("5a").ok());
	process = {};
	ASSERT_TRUE(process.add_pids("leader").ok());
	EXPECT_EQ(passing(process), "Q1 I1 D1 FS1 ");
	// The kernel cuts names after 15 bytes.
	ASSERT_TRUE(long_name.add_pids("of_more_than_15_letters").ok());
	EXPECT_EQ(passing(long_name), "");
	EXPECT_EQ(long_name.missing(),
		  (Lines{"--pid of_more_than_15: no event of such a thread or process was read"}));
}

TEST(JobFilter, a_job_is_of_the_client_that_submitted_it)
{
	JobFilter client, kernel, none;

	ASSERT_TRUE(client.add_clients("12,13").ok());
	EXPECT_EQ(passing(client), "Q1 I1 D1 FS1 ");
	EXPECT_EQ(client.missing(), Lines{"--client 13: no SUBMIT of such a client was read"});
	ASSERT_TRUE(kernel.add_clients("vm_update").ok());
	EXPECT_EQ(passing(kernel), "Q2 WE2 C2 ");
	ASSERT_TRUE(none.add_clients("0").ok());
	EXPECT_EQ(passing(none), "");
	EXPECT_FALSE(none.add_clients("firefox").ok());
}

// A switch to a context is of the ring, and names no job whose fence would be followed.
TEST(JobFilter, a_wait_is_of_the_ring_of_its_job)
{
	JobFilter filter;

	ASSERT_TRUE(filter.rings.add_rings("sdma").ok());
	EXPECT_EQ(passing(filter), "Q2 CS3 WE2 C2 ");
}

TEST(JobFilter, each_wish_has_to_be_met)
{
	JobFilter filter;

	ASSERT_TRUE(filter.add_contexts("5,0x6").ok());
	ASSERT_TRUE(filter.add_pids("80").ok());
	EXPECT_EQ(passing(filter), "Q2 WE2 C2 ");
}

TEST(JobFilter, says_what_did_not_come)
{
	JobFilter filter;

	ASSERT_TRUE(filter.add_contexts("5,99").ok());
	ASSERT_TRUE(filter.add_pids("71,98").ok());
	passing(filter);
	EXPECT_EQ(filter.missing(),
		  (Lines{"--pid 98: no event of such a thread or process was read",
			 "--ctx 99: no event of such a context was read"}));
	EXPECT_EQ(filter.add_contexts("x").sentence(),
		  "--ctx: \"x\" is not a number from 0 to 18446744073709551615");
}

} // namespace grtrace
