// SPDX-License-Identifier: GPL-2.0
/*
 * Senseless writes, by the thousand: each is taken or
 * refused, the session's state stays one of three, the counters add up, memory
 * does not grow, and what config shows is accepted again.
 *
 * GRTRACE_FUZZ_ROUNDS says how many writes; GRTRACE_FUZZ_SEED where they begin.
 */
#include "../kselftest_harness.h"

#include "grtrace_session.h"

#define ROUNDS		3000
#define LINE_MAX_BYTES	8192
/* The memory that the second half of the writes may use: less than 6 KiB each. */
#define GROWTH_KB	(8 * 1024)

static unsigned long from_env(const char *name, unsigned long otherwise)
{
	const char *text = getenv(name);

	return text ? strtoul(text, NULL, 0) : otherwise;
}

/* xorshift: the same on each machine. */
static uint32_t draw(uint32_t *state, uint32_t below)
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	*state ^= *state << 5;
	return *state % below;
}

static const char * const words[] = {
	"mode", "subbuf_size", "n_subbufs", "clock", "level", "filter_type_mask",
	"filter_engine_mask", "filter_ring_mask", "filter_ring_id", "filter_device",
	"watch_allow_mode", "watch_combine", "watch_ctx_clear", "watch_ring_clear",
	"watch_pid_clear", "watch_ctx_add", "watch_ring_add", "watch_pid_add", "sample",
	"adaptive_sampling", "max_events_per_sec", "rate_limiter_mode", "burst",
	"backpressure_threshold", "slow_queue_us", "slow_exec_us", "snapshot_on", "profile",
	"reset_stats", "start", "stop", "snapshot", "discard", "overwrite", "gseq", "mono", "boot",
	"verbose", "normal", "off", "all", "none", "and", "or", "slow_exec,error", "grtrace_mock.0",
	"?", "*", "submit", "pick", "run", "done", "complete", "error", "emit", "fence", "arg",
	"kind", "code", "render", "copy", "=", "=", "=", "=", ":", ",", "-", "..", " ", " ", " ",
	"\n", "\n", "\t", "\"", "\\", "%s", "%n", "0x", "0", "1", "4096", "65536", "4294967295",
	"4294967296", "18446744073709551615", "18446744073709551616", "-1", "-9223372036854775808",
	"1e9", "00000000000000000000001", "0777",
};

/* Words in any order, and sometimes a byte that is not part of a word. */
static size_t compose(char *line, uint32_t *state)
{
	unsigned int n = 1 + draw(state, draw(state, 20) ? 12 : 2000);
	size_t used = 0;

	while (n--) {
		const char *word = words[draw(state, ARRAY_SIZE(words))];
		size_t length = strlen(word);

		if (used + length + 1 > LINE_MAX_BYTES)
			break;
		memcpy(line + used, word, length);
		used += length;
		if (!draw(state, 30))
			line[used++] = draw(state, 256);
	}
	return used;
}

/* Almost correct: an existing key with a value of its kind or of another. */
static size_t compose_setting(char *line, uint32_t *state)
{
	return snprintf(line, LINE_MAX_BYTES, "%s=%s%s%s\n", words[draw(state, 30)],
			words[draw(state, ARRAY_SIZE(words))], draw(state, 3) ? "" : ",",
			draw(state, 3) ? "" : words[draw(state, ARRAY_SIZE(words))]);
}

static size_t compose_event(char *line, uint32_t *state)
{
	static const char * const events[] = {
		"submit", "pick", "run", "complete", "error", "dep_wait",
	};

	return snprintf(line, LINE_MAX_BYTES, "%s %u %u %u %u%s%s\n", events[draw(state, 6)],
			draw(state, 1000), draw(state, 9), draw(state, 500), draw(state, 100000),
			draw(state, 3) ? "" : " ",
			draw(state, 3) ? "" : words[draw(state, ARRAY_SIZE(words))]);
}

