// SPDX-License-Identifier: GPL-2.0
/*
 * Sources: who feeds events, and their probes on tracepoints.
 *
 * Probes are attached while a session runs. On an unmodified kernel a driver's
 * tracepoints are not exported, so they are found by name: those of vmlinux by
 * for_each_kernel_tracepoint(), those of modules when the module comes, which
 * the notifier also reports for all that are there already. A driver may come
 * and go while a session runs; its probes come and go with it, and no module
 * is pinned.
 *
 * A name says nothing of the prototype behind it, and a wrong one is a wild
 * pointer. So each probe carries the kernels its prototype was checked with,
 * and is not attached on others.
 *
 * Locks: the notifier is called with tracepoint_module_list_mutex held and
 * takes source_lock inside it. Hence no (un)register of a notifier under
 * source_lock.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/tracepoint.h>
#include <linux/version.h>

#include "source.h"

/* Guards the list, grtrace_probe.tp and .attached, and source_attached. */
static DEFINE_MUTEX(source_lock);
static LIST_HEAD(source_list);
static bool source_attached;

static bool probe_fits_kernel(const struct grtrace_probe *probe)
{
	return LINUX_VERSION_CODE >= probe->from &&
	       LINUX_VERSION_CODE < probe->until;
}

static void probe_attach(struct grtrace_probe *probe)
{
	int ret;

	lockdep_assert_held(&source_lock);

	if (!probe->tp || probe->attached)
		return;
	ret = tracepoint_probe_register(probe->tp, probe->fn, NULL);
	if (ret)
		pr_warn("cannot attach to %s: error %d\n", probe->tracepoint,
			ret);
	probe->attached = !ret;
}

static void probe_detach(struct grtrace_probe *probe)
{
	lockdep_assert_held(&source_lock);

	if (!probe->attached)
		return;
	tracepoint_probe_unregister(probe->tp, probe->fn, NULL);
	probe->attached = false;
}

static void source_tracepoint_come(struct grtrace_source *source,
				   struct tracepoint *tp)
{
	unsigned int i;

	for (i = 0; i < source->nr_probes; i++) {
		struct grtrace_probe *probe = &source->probes[i];

		if (strcmp(probe->tracepoint, tp->name))
			continue;
		if (!probe_fits_kernel(probe)) {
			pr_warn_once("%s: %s was not checked with this kernel, not used\n",
				     source->name, tp->name);
			continue;
		}
		/* another driver's of the same name: one is enough */
		if (probe->tp)
			continue;
		probe->tp = tp;
		if (source_attached)
			probe_attach(probe);
	}
}

static void source_kernel_tracepoint(struct tracepoint *tp, void *source)
{
	source_tracepoint_come(source, tp);
}

#ifdef CONFIG_MODULES

static void source_tracepoint_go(struct grtrace_source *source,
				 struct tracepoint *tp)
{
	unsigned int i;

	for (i = 0; i < source->nr_probes; i++) {
		if (source->probes[i].tp != tp)
			continue;
		probe_detach(&source->probes[i]);
		source->probes[i].tp = NULL;
	}
}

static int source_module_notify(struct notifier_block *nb,
				unsigned long action, void *data)
{
	struct grtrace_source *source =
		container_of(nb, struct grtrace_source, nb);
	struct tp_module *tp_mod = data;
	struct tracepoint *tp;
	int i;

	guard(mutex)(&source_lock);
	for (i = 0; i < tp_mod->mod->num_tracepoints; i++) {
		tp = tracepoint_ptr_deref(&tp_mod->mod->tracepoints_ptrs[i]);
		if (action == MODULE_STATE_COMING)
			source_tracepoint_come(source, tp);
		else if (action == MODULE_STATE_GOING)
			source_tracepoint_go(source, tp);
	}
	return NOTIFY_OK;
}

#else

static int source_module_notify(struct notifier_block *nb,
				unsigned long action, void *data)
{
	return NOTIFY_OK;
}

#endif

/**
 * grtrace_source_register - begin to listen to what a source knows
 * @source: the source; stays the caller's, and in place
 *
 * If a session runs, its probes are attached at once.
 *
 * Context: Process.
 * Return: 0 or -errno.
 */
int grtrace_source_register(struct grtrace_source *source)
{
	int ret;

	mutex_lock(&source_lock);
	list_add_tail(&source->node, &source_list);
	if (source->nr_probes)
		for_each_kernel_tracepoint(source_kernel_tracepoint, source);
	mutex_unlock(&source_lock);
	if (!source->nr_probes)
		return 0;

	source->nb.notifier_call = source_module_notify;
	ret = register_tracepoint_module_notifier(&source->nb);
	if (ret)
		grtrace_source_unregister(source);
	return ret;
}
EXPORT_SYMBOL_GPL(grtrace_source_register);

/**
 * grtrace_source_unregister - stop listening
 * @source: the source
 *
 * After it returns no probe of the source runs or will run.
 *
 * Context: Process, sleeps.
 */
void grtrace_source_unregister(struct grtrace_source *source)
{
	unsigned int i;

	if (source->nb.notifier_call)
		unregister_tracepoint_module_notifier(&source->nb);
	mutex_lock(&source_lock);
	for (i = 0; i < source->nr_probes; i++) {
		probe_detach(&source->probes[i]);
		source->probes[i].tp = NULL;
	}
	list_del(&source->node);
	mutex_unlock(&source_lock);
	if (source->nr_probes)
		tracepoint_synchronize_unregister();
}
EXPORT_SYMBOL_GPL(grtrace_source_unregister);

/**
 * grtrace_sources_attach - attach all probes, and those that come later
 *
 * Context: Process.
 */
void grtrace_sources_attach(void)
{
	struct grtrace_source *source;
	unsigned int i;

	guard(mutex)(&source_lock);
	source_attached = true;
	list_for_each_entry(source, &source_list, node)
		for (i = 0; i < source->nr_probes; i++)
			probe_attach(&source->probes[i]);
}

/**
 * grtrace_sources_detach - detach all probes
 *
 * After it returns no probe runs.
 *
 * Context: Process, sleeps.
 */
void grtrace_sources_detach(void)
{
	struct grtrace_source *source;
	unsigned int i;

	mutex_lock(&source_lock);
	source_attached = false;
	list_for_each_entry(source, &source_list, node)
		for (i = 0; i < source->nr_probes; i++)
			probe_detach(&source->probes[i]);
	mutex_unlock(&source_lock);
	tracepoint_synchronize_unregister();
}

/**
 * grtrace_sources_for_each - walk over the sources
 * @fn: called with each, the tracepoints it listens to that are there now, and
 *	those that this kernel can have
 * @data: passed to it
 *
 * Context: Process.
 */
void grtrace_sources_for_each(void (*fn)(const struct grtrace_source *source,
					 unsigned int found,
					 unsigned int known, void *data),
			      void *data)
{
	struct grtrace_source *source;
	unsigned int i, found, known;

	guard(mutex)(&source_lock);
	list_for_each_entry(source, &source_list, node) {
		found = 0;
		known = 0;
		for (i = 0; i < source->nr_probes; i++) {
			found += !!source->probes[i].tp;
			known += probe_fits_kernel(&source->probes[i]);
		}
		fn(source, found, known, data);
	}
}
