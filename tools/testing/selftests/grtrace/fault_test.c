// SPDX-License-Identifier: GPL-2.0
/*
 * Each request for memory fails, one after the other
 * (/proc/thread-self/fail-nth): when a session starts, and for what it asks for
 * while it runs; the request alone, with the next one, so that what asks a
 * second time in another way (kvmalloc) fails as well, and with all that follow.
 * Each failure is an error or does no harm, leaves nothing behind, and the next
 * attempt succeeds. Modules and CPUs that come are in fault_load_test.
 *
 * Needs a kernel with CONFIG_FAULT_INJECTION, FAILSLAB and FAIL_PAGE_ALLOC, and
 * says more with KASAN, lockdep and DEBUG_KMEMLEAK.
 *
 * GRTRACE_FAULT_STEP says that only each Nth failure is tried; all if not set. The
 * first is another one every day; GRTRACE_FAULT_FIRST tries those of a day again.
 */
#include "../kselftest_harness.h"

#include "grtrace_faults.h"
#include "grtrace_session.h"

PROGRAM_NEEDS(faults_allowed(), "the kernel injects no faults")

/* A session */

FIXTURE(session) {
};

/* Writes once to a file that is open already, so that only grtrace's code fails. */
static int write_file(const char *name, const char *text)
{
	static char open_name[32];
	static int fd = -1;

	if (fd < 0 || strcmp(open_name, name)) {
		if (fd >= 0)
			close(fd);
		snprintf(open_name, sizeof(open_name), "%s", name);
		fd = grtrace_open(name, O_WRONLY);
	}
	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		return -errno;
	return 0;
}

static int control(const void *word)
{
	return write_file("control", word);
}

static const char *session_did_not_start(const void *arg)
{
	bool files = !access(GRTRACE_DIR "trace0", F_OK);

	if (session_is("running\n"))
		return "a session runs all the same";
	/* a request that failed leaves the previous session in place */
	if (session_is("stopped\n"))
		return files ? NULL : "the last session's files are gone";
	return files ? "the channel's files are left" : NULL;
}

/*
 * The beginning of the stream, which was written on CPU 0. All is read: rings that
 * other tests left may have filled the channel.
 */
static bool has_tables(void)
{
	static char text[3 * 4096];
	ssize_t n = grtrace_read("trace0", text, sizeof(text));

	return n > 0 && memmem(text, n, "\nevent 2 dep DP", 15);
}

static const char *session_works(const void *arg)
{
	uint64_t written;

	if (!session_is("running\n"))
		return "no session runs";
	written = grtrace_stat("written");
	if (grtrace_write("emit", "submit 1 1 5 1"))
		return "an event was refused";
	if (grtrace_stat("written") <= written)
		return "an event was not written";
	if (access(GRTRACE_DIR "trace0", R_OK))
		return "there is no file trace0";
	if (grtrace_write("control", "stop"))
		return "it cannot be stopped";
	if (grtrace_unaccounted())
		return "counters do not add up";
	return NULL;
}

static const char *session_began(const void *arg)
{
	return has_tables() ? session_works(arg) : "the stream has no tables";
}

static int config_write(const void *arg)
{
	return write_file("config", arg);
}

static const char *config_is_as_before(const void *arg)
{
	char value[64];

	if (strcmp(grtrace_line("config", "sample", '=', value, sizeof(value)), "1"))
		return "half of a refused line is in effect";
	return NULL;
}

static const char *config_is_set(const void *arg)
{
	char value[64];

	if (strcmp(grtrace_line("config", "sample", '=', value, sizeof(value)), "7"))
		return "the configuration was taken and is not in effect";
	return grtrace_write("config", "sample=1 watch_ctx_clear=1") ?
	       "the old configuration was refused" : NULL;
}

static const char *no_snapshot(const void *arg)
{
	char bytes[2];

	if (grtrace_read("snapshot", bytes, sizeof(bytes)) > 0)
		return "there is a snapshot all the same";
	return still_runs(arg);
}

