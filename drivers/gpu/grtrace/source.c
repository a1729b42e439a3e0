// SPDX-License-Identifier: GPL-2.0
/*
 * Sources: who feeds events.
 *
 * Their probes are attached while a session runs. Most sources are modules;
 * those whose driver is there are loaded when a session starts, and when the
 * driver comes while one runs.
 */
#include <linux/kmod.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/tracepoint.h>
#include <linux/workqueue.h>

#include "lookup.h"
#include "probe.h"
#include "source.h"

/* Guards the list; taken outside of grtrace_probe_lock. */
static DEFINE_MUTEX(source_lock);
static LIST_HEAD(source_list);

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
	mutex_unlock(&source_lock);
	if (!source->nr_probes)
		return 0;
	ret = grtrace_lookup_begin(source);
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
	if (source->nr_probes)
		grtrace_lookup_end(source);
	mutex_lock(&source_lock);
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
 * Return: 0, or -errno if one could not be attached: a session without it would
 * not tell what it misses. grtrace_sources_detach() undoes the others.
 */
int grtrace_sources_attach(void)
{
	struct grtrace_source *source;
	int ret;

	guard(mutex)(&source_lock);
	guard(mutex)(&grtrace_probe_lock);
	grtrace_probes_switch(true);
	list_for_each_entry(source, &source_list, node) {
		ret = grtrace_probes_attach(source);
		if (ret)
			return ret;
	}
	return 0;
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

	scoped_guard(mutex, &source_lock) {
		guard(mutex)(&grtrace_probe_lock);
		grtrace_probes_switch(false);
		list_for_each_entry(source, &source_list, node)
			grtrace_probes_detach(source);
	}
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
	guard(mutex)(&grtrace_probe_lock);
	list_for_each_entry(source, &source_list, node) {
		found = 0;
		known = 0;
		for (i = 0; i < source->nr_probes; i++) {
			found += !!source->probes[i].tp;
			known += grtrace_lookup_can(&source->probes[i]);
		}
		fn(source, found, known, data);
	}
}

/* ------------------------------------------------------- sources on demand */

static bool source_is_here(const char *name)
{
	struct grtrace_source *source;

	guard(mutex)(&source_lock);
	list_for_each_entry(source, &source_list, node)
		if (!strcmp(source->name, name))
			return true;
	return false;
}

/**
 * grtrace_sources_load - load the sources whose drivers are there
 *
 * A source that cannot be loaded is missing in the stream's list of sources.
 *
 * Context: Process, sleeps; with no lock that a source's start may take.
 */
void grtrace_sources_load(void)
{
	unsigned int cursor = 0;
	const char *name;

	/* what is built in comes by itself, and there is no modprobe yet */
	if (system_state < SYSTEM_RUNNING)
		return;
	while ((name = grtrace_lookup_source(&cursor)))
		if (!source_is_here(name))
			request_module("grtrace_%s", name);
}

static void source_load(struct work_struct *work)
{
	if (grtrace_probes_on())
		grtrace_sources_load();
}

static DECLARE_WORK(source_load_work, source_load);

/**
 * grtrace_sources_load_later - the same, if a session runs, but not here
 *
 * Context: Process; for who loads a module, which modprobe would wait for.
 */
void grtrace_sources_load_later(void)
{
	if (grtrace_probes_on())
		schedule_work(&source_load_work);
}

/**
 * grtrace_sources_init - begin to watch for drivers that want a source
 *
 * Return: 0 or -errno.
 */
int grtrace_sources_init(void)
{
	return grtrace_lookup_init(grtrace_sources_load_later);
}

/**
 * grtrace_sources_exit - stop to watch for drivers
 *
 * Context: Process, sleeps.
 */
void grtrace_sources_exit(void)
{
	grtrace_lookup_exit();
	cancel_work_sync(&source_load_work);
}
