// SPDX-License-Identifier: GPL-2.0
/* The session: start, stop, and what may change in between. */
#include <kunit/test.h>
#include <linux/cleanup.h>
#include <linux/irqflags.h>
#include <linux/of.h>
#include <linux/pci.h>
#include <linux/seq_buf.h>
#include <linux/seq_file.h>
#include <linux/sizes.h>
#include <linux/string.h>

#include "../live.h"
#include "../session.h"
#include "../stats.h"
#include "trial.h"

static void session_starts_and_stops(struct kunit *test)
{
	struct stream *first, *second;
	const struct grtrace_rec_stream_info *info;
	u64 id;

	KUNIT_EXPECT_EQ(test, grtrace_session_stop(), -EINVAL);
	KUNIT_EXPECT_FALSE(test, grtrace_running());

	first = trial_start(test, "");
	KUNIT_EXPECT_TRUE(test, grtrace_running());
	KUNIT_EXPECT_EQ(test, grtrace_session_start(), -EBUSY);
	KUNIT_EXPECT_STREQ(test, grtrace_session_state(), "running");
	trial_job(GRTRACE_SUBMIT, NULL, 1, 1);
	id = first->channel->session;
	trial_stop(test, first);
	KUNIT_EXPECT_STREQ(test, grtrace_session_state(), "stopped");
	KUNIT_EXPECT_FALSE(test, grtrace_running());
	KUNIT_EXPECT_EQ(test, grtrace_session_stop(), -EINVAL);
	/* records from here on belong to no session */
	trial_job(GRTRACE_SUBMIT, NULL, 1, 2);
	expect_stat(test, OFFERED, 1);
	expect_count(first, SUBMIT, 1);
	info = stream_nth(first, GRTRACE_STREAM_INFO, 0)->raw;
	KUNIT_EXPECT_EQ(test, le64_to_cpu(info->session), id);
	KUNIT_EXPECT_NE(test, id, 0);

	second = trial_start(test, "");
	KUNIT_EXPECT_NE(test, second->channel->session, id);
	expect_stat(test, OFFERED, 0);
	trial_stop(test, second);
	expect_count(second, SUBMIT, 0);
}

static void session_messages(struct kunit *test)
{
	static const size_t lengths[] = { 0, 1, 7, 8, 9, 1000, GRTRACE_MESSAGE_MAX };
	char *text = test_zalloc(test, GRTRACE_MESSAGE_MAX + 1);
	const struct grtrace_rec_message *rec;
	struct stream *stream;
	size_t i, length;

	memset(text, 'x', GRTRACE_MESSAGE_MAX + 1);
	KUNIT_EXPECT_EQ(test, grtrace_session_message(text, 5), -EPIPE);
	stream = trial_start(test, "");
	for (i = 0; i < ARRAY_SIZE(lengths); i++)
		KUNIT_EXPECT_EQ(test, grtrace_session_message(text, lengths[i]), 0);
	KUNIT_EXPECT_EQ(test, grtrace_session_message(text, GRTRACE_MESSAGE_MAX + 1), -E2BIG);
	/* what is in the channel can be read after the end, to the last record */
	trial_stop(test, stream);
	for (i = 0; i < ARRAY_SIZE(lengths); i++) {
		rec = stream_nth(stream, GRTRACE_MESSAGE, i)->raw;
		length = le16_to_cpu(rec->seq.hdr.size) - sizeof(*rec);
		KUNIT_EXPECT_EQ(test, length, ALIGN(lengths[i], 8));
		KUNIT_EXPECT_MEMEQ(test, rec->text, text, lengths[i]);
		KUNIT_EXPECT_NULL(test, memchr_inv(rec->text + lengths[i], '\0',
						   length - lengths[i]));
	}
}

/* Without a session no second passes by itself: the lines are those of the last 64. */
static void session_keeps_the_last_seconds(struct kunit *test)
{
	struct seq_file m = { .size = SZ_16K };
	u64 second, shown, want = 7;
	char *line;
	int numbers;

	grtrace_seconds_reset();
	for (second = 1; second <= 70; second++) {
		scoped_guard(irqsave)
			grtrace_stat_add(GRTRACE_STAT_OFFERED, second);
		if (second < 70)
			grtrace_seconds_pass();
	}
	m.buf = test_zalloc(test, m.size);
	grtrace_seconds_show(&m, NULL);
	KUNIT_EXPECT_TRUE(test, strstarts(strsep(&m.buf, "\n"), "second,offered,"));
	while ((line = strsep(&m.buf, "\n")) && *line) {
		numbers = sscanf(line, "%llu,%llu,", &second, &shown);
		KUNIT_ASSERT_EQ(test, numbers, 2);
		KUNIT_EXPECT_EQ(test, shown, want++);
	}
	KUNIT_EXPECT_EQ(test, want, 71);
	grtrace_seconds_reset();
}

/* A reader names the model by it: PCI's numbers, or what a device tree says first. */
static void session_devices_have_models(struct kunit *test)
{
	static const char compatible[] = "arm,mali-t860\0arm,mali-midgard";
	static struct property property = {
		.name = "compatible", .length = sizeof(compatible), .value = (void *)compatible,
	};
	static struct device_node node = { .properties = &property };
	struct pci_dev *pci = test_zalloc(test, sizeof(*pci));
	struct device *dev = test_zalloc(test, sizeof(*dev));
	char text[128];
	struct seq_buf s;

	seq_buf_init(&s, text, sizeof(text));
	pci->vendor = 0x1af4;
	pci->device = 0x50;
	pci->dev.bus = &pci_bus_type;
	pci->dev.init_name = "0000:01:00.0";
	grtrace_metadata_device(&s, &pci->dev);
	dev->init_name = "ffe40000.gpu";
	grtrace_metadata_device(&s, dev);
	dev->of_node = &node;
	grtrace_metadata_device(&s, dev);
	KUNIT_EXPECT_STREQ(test, seq_buf_str(&s), IS_ENABLED(CONFIG_OF) ?
			   "device 0000:01:00.0 pci 1af4:0050\n"
			   "device ffe40000.gpu of arm,mali-t860\n" :
			   "device 0000:01:00.0 pci 1af4:0050\n");
}

static struct kunit_case session_test_cases[] = {
	KUNIT_CASE(session_starts_and_stops),
	KUNIT_CASE(session_messages),
	KUNIT_CASE(session_keeps_the_last_seconds),
	KUNIT_CASE(session_devices_have_models),
	{}
};

static struct kunit_suite session_test_suite = {
	.name = "grtrace_session",
	.init = trial_init,
	.test_cases = session_test_cases,
};

kunit_test_suite(session_test_suite);
