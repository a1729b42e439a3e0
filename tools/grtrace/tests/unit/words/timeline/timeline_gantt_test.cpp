// SPDX-License-Identifier: GPL-2.0
#include "words/timeline/timeline_gantt.h"

#include <map>
#include <sstream>

#include "unit/from_text.h"
#include "words/timeline/timeline_drawing.h"
#include "workload.h"

namespace grtrace {

namespace {

// Draws 40 columns.
struct Drawn {
	explicit Drawn(std::vector<Bytes> streams, TimelineChoice chosen = {},
		       const TerminalFacts &facts = {}, ColourWhen when = ColourWhen::never)
		: diagnostics([](const std::string &) {}), capture(diagnostics), choice(chosen),
		  terminal(facts, when, 40 + TimelineGantt::margin)
	{
		const Event *event;

		capture.open_memory(std::move(streams), true);
		TimelineDrawing drawing(choice, 0, capture);
		drawing.add(std::make_unique<TimelineGantt>(terminal, choice, 0, capture,
							    drawing.kinds()));
		while (capture.next(event) == Next::event)
			drawing.feed(*event);
		drawing.finish();
		fmt::memory_buffer out;
		drawing.print(out);
		text = fmt::to_string(out);
		std::istringstream in(text);
		for (std::string line; std::getline(in, line);)
			lines.push_back(line);
	}

	// The row behind its name in the band of the n-th ring.
	std::string row(const std::string &name, size_t ring = 0) const
	{
		for (const std::string &line : lines) {
			if (line.size() < TimelineGantt::margin ||
			    line.substr(0, TimelineGantt::margin) != name)
				continue;
			if (!ring--)
				return line.substr(TimelineGantt::margin);
		}
		return "none";
	}

