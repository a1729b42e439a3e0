// SPDX-License-Identifier: GPL-2.0
/*
 * Finds tracepoints by the symbols that their owners export to grtrace.
 *
 * What a source is linked to is there. A driver's tracepoint is looked up when
 * the source comes, and again whenever a module has come: only to attach is a
 * reference held, so that a source neither loads a driver nor keeps it from
 * being unloaded, in a session or without. When a driver goes, its probes are
 * detached first.
 *
 * Locks: the notifier is called with the lock of the module notifiers held and
 * takes grtrace_probe_lock inside it. Hence no (un)register of a notifier under
 * grtrace_probe_lock.
 */
#include <linux/module.h>
#include <linux/tracepoint.h>

#include "lookup.h"
#include "probe.h"

/*
 * The sources that are modules of their own, and a tracepoint of what each is
 * for. One of the kernel's own is always there.
 */
static const struct {
	const char *source;
	const char *symbol;
} lookup_sources[] = {
	{ "dma_fence", NULL },
	{ "drm", "__tracepoint_drm_syncobj_wait_start" },
	{ "drm_sched", "__tracepoint_drm_sched_job_hw_fence" },
	{ "virtio_gpu", "__tracepoint_virtio_gpu_cmd_queue" },
	{ "i915", "__tracepoint_i915_request_add" },
	{ "amdgpu", "__tracepoint_amdgpu_fence_process" },
	{ "nouveau", "__tracepoint_nouveau_fence_emit" },
};

/* Called when a module has come, in the place that loads modules. */
static void (*lookup_driver_came)(void);

#ifdef CONFIG_MODULES

static void *lookup_symbol_get(const char *symbol)
{
	return __symbol_get(symbol);
}

static void lookup_symbol_put(const char *symbol)
{
#ifdef CONFIG_MODULE_UNLOAD
	__symbol_put(symbol);
#endif
}

#else

/* A source that is there is linked to its driver, see GRTRACE_DRIVER_PROBE(). */
static void *lookup_symbol_get(const char *symbol)
{
	return NULL;
}

static void lookup_symbol_put(const char *symbol)
{
}

#endif

static bool lookup_symbol_there(const char *symbol)
{
	if (!lookup_symbol_get(symbol))
		return false;
	lookup_symbol_put(symbol);
	return true;
}

/**
 * grtrace_lookup_source - walk over the sources that have something to trace
 * @cursor: 0 to begin, then as left by the last call
 *
 * Context: Process.
 * Return: the name of a source whose driver is there, or NULL at the end.
 */
const char *grtrace_lookup_source(unsigned int *cursor)
{
	unsigned int i;

	while (*cursor < ARRAY_SIZE(lookup_sources)) {
		i = (*cursor)++;
		if (!lookup_sources[i].symbol ||
		    lookup_symbol_there(lookup_sources[i].symbol))
			return lookup_sources[i].source;
	}
	return NULL;
}

static int lookup_probe(struct grtrace_probe *probe)
{
	struct tracepoint *tp = probe->linked;
	int ret;

	if (probe->tp)
		return 0;
	if (tp)
		return grtrace_probe_found(probe, tp);
	tp = lookup_symbol_get(probe->symbol);
	if (!tp)
		return 0;
	ret = grtrace_probe_found(probe, tp);
	lookup_symbol_put(probe->symbol);
	return ret;
}

/* None is attached without those before it. */
static int lookup_all(struct grtrace_source *source)
{
	unsigned int i;
	int ret = 0;

	guard(mutex)(&grtrace_probe_lock);
	for (i = 0; i < source->nr_probes && !ret; i++)
		ret = lookup_probe(&source->probes[i]);
	return ret;
}

#ifdef CONFIG_MODULES

static void lookup_module_going(struct grtrace_source *source,
				const struct module *module)
{
	bool found = false;
	unsigned int i;

	guard(mutex)(&grtrace_probe_lock);
	for (i = 0; i < source->nr_probes; i++) {
		struct tracepoint *tp = source->probes[i].tp;

		if (tp && within_module((unsigned long)tp, module)) {
			grtrace_probe_gone(&source->probes[i]);
			found = true;
		}
	}
	/* before another module can have these addresses */
	if (found && source->gone)
		source->gone();
}

static int lookup_module_notify(struct notifier_block *nb,
				unsigned long action, void *data)
{
	struct grtrace_source *source =
		container_of(nb, struct grtrace_source, nb);

	if (action == MODULE_STATE_LIVE)
		lookup_all(source);
	else if (action == MODULE_STATE_GOING)
		lookup_module_going(source, data);
	return NOTIFY_OK;
}

static int lookup_module_came(struct notifier_block *nb, unsigned long action,
			      void *data)
{
	const struct module *module = data;

	if (action == MODULE_STATE_LIVE && module->num_tracepoints)
		lookup_driver_came();
	return NOTIFY_OK;
}

#else

static int lookup_module_notify(struct notifier_block *nb,
				unsigned long action, void *data)
{
	return NOTIFY_OK;
}

static int lookup_module_came(struct notifier_block *nb, unsigned long action,
			      void *data)
{
	return NOTIFY_OK;
}

#endif

static struct notifier_block lookup_nb = {
	.notifier_call = lookup_module_came,
};

/**
 * grtrace_lookup_init - begin to watch for drivers
 * @driver_came: called when a module with tracepoints has come; must not sleep
 *	for long, nor load modules
 *
 * Return: 0 or -errno.
 */
int grtrace_lookup_init(void (*driver_came)(void))
{
	lookup_driver_came = driver_came;
	return register_module_notifier(&lookup_nb);
}

/**
 * grtrace_lookup_exit - stop to watch for drivers
 */
void grtrace_lookup_exit(void)
{
	unregister_module_notifier(&lookup_nb);
}

/**
 * grtrace_lookup_begin - find a source's tracepoints, now and later
 * @source: the source
 *
 * Context: Process.
 * Return: 0 or -errno.
 */
int grtrace_lookup_begin(struct grtrace_source *source)
{
	int ret;

	source->nb.notifier_call = lookup_module_notify;
	/* before the kernel warns of probes that are still there */
	source->nb.priority = 1;
	ret = register_module_notifier(&source->nb);
	return ret ?: lookup_all(source);
}

/**
 * grtrace_lookup_end - look no more, and forget what was found
 * @source: the source
 *
 * Context: Process.
 */
void grtrace_lookup_end(struct grtrace_source *source)
{
	unsigned int i;

	unregister_module_notifier(&source->nb);
	guard(mutex)(&grtrace_probe_lock);
	for (i = 0; i < source->nr_probes; i++)
		grtrace_probe_gone(&source->probes[i]);
}

/**
 * grtrace_lookup_can - can this kernel have a probe's tracepoint?
 * @probe: the probe
 */
bool grtrace_lookup_can(const struct grtrace_probe *probe)
{
	return true;
}
