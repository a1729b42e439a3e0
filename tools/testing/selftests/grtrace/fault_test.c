// SPDX-License-Identifier: GPL-2.0
/*
 * Each request for memory fails, one after the other
 * (/proc/thread-self/fail-nth): on the way from loading a module to a session
 * that runs, and for what a session asks for while it runs. Each failure is an
 * error or does no harm, leaves nothing behind, and the next attempt succeeds.
 *
 * Needs a kernel with CONFIG_FAULT_INJECTION, FAILSLAB and FAIL_PAGE_ALLOC, and
 * says more with KASAN, lockdep and DEBUG_KMEMLEAK.
 *
 * GRTRACE_FAULT_STEP says that only each Nth failure is tried; all if not set.
 */
#include <sys/syscall.h>

#include "../kselftest_harness.h"

#include "grtrace_session.h"

#define FAIL_NTH	"/proc/thread-self/fail-nth"
#define DEBUG_DIR	"/sys/kernel/debug/"
#define NTH_MAX		20000	/* more than any operation needs */

/* Two pages on each CPU: the code is the same as for more. */
#define SMALL	"mode=overwrite subbuf_size=4096 n_subbufs=2"

/* The result of one operation under faults. */
struct faults {
	unsigned int injected;	/* faults that hit */
	unsigned int failed;	/* faults that made the operation fail */
	const char *fault;	/* what was wrong then, NULL if nothing */
	int nth;		/* at which fault */
	int ret;		/* and with which -errno */
};

/* An operation, and the conditions that must hold around it. */
struct operation {
	int (*act)(const void *arg);		/* 0 or -errno */
	const char *(*after_failure)(const void *arg);
	const char *(*after_success)(const void *arg);	/* also undoes it */
	const void *arg;
	bool harmless;		/* any fault may be harmless; otherwise some must be errors */
};

static int write_path(const char *path, const char *text)
{
	return path_write(path, text, strlen(text));
}

/* Allocations that may sleep fail as well, without a stack trace in the log. */
static bool faults_allowed(void)
{
	return !write_path(DEBUG_DIR "failslab/ignore-gfp-wait", "N") &&
	       !write_path(DEBUG_DIR "failslab/verbose", "0") &&
	       !write_path(DEBUG_DIR "fail_page_alloc/ignore-gfp-wait", "N") &&
	       !write_path(DEBUG_DIR "fail_page_alloc/ignore-gfp-highmem", "N") &&
	       !write_path(DEBUG_DIR "fail_page_alloc/min-order", "0") &&
	       !write_path(DEBUG_DIR "fail_page_alloc/verbose", "0") &&
	       !access(FAIL_NTH, W_OK);
}

PROGRAM_NEEDS(faults_allowed(), "the kernel injects no faults")

static unsigned int fault_step(void)
{
	const char *step = getenv("GRTRACE_FAULT_STEP");
	unsigned int n = step ? strtoul(step, NULL, 10) : 1;

	return n ?: 1;
}

/*
 * Sets the fault and does it; *hit tells whether it was reached. To tell what is
 * left asks for the kernel's help as well, so that the fault may hit this.
 */
static int act_with_fault(const struct operation *op, int nth, bool *hit)
{
	char text[16] = "";
	int fd = open(FAIL_NTH, O_RDWR | O_CLOEXEC);
	int length = snprintf(text, sizeof(text), "%d", nth);
	ssize_t left;
	int ret;

	*hit = false;
	if (fd < 0 || write(fd, text, length) != length)
		return -EIO;
	ret = op->act(op->arg);
	memset(text, 0, sizeof(text));
	left = pread(fd, text, sizeof(text) - 1, 0);
	*hit = left > 0 && atoi(text) == 0;
	/* the fault may also hit this write, once */
	if (pwrite(fd, "0", 1, 0) != 1 && pwrite(fd, "0", 1, 0) != 1)
		ret = -EIO;
	close(fd);
	return ret;
}

/* Returns what was wrong after an attempt with a fault, or NULL. */
static const char *fault_after(const struct operation *op, bool hit, struct faults *faults)
{
	if (faults->ret < 0) {
		const char *fault = op->after_failure(op->arg);

		if (!hit)
			return "it failed without a fault";
		if (fault)
			return fault;
		faults->failed++;
		faults->ret = op->act(op->arg);
		if (faults->ret < 0)
			return "the next attempt failed";
	}
	return op->after_success(op->arg);
}

/* Injects each fault in turn, until the operation meets no further one. */
static struct faults inject(const struct operation *op)
{
	struct faults faults = { .nth = 1 };
	bool hit = true;

	while (hit && faults.nth <= NTH_MAX) {
		faults.ret = act_with_fault(op, faults.nth, &hit);
		faults.injected += hit;
		faults.fault = fault_after(op, hit, &faults);
		if (faults.fault)
			return faults;
		faults.nth += fault_step();
	}
	if (hit)
		faults.fault = "it does not end";
	return faults;
}

#define EXPECT_SURVIVED(op) do {					\
	const struct operation *tried = (op);				\
	struct faults f = inject(tried);				\
									\
	TH_LOG("%u faults hit, %u of them an error", f.injected,	\
	       f.failed);						\
	EXPECT_EQ(NULL, f.fault)					\
		TH_LOG("%s, at fault %d (%d)", f.fault, f.nth, f.ret);	\
	EXPECT_LT(0, f.injected);					\
	EXPECT_TRUE(tried->harmless || f.failed);			\
} while (0)