static const char *drop_snapshot(const void *arg)
{
	return grtrace_write("control", "discard") ?
	       "the snapshot cannot be thrown away" : NULL;
}

/* A new ring, while the session runs. */

static int use_new_ring(const void *arg)
{
	static unsigned int ring = 20000;
	char line[64];

	snprintf(line, sizeof(line), "submit 1 1 %u 1", ++ring);
	return write_file("emit", line);
}

static const char *counters_add_up(const void *arg)
{
	return still_runs(arg) ?: grtrace_unaccounted() ? "counters do not add up" : NULL;
}

/* Counted here: each accepted line is offered once, a refused one at most once. */
static uint64_t offered_before;

static const char *offered_more(uint64_t least)
{
	uint64_t offered = grtrace_stat("offered"), more = offered - offered_before;

	if (offered_before && (more < least || more > 1))
		return "other than one event was offered";
	offered_before = offered;
	return counters_add_up(NULL);
}

static const char *one_is_offered(const void *arg)
{
	return offered_more(1);
}

static const char *at_most_one_is_offered(const void *arg)
{
	return offered_more(0);
}

/* Many lines in one write: their table is larger than a page. */

#define LINES 500

static int emit_lines(const void *arg)
{
	static char text[LINES * 20];
	static size_t used;
	size_t i;

	for (i = used ? LINES : 0; i < LINES; i++)
		used += snprintf(text + used, sizeof(text) - used, "submit 1 1 5 %zu\n", i);
	return write_file("emit", text);
}

static const char *exactly_offered(uint64_t n)
{
	uint64_t more = grtrace_stat("offered") - offered_before;

	offered_before += more;
	return more == n ? counters_add_up(NULL) : "other events were offered";
}

static const char *all_lines_are_offered(const void *arg)
{
	return exactly_offered(LINES);
}

static const char *no_line_is_offered(const void *arg)
{
	return exactly_offered(0);
}

/* Files that a reader opens: an attempt that leaves anything would keep one of the 8 channels. */

static int open_traces(const void *arg)
{
	int fds[3], ret = 0;
	size_t i, n;

	for (n = 0; n < ARRAY_SIZE(fds) && !ret; n++) {
		fds[n] = grtrace_open("trace0", O_RDONLY);
		ret = fds[n] < 0 ? -errno : 0;
	}
	for (i = 0; i < n; i++)
		close(fds[i]);
	return ret;
}

static const char *next_session_starts(const void *arg)
{
	return grtrace_write("control", "stop") ? "the session did not run" :
	       grtrace_write("control", "start") ? "no further session starts" : NULL;
}

/* All files, those first whose text or what is read of them changes by itself. */
#define CHANGING 4
static const char * const files[] = {
	"trace0", "metadata", "snapshot", "sec_stats", "control", "config", "rings", "stats",
	"pc_stats", "pc_cseq", "events_by_type", "latency_hist", "size_hist", "result_hist",
};

static char texts[ARRAY_SIZE(files)][1 << 16];
static ssize_t sizes[ARRAY_SIZE(files)];

/* From open to close. */
static int read_all(const void *arg)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(files); i++) {
		sizes[i] = grtrace_read(files[i], texts[i], sizeof(texts[i]));
		if (sizes[i] < 0)
			return sizes[i];
	}
	return 0;
}

/* A fault makes a read fail, and cuts none. */
static const char *all_was_read(const void *arg)
{
	static char again[sizeof(texts[0])];
	size_t i;

	for (i = CHANGING; i < ARRAY_SIZE(files); i++)
		if (!sizes[i] || grtrace_read(files[i], again, sizeof(again)) != sizes[i] ||
		    memcmp(again, texts[i], sizes[i]))
			return files[i];
	return still_runs(arg);
}

FIXTURE_VARIANT(session) {
	const char *file;	/* the files to write to, opened before the first fault */
	const char *config[2];
	const char *before[2];	/* words for control */
	struct operation op;
};

/* The first records stay. */
FIXTURE_VARIANT_ADD(session, start) {
	"control", { "mode=stop" },
	.op = { control, session_did_not_start, session_began, "start" },
};

