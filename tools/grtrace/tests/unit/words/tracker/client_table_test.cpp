// SPDX-License-Identifier: GPL-2.0
#include "words/tracker/client_table.h"

#include "unit/jobs_from_text.h"

namespace grtrace {

// As the kernel writes it: type and size, ts, gseq, pid, ctx, client.
static constexpr const char *client_7_of_5 = "raw 08 01 20 00 d0 07 00 00 00 00 00 00 46 00 00 00 "
					     "05 00 00 00 01 00 00 00 07 00 00 00 00 00 00 00\n";

TEST(ClientTable, a_note_is_read_from_its_bytes)
{
	auto r = read_jobs(std::string("cpu 0\npacket base_ts=2000\n") + client_7_of_5);

	ASSERT_EQ(r->events.size(), 1u);
	const Event &note = r->events[0];
	EXPECT_EQ(note.type, GRTRACE_CLIENT);
	EXPECT_EQ(note.ts, 2000u);
	EXPECT_EQ(note.pid, 70u);
	EXPECT_EQ(note.ctx, 0x100000005u);
	EXPECT_EQ(r->capture.stats().skipped_records, 0u);
	EXPECT_EQ(r->capture.stats().lost(), 0u);
}

// Clients of the jobs, in the order of their SUBMITs; each is complete.
static std::vector<uint64_t> clients_of(const std::string &text)
{
	const std::unique_ptr<JobReading> reading = read_jobs(text);
	std::vector<uint64_t> clients;

	for (const Job &job : reading->jobs)
		clients.push_back(job.client);
	return clients;
}

using Clients = std::vector<uint64_t>;

TEST(ClientTable, a_note_holds_for_the_submits_behind_it)
{
	EXPECT_EQ(clients_of("cpu 0\nsubmit ctx=5 seqno=1\nclient ctx=5 client=7\n"
			     "submit ctx=5 seqno=2\nsubmit ctx=6 seqno=1\n"
			     "client ctx=5 client=0xffffffffffffffff\nsubmit ctx=5 seqno=3\n"),
		  (Clients{0, 7, 0, UINT64_MAX}));
}

TEST(ClientTable, on_its_own_cpu)
{
	EXPECT_EQ(clients_of("cpu 0\nclient ctx=5 client=7\ncpu 1\nclient ctx=5 client=8\n"
			     "submit ctx=5 seqno=1\ncpu 0\nsubmit ctx=5 seqno=2\n"
			     "cpu 2\nsubmit ctx=5 seqno=3\n"),
		  (Clients{8, 7, 0}));
}

TEST(ClientTable, until_another_context_takes_its_slot)
{
	EXPECT_EQ(
		clients_of("cpu 0\nclient ctx=5 client=7\nclient ctx=6 client=9\n"
			   "submit ctx=5 seqno=1\nclient ctx=133 client=8\n"
			   "submit ctx=5 seqno=2\nsubmit ctx=6 seqno=1\nsubmit ctx=133 seqno=1\n"),
		(Clients{7, 0, 9, 8}));
}

} // namespace grtrace
