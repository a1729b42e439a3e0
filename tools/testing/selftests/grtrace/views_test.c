// SPDX-License-Identifier: GPL-2.0
/*
 * The views: that each has its header, and that at rest all of them show the
 * same, to the last event and byte, whatever became of the events.
 */
#include "../kselftest_harness.h"

#include "grtrace_session.h"

#define TORTURE "../grtrace_torture/"

/* The content of a CSV view: a header and rows; a word counts as 0. */
struct view {
	char header[512];
	char line[128][256];
	unsigned int rows;
	unsigned int columns;
	uint64_t cell[128][16];
};

GRTRACE_FIXTURE(views, "", struct view view[1];)

static int view_read(struct view *view, const char *name)
{
	char text[GRTRACE_TEXT], *line, *word, *lines, *words;

	memset(view, 0, sizeof(*view));
	if (grtrace_read(name, text, sizeof(text)) <= 0)
		return -1;
	line = strtok_r(text, "\n", &lines);
	snprintf(view->header, sizeof(view->header), "%s", line);
	while ((line = strtok_r(NULL, "\n", &lines))) {
		unsigned int column = 0;

		if (view->rows == ARRAY_SIZE(view->cell))
			return -1;
		snprintf(view->line[view->rows], sizeof(view->line[0]), "%s", line);
		for (word = strtok_r(line, ",", &words); word; word = strtok_r(NULL, ",", &words)) {
			if (column == ARRAY_SIZE(view->cell[0]))
				return -1;
			view->cell[view->rows][column++] =
				strtoull(word, NULL, 10);
		}
		if (view->rows && column != view->columns)
			return -1;	/* each row of a table has the same number of columns */
		view->columns = column;
		view->rows++;
	}
	return 0;
}

static uint64_t column_sum(const struct view *view, unsigned int column)
{
	uint64_t sum = 0;
	unsigned int i;

	for (i = 0; i < view->rows; i++)
		sum += view->cell[i][column];
	return sum;
}

static uint64_t row_sum(const struct view *view)
{
	uint64_t sum = 0;
	unsigned int i;

	for (i = 0; i < view->columns; i++)
		sum += view->cell[0][i];
	return sum;
}

/* Checks everything that must agree with the counters of "stats". */
static void check_views(struct __test_metadata *_metadata, struct view *view, bool profile)
{
	static const char * const pc_stats[] = {
		"offered", "written", "notes", "lost", "lost_notes", "bytes_written",
	};
	static const char * const results[] = {
		"written", "filtered", "sampled_out", "rate_limited_drops", "backpressure_drops",
		"writes_reserve_fail", "writes_oversize", "writes_nmi",
	};
	static const char * const sec_stats[] = {
		"offered", "written", "filtered", "sampled_out", "rate_limited_drops",
		"backpressure_drops", "lost", "bytes_written", "writes_reserve_fail",
	};
	uint64_t filtered = grtrace_stat("filtered_level") + grtrace_stat("filtered_type") +
			    grtrace_stat("filtered_engine") + grtrace_stat("filtered_ring") +
			    grtrace_stat("filtered_device") + grtrace_stat("filtered_watch");
	unsigned int i;

	EXPECT_EQ(0, grtrace_unaccounted());
	EXPECT_EQ(grtrace_stat("written") + grtrace_stat("notes") + grtrace_stat("infos"),
		  grtrace_stat("writes_ok") + grtrace_stat("writes_short"));

	ASSERT_EQ(0, view_read(view, "pc_stats"));
	for (i = 0; i < ARRAY_SIZE(pc_stats); i++) {
		EXPECT_EQ(grtrace_stat(pc_stats[i]), column_sum(view, i + 1))
			TH_LOG("pc_stats: %s", pc_stats[i]);
	}

	ASSERT_EQ(0, view_read(view, "result_hist"));
	ASSERT_EQ(ARRAY_SIZE(results), view->rows);
	for (i = 0; i < ARRAY_SIZE(results); i++) {
		EXPECT_EQ(i == 1 ? filtered : grtrace_stat(results[i]), view->cell[i][1])
			TH_LOG("result_hist: %s", results[i]);
	}
	EXPECT_EQ(grtrace_stat("offered"), column_sum(view, 1));

	ASSERT_EQ(0, view_read(view, "sec_stats"));
	EXPECT_LT(0, view->rows);
	for (i = 0; i < ARRAY_SIZE(sec_stats); i++) {
		EXPECT_EQ(i == 2 ? filtered : grtrace_stat(sec_stats[i]), column_sum(view, i + 1))
			TH_LOG("sec_stats: %s", sec_stats[i]);
	}
	for (i = 1; i < view->rows; i++)
		EXPECT_LE(view->cell[i - 1][0], view->cell[i][0]);

	ASSERT_EQ(0, view_read(view, "latency_hist"));
	EXPECT_EQ(profile ? grtrace_stat("offered") : 0, row_sum(view));
}