/* Returns "MemAvailable" when freed memory is available again. */
static unsigned long memory_kb(void)
{
	unsigned long kb = 0;
	char line[128];
	FILE *file;

	file = fopen("/proc/sys/vm/drop_caches", "w");
	if (file) {
		fputs("3", file);
		fclose(file);
	}
	file = fopen("/proc/meminfo", "r");
	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "MemAvailable: %lu kB", &kb) == 1)
			break;
	if (file)
		fclose(file);
	return kb;
}

/* The same, with the default channel and one event in it. */
static unsigned long memory_at_rest(struct __test_metadata *_metadata)
{
	EXPECT_EQ(0, grtrace_reset());
	EXPECT_EQ(0, grtrace_write("control", "start"));
	EXPECT_EQ(0, grtrace_write("emit", "submit 1 1 5 1"));
	EXPECT_EQ(1, grtrace_stat("written"));
	return memory_kb();
}

GRTRACE_FIXTURE(fuzz, "subbuf_size=4096 n_subbufs=4", char line[LINE_MAX_BYTES + 1];)

/* Returns whether a line asks for a channel that is too large for a small guest. */
static bool asks_for_much(const char *line, size_t size)
{
	return memmem(line, size, "65536", 5) && memmem(line, size, "subbuf", 6);
}

/* Checks that the configuration shown can be written back and has the same meaning. */
static bool means_the_same(void)
{
	static char before[GRTRACE_TEXT], after[GRTRACE_TEXT];
	char *line, *save;

	if (grtrace_read("config", before, sizeof(before)) <= 0)
		return false;
	strcpy(after, before);
	for (line = strtok_r(after, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		int ret = grtrace_write("config", line);

		/* not while a session runs */
		if (ret && ret != -EBUSY)
			return false;
	}
	return grtrace_read("config", after, sizeof(after)) > 0 && !strcmp(before, after);
}

TEST_F_TIMEOUT(fuzz, any_bytes, 900)
{
	static const char * const files[] = { "config", "control", "emit" };
	unsigned long before = 0, after, taken = 0, i;
	const unsigned long rounds = from_env("GRTRACE_FUZZ_ROUNDS", ROUNDS);
	const uint32_t seed = from_env("GRTRACE_FUZZ_SEED", 1) ?: 1;
	uint32_t state = seed;

	/* invented rings stay known, so they must not count as growth */
	for (i = 0; i < 500; i++) {
		snprintf(self->line, LINE_MAX_BYTES, "submit 1 1 %lu 1", i);
		grtrace_write("emit", self->line);
	}
	for (i = 0; i < rounds; i++) {
		const char *file = files[draw(&state, 3)];
		size_t size;

		/* by now all names and lists that stay exist */
		if (i == rounds / 2)
			before = memory_at_rest(_metadata);

		/* in most cases, use the file as intended */
		if (!draw(&state, 4))
			size = compose(self->line, &state);
		else if (!strcmp(file, "emit") == (draw(&state, 8) != 0))
			size = compose_event(self->line, &state);
		else
			size = compose_setting(self->line, &state);
		if (asks_for_much(self->line, size))
			continue;
		if (!grtrace_write_bytes(file, self->line, size)) {
			taken++;
			ASSERT_TRUE(strcmp(file, "config") || means_the_same())
				TH_LOG("after %.*s", (int)size, self->line);
		}
		/* so that there is a session to disturb */
		if (!draw(&state, 8))
			grtrace_write("control", draw(&state, 3) ? "start" : "stop");
		/* no state but those that there are */
		ASSERT_TRUE(session_is("idle\n") || session_is("running\n") ||
			    session_is("stopped\n")) {
			TH_LOG("seed %u, write %lu, to %s:", seed, i, file);
			TH_LOG("%.*s", (int)size, self->line);
		}
	}
	TH_LOG("%lu writes, %lu of them taken", i, taken);
	/* otherwise only refusals were tested */
	EXPECT_LT(rounds / 20, taken);
	grtrace_write("control", "stop");
	EXPECT_EQ(0, grtrace_unaccounted());
	/* a channel with room for all rings that are known by now */
	after = memory_at_rest(_metadata);
	EXPECT_GT(after + GROWTH_KB, before) TH_LOG("%lu kB are gone", before - after);
}

TEST_HARNESS_MAIN
