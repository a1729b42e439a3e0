// SPDX-License-Identifier: GPL-2.0
/*
 * Sources: the modules and drivers that report events.
 *
 * Most sources are modules, which user space loads. A source is linked to its
 * tracepoints, so the module that owns these stays loaded as long as the source
 * does. Its probes are attached while a session runs.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/export.h>
#include <linux/grtrace.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/mutex.h>
#include <linux/seq_buf.h>
#include <linux/tracepoint.h>

#include "session.h"

/* -------------------------------------------------------------- probes */

/* Guards grtrace_probe.attached, and probes_on. */
DEFINE_MUTEX(grtrace_probe_lock);
static bool probes_on;		/* attach the probes of new sources */

static int probe_attach(struct grtrace_probe *probe)
{
	int ret;

	lockdep_assert_held(&grtrace_probe_lock);

	if (probe->attached)
		return 0;
#ifdef GRTRACE_EXTERNAL
	if (!probe->tp)
		return 0;
#endif
	ret = tracepoint_probe_register(probe->tp, probe->fn, NULL);
	if (ret)
		pr_warn("cannot attach to %s: %pe\n", probe->tracepoint,
			ERR_PTR(ret));
	probe->attached = !ret;
	return ret;
}

static void probe_detach(struct grtrace_probe *probe)
{
	lockdep_assert_held(&grtrace_probe_lock);

	if (!probe->attached)
		return;
	tracepoint_probe_unregister(probe->tp, probe->fn, NULL);
	probe->attached = false;
}

/* If one fails, the probes before it stay attached. */
static int probes_attach(struct grtrace_source *source)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < source->nr_probes && !ret; i++)
		ret = probe_attach(&source->probes[i]);
	return ret;
}

/*
 * Detaches the last probe first: a probe may rely on those before it, so it must not
 * be attached without them. Probes may still run until
 * tracepoint_synchronize_unregister().
 */
static void probes_detach(struct grtrace_source *source)
{
	unsigned int i = source->nr_probes;

	while (i--)
		probe_detach(&source->probes[i]);
}

#ifdef GRTRACE_EXTERNAL
/* A tracepoint exists while the module that owns it is loaded; a probe lasts no longer. */

/**
 * grtrace_probe_found - use a probe's tracepoint that now exists
 * @probe: the probe
 * @tp: its tracepoint
 *
 * Context: Process, with grtrace_probe_lock held.
 * Return: 0, or -errno if a session runs and the probe could not be attached:
 * then the tracepoint counts as missing.
 */
int grtrace_probe_found(struct grtrace_probe *probe, struct tracepoint *tp)
{
	int ret;

	probe->tp = tp;
	ret = probes_on ? probe_attach(probe) : 0;
	if (ret)
		probe->tp = NULL;
	return ret;
}

/**
 * grtrace_probe_gone - release a probe's tracepoint that is about to disappear
 * @probe: the probe
 *
 * Context: Process, with grtrace_probe_lock held.
 */
void grtrace_probe_gone(struct grtrace_probe *probe)
{
	probe_detach(probe);
	probe->tp = NULL;
}
#endif

/* ------------------------------------------------------------- sources */

/* Guards the list; it is taken outside of grtrace_probe_lock. */
static DEFINE_MUTEX(source_lock);
static LIST_HEAD(source_list);

/* From now on its probes are attached whenever a session runs. */
static int source_begin(struct grtrace_source *source)
{
#ifdef GRTRACE_EXTERNAL
	return grtrace_lookup_begin(source);
#else
	guard(mutex)(&grtrace_probe_lock);
	return probes_on ? probes_attach(source) : 0;
#endif
}

static void source_end(struct grtrace_source *source)
{
#ifdef GRTRACE_EXTERNAL
	grtrace_lookup_end(source);
#else
	guard(mutex)(&grtrace_probe_lock);
	probes_detach(source);
#endif
}

/**
 * grtrace_source_register - add a source
 * @source: the source; it must stay in place until it is unregistered
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
 * grtrace_source_unregister - remove a source
 * @source: the source
 *
 * After it returns, no probe of the source runs or will run.
 *
 * Context: Process, sleeps.
 */
void grtrace_source_unregister(struct grtrace_source *source)
{
	/* A session that starts at this moment must not attach its probes again. */
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
 * grtrace_sources_attach - attach the probes of all and of later sources
 *
 * Context: Process.
 * Return: 0, or -errno if a probe could not be attached. A session must not
 * start without that probe, because the trace would not show what is missing.
 * grtrace_sources_detach() detaches the other probes.
 */
int grtrace_sources_attach(void)
{
	struct grtrace_source *source;
	int ret;

	guard(mutex)(&source_lock);
	guard(mutex)(&grtrace_probe_lock);
	probes_on = true;
	list_for_each_entry(source, &source_list, node) {
		ret = probes_attach(source);
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
		probes_on = false;
		list_for_each_entry(source, &source_list, node)
			probes_detach(source);
	}
	tracepoint_synchronize_unregister();
}

/*
 * Prints a line for each source: its name, the number of its tracepoints that exist
 * now, and the number that this kernel can have.
 */
void grtrace_sources_print(struct seq_buf *text)
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
		seq_buf_printf(text, "source %s %u %u\n", source->name, found,
			       known);
	}
}