/* With everything that a session can have: triggers, lists, samples, rates. */
FIXTURE_VARIANT_ADD(session, large_start) {
	"control", { "snapshot_on=slow_exec,error slow_exec_us=1000000 profile=1",
		     "watch_pid_add=1 adaptive_sampling=1 max_events_per_sec=1000000" },
	.op = { control, session_did_not_start, session_works, "start" },
};

#define CONFIGURE { config_write, config_is_as_before, config_is_set, \
		    "watch_ctx_add=1,4096 sample=7" }

FIXTURE_VARIANT_ADD(session, config_while_idle) {
	"config", .op = CONFIGURE,
};

FIXTURE_VARIANT_ADD(session, config_while_running) {
	"config", .before = { "start" }, .op = CONFIGURE,
};

FIXTURE_VARIANT_ADD(session, snapshot) {
	"control", .before = { "start" },
	.op = { control, no_snapshot, drop_snapshot, "snapshot" },
};

/* Does not unbind a device, because DRM's own failures are not ours. */
FIXTURE_VARIANT_ADD(session, rings) {
	"emit", .before = { "start" },
	.op = { use_new_ring, at_most_one_is_offered, one_is_offered, .harmless = true },
};

FIXTURE_VARIANT_ADD(session, reading) {
	"control", .before = { "start", "snapshot" },
	.op = { read_all, still_runs, all_was_read, .harmless = true },
};

FIXTURE_VARIANT_ADD(session, emit) {
	"emit", .before = { "start" },
	.op = { emit_lines, no_line_is_offered, all_lines_are_offered },
};

FIXTURE_VARIANT_ADD(session, open) {
	"control", .before = { "start" },
	.op = { open_traces, next_session_starts, next_session_starts },
};

FIXTURE_SETUP(session)
{
	size_t i;

	run_on(0);
	NEEDS_MODULE("grtrace");
	ASSERT_EQ(0, grtrace_reset());
	CONFIG(SMALL);
	for (i = 0; i < 2 && variant->config[i]; i++)
		CONFIG(variant->config[i]);
	/* session_works() emits an event, which a list without this process drops */
	if (variant->config[0])
		CONFIGF("watch_pid_add=%d", getpid());
	for (i = 0; i < 2 && variant->before[i]; i++)
		CONTROL(variant->before[i]);
	write_file(variant->file, "");
	offered_before = 0;
}

FIXTURE_TEARDOWN(session)
{
	grtrace_reset();
}

TEST_F_TIMEOUT(session, fails, 3600)
{
	EXPECT_SURVIVED(&variant->op);
	if (variant->before[0])
		EXPECT_EQ(NULL, session_works(NULL));
}

/* Nothing is left in memory of what failed here and in fault_load_test. Runs last. */

FIXTURE(memory) {
};

FIXTURE_SETUP(memory)
{
}

FIXTURE_TEARDOWN(memory)
{
}

TEST_F_TIMEOUT(memory, nothing_leaks, 900)
{
	static char text[1 << 20];
	const char *kmemleak = DEBUG_DIR "kmemleak";
	ssize_t n = 0;
	int fd, i, err;

	if (access(kmemleak, W_OK))
		SKIP(return, "the kernel does not look for leaks");
	/* the leak detector ignores objects younger than five seconds */
	for (i = 0; i < 2; i++) {
		sleep(6);
		err = write_path(kmemleak, "scan");
		if (err == -EPERM)
			SKIP(return, "kmemleak was turned off at boot");
		ASSERT_EQ(0, err);
	}
	fd = open(kmemleak, O_RDONLY);
	ASSERT_LE(0, fd);
	while (n < (ssize_t)sizeof(text) - 1) {
		ssize_t got = read(fd, text + n, sizeof(text) - 1 - n);

		if (got <= 0)
			break;
		n += got;
	}
	close(fd);
	/* functions of an unloaded module have no names, but the caller has one */
	EXPECT_TRUE(!strstr(text, "grtrace") && !strstr(text, "fault_")) TH_LOG("%s", text);
}

TEST_HARNESS_MAIN
