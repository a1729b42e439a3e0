// SPDX-License-Identifier: GPL-2.0
/*
 * Sources: who feeds events.
 *
 * Most are modules, which user space loads. A source is linked to the
 * tracepoints that it listens to, so that the module that owns these stays as
 * long as the source does. Its probes are attached while a session runs.
 */
#include <linux/cleanup.h>
#include <linux/export.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/tracepoint.h>

#ifdef GRTRACE_EXTERNAL
#include "lookup.h"
#endif
#include "probe.h"
#include "source.h"

/* Guards the list; taken outside of grtrace_probe_lock. */
static DEFINE_MUTEX(source_lock);
static LIST_HEAD(source_list);

/* From now on its probes are attached whenever a session runs. */
static int source_begin(struct grtrace_source *source)
{
#ifdef GRTRACE_EXTERNAL
	return grtrace_lookup_begin(source);
#else
	guard(mutex)(&grtrace_probe_lock);
	return grtrace_probes_on() ? grtrace_probes_attach(source) : 0;
#endif
}

static void source_end(struct grtrace_source *source)
{
#ifdef GRTRACE_EXTERNAL
	grtrace_lookup_end(source);
#else
	guard(mutex)(&grtrace_probe_lock);
	grtrace_probes_detach(source);
#endif
}

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
	int ret = 0;

	mutex_lock(&source_lock);
	list_add_tail(&source->node, &source_list);
	if (source->nr_probes)
		ret = source_begin(source);
	mutex_unlock(&source_lock);
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
	/* no session that starts here and now may attach its probes again */
	mutex_lock(&source_lock);
	list_del(&source->node);
	if (source->nr_probes)
		source_end(source);
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
 * not show what is missing. grtrace_sources_detach() undoes the others.
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
	unsigned int found, known;

	guard(mutex)(&source_lock);
	guard(mutex)(&grtrace_probe_lock);
	list_for_each_entry(source, &source_list, node) {
		found = source->nr_probes;
		known = source->nr_probes;
#ifdef GRTRACE_EXTERNAL
		grtrace_lookup_count(source, &found, &known);
#endif
		fn(source, found, known, data);
	}
}
