// SPDX-License-Identifier: GPL-2.0
//
// The jobs that pictures keep, and those that they sum up.
#include "unit/from_text.h"
#include "words/tracker/job_tracker.h"

#include <set>

#include "dice.h"
#include "words/page/html_capture.h"
#include "words/page/picture.h"

namespace grtrace {

namespace {

// Reads a fixture into a picture.
struct Drawing : JobSink, JobWatcher {
	explicit Drawing(std::string_view text)
		: bytes(bytes_of(text, false)), diagnostics([](const auto &) {}),
		  capture(diagnostics), activity(false, 0, capture, losses),
		  picture(capture, losses, activity), tracker(*this, this)
	{
		const Event *event;
		uint64_t last = 0;
		bool begun = false;

		capture.open_memory(bytes, true);
		while (capture.next(event) == Next::event) {
			if (!begun) {
				activity.begin(event->ts);
				picture.begin(event->ts);
			}
			begun = true;
			last = std::max(last, event->ts);
			tracker.feed(*event);
		}
		tracker.finish();
		activity.finish(last);
		picture.finish(last);
	}

	void job(const Job &job) override { picture.job(job, JobLabel::ok); }
	void moved(const Job &job, JobPhase from, uint64_t ts) override
	{
		activity.moved(job, from, ts);
	}
	void executed(const Job &job) override { activity.executed(job); }
	void depends(const Job &job, uint64_t ctx, uint32_t seqno, const Job *on) override
	{
		picture.depends(job, ctx, seqno, on);
	}
	void blocked(const Job &job, uint64_t from, uint64_t to) override
	{
		picture.blocked(job, from, to);
	}
	void waited(const Job &job, uint32_t pid, uint64_t from, uint64_t to) override
	{
		picture.waited(job, pid, from, to);
	}
	void lost(uint64_t from, uint64_t to) override { losses.add(from, to); }