	Diagnostics diagnostics;
	Capture capture;
	TimelineChoice choice;
	Terminal terminal;
	std::string text;
	Lines lines;
};

const char head[] = "info start=1000\n"
		    "ring id=1 class=1 device=card0 driver=mock name=gfx\n"
		    "ring id=2 class=3 device=card0 driver=mock name=copy\n"
		    "cpu 0\n"
		    "task pid=7 tgid=7 comm=one ts=1000\n"
		    "task pid=8 tgid=8 comm=two ts=1000\n";

Drawn draw(const std::string &text, const TimelineChoice &choice = {})
{
	return Drawn(bytes_of(head + text, false), choice);
}

// Two jobs of two processes, one after the other; 40 ns.
const char two_jobs[] = "submit pid=7 ctx=5 ring=1 seqno=1 ts=1000\n"
			"start ctx=5 ring=1 seqno=1 ts=1010\n"
			"submit pid=8 ctx=6 ring=1 seqno=1 ts=1015\n"
			"end ctx=5 ring=1 seqno=1 ts=1025\n"
			"start ctx=6 ring=1 seqno=1 ts=1025\n"
			"complete ctx=5 ring=1 seqno=1 ts=1026\n"
			"end ctx=6 ring=1 seqno=1 ts=1035\n"
			"complete ctx=6 ring=1 seqno=1 ts=1040\n";

} // namespace

TEST(TimelineGantt, shows_who_is_on_the_ring)
{
	Drawn drawn = draw(two_jobs);

	EXPECT_EQ(drawn.row("   run "), "..........AAAAAAAAAAAAAAABBBBBBBBBB.....");
	EXPECT_EQ(drawn.row(" depth "), "1111111111111112222222222111111111"
					"1");
	EXPECT_EQ(drawn.row(" error "), "none");
	EXPECT_EQ(drawn.row("    ns "), "0    5    10   15   20   25   30   35");
	EXPECT_NE(drawn.text.find("memory: 40 ns from 0.000000000 s on, a colum"),
		  std::string::npos);
	EXPECT_NE(drawn.text.find("card0 gfx (render)  2 jobs, depth to 2.0\n"
				  "       A 37.5 %  B 25.0 %\n"),
		  std::string::npos)
		<< drawn.text;
	EXPECT_NE(drawn.text.find("A  one                    7        15 ns\n"
				  "B  two                    8        10 ns\n"),
		  std::string::npos)
		<< drawn.text;
}

// A ring that records nothing between SUBMIT and END.
TEST(TimelineGantt, says_that_it_does_not_know_who_was_on_the_ring)
{
	Drawn drawn = draw("submit pid=7 ctx=5 ring=1 seqno=1 ts=1000\n"
			   "end ctx=5 ring=1 seqno=1 ts=1020\n"
			   "submit pid=8 ctx=6 ring=2 seqno=1 ts=1020\n"
			   "start ctx=6 ring=2 seqno=1 ts=1025\n"
			   "end ctx=6 ring=2 seqno=1 ts=1040\n");

	EXPECT_EQ(drawn.row("   run "), "NA");
	EXPECT_EQ(drawn.row("   run ", 1), ".........................AAAAAAAAAAAAAAA");
	EXPECT_NE(drawn.text.find("A  two                    8        15 ns\n"), std::string::npos)
		<< drawn.text;
	EXPECT_NE(drawn.text.find("B  one                    7           NA\n"), std::string::npos)
		<< drawn.text;
}

TEST(TimelineGantt, shows_several_at_once_below_each_other)
{
	Drawn drawn = draw("task pid=9 tgid=9 comm=three ts=1000\n"
			   "task pid=10 tgid=10 comm=four ts=1000\n"
			   "submit pid=7 ctx=5 ring=1 seqno=1 ts=1000\n"
			   "submit pid=8 ctx=6 ring=1 seqno=1 ts=1000\n"
			   "submit pid=9 ctx=7 ring=1 seqno=1 ts=1000\n"
			   "submit pid=10 ctx=8 ring=1 seqno=1 ts=1000\n"
			   "start ctx=5 ring=1 seqno=1 ts=1000\n"
			   "start ctx=6 ring=1 seqno=1 ts=1010\n"
			   "start ctx=7 ring=1 seqno=1 ts=1020\n"
			   "start ctx=8 ring=1 seqno=1 ts=1025\n"
			   "end ctx=8 ring=1 seqno=1 ts=1030\n"
			   "end ctx=7 ring=1 seqno=1 ts=1035\n"
			   "end ctx=6 ring=1 seqno=1 ts=1036\n"
			   "end ctx=5 ring=1 seqno=1 ts=1040\n");

	EXPECT_EQ(drawn.row("   run "), "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA");
	EXPECT_EQ(drawn.row("       ", 2), "          BBBBBBBBBBBBBBBBBBBBBBBBBB");
	EXPECT_EQ(drawn.row("       ", 3), "                    CCCCC+++++CCCCC");
	EXPECT_NE(drawn.text.find("+: more processes"), std::string::npos);
}

TEST(TimelineGantt, shows_less_than_half_of_a_column_by_a_small_letter)
{
	// 400 ns: 10 ns a column.
	Drawn drawn = draw("submit pid=7 ctx=5 ring=1 seqno=1 ts=1000\n"
			   "start ctx=5 ring=1 seqno=1 ts=1005\n"
			   "end ctx=5 ring=1 seqno=1 ts=1024\n"
			   "complete ctx=5 ring=1 seqno=1 ts=1400\n");

	EXPECT_EQ(drawn.row("   run ").substr(0, 4), "AAa.");
}

TEST(TimelineGantt, marks_errors_and_jobs_that_failed)
{
	Drawn drawn = draw("submit pid=7 ctx=5 ring=1 seqno=1 ts=1000\n"
			   "error ctx=5 ring=1 seqno=1 kind=1 code=-110 "
			   "ts=1010\n"
			   "error ring=0 kind=6 code=1 ts=1020\n"
			   "complete ctx=5 ring=1 seqno=1 arg=-5 ts=1030\n"
			   "submit pid=7 ctx=5 ring=1 seqno=2 ts=1040\n");

	// The rows of the device come first, then the rows of the ring.
	EXPECT_EQ(drawn.row(" error "), "                    !");
	EXPECT_EQ(drawn.row(" error ", 1), "          !                   !");
	EXPECT_NE(drawn.text.find("2 jobs, depth to 1.0, 1 failed"), std::string::npos);
}

TEST(TimelineGantt, hatches_where_records_were_lost)
{
	Drawn drawn = draw("submit pid=7 ctx=5 ring=1 seqno=1 ts=1000\n"
			   "start ctx=5 ring=1 seqno=1 ts=1001\n"
			   "end ctx=5 ring=1 seqno=1 ts=1012\n"
			   "lost events=3 first=1010 last=1019\n"
			   "submit pid=7 ctx=5 ring=1 seqno=2 ts=1040\n");

	EXPECT_EQ(drawn.row("   run "), ".AAAAAAAAAAA////////....................");
	EXPECT_EQ(drawn.row("  lost "), "          //////////");
	EXPECT_NE(drawn.text.find("/: records were lost"), std::string::npos);
}

TEST(TimelineGantt, says_which_starts_are_inferred)
{
	Drawn drawn = draw("submit pid=7 ctx=5 ring=1 seqno=1 ts=1000\n"
			   "pick ctx=5 ring=1 seqno=1 ts=1005\n"
			   "commit ctx=5 ring=1 seqno=1 fence=9:1 ts=1010\n"
			   "fence ctx=9 seqno=1 ts=1030\n"
			   "complete ctx=5 ring=1 seqno=1 ts=1040\n");

	EXPECT_EQ(drawn.row("   run "), "..........AAAAAAAAAAAAAAAAAAAA..........");
	EXPECT_NE(drawn.text.find(", 100 %"), std::string::npos);
}

TEST(TimelineGantt, takes_a_job_to_the_end_that_nobody_told)
{
	Drawn drawn = draw("submit pid=7 ctx=5 ring=1 seqno=1 ts=1000\n"
			   "start ctx=5 ring=1 seqno=1 ts=1020\n"
			   "submit pid=7 ctx=5 ring=2 seqno=2 ts=1010\n"
			   "start ctx=5 ring=2 seqno=2 ts=1010\n"
			   "complete ctx=5 ring=2 seqno=2 ts=1030\n"
			   "submit pid=7 ctx=5 ring=2 seqno=3 ts=1040\n");

	// Still at work at the end of the capture; until COMPLETE.
	EXPECT_EQ(drawn.row("   run "), "....................AAAAAAAAAAAAAAAAAAAA");
	EXPECT_EQ(drawn.row("   run ", 1), "..........AAAAAAAAAAAAAAAAAAAA..........");
}

// All of its records come before the interval.
TEST(TimelineGantt, counts_a_job_that_is_on_the_ring_throughout_the_interval)
{
	TimelineChoice time;

	ASSERT_TRUE(time.time.set_interval("0.00000003:0.00000004").ok());
	Drawn drawn = draw("submit pid=7 ctx=5 ring=1 seqno=1 ts=1000\n"
			   "start ctx=5 ring=1 seqno=1 ts=1010\n"
			   "submit pid=8 ctx=6 ring=2 seqno=1 ts=1000\n"
			   "submit pid=8 ctx=6 ring=2 seqno=2 ts=1045\n",
			   time);

	EXPECT_EQ(drawn.row("   run "), "AAAAAAAAAA");
	EXPECT_NE(drawn.text.find("card0 gfx (render)  1 job, depth to 1.0\n"
				  "       A 100.0 %\n"),
		  std::string::npos)
		<< drawn.text;
	EXPECT_NE(drawn.text.find("card0 copy (copy)  1 job, depth to 1.0\n"), std::string::npos)
		<< drawn.text;
	EXPECT_NE(drawn.text.find("A  one                    7        10 ns\n"), std::string::npos)
		<< drawn.text;
}

TEST(TimelineGantt, takes_no_job_apart_when_it_chooses)
{
	TimelineChoice pid, ring, time;

	ASSERT_TRUE(pid.jobs.add_pids("8").ok());
	EXPECT_EQ(draw(two_jobs, pid).row("   run "), ".........................AAAAAAAAAA.....");
	ASSERT_TRUE(ring.jobs.rings.add_rings("copy").ok());
	EXPECT_EQ(draw(two_jobs, ring).row("   run "), "none");
	// From 20 to 30 ns; both begin or end outside.
	ASSERT_TRUE(time.time.set_interval("0.00000002:0.00000003").ok());
	Drawn drawn = draw(two_jobs, time);
	EXPECT_EQ(drawn.row("   run "), "AAAAABBBBB");
	EXPECT_NE(drawn.text.find("  2 jobs, depth to 2.0\n       A 50.0 %  B 50.0 %\n"),
		  std::string::npos);
}

TEST(TimelineGantt, says_that_there_is_nothing)
{
	TimelineChoice time;

	ASSERT_TRUE(time.time.set_interval("7:8").ok());
	EXPECT_EQ(draw(two_jobs, time).text, "memory: nothing in this interval\n");
}

TEST(TimelineGantt, draws_depth_with_blocks_where_it_can)
{
	TerminalFacts facts;

	facts.locale = "C.UTF-8";
	Drawn drawn(bytes_of(head + std::string(two_jobs), false), {}, facts);
	EXPECT_EQ(drawn.row(" depth "), "▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅██████████▅▅▅▅▅▅▅▅▅▅");
}

TEST(TimelineGantt, colours_when_told_to)
{
	Drawn drawn(bytes_of(head + std::string(two_jobs), false), {}, {}, ColourWhen::always);

	EXPECT_NE(drawn.text.find("\033[0;32mAAAAAAAAAAAAAAA\033[0;33mBBBBBBBB"
				  "BB\033[0;2m....."),
		  std::string::npos)
		<< drawn.text;
}

namespace {

std::vector<Bytes> streams_of(const WorkloadOptions &options)
{
	std::map<uint32_t, Bytes> files;
	Workload workload(options,
			  [&](uint32_t cpu, const uint8_t *data, size_t size) {
				  files[cpu].insert(files[cpu].end(), data, data + size);
			  },
			  {});
	Synth tables(true);
	std::vector<Bytes> streams;

	EXPECT_TRUE(tables.parse(workload.tables())) << tables.error();
	files[0] = tables.streams()[0];
	workload.run();
	for (auto &[cpu, bytes] : files)
		streams.push_back(bytes);
	return streams;
}

// The rows of a ring as they should be, slowly, from the events of its jobs.
struct Slow {
	static constexpr uint64_t most_columns = 40, most_slices = 16 * 40;