/* Numbers that were taken: of a session without reset_stats. */
static void check_cseq(struct __test_metadata *_metadata, struct view *view)
{
	struct view *cseq = calloc(1, sizeof(*cseq));
	unsigned int i;

	ASSERT_NE(NULL, cseq);
	ASSERT_EQ(0, view_read(cseq, "pc_cseq"));
	ASSERT_EQ(0, view_read(view, "pc_stats"));
	/* also of CPUs that are offline */
	EXPECT_EQ(sysconf(_SC_NPROCESSORS_CONF), view->rows);
	EXPECT_EQ(view->rows, cseq->rows);
	for (i = 0; i < view->rows; i++) {
		/* cpu: written + notes + lost + lost_notes */
		EXPECT_EQ(view->cell[i][0], cseq->cell[i][0]);
		EXPECT_EQ(view->cell[i][2] + view->cell[i][3] + view->cell[i][4] + view->cell[i][5],
			  cseq->cell[i][1]) TH_LOG("cpu %u", i);
	}
	free(cseq);
}

/* Twelve buckets, each as wide as all before it. */
#define LATENCY_HIST "lt_64,lt_128,lt_256,lt_512,lt_1024,lt_2048,lt_4096,lt_8192,lt_16384,lt_32768,lt_65536,ge_65536"
#define SIZE_HIST "lt_16,lt_32,lt_64,lt_128,lt_256,lt_512,lt_1024,lt_2048,lt_4096,lt_8192,lt_16384,ge_16384"
#define SEC_STATS "second,offered,written,filtered,sampled_out,rate_limited,backpressure,lost,bytes,reserve_fail,rate,burst,tokens"

TEST_F(views, have_headers)
{
	static const struct {
		const char *name;
		const char *header;
	} views[] = {
		{ "pc_stats", "cpu,offered,written,notes,lost,lost_notes,bytes" },
		{ "pc_cseq", "cpu,cseq" },
		{ "events_by_type", "type,name,letter,events" },
		{ "rings", "id,device,driver,name,class,in_flight,flags,timeout_ms" },
		{ "result_hist", "result,events" },
		{ "sec_stats", SEC_STATS },
		{ "latency_hist", LATENCY_HIST },
		{ "size_hist", SIZE_HIST },
	};
	char text[65536];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(views); i++) {
		ASSERT_LT(0, grtrace_read(views[i].name, text, sizeof(text)));
		*strchrnul(text, '\n') = '\0';
		EXPECT_STREQ(views[i].header, text);
		/* the views are read-only */
		EXPECT_GT(0, grtrace_write(views[i].name, "1")) TH_LOG("%s", views[i].name);
	}
}

/* Uses ids that no ring of a device has. */
static int emit_events(struct grtrace_lines *lines, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		grtrace_lines_add(lines,
				  "submit 1 1 60005 %u\ncommit 1 1 60005 %u fence=2:%u\n"
				  "irq 1 1 60006 %u\nend 1 2 60005 %u\nerror 1 1 60005 %u",
				  i, i, i, i, i, i);
	return grtrace_lines_write(lines);
}

/* A session in which an event can meet every fate. */
static void everything(struct __test_metadata *_metadata,
		       struct grtrace_lines *lines, unsigned int cpus)
{
	static const char * const configs[] = {
		"level=normal", "level=verbose filter_type_mask=0x2000",
		"filter_type_mask=0xffffffffffffffff filter_engine_mask=2",
		"filter_engine_mask=0xffffffffffffffff filter_ring_id=60005",
		"filter_ring_id=0 filter_device=nosuch0", "filter_device=all watch_ctx_add=7",
		"watch_ctx_clear=1 sample=3", "sample=1 max_events_per_sec=1 burst=1",
		"max_events_per_sec=0 burst=0", "backpressure_threshold=10",
		"backpressure_threshold=0",
	};
	unsigned int i, cpu;

