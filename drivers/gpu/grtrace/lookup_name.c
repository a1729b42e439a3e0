// SPDX-License-Identifier: GPL-2.0
/*
 * Finds tracepoints by their names, on a kernel that exports none of them. This
 * file does not exist in the kernel tree.
 *
 * for_each_kernel_tracepoint() finds the tracepoints of the kernel itself. A
 * notifier finds the tracepoints of a module when the module is loaded; it is
 * also called for modules that are already there. No module is pinned.
 *
 * A name does not determine the prototype behind it, and a call with a wrong
 * prototype is a wild pointer. So each probe lists the kernels that its
 * prototype was checked against, and is not attached on others; and a source
 * names the kernel's module that has the tracepoints, because a vendor may ship
 * a copy of that module with the same names and other arguments.
 *
 * Locks: the notifier is called with tracepoint_module_list_mutex held and
 * takes grtrace_probe_lock inside it. Therefore a notifier must not be
 * (un)registered under grtrace_probe_lock.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/grtrace.h>
#include <linux/module.h>
#include <linux/tracepoint.h>
#include <linux/version.h>

#include "session.h"

/* Returns whether a probe's prototype was compared with this kernel's. */
static bool lookup_can(const struct grtrace_probe *probe)
{
	return LINUX_VERSION_CODE >= probe->from &&
	       LINUX_VERSION_CODE < probe->until;
}

static void lookup_come(struct tracepoint *tp, void *data)
{
	struct grtrace_source *source = data;
	unsigned int i;

	lockdep_assert_held(&grtrace_probe_lock);
	for (i = 0; i < source->nr_probes; i++) {
		struct grtrace_probe *probe = &source->probes[i];

		if (strcmp(probe->tracepoint, tp->name))
			continue;
		if (!lookup_can(probe)) {
			pr_warn_once("%s: %s was not checked with this kernel, not used\n",
				     source->name, tp->name);
			probe->refused = true;
			continue;
		}
		if (!probe->tp)
			grtrace_probe_found(probe, tp);
	}
}

static void lookup_go(const struct tracepoint *tp, struct grtrace_source *source)
{
	unsigned int i;

	for (i = 0; i < source->nr_probes; i++) {
		struct grtrace_probe *probe = &source->probes[i];

		if (probe->tp == tp)
			grtrace_probe_gone(probe);
		else if (!strcmp(probe->tracepoint, tp->name))
			probe->refused = false;
	}
}

/* Says that a tracepoint has only the name of one that the source knows. */
static void lookup_refuse(const struct tracepoint *tp, const char *owner,
			  const struct grtrace_source *source)
{
	unsigned int i;

	for (i = 0; i < source->nr_probes; i++)
		if (!strcmp(source->probes[i].tracepoint, tp->name))
			pr_warn("%s: %s of the module %s is not the kernel's, not used\n",
				source->name, tp->name, owner);
}

static int lookup_module_notify(struct notifier_block *nb,
				unsigned long action, void *data)
{
	struct grtrace_source *source =
		container_of(nb, struct grtrace_source, nb);
	struct tp_module *tp_mod = data;
	const char *name = tp_mod->mod->name;
	bool owns = source->owner && !strcmp(source->owner, name);
	struct tracepoint *tp;
	int i;

	guard(mutex)(&grtrace_probe_lock);
	for (i = 0; i < tp_mod->mod->num_tracepoints; i++) {
		tp = tracepoint_ptr_deref(&tp_mod->mod->tracepoints_ptrs[i]);
		if (action == MODULE_STATE_COMING && owns)
			lookup_come(tp, source);
		else if (action == MODULE_STATE_COMING)
			lookup_refuse(tp, name, source);
		else if (action == MODULE_STATE_GOING && owns)
			lookup_go(tp, source);
	}
	return NOTIFY_OK;
}

/* Finds a source's tracepoints, now and later. Returns 0 or -errno. */
int grtrace_lookup_begin(struct grtrace_source *source)
{
	int ret;

	mutex_lock(&grtrace_probe_lock);
	for_each_kernel_tracepoint(lookup_come, source);
	mutex_unlock(&grtrace_probe_lock);

	source->nb.notifier_call = lookup_module_notify;
	ret = register_tracepoint_module_notifier(&source->nb);
	if (ret)
		source->nb.notifier_call = NULL;
	return ret;
}

/* Stops searching, and forgets the tracepoints found. */
void grtrace_lookup_end(struct grtrace_source *source)
{
	unsigned int i;

	if (source->nb.notifier_call)
		unregister_tracepoint_module_notifier(&source->nb);
	guard(mutex)(&grtrace_probe_lock);
	for (i = 0; i < source->nr_probes; i++) {
		grtrace_probe_gone(&source->probes[i]);
		source->probes[i].refused = false;
	}
}

/*
 * Counts a source's tracepoints: those @found, and those that this kernel can have,
 * including tracepoints that were refused because their prototypes were not checked.
 */
void grtrace_lookup_count(const struct grtrace_source *source,
			  unsigned int *found, unsigned int *known)
{
	unsigned int i;

	lockdep_assert_held(&grtrace_probe_lock);
	*found = 0;
	*known = 0;
	for (i = 0; i < source->nr_probes; i++) {
		*found += !!source->probes[i].tp;
		*known += lookup_can(&source->probes[i]) ||
			  source->probes[i].refused;
	}
}
