// SPDX-License-Identifier: GPL-2.0
/*
 * As fault_test, for what not every kernel can do: modules are loaded, beside a
 * session and before it, and a CPU comes online during one, while requests for
 * memory fail.
 */
#include <sys/syscall.h>

#include "../kselftest_harness.h"

#include "grtrace_faults.h"
#include "grtrace_session.h"

PROGRAM_NEEDS(faults_allowed(), "the kernel injects no faults")

/* Modules */

struct module {
	const char *name;
	const char *args;
	const char *config;	/* a line that the file has then, or NULL */
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
	char on[64];

	/* debugfs without memory has no file, which is not an error */
	if (module->config && !access(GRTRACE_DIR "config", R_OK) &&
	    strcmp(grtrace_line("config", "snapshot_on", '=', on, sizeof(on)), module->config))
		return "it is there without the configuration that it was given";
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
	const char *config;
};

#define START	"start=1 config=\"" SMALL " snapshot_on=error\""

FIXTURE_VARIANT_ADD(load, core) { "grtrace", "", "" };
FIXTURE_VARIANT_ADD(load, core_that_starts) { "grtrace", "", START, .config = "error" };
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
	self->module.config = variant->config;
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

/* A CPU that comes during a session needs a buffer: without, it stays away. */

#define LATE_CPU "/sys/devices/system/cpu/cpu1/online"

static const char *cpu_leaves(void)
{
	/* with the next session its buffer is gone */
	return grtrace_write("control", "stop") ? "the session did not run" :
	       write_path(LATE_CPU, "0") ? "the CPU does not go" :
	       grtrace_write("control", "start") ? "no further session starts" : NULL;
}

static int cpu_online(const void *arg)
{
	return write_path(LATE_CPU, "1");
}

/* Its file may be there: it stays when a CPU goes, or when a later step of its way up fails. */
static const char *cpu_stayed_away(const void *arg)
{
	if (number_in(LATE_CPU))
		return "the CPU is online all the same";
	return still_runs(NULL);
}

static const char *cpu_came(const void *arg)
{
	if (!number_in(LATE_CPU))
		return "the CPU is not online";
	if (access(GRTRACE_DIR "trace1", R_OK))
		return "the CPU is online without a file";
	return still_runs(NULL) ?: cpu_leaves();
}

FIXTURE(cpu) {
};

FIXTURE_SETUP(cpu)
{
	if (access(LATE_CPU, W_OK))
		SKIP(return, "there is no CPU that can go");
	run_on(0);
	NEEDS_MODULE("grtrace");
	ASSERT_EQ(0, grtrace_reset());
	ASSERT_TRUE(session_begin());
	ASSERT_EQ(NULL, cpu_leaves());
}

FIXTURE_TEARDOWN(cpu)
{
	grtrace_reset();
	write_path(LATE_CPU, "1");
}

TEST_F_TIMEOUT(cpu, comes_without_memory, 3600)
{
	const struct operation op = { cpu_online, cpu_stayed_away, cpu_came };

	EXPECT_SURVIVED(&op);
}

TEST_HARNESS_MAIN