	for (i = 0; i < ARRAY_SIZE(configs); i++) {
		CONFIG(configs[i]);
		for (cpu = 0; cpu < cpus; cpu++) {
			run_on(cpu);
			ASSERT_EQ(0, emit_events(lines, 20));
		}
		/* some find no room towards the end */
		grtrace_write("msg", "a note");
	}
	/* and more than there is room for */
	ASSERT_EQ(0, emit_events(lines, 500));
}

/* Counts here what was emitted and what the stream has, except LOST, STOP and PACKET. */
TEST_F(views, types_and_sizes_of_what_was_written)
{
	static const char * const events[] = {
		"submit", "dep", "blocked", "pick", "commit", "start", "end", "complete", "irq",
		"ctx_switch", "wait_enter", "wait_exit", "error", "fence", "queue_state",
	};
	static const char * const letters[] = {
		"Q", "DP", "UN", "I", "D", "B", "E", "C", "IR", "CS", "WE", "WX", "ER", "FS",
		"QS",
	};
	const struct grtrace_rec_hdr *hdr;
	struct stream *s = &self->stream;
	uint64_t sizes[12] = {}, bytes = 0;
	unsigned int i, bucket;
	char stat[64];
	size_t at;

	/* as often as its number says */
	for (i = 0; i < ARRAY_SIZE(events); i++)
		for (bucket = 0; bucket <= i; bucket++)
			grtrace_lines_add(self->lines, "%s 1 1 60005 %u", events[i], bucket);
	CONTROL("start");
	ASSERT_EQ(0, grtrace_lines_write(self->lines));
	CONTROL("stop");
	ASSERT_EQ(0, view_read(self->view, "events_by_type"));
	EXPECT_EQ(ARRAY_SIZE(events), self->view->rows);
	for (i = 0; i < self->view->rows; i++) {
		snprintf(stat, sizeof(stat), "%u,%s,%s,%u", i + 1, events[i], letters[i], i + 1);
		EXPECT_STREQ(stat, self->view->line[i]);
		snprintf(stat, sizeof(stat), "events_by_type_%s", events[i]);
		EXPECT_EQ(i + 1, grtrace_stat(stat)) TH_LOG("%s", stat);
	}
	ASSERT_LT(0, stream_take(s, 0));
	for (at = 0; at < s->size; at += le16toh(hdr->size)) {
		hdr = (const void *)(s->bytes + at);
		ASSERT_LT(0, le16toh(hdr->size));
		if (hdr->type == htole16(GRTRACE_PACKET) || hdr->type == htole16(GRTRACE_LOST) ||
		    hdr->type == htole16(GRTRACE_STOP))
			continue;
		for (bucket = 0; bucket < 11 && le16toh(hdr->size) >= 16 << bucket;)
			bucket++;
		sizes[bucket]++;
		bytes += le16toh(hdr->size);
	}
	EXPECT_EQ(bytes, grtrace_stat("bytes_written"));
	ASSERT_EQ(0, view_read(self->view, "size_hist"));
	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		EXPECT_EQ(sizes[i], self->view->cell[0][i]) TH_LOG("bucket %u", i);
	}
}

TEST_F(views, agree_at_rest)
{
	static const char * const reasons[] = {
		"filtered_level", "filtered_type", "filtered_engine", "filtered_ring",
		"filtered_device", "filtered_watch", "sampled_out", "rate_limited_drops",
		"backpressure_drops", "writes_reserve_fail",
	};
	size_t i;

	CONFIG("subbuf_size=4096 n_subbufs=16");
	CONTROL("start");
	everything(_metadata, self->lines, self->cpus);
	check_views(_metadata, self->view, false);
	check_cseq(_metadata, self->view);
	for (i = 0; i < ARRAY_SIZE(reasons); i++) {
		const char *reason = reasons[i];

		EXPECT_LT(0, grtrace_stat(reason)) TH_LOG("%s", reason);
	}
	CONTROL("stop");
	check_views(_metadata, self->view, false);
	check_cseq(_metadata, self->view);
}