	std::vector<Bytes> bytes;
	Diagnostics diagnostics;
	Capture capture;
	LossSpans losses;
	Activity activity;
	Picture picture;
	JobTracker tracker;
};

Job job_of(uint32_t ring, uint64_t seqno, uint64_t start, uint64_t end)
{
	Job job;

	job.ctx = 5;
	job.seqno = seqno;
	job.ring = ring;
	job.start_ts = start;
	job.end_ts = end;
	return job;
}

PictureRow row_of(uint32_t ring, uint64_t seqno, uint64_t start, uint64_t end,
		  JobLabel label = JobLabel::ok)
{
	return PictureRow(job_of(ring, seqno, start, end), label, 0);
}

constexpr const char *two_jobs = "cpu 0\n"
				 "ring id=1 class=1 device=card0 name=gfx ts=10000\n"
				 "task pid=70 tgid=69 comm=glxgears ts=10000\n"
				 "submit pid=70 ctx=5 ring=1 seqno=1 ts=10000\n"
				 "submit pid=70 ctx=6 ring=1 seqno=2 ts=11000\n"
				 "dep ctx=6 ring=1 seqno=2 fence=5:1 ts=11100\n"
				 "dep ctx=6 ring=1 seqno=2 fence=77:3 ts=11200\n"
				 "blocked ctx=6 ring=1 seqno=2 fence=5:1 ts=11300\n"
				 "start ctx=5 ring=1 seqno=1 ts=12000\n"
				 "end ctx=5 ring=1 seqno=1 ts=20000\n"
				 "complete ctx=5 ring=1 seqno=1 ts=20100\n"
				 "pick ctx=6 ring=1 seqno=2 ts=20200\n"
				 "start ctx=6 ring=1 seqno=2 ts=21000\n"
				 "end ctx=6 ring=1 seqno=2 ts=25000\n"
				 "complete ctx=6 ring=1 seqno=2 ts=25100\n";

} // namespace

TEST(Picture, sums_up_a_ring)
{
	const Drawing drawing(two_jobs);
	const PictureRing &ring = drawing.picture.rings().at(1);
	double busy = 0, queued = 0, jobs = 0;

	for (size_t i = 0; i < ring.series.size(); i++) {
		for (size_t slot = 0; slot <= PictureTasks::others; slot++)
			busy += ring.series.at(i, slot);
		queued += ring.series.at(i, PictureRing::queued);
		jobs += ring.series.at(i, PictureRing::jobs);
	}
	EXPECT_EQ(busy, 12000);
	EXPECT_EQ(queued, 2000 + 10000);
	EXPECT_EQ(jobs, 2);
	EXPECT_EQ(ring.busy_ns, 12000u);
	EXPECT_EQ(drawing.picture.from(), 10000u);
	EXPECT_EQ(drawing.picture.to(), 25100u);
}

TEST(Picture, knows_who_depends_on_whom)
{
	const Drawing drawing(two_jobs);
	const std::vector<PictureLink> &links = drawing.picture.links();

	ASSERT_EQ(links.size(), 3u);
	EXPECT_EQ(links[0].kind, PictureLink::Kind::depends);
	EXPECT_EQ(links[0].row, 1u);
	EXPECT_EQ(links[0].other, 0u);
	EXPECT_EQ(links[1].other, PictureLink::no_row);
	EXPECT_EQ(links[1].fence_ctx, 77u);
	EXPECT_EQ(links[2].kind, PictureLink::Kind::blocked);
	EXPECT_EQ(links[2].other, 0u);
	EXPECT_EQ(links[2].to - links[2].from, 20200u - 11300u);
}

TEST(Picture, leaves_out_a_job_without_any_time)
{
	const Drawing drawing("cpu 0\n"
			      "dep ctx=6 ring=1 seqno=2 fence=5:1 ts=1000\n");

	EXPECT_EQ(drawing.picture.jobs_left_out(), 1u);
	EXPECT_TRUE(drawing.picture.rows().all().empty());
	EXPECT_TRUE(drawing.picture.links().empty());
}

TEST(PictureRows, put_jobs_that_are_there_at_once_on_lanes)
{
	PictureRows rows;

	rows.add(row_of(2, 4, 0, 9));
	rows.add(row_of(1, 3, 10, 20)); // follows at once
	rows.add(row_of(1, 1, 0, 10));
	rows.add(row_of(1, 2, 5, 12));
	rows.arrange();
	const std::vector<PictureRow> &all = rows.all();
	std::vector<uint64_t> seqnos;
	for (const PictureRow &row : all)
		seqnos.push_back(row.seqno);
	EXPECT_EQ(seqnos, (std::vector<uint64_t>{1, 3, 2, 4}));
	EXPECT_EQ(all[1].lane, 0);
	EXPECT_EQ(all[2].lane, 1);
}

TEST(PictureRows, no_job_overlaps_the_next_one_of_its_lane)
{
	PictureRows rows;
	Dice dice(3);

	for (uint64_t i = 0; i < 2000; i++) {
		const uint64_t from = dice.below(1000000);

		rows.add(row_of(1 + dice.below(2), i, from, from + dice.below(1000)));
	}
	rows.arrange();
	const std::vector<PictureRow> &all = rows.all();
	for (size_t i = 1; i < all.size(); i++)
		if (all[i].ring == all[i - 1].ring && all[i].lane == all[i - 1].lane) {
			ASSERT_GE(all[i].from(), all[i - 1].to());
		}
}

TEST(PictureRows, the_longest_and_the_failed_stay)
{
	PictureRows rows(100);
	std::set<uint64_t> kept;

	for (uint64_t i = 0; i < 1000; i++)
		rows.add(row_of(1, i, 10 * i, 10 * i + (i % 500)));
	rows.add(row_of(1, 1000, 7, 7, JobLabel::failed));
	rows.add(row_of(1, 1001, 7, 8));
	for (const PictureRow &row : rows.all())
		kept.insert(row.seqno);
	EXPECT_LE(kept.size(), 100u);
	EXPECT_GE(kept.size(), 50u);
	EXPECT_TRUE(kept.contains(499));
	EXPECT_TRUE(kept.contains(999));
	EXPECT_TRUE(kept.contains(1000));
	EXPECT_FALSE(kept.contains(1001));
	EXPECT_EQ(rows.dropped(), 1002 - kept.size());
	for (const PictureRow &row : rows.all())
		if (row.label == JobLabel::ok) {
			ASSERT_GE(row.to() - row.from(), 450u);
		}
	EXPECT_LT(rows.dropped_ns(), 500u);
}

TEST(PictureRows, of_equal_jobs_some_of_all_times_stay)
{
	PictureRows rows(100);
	uint64_t late = 0;

	for (uint64_t i = 0; i < 2000; i++)
		rows.add(row_of(1, i, 10 * i, 10 * i + 5));
	for (const PictureRow &row : rows.all())
		late += row.seqno >= 1000;
	EXPECT_GT(late, 20u);
	EXPECT_LT(late, 80u);
}

TEST(PictureTasks, the_busiest_get_the_slots)
{
	PictureTasks tasks;
	Task task = {};
	uint32_t evicted;
	auto use = [&](uint32_t pid, double busy) {
		task.tgid = pid;
		task.comm[0] = 'a';
		return tasks.use(tasks.find(pid, &task, &task), busy, evicted);
	};

	for (uint32_t pid = 1; pid <= PictureTasks::slots; pid++) {
		EXPECT_EQ(use(pid, 100 + pid), pid - 1);
		EXPECT_EQ(evicted, PictureTasks::others);
	}
	EXPECT_EQ(use(90, 150), PictureTasks::others);
	EXPECT_EQ(use(90, 60), 0u); // more than twice what pid 1 did
	EXPECT_EQ(evicted, 0u);
	EXPECT_EQ(use(1, 1), PictureTasks::others);
	EXPECT_EQ(use(90, 1), 0u);
	EXPECT_EQ(tasks.use(PictureTasks::nobody, 1e9, evicted), PictureTasks::others);
}

TEST(PictureTasks, a_pid_may_be_another_task_later)
{
	PictureTasks tasks;
	Task first = {.tgid = 10, .comm = "bash"}, second = {.tgid = 10, .comm = "glxgears"};

	const uint32_t a = tasks.find(11, &first, &first);
	const uint32_t b = tasks.find(11, &second, &second);
	EXPECT_NE(a, b);
	EXPECT_EQ(tasks.find(11, &first, &first), a);
	EXPECT_EQ(tasks.entries()[b].comm, "glxgears");
	EXPECT_NE(tasks.entries()[a].process, tasks.entries()[b].process);
	EXPECT_EQ(tasks.find(12, nullptr, nullptr), b + 1);
	EXPECT_EQ(tasks.entries()[b + 1].tgid, 12u);
}

TEST(PictureTasks, threads_are_of_the_process_that_their_leader_names)
{
	PictureTasks tasks;
	Task leader = {.tgid = 10, .comm = "game"}, queue = {.tgid = 10, .comm = "queue"};
	Task worker = {.tgid = 10, .comm = "work"};

	const uint32_t a = tasks.find(11, &queue, &leader);
	const uint32_t b = tasks.find(12, &worker, &leader);
	const auto &process = tasks.processes()[tasks.entries()[a].process];
	EXPECT_EQ(tasks.entries()[a].comm, "queue");
	EXPECT_EQ(tasks.entries()[a].process, tasks.entries()[b].process);
	EXPECT_EQ(process.tgid, 10u);
	EXPECT_EQ(process.comm, "game");
}

TEST(HtmlCapture, has_levels_down_to_a_few_buckets)
{
	const Drawing drawing(two_jobs);
	const HtmlCapture capture(drawing.picture, nullptr, "");

	ASSERT_EQ(capture.rings.size(), 1u);
	EXPECT_EQ(capture.rings[0].lanes, std::vector<uint32_t>{2});
	EXPECT_EQ(capture.contexts, (std::vector<uint64_t>{5, 6, 77}));
	ASSERT_EQ(capture.rings[0].levels.size(), 1u);
	// The buckets are aligned to time 0, the picture begins at 10 us.
	EXPECT_EQ(capture.rings[0].levels[0].begin, 9 * 1024 - 10000);
}

TEST(HtmlCapture, captures_that_overlap_keep_their_real_time)
{
	const std::string_view late = "info start=500 real=9000\n" // begins at 9500 in real time
				      "cpu 0\nsubmit ctx=5 ring=1 seqno=1 ts=1000\n";
	const std::string_view early = "info start=0 real=2000\n"
				       "cpu 0\nsubmit ctx=5 ring=1 seqno=1 ts=7000\n"
				       "end ctx=5 ring=1 seqno=1 ts=7600\n";
	const std::string_view apart = "info start=0 real=2000000\n"
				       "cpu 0\nsubmit ctx=5 ring=1 seqno=1 ts=7000\n";
	const Drawing a(late), b(early), c(apart);
	std::vector<HtmlCapture> captures;

	captures.emplace_back(a.picture, nullptr, "");
	captures.emplace_back(b.picture, nullptr, "");
	EXPECT_TRUE(align_by_wall_clock(captures));
	EXPECT_EQ(captures[0].offset, 500);
	EXPECT_EQ(captures[1].offset, 0);
	captures.emplace_back(c.picture, nullptr, "");
	captures[0].offset = captures[1].offset = 0;
	EXPECT_FALSE(align_by_wall_clock(captures));
	EXPECT_EQ(captures[2].offset, 0);
}

} // namespace grtrace
