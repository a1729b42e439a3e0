// SPDX-License-Identifier: GPL-2.0
/* The records that are no events, and the tables that describe those that are. */
#include <kunit/test.h>
#include <linux/cgroup.h>
#include <linux/cleanup.h>
#include <linux/dma-fence.h>
#include <linux/irqflags.h>
#include <linux/sizes.h>
#include <linux/spinlock.h>
#include <linux/string.h>

#include "../record.h"
#include "../stats.h"
#include "trial.h"

static int record_test_init(struct kunit *test)
{
	int ret = stream_init(test);

	test->priv = stream_create(test, &(struct grtrace_channel) {
		.session = 5, .subbuf_size = SZ_8K, .n_subbufs = 4,
		.clock = GRTRACE_CLOCK_MONOTONIC });
	return ret;
}

/* As the documentation has it: a change of this breaks readers. */
static const struct {
	const char *name;
	const char *letter;
	size_t size;
} record_events[GRTRACE_TYPE_LIMIT] = {
	[1] = { "submit", "Q", 40 }, { "dep", "DP", 40 }, { "blocked", "UN", 40 },
	{ "pick", "I", 32 }, { "commit", "D", 40 }, { "start", "B", 32 }, { "end", "E", 32 },
	{ "complete", "C", 32 }, { "irq", "IR", 32 }, { "ctx_switch", "CS", 40 },
	{ "wait_enter", "WE", 32 }, { "wait_exit", "WX", 32 }, { "error", "ER", 128 },
	{ "fence", "FS", 32 }, { "queue_state", "QS", 48 },
};

static void record_table_of_events(struct kunit *test)
{
	unsigned int type;

	for (type = 0; type < GRTRACE_TYPE_LIMIT; type++) {
		KUNIT_EXPECT_STREQ(test, grtrace_record_event_name(type) ?: "",
				   record_events[type].name ?: "");
		if (!record_events[type].name)
			continue;
		KUNIT_EXPECT_STREQ(test, grtrace_record_event_letter(type),
				   record_events[type].letter);
		KUNIT_EXPECT_EQ(test, grtrace_record_event_size(type), record_events[type].size);
	}
	KUNIT_EXPECT_NULL(test, grtrace_record_event_name(UINT_MAX));
	KUNIT_EXPECT_STREQ(test, grtrace_record_class_name(GRTRACE_CLASS_VIDEO_ENCODE),
			   "video_encode");
	KUNIT_EXPECT_NULL(test, grtrace_record_class_name(GRTRACE_CLASS_COUNT));
}

static void record_ring_to_the_byte(struct kunit *test)
{
	const struct grtrace_ring ring = {
		.id = 0x01020304, .engine_class = GRTRACE_CLASS_COPY,
		.device = "0000:01:00.0", .driver = "amdgpu",
		.name = "a name of just thirty-one bytes", .name_cut = true,
		.flags = GRTRACE_RING_USER | GRTRACE_RING_SHARED, .timeout_ms = 0x0a0b0c,
	};
	struct stream *stream = test->priv;
	const struct grtrace_rec_ring *rec;
	u8 want[120] = { 0x04, 0x01, 0x78, 0x00, [16] = 0x04, 0x03, 0x02, 0x01, 0x03,
			 [112] = 0x0a, [116] = 0x0c, 0x0b, 0x0a };
	u8 got[120];

	strscpy(&want[24], "0000:01:00.0", 32);
	strscpy(&want[56], "amdgpu", 24);
	strscpy(&want[80], "a name of just thirty-one bytes", 32);
	scoped_guard(irqsave)
		grtrace_record_ring(stream->channel, &ring);
	stream_read(stream);
	rec = stream_nth(stream, GRTRACE_RING, 0)->raw;
	KUNIT_EXPECT_EQ(test, le32_to_cpu(rec->seq.pid), current->pid);
	memcpy(got, rec, sizeof(got));
	memset(&got[4], 0, 12);
	KUNIT_EXPECT_MEMEQ(test, got, want, sizeof(got));
	expect_stat(test, SHORT, 1);
	expect_stat(test, NOTES, 1);
	expect_stat(test, WRITES_OK, 0);
}

static void record_sample_says_why(struct kunit *test)
{
	struct stream *stream = test->priv;
	const struct grtrace_rec_sample *rec;

	grtrace_record_sample(stream->channel, 1000000, 0x10203, GRTRACE_SAMPLE_RELIEF, 99);
	stream_read(stream);
	rec = stream_nth(stream, GRTRACE_SAMPLE, 0)->raw;
	KUNIT_EXPECT_EQ(test, le16_to_cpu(rec->seq.hdr.size), 32);
	KUNIT_EXPECT_EQ(test, le32_to_cpu(rec->sample), 1000000);
	KUNIT_EXPECT_EQ(test, le32_to_cpu(rec->previous), 0x10203);
	KUNIT_EXPECT_EQ(test, le32_to_cpu(rec->reason), GRTRACE_SAMPLE_RELIEF);
	KUNIT_EXPECT_EQ(test, le32_to_cpu(rec->fill), 99);
}