TEST_F(views, agree_with_the_stream)
{
	struct stream_sums sums;
	unsigned int i;

	CONFIG("subbuf_size=4096 n_subbufs=16");
	CONTROL("start");
	everything(_metadata, self->lines, self->cpus);
	CONTROL("stop");
	ASSERT_EQ(0, view_read(self->view, "pc_cseq"));
	sums = streams_sum(_metadata, self->cpus);
	for (i = 0; i < self->cpus; i++)
		EXPECT_EQ(self->view->cell[i][1], sums.cseq[i]);
	EXPECT_EQ(sums.events, grtrace_stat("written"));
	EXPECT_EQ(sums.notes, grtrace_stat("notes"));
	EXPECT_EQ(sums.lost_events, grtrace_stat("lost"));
	EXPECT_EQ(sums.lost_notes, grtrace_stat("lost_notes"));
}

/* The row of a view whose first column is @name. */
static const char *view_row(const struct view *view, const char *name)
{
	unsigned int i;

	for (i = 0; i < view->rows; i++)
		if (!strncmp(view->line[i], name, strlen(name)) &&
		    view->line[i][strlen(name)] == ',')
			return view->line[i];
	return "";
}

/* The sum of the column of that name; UINT64_MAX if there is none. */
static uint64_t view_sum(const struct view *view, const char *name)
{
	size_t length = strlen(name);
	const char *at = view->header;
	unsigned int column;

	for (column = 0; *at; column++) {
		if (!strncmp(at, name, length) && (at[length] == ',' || !at[length]))
			return column_sum(view, column);
		at = strchrnul(at, ',');
		at += *at == ',';
	}
	return UINT64_MAX;
}

/* Each result has a number that no other one has: two that change places are seen. */
TEST_F(views, each_result_has_its_name)
{
	static const struct {
		const char *stat, *config, *event;
		unsigned int n;
	} results[] = {
		{ "filtered_level", "level=normal", "irq 1 1 60005", 1 },
		{ "filtered_type", "level=verbose filter_type_mask=0x2000", "submit 1 1 60005", 2 },
		{ "filtered_engine", "filter_type_mask=0xffff filter_engine_mask=2",
		  "submit 1 2 60005", 3 },
		{ "filtered_ring", "filter_engine_mask=0xff filter_ring_id=60006",
		  "submit 1 1 60005", 4 },
		{ "filtered_device", "filter_ring_id=0 filter_device=nosuch0",
		  "submit 1 1 60005", 5 },
		{ "filtered_watch", "filter_device=all watch_ctx_add=7", "submit 1 1 60005", 6 },
		{ "sampled_out", "watch_ctx_clear=1 sample=1000000", "submit 1 1 60005", 7 },
		/* of the rest some pass, and a number that was there is an error */
		{ "rate_limited_drops", "sample=1 max_events_per_sec=1 burst=1",
		  "submit 1 1 60005", 30 },
		{ "backpressure_drops", "max_events_per_sec=0 burst=0 backpressure_threshold=1",
		  "submit 1 1 60005", 200 },
		{ "writes_reserve_fail", "backpressure_threshold=0", "submit 1 1 60005", 3000 },
	};
	static const char * const hist[][2] = {
		{ "sampled_out", "sampled_out" }, { "rate_limited", "rate_limited_drops" },
		{ "backpressure", "backpressure_drops" }, { "reserve_fail", "writes_reserve_fail" },
		{ "written", "written" }, { "filtered", "filtered" },
	};
	uint64_t written, n[ARRAY_SIZE(results)];
	char row[64];
	size_t i, j;

	CONFIG("subbuf_size=4096 n_subbufs=16");
	CONTROL("start");
	EMIT("submit 1 1 60006 1");
	for (i = 0; i < ARRAY_SIZE(results); i++) {
		CONFIG(results[i].config);
		written = grtrace_stat("written");
		for (j = 0; j < results[i].n; j++)
			grtrace_lines_add(self->lines, "%s %zu", results[i].event, j);
		ASSERT_EQ(0, grtrace_lines_write(self->lines));
		n[i] = results[i].n - (grtrace_stat("written") - written);
		if (results[i].n < 30)
			EXPECT_EQ(results[i].n, n[i]) TH_LOG("%s", results[i].stat);
		for (j = 0; j < i; j++)
			EXPECT_NE(n[i], n[j]) TH_LOG("%s", results[i].stat);
	}
	for (i = 0; i < ARRAY_SIZE(results); i++) {
		const char *stat = results[i].stat;

		EXPECT_EQ(n[i], grtrace_stat(stat)) TH_LOG("%s", stat);
	}
	EXPECT_EQ(1 + 2 + 3 + 4 + 5 + 6, grtrace_stat("filtered"));
	EXPECT_EQ(n[7] + n[8] + n[9], grtrace_stat("lost"));
	CONTROL("stop");

	ASSERT_EQ(0, view_read(self->view, "result_hist"));
	for (i = 0; i < ARRAY_SIZE(hist); i++) {
		snprintf(row, sizeof(row), "%s,%llu", hist[i][0],
			 (unsigned long long)grtrace_stat(hist[i][1]));
		EXPECT_STREQ(row, view_row(self->view, hist[i][0]));
	}
	EXPECT_STREQ("oversize,0", view_row(self->view, "oversize"));
	EXPECT_STREQ("nmi,0", view_row(self->view, "nmi"));

	ASSERT_EQ(0, view_read(self->view, "sec_stats"));
	for (i = 0; i < ARRAY_SIZE(hist); i++) {
		const char *column = hist[i][0];

		EXPECT_EQ(grtrace_stat(hist[i][1]), view_sum(self->view, column))
			TH_LOG("%s", column);
	}
	EXPECT_EQ(grtrace_stat("lost"), view_sum(self->view, "lost"));
	EXPECT_EQ(grtrace_stat("offered"), view_sum(self->view, "offered"));
	EXPECT_EQ(grtrace_stat("bytes_written"), view_sum(self->view, "bytes"));
}