	Slow(Reading &reading, uint32_t ring)
	{
		uint64_t slice = 1; // ns

		for (const Event &event : reading.events) {
			if (event.is_event() && !first)
				first = event.ts;
			if (event.is_event())
				last = std::max(last, event.ts);
		}
		while (slice * most_slices < last - first)
			slice *= 2;
		// As few slices for each as that not more are needed.
		while (column * most_columns < last - first)
			column += slice;
		for (const Event &event : reading.events)
			if (event.type == GRTRACE_START && event.ring == ring)
				add(event.ts, end_of(reading, event),
				    reading.capture.session()
					    .tasks.find(pid_of(reading, event))
					    ->tgid);
	}

	static bool same_job(const Event &one, const Event &other)
	{
		return one.ctx == other.ctx && one.seqno == other.seqno;
	}

	// The time of its END, else of its COMPLETE, else of the last event.
	uint64_t end_of(const Reading &reading, const Event &job) const
	{
		uint64_t end = last;

		for (const Event &event : reading.events) {
			if (!same_job(event, job))
				continue;
			if (event.type == GRTRACE_END)
				return event.ts;
			if (event.type == GRTRACE_COMPLETE)
				end = event.ts;
		}
		return end;
	}

	static uint32_t pid_of(const Reading &reading, const Event &job)
	{
		for (const Event &event : reading.events)
			if (event.type == GRTRACE_SUBMIT && same_job(event, job))
				return event.pid;
		return 0;
	}