/* Infos take no number, and what comes after them does not notice. */
static void record_infos_are_not_sequenced(struct kunit *test)
{
	static const char text[] = "event 1 submit Q 32\n";
	struct grtrace_rec_stream_info info = {
		.clock = cpu_to_le32(GRTRACE_CLOCK_BOOTTIME),
		.release = "7.3.4", .nr_cpus = cpu_to_le32(2),
	};
	const struct grtrace_rec_stream_info *got;
	const struct grtrace_rec_metadata *meta;
	struct stream *stream = test->priv;

	KUNIT_EXPECT_TRUE(test, grtrace_record_message(stream->channel, "a", 1));
	grtrace_record_stream_info(stream->channel, &info);
	grtrace_record_metadata(stream->channel, text, strlen(text));
	KUNIT_EXPECT_TRUE(test, grtrace_record_message(stream->channel, "b", 1));
	stream_read(stream);
	got = stream_nth(stream, GRTRACE_STREAM_INFO, 0)->raw;
	KUNIT_EXPECT_EQ(test, le16_to_cpu(got->hdr.size), 152);
	KUNIT_EXPECT_EQ(test, le32_to_cpu(got->clock), GRTRACE_CLOCK_BOOTTIME);
	KUNIT_EXPECT_STREQ(test, got->release, "7.3.4");
	KUNIT_EXPECT_EQ(test, le32_to_cpu(got->nr_cpus), 2);
	meta = stream_nth(stream, GRTRACE_METADATA, 0)->raw;
	KUNIT_EXPECT_EQ(test, le16_to_cpu(meta->hdr.size), 8 + 24);
	KUNIT_EXPECT_MEMEQ(test, meta->text, "event 1 submit Q 32\n\0\0\0", 24);
	KUNIT_EXPECT_EQ(test, stream_nth(stream, GRTRACE_MESSAGE, 1)->cseq,
			stream_nth(stream, GRTRACE_MESSAGE, 0)->cseq + 1);
	expect_stat(test, INFOS, 2);
	/* a TASK with the messages */
	expect_stat(test, NOTES, 3);
}

/* A message that finds no room says so, and is counted as a lost note. */
static void record_message_without_room(struct kunit *test)
{
	char *text = test_zalloc(test, GRTRACE_MESSAGE_MAX);
	struct stream *stream = test->priv;
	const struct grtrace_rec_message *rec;
	const struct grtrace_rec_lost *lost;
	u32 n = 0;

	memset(text, 'x', GRTRACE_MESSAGE_MAX);
	while (grtrace_record_message(stream->channel, text, GRTRACE_MESSAGE_MAX))
		n++;
	KUNIT_EXPECT_GE(test, n, 4 * 6);
	expect_stat(test, LOST_NOTES, 1);
	expect_stat(test, LOST, 0);
	expect_stat(test, BYTES_DROPPED, sizeof(*rec) + GRTRACE_MESSAGE_MAX);
	stream_read(stream);
	expect_count(stream, MESSAGE, n);
	/* one in each sub-buffer */
	expect_count(stream, TASK, 4);
	lost = stream_nth(stream, GRTRACE_LOST, 0)->raw;
	KUNIT_EXPECT_EQ(test, le32_to_cpu(lost->notes), 1);
	KUNIT_EXPECT_EQ(test, le64_to_cpu(lost->events), 0);
	/* where one was before, nothing of it shines through */
	KUNIT_EXPECT_TRUE(test, grtrace_record_message(stream->channel, "y", 1));
	stream_read(stream);
	rec = stream_nth(stream, GRTRACE_MESSAGE, n)->raw;
	KUNIT_EXPECT_MEMEQ(test, rec->text, "y\0\0\0\0\0\0", 8);
}

/* The id of the current task's cgroup, as a BPF program gets it. */
static u64 record_own_cgroup(void)
{
#ifdef CONFIG_CGROUPS
	guard(rcu)();
	return cgroup_id(task_dfl_cgroup(current));
#else
	return 0;
#endif
}

