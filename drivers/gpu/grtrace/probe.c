// SPDX-License-Identifier: GPL-2.0
/* Probes: attached to their tracepoints while a session runs. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/err.h>
#include <linux/lockdep.h>
#include <linux/tracepoint.h>

#include "probe.h"

/* Guards grtrace_probe.attached, and probes_on. */
DEFINE_MUTEX(grtrace_probe_lock);
static bool probes_on;

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

/**
 * grtrace_probes_attach - attach a source's probes
 * @source: the source
 *
 * Context: Process, with grtrace_probe_lock held.
 * Return: 0 or -errno; those before the one that failed are attached then.
 */
int grtrace_probes_attach(struct grtrace_source *source)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < source->nr_probes && !ret; i++)
		ret = probe_attach(&source->probes[i]);
	return ret;
}

/**
 * grtrace_probes_detach - detach a source's probes, the last one first
 * @source: the source
 *
 * So no probe is attached without those before it, which it may rely on. Some may
 * still run, until tracepoint_synchronize_unregister().
 *
 * Context: Process, with grtrace_probe_lock held.
 */
void grtrace_probes_detach(struct grtrace_source *source)
{
	unsigned int i = source->nr_probes;

	while (i--)
		probe_detach(&source->probes[i]);
}

/**
 * grtrace_probes_switch - say whether probes of sources that come are attached
 * @on: they are
 *
 * Context: Process, with grtrace_probe_lock held.
 */
void grtrace_probes_switch(bool on)
{
	lockdep_assert_held(&grtrace_probe_lock);
	probes_on = on;
}

/**
 * grtrace_probes_on - are probes of sources that come attached?
 *
 * Context: Process, with grtrace_probe_lock held.
 */
bool grtrace_probes_on(void)
{
	lockdep_assert_held(&grtrace_probe_lock);
	return probes_on;
}

#ifdef GRTRACE_EXTERNAL
/* A tracepoint comes and goes with the module that owns it, and with it a probe. */

/**
 * grtrace_probe_found - a probe's tracepoint is there
 * @probe: the probe
 * @tp: its tracepoint
 *
 * Context: Process, with grtrace_probe_lock held.
 * Return: 0, or -errno if a session runs and it could not be attached: then it is
 * as if it were not there.
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
 * grtrace_probe_gone - a probe's tracepoint is about to go
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