	void add(uint64_t start, uint64_t end, uint32_t tgid)
	{
		for (size_t i = 0; first + i * column < last; i++) {
			uint64_t from = first + i * column;
			uint64_t to = from + length(i);
			uint64_t low = std::max(from, start);
			uint64_t high = std::min(to, end);

			if (low < high)
				columns[i][tgid] += high - low;
		}
		total[tgid] += end - start;
	}

	uint64_t length(size_t i) const { return std::min(column, last - first - i * column); }

	uint64_t first = 0, last = 0, column = 0; // ns
	std::map<size_t, std::map<uint32_t, uint64_t>> columns; // by tgid
	std::map<uint32_t, uint64_t> total;
};

} // namespace

TEST(TimelineGantt, is_right_for_a_random_capture)
{
	for (uint64_t seed = 1; seed <= 4; seed++) {
		WorkloadOptions options;

		options.seed = seed;
		options.jobs = 400;
		options.rings = 1;
		options.devices = 1;
		options.queues = seed % 2 ? 1 : 3;
		options.drain = seed > 2;
		std::vector<Bytes> streams = streams_of(options);
		Reading reading(streams);
		Drawn drawn(streams);
		Slow slow(reading, 1);
		std::map<uint32_t, char> letters;
		std::string row;

		std::vector<std::pair<uint64_t, uint32_t>> order;
		for (auto [pid, total] : slow.total)
			order.emplace_back(~total, pid);
		std::sort(order.begin(), order.end());
		for (size_t i = 0; i < order.size(); i++)
			letters[order[i].second] = static_cast<char>('A' + i);
		for (size_t i = 0; i * slow.column < slow.last - slow.first; i++) {
			std::pair<uint64_t, char> best = {0, '.'};

			for (auto [pid, ns] : slow.columns[i])
				best = std::max(best, {ns, letters[pid]}, [](auto a, auto b) {
					return a.first != b.first ? a.first < b.first :
								    a.second > b.second;
				});
			if (best.first && best.first * 2 < slow.length(i))
				best.second += 'a' - 'A';
			row += best.second;
		}
		EXPECT_EQ(drawn.row("   run "), row) << "seed " << seed;

		std::string share = fmt::format(
			"  A {:.1f} %", static_cast<double>(~order[0].first) * 100 /
						static_cast<double>(slow.last - slow.first));
		EXPECT_NE(drawn.text.find(share), std::string::npos) << share << "\n" << drawn.text;
	}
}

} // namespace grtrace