/* Any change of a TASK makes a new one: a name may differ in few places. */
static void record_task_of_another_name(struct kunit *test)
{
	static const char * const names[] = {
		"1-worker1", "2-worker2", "abcdefgh", "abcdefghi", "a", "b", "", "fifteen letters",
	};
	char comm[TASK_COMM_LEN];
	struct stream *stream = test->priv;
	unsigned int i, round;

	strscpy(comm, current->comm);
	for (i = 0; i < ARRAY_SIZE(names); i++)
		for (round = 0; round < 2; round++) {
			trial_rename(names[i]);
			grtrace_record_message(stream->channel, names[i], strlen(names[i]));
		}
	trial_rename(comm);
	stream_read(stream);
	KUNIT_ASSERT_EQ(test, stream_count(stream, GRTRACE_TASK), ARRAY_SIZE(names));
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		const struct grtrace_rec_task *rec = stream_nth(stream, GRTRACE_TASK, i)->raw;

		KUNIT_EXPECT_EQ(test, le16_to_cpu(rec->seq.hdr.size), 48);
		KUNIT_EXPECT_STREQ(test, rec->comm, names[i]);
		KUNIT_EXPECT_EQ(test, le32_to_cpu(rec->seq.pid), current->pid);
		KUNIT_EXPECT_EQ(test, le32_to_cpu(rec->tgid), current->tgid);
		KUNIT_EXPECT_EQ(test, le32_to_cpu(rec->reserved), 0);
		KUNIT_EXPECT_EQ(test, le64_to_cpu(rec->cgroup), record_own_cgroup());
	}
}

static const char *record_driver = "nvidia";
static const char *record_timeline = "nvidia.prime:ce43";

static const char *record_driver_name(struct dma_fence *fence)
{
	return record_driver;
}

static const char *record_timeline_name(struct dma_fence *fence)
{
	return record_timeline;
}

static const struct dma_fence_ops record_fence_ops = {
	.get_driver_name = record_driver_name,
	.get_timeline_name = record_timeline_name,
};

static void record_fence_name(struct stream *stream, u64 ctx, unsigned long flags)
{
	static DEFINE_SPINLOCK(lock);
	struct dma_fence fence;

	dma_fence_init(&fence, &record_fence_ops, &lock, ctx, 5);
	fence.flags |= flags;
	guard(irqsave)();
	grtrace_record_fence_name(grtrace_channel_cpu(stream->channel), &fence, 1);
}

static bool record_fence_is_known(struct stream *stream, u64 ctx)
{
	guard(irqsave)();
	return grtrace_record_fence_known(grtrace_channel_cpu(stream->channel), ctx, 1);
}

static void record_fence_name_to_the_byte(struct kunit *test)
{
	u8 want[80] = { 0x0a, 0x01, 0x50, 0x00, [16] = 0x33, 0x22, 0x11, 0x00, 0x66 };
	struct stream *stream = test->priv;
	const struct grtrace_rec_fence_name *rec;
	u8 got[80];

	strscpy(&want[24], "nvidia", 24);
	strscpy(&want[48], "nvidia.prime:ce43", 32);
	KUNIT_EXPECT_FALSE(test, record_fence_is_known(stream, 0x6600112233));
	record_fence_name(stream, 0x6600112233, 0);
	KUNIT_EXPECT_TRUE(test, record_fence_is_known(stream, 0x6600112233));
	/* the same place in the cache; and 0, whose place was empty */
	KUNIT_EXPECT_FALSE(test, record_fence_is_known(stream, 0x6600112233 + GRTRACE_FENCES_SEEN));
	KUNIT_EXPECT_FALSE(test, record_fence_is_known(stream, 0));
	expect_stat(test, SHORT, 0);
	expect_stat(test, NOTES, 1);
	stream_read(stream);
	rec = stream_nth(stream, GRTRACE_FENCE_NAME, 0)->raw;
	KUNIT_EXPECT_EQ(test, le32_to_cpu(rec->seq.pid), current->pid);
	memcpy(got, rec, sizeof(got));
	memset(&got[4], 0, 12);
	KUNIT_EXPECT_MEMEQ(test, got, want, sizeof(got));
	/* a new sub-buffer has forgotten it */
	KUNIT_EXPECT_FALSE(test, record_fence_is_known(stream, 0x6600112233));
}

/* Names that are cut, no longer the driver's, or in another note already. */
static void record_fence_name_only_if_it_says_more(struct kunit *test)
{
	struct stream *stream = test->priv;
	const struct grtrace_rec_fence_name *rec;

	record_fence_name(stream, 1, BIT(DMA_FENCE_FLAG_SIGNALED_BIT));
	KUNIT_EXPECT_FALSE(test, record_fence_is_known(stream, 1));
	record_driver = "drm_sched";
	record_fence_name(stream, 2, 0);
	KUNIT_EXPECT_TRUE(test, record_fence_is_known(stream, 2));
	expect_stat(test, NOTES, 0);
	record_driver = "a driver with a long name";
	record_fence_name(stream, 3, 0);
	record_driver = "nvidia";
	expect_stat(test, NOTES, 1);
	expect_stat(test, SHORT, 1);
	stream_read(stream);
	expect_count(stream, FENCE_NAME, 1);
	rec = stream_nth(stream, GRTRACE_FENCE_NAME, 0)->raw;
	KUNIT_EXPECT_EQ(test, le64_to_cpu(rec->ctx), 3);
	KUNIT_EXPECT_STREQ(test, rec->driver, "a driver with a long na");
}