/*
 * In ns: the first event of a session writes a packet and a ring's and a task's name, which
 * takes more than 64, and less than the whole write.
 */
TEST_F(views, latency_is_in_ns)
{
	uint64_t begin, end, least = 0;
	unsigned int i;

	CONFIG("profile=1");
	CONTROL("start");
	begin = clock_now(CLOCK_MONOTONIC);
	EMIT("submit 1 1 60005 1\nsubmit 1 1 60006 1\nsubmit 1 1 60007 1");
	end = clock_now(CLOCK_MONOTONIC);
	ASSERT_EQ(0, view_read(self->view, "latency_hist"));
	EXPECT_EQ(3, row_sum(self->view));
	EXPECT_GT(3, self->view->cell[0][0]);
	for (i = 1; i < self->view->columns; i++)
		least += self->view->cell[0][i] * (32ull << i);
	EXPECT_GT(end - begin, least);
}

TEST_F(views, profile)
{
	uint64_t before;

	CONFIG("profile=1");
	CONTROL("start");
	everything(_metadata, self->lines, self->cpus);
	check_views(_metadata, self->view, true);
	/* from now on no hook reads the clock */
	CONFIG("profile=0");
	before = grtrace_stat("offered");
	ASSERT_EQ(0, emit_events(self->lines, 10));
	ASSERT_EQ(0, view_read(self->view, "latency_hist"));
	EXPECT_EQ(before, row_sum(self->view));
	CONFIG("profile=1");
	ASSERT_EQ(0, emit_events(self->lines, 10));
	ASSERT_EQ(0, view_read(self->view, "latency_hist"));
	EXPECT_EQ(before + 50, row_sum(self->view));
}

static void check_all_zero(struct __test_metadata *_metadata)
{
	char text[GRTRACE_TEXT], *line, *save;

	ASSERT_LT(0, grtrace_read("stats", text, sizeof(text)));
	for (line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		EXPECT_STREQ(" 0", strchrnul(line, ' ')) TH_LOG("%s", line);
	}
}