/* Modules */

struct module {
	const char *name;
	const char *args;
	bool beside_session;
	char path[256];
	int fd;
};

/* Finds the file that modprobe would take, or the one built with the tests. */
static bool module_find(struct module *module, const char *name)
{
	char command[128];
	FILE *out;

	snprintf(command, sizeof(command), ". ./modules.sh && module_file %s", name);
	out = popen(command, "r");
	if (!out || fscanf(out, "%255s", module->path) != 1)
		return false;
	pclose(out);
	module->name = name;
	module->fd = open(module->path, O_RDONLY | O_CLOEXEC);
	return module->fd >= 0;
}

static int module_insert(const void *arg)
{
	const struct module *module = arg;

	return syscall(SYS_finit_module, module->fd, module->args, 0) ? -errno :
								       0;
}

static const char *module_is_gone(const void *arg)
{
	const struct module *module = arg;

	if (module_is_there(module->name))
		return "the module is there all the same";
	if (!strcmp(module->name, "grtrace") && !access(GRTRACE_DIR, F_OK))
		return "the folder in debugfs is left";
	if (module->beside_session && !session_is("running\n"))
		return "the session does not run on";
	return NULL;
}

static const char *module_remove(const void *arg)
{
	const struct module *module = arg;

	if (syscall(SYS_delete_module, module->name, O_NONBLOCK))
		return "it cannot be unloaded";
	return module_is_gone(arg);
}

/* Calls "modules_load" or "modules_unload" in the folder of the tests, as the shell tests do. */
static int in_shell(const char *what)
{
	char command[192];

	snprintf(command, sizeof(command), ". ./modules.sh && %s", what);
	return system(command);
}

FIXTURE(load) {
	struct module module;
};

FIXTURE_VARIANT(load) {
	const char *name;
	const char *before;
	const char *args;
	bool beside_session;
};

#define START	"start=1 config=\"" SMALL " snapshot_on=error\""

FIXTURE_VARIANT_ADD(load, core) { "grtrace", "", "" };
FIXTURE_VARIANT_ADD(load, core_that_starts) { "grtrace", "", START };
FIXTURE_VARIANT_ADD(load, drm_sched) { "grtrace_drm_sched", "grtrace", "" };
FIXTURE_VARIANT_ADD(load, dma_fence) { "grtrace_dma_fence", "grtrace", "" };
FIXTURE_VARIANT_ADD(load, drm) { "grtrace_drm", "grtrace", "" };
FIXTURE_VARIANT_ADD(load, virtio_gpu) { "grtrace_virtio_gpu", "grtrace", "" };
FIXTURE_VARIANT_ADD(load, beside_session) {
	"grtrace_drm_sched", "grtrace", "", true,
};

static bool session_begin(void)
{
	return !grtrace_write("config", SMALL) && !grtrace_write("control", "start");
}

FIXTURE_SETUP(load)
{
	char command[128];

	ASSERT_EQ(0, grtrace_reset());
	if (!module_find(&self->module, variant->name))
		SKIP(return, "no module %s", variant->name);
	self->module.args = variant->args ?: "";
	self->module.beside_session = variant->beside_session;
	ASSERT_EQ(0, in_shell("modules_unload"));
	if (module_is_there(variant->name))
		SKIP(return, "%s is built in", variant->name);
	if (*variant->before) {
		snprintf(command, sizeof(command), "module_load %s", variant->before);
		ASSERT_EQ(0, in_shell(command));
	}
	snprintf(command, sizeof(command), "module_needs %s", variant->name);
	ASSERT_EQ(0, in_shell(command));
	if (variant->beside_session)
		ASSERT_TRUE(session_begin());
}

FIXTURE_TEARDOWN(load)
{
	if (variant->beside_session)
		grtrace_reset();
	in_shell("modules_load");
}

TEST_F_TIMEOUT(load, fails, 3600)
{
	const struct operation op = {
		.act = module_insert,
		.after_failure = module_is_gone,
		.after_success = module_remove,
		.arg = &self->module,
	};

	EXPECT_SURVIVED(&op);
}

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

static const char *still_runs(const void *arg)
{
	return session_is("running\n") ? NULL : "the session does not run on";
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

#define SESSION_START { control, session_did_not_start, session_works, "start" }

FIXTURE_VARIANT_ADD(session, start) {
	"control", .op = SESSION_START,
};

/* With everything that a session can have: triggers, lists, samples, rates. */
FIXTURE_VARIANT_ADD(session, large_start) {
	"control", { "snapshot_on=slow_exec,error slow_exec_us=1000000 profile=1",
		     "watch_pid_add=1 adaptive_sampling=1 max_events_per_sec=1000000" },
	.op = SESSION_START,
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

FIXTURE_SETUP(session)
{
	size_t i;

	ASSERT_EQ(0, in_shell("modules_load"));
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

/* Nothing of the failed operations is left in memory. Runs last. */

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
	EXPECT_TRUE(!strstr(text, "grtrace") && !strstr(text, "fault_test")) TH_LOG("%s", text);
}

TEST_HARNESS_MAIN