/* The note and the event after it are in one sub-buffer; and what has no room is counted. */
static void record_fence_name_until_it_is_full(struct kunit *test)
{
	struct stream *stream = test->priv;
	u64 n = 0;

	do
		record_fence_name(stream, ++n, 0);
	while (!stat_now(GRTRACE_STAT_LOST_NOTES));
	expect_stat(test, LOST_NOTES, 1);
	expect_stat(test, LOST, 0);
	expect_stat(test, BYTES_DROPPED, sizeof(struct grtrace_rec_fence_name));
	KUNIT_EXPECT_GE(test, n, 4 * 96);
	stream_read(stream);
	expect_count(stream, FENCE_NAME, n - 1);
}

static struct task_struct *record_make_task(struct kunit *test, pid_t pid,
					    struct task_struct *leader, const char *comm)
{
	struct task_struct *task = test_zalloc(test, sizeof(*task));

	task->group_leader = leader ?: task;
	task->pid = pid;
	task->tgid = task->group_leader->pid;
	strscpy(task->comm, comm);
#ifdef CONFIG_CGROUPS
	RCU_INIT_POINTER(task->cgroups, rcu_access_pointer(current->cgroups));
#endif
	return task;
}

static void record_tell(struct stream *stream, const struct task_struct *task)
{
	guard(irqsave)();
	grtrace_record_task_once(grtrace_channel_cpu(stream->channel), task,
				 grtrace_record_task_ids(task), 1);
}

/* A process is called as its leader, whether that comes by or not. */
static void record_task_after_its_leader(struct kunit *test)
{
	/* the last has the leader's place in the cache */
	struct task_struct *leader = record_make_task(test, 5, NULL, "game");
	struct task_struct *one = record_make_task(test, 6, leader, "queue");
	struct task_struct *two = record_make_task(test, 7, leader, "worker");
	struct task_struct *same = record_make_task(test, 5 + GRTRACE_TASKS_SEEN, leader, "same");
	const struct {
		const struct task_struct *task;
		const struct task_struct *told[2];
	} rows[] = {
		{ one, { leader, one } }, { one }, { two, { two } },
		{ leader }, { same, { same } }, { one }, { leader, { leader } },
		{ same, { same } }, { two },
	};
	struct stream *stream = test->priv;
	const struct grtrace_rec_task *rec;
	size_t i, j, n = 0;

	for (i = 0; i < ARRAY_SIZE(rows); i++)
		record_tell(stream, rows[i].task);
	stream_read(stream);
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		for (j = 0; j < 2 && rows[i].told[j]; j++, n++) {
			rec = stream_nth(stream, GRTRACE_TASK, n)->raw;
			KUNIT_EXPECT_EQ_MSG(test, le32_to_cpu(rec->seq.pid), rows[i].told[j]->pid,
					    "row %zu", i);
			KUNIT_EXPECT_EQ(test, le32_to_cpu(rec->tgid), 5);
			KUNIT_EXPECT_STREQ(test, rec->comm, rows[i].told[j]->comm);
		}
	}
	expect_count(stream, TASK, n);
	/* a new sub-buffer has forgotten both, so the leader is recorded first */
	record_tell(stream, same);
	stream_read(stream);
	expect_count(stream, TASK, n + 2);
}

static struct kunit_case record_test_cases[] = {
	KUNIT_CASE(record_table_of_events),
	KUNIT_CASE(record_ring_to_the_byte),
	KUNIT_CASE(record_sample_says_why),
	KUNIT_CASE(record_infos_are_not_sequenced),
	KUNIT_CASE(record_message_without_room),
	KUNIT_CASE(record_task_of_another_name),
	KUNIT_CASE(record_fence_name_to_the_byte),
	KUNIT_CASE(record_fence_name_only_if_it_says_more),
	KUNIT_CASE(record_fence_name_until_it_is_full),
	KUNIT_CASE(record_task_after_its_leader),
	{}
};

static struct kunit_suite record_test_suite = {
	.name = "grtrace_record",
	.init = record_test_init,
	.exit = stream_exit,
	.test_cases = record_test_cases,
};

kunit_test_suite(record_test_suite);