TEST_F(views, reset_stats)
{
	CONFIG("profile=1");
	CONTROL("start");
	everything(_metadata, self->lines, self->cpus);
	CONTROL("snapshot");
	CONFIG("reset_stats=0");
	EXPECT_LT(0, grtrace_stat("offered"));
	CONFIG("reset_stats=1");
	check_all_zero(_metadata);
	check_views(_metadata, self->view, true);
	ASSERT_EQ(0, emit_events(self->lines, 10));
	EXPECT_EQ(50, grtrace_stat("offered"));
	check_views(_metadata, self->view, true);
	CONTROL("stop");
	/* also without a session */
	CONFIG("reset_stats=1");
	EXPECT_EQ(0, grtrace_stat("offered"));
	check_views(_metadata, self->view, true);
}

/* Seconds are separate lines, and add up over several of them. */
TEST_F(views, seconds)
{
	unsigned int i;

	CONTROL("start");
	for (i = 0; i < 4; i++) {
		ASSERT_EQ(0, emit_events(self->lines, 10));
		usleep(1100000);
	}
	CONTROL("stop");
	check_views(_metadata, self->view, false);
	ASSERT_EQ(0, view_read(self->view, "sec_stats"));
	EXPECT_LE(4, self->view->rows);
	EXPECT_GE(10, self->view->rows);
	for (i = 0; i < self->view->rows; i++)
		EXPECT_GT(200, self->view->cell[i][1]);
	/* the next session begins from 0 */
	CONTROL("start");
	ASSERT_EQ(0, emit_events(self->lines, 10));
	ASSERT_EQ(0, view_read(self->view, "sec_stats"));
	EXPECT_EQ(50, column_sum(self->view, 1));
}

static const uint64_t *last_row(const struct view *view)
{
	return view->cell[view->rows - 1];
}

/* The last three columns of sec_stats: the limit at the time of the last line. */
TEST_F(views, seconds_have_the_limit)
{
	const uint64_t *last;

	CONFIG("max_events_per_sec=1 rate_limiter_mode=1 burst=600");
	CONTROL("start");
	ASSERT_EQ(0, emit_events(self->lines, 100));
	CONTROL("stop");
	ASSERT_EQ(0, view_read(self->view, "sec_stats"));
	ASSERT_EQ(13, self->view->columns);
	last = last_row(self->view);
	EXPECT_EQ(1, last[10]);
	EXPECT_EQ(600, last[11]);
	/* 500 tokens are spent, and hardly any came back */
	EXPECT_EQ(0, column_sum(self->view, 5));
	EXPECT_LE(100, last[12]);
	EXPECT_GT(200, last[12]);

	CONFIG("max_events_per_sec=1000000 rate_limiter_mode=0");
	CONTROL("start");
	ASSERT_EQ(0, view_read(self->view, "sec_stats"));
	last = last_row(self->view);
	EXPECT_EQ(1000000, last[10]);
	EXPECT_EQ(0, last[11]);
	EXPECT_EQ(1000000, last[12]);
	/* and no limit if there is none */
	CONFIG("max_events_per_sec=0");
	ASSERT_EQ(0, view_read(self->view, "sec_stats"));
	last = last_row(self->view);
	EXPECT_EQ(0, last[10]);
	EXPECT_EQ(0, last[12]);
	CONTROL("stop");
}

/* Resets the counters while events come from all contexts of all CPUs. */
TEST_F(views, agree_after_resets_under_load)
{
	double end;

	NEEDS_MODULE("grtrace_torture");
	CONFIG("subbuf_size=65536 profile=1 sample=2");
	CONFIG("slow_queue_us=100 max_events_per_sec=1000000");
	CONTROL("start");
	EXPECT_EQ(0, grtrace_write(TORTURE "pause_us", "0"));
	EXPECT_EQ(0, grtrace_write(TORTURE "run", "1"));
	for (end = now() + 3; now() < end; usleep(10000))
		EXPECT_EQ(0, grtrace_write("config", "reset_stats=1"));
	EXPECT_LT(0, grtrace_stat_wait("offered", 1));
	EXPECT_EQ(0, grtrace_write(TORTURE "run", "0"));
	check_views(_metadata, self->view, true);
	EXPECT_EQ(0, grtrace_write("control", "stop"));
	check_views(_metadata, self->view, true);
	EXPECT_EQ(0, system("rmmod grtrace_torture"));
}

TEST_HARNESS_MAIN
