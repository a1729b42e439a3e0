// SPDX-License-Identifier: GPL-2.0
/*
 * Writers that never rest, in all contexts of all CPUs, and a reader for each
 * CPU at the same time: each record is whole, there once and in order, or it is
 * counted lost.
 *
 * GRTRACE_TORTURE_SECONDS says how long each test takes; a few seconds if not set.
 */
#include "../kselftest_harness.h"

#include "grtrace_torture.h"

FIXTURE(torture) {
	struct readers readers;
};

FIXTURE_VARIANT(torture) {
	const struct shape *shape;
};

FIXTURE_VARIANT_ADD(torture, stop_small) { .shape = &shapes[STOP_SMALL] };
FIXTURE_VARIANT_ADD(torture, stop_large) { .shape = &shapes[STOP_LARGE] };
FIXTURE_VARIANT_ADD(torture, stop_slow) { .shape = &shapes[STOP_SLOW] };
FIXTURE_VARIANT_ADD(torture, stop_clock) { .shape = &shapes[STOP_CLOCK] };
FIXTURE_VARIANT_ADD(torture, overwrite_small) { .shape = &shapes[OVERWRITE_SMALL] };
FIXTURE_VARIANT_ADD(torture, overwrite_large) { .shape = &shapes[OVERWRITE_LARGE] };
FIXTURE_VARIANT_ADD(torture, overwrite_bits) { .shape = &shapes[OVERWRITE_BITS] };

FIXTURE_SETUP(torture)
{
	NEEDS_MODULE("grtrace_torture");
	readers_setup(_metadata, &self->readers, variant->shape);
}

FIXTURE_TEARDOWN(torture)
{
	readers_teardown();
}

static uint64_t ones(const uint8_t *bits, uint64_t end)
{
	uint64_t i, n = 0;

	for (i = 0; i < (end + 7) / 8; i++)
		n += __builtin_popcount(bits[i]);
	return n;
}

static void begin(struct __test_metadata *_metadata, struct readers *readers,
		  const struct shape *shape)
{
	CONTROL("start");
	readers_start(_metadata, readers, shape->chunk);
	ASSERT_EQ(0, grtrace_write(TORTURE_DIR "run", "1"));
}

/* What was read and what was counted add up to what was offered. */
static void end_and_add_up(struct __test_metadata *_metadata,
			   struct readers *readers, const struct shape *shape)
{
	uint64_t offered, events = 0, lost = 0, missing = 0, notes = 0;
	uint64_t gseq_end = 0, overwritten;
	unsigned int i;

	readers_end(_metadata, readers);
	offered = writers_offered(_metadata, readers);

	for (i = 0; i < readers->cpus; i++) {
		const struct reader *reader = &readers->reader[i];
		const struct stream *s = &reader->stream;

		if (shape->overwrite) {
			/* also notes are overwritten, never events unseen */
			EXPECT_LE(reader->missing, s->gaps + s->first_cseq);
			EXPECT_EQ(0, s->lost_events);
		} else {
			EXPECT_EQ(reader->missing, s->lost_events);
			EXPECT_EQ(0, s->gaps);
			EXPECT_EQ(0, s->first_cseq);
		}
		EXPECT_EQ(0, s->lost_limited + s->lost_pressure);
		/* what the last packet says was lost before it */
		EXPECT_GE(s->lost_events + s->lost_notes, s->lost);
		events += s->events;
		notes += s->notes;
		lost += s->lost_events;
		missing += reader->missing;
		if (reader->gseq_end > gseq_end)
			gseq_end = reader->gseq_end;
	}
	TH_LOG("%llu offered, %llu read, %llu lost, %llu overwritten",
	       (unsigned long long)offered, (unsigned long long)events,
	       (unsigned long long)lost,
	       (unsigned long long)grtrace_stat("overwritten"));
	EXPECT_EQ(offered, events + missing);
	EXPECT_EQ(offered, grtrace_stat("offered"));
	EXPECT_EQ(lost, grtrace_stat("lost"));
	EXPECT_EQ(events + (shape->overwrite ? missing : 0),
		  grtrace_stat("written"));
	overwritten = grtrace_stat("overwritten");
	EXPECT_LE(shape->overwrite ? missing : 0, overwritten);
	/* read in bits, a sub-buffer that was begun counts as a whole */
	if (!shape->overwrite ||
	    shape->chunk >= shape->subbuf_size)
		EXPECT_EQ(shape->overwrite ? missing : 0, overwritten);
	EXPECT_EQ(0, grtrace_unaccounted());
	if (readers->gseqs && !shape->overwrite) {
		/* none left out */
		EXPECT_EQ(events + notes, gseq_end);
		EXPECT_EQ(events + notes, ones(readers->gseqs, gseq_end));
	}
}

TEST_F_TIMEOUT(torture, exactly_once_or_counted_lost, SECONDS_MAX)
{
	begin(_metadata, &self->readers, variant->shape);
	sleep(self->readers.seconds);
	writers_wait(_metadata, &self->readers);
	end_and_add_up(_metadata, &self->readers, variant->shape);
}

static bool cpu_set_online(unsigned int cpu, const char *online)
{
	char path[64];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/online",
		 cpu);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	n = write(fd, online, 1);
	close(fd);
	return n == 1;
}

/* A CPU that goes takes its writers along; what it wrote stays. */
TEST_F_TIMEOUT(torture, cpus_come_and_go, SECONDS_MAX)
{
	unsigned int cpu = self->readers.cpus - 1, rounds = 0;
	double end = now() + self->readers.seconds;

	if (!cpu || !cpu_set_online(cpu, "1"))
		SKIP(return, "no CPU can go offline");
	begin(_metadata, &self->readers, variant->shape);
	do {
		usleep(100000);
		EXPECT_TRUE(cpu_set_online(cpu, "0"));
		/* its packet is closed by its reader or by this */
		EXPECT_EQ(0, grtrace_write("control", "snapshot"));
		usleep(100000);
		EXPECT_TRUE(cpu_set_online(cpu, "1"));
		rounds++;
	} while (now() < end);
	writers_wait(_metadata, &self->readers);
	end_and_add_up(_metadata, &self->readers, variant->shape);
	TH_LOG("%u times", rounds);
}

TEST_HARNESS_MAIN
