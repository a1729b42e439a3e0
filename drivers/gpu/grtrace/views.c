// SPDX-License-Identifier: GPL-2.0
/*
 * The read-only debugfs files. All of them except "stats" are CSV with a header
 * line.
 */
#include <linux/cpumask.h>
#include <linux/debugfs.h>
#include <linux/module.h>
#include <linux/seq_file.h>

#include "live.h"
#include "record.h"
#include "rings.h"
#include "session.h"
#include "stats.h"

static int stats_show(struct seq_file *m, void *unused)
{
	int i;

	for (i = 0; i < GRTRACE_STAT_COUNT; i++)
		seq_printf(m, "%s %llu\n", grtrace_stat_name(i),
			   grtrace_stat_sum(i));
	for (i = 0; i < GRTRACE_TYPE_LIMIT; i++)
		if (grtrace_record_event_name(i))
			seq_printf(m, "events_by_type_%s %llu\n",
				   grtrace_record_event_name(i),
				   grtrace_stat_type_sum(i));
	seq_printf(m, "snapshots %llu\n", grtrace_session_snapshots());
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(stats);

static int pc_stats_show(struct seq_file *m, void *unused)
{
	static const enum grtrace_stat columns[] = {
		GRTRACE_STAT_OFFERED, GRTRACE_STAT_WRITTEN, GRTRACE_STAT_NOTES,
		GRTRACE_STAT_LOST, GRTRACE_STAT_LOST_NOTES,
		GRTRACE_STAT_BYTES_WRITTEN,
	};
	size_t i;
	int cpu;

	seq_puts(m, "cpu,offered,written,notes,lost,lost_notes,bytes\n");
	for_each_possible_cpu(cpu) {
		seq_printf(m, "%d", cpu);
		for (i = 0; i < ARRAY_SIZE(columns); i++)
			seq_printf(m, ",%llu",
				   grtrace_stat_cpu(columns[i], cpu));
		seq_putc(m, '\n');
	}
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(pc_stats);

static int pc_cseq_show(struct seq_file *m, void *unused)
{
	grtrace_session_cseq_show(m);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(pc_cseq);

static int sec_stats_show(struct seq_file *m, void *unused)
{
	grtrace_seconds_show(m);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(sec_stats);

static int events_by_type_show(struct seq_file *m, void *unused)
{
	unsigned int i;

	seq_puts(m, "type,name,letter,events\n");
	for (i = 0; i < GRTRACE_TYPE_LIMIT; i++)
		if (grtrace_record_event_name(i))
			seq_printf(m, "%u,%s,%s,%llu\n", i,
				   grtrace_record_event_name(i),
				   grtrace_record_event_letter(i),
				   grtrace_stat_type_sum(i));
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(events_by_type);

/* Prints a line of bounds, then a line of counts. */
static void hist_show(struct seq_file *m, unsigned int first,
		      u64 (*sum)(unsigned int bucket))
{
	unsigned int i;

	for (i = 0; i < GRTRACE_HIST_BUCKETS; i++)
		seq_printf(m, "%s%s_%llu", i ? "," : "",
			   i < GRTRACE_HIST_BUCKETS - 1 ? "lt" : "ge",
			   grtrace_stat_bound(first, i));
	seq_putc(m, '\n');
	for (i = 0; i < GRTRACE_HIST_BUCKETS; i++)
		seq_printf(m, "%s%llu", i ? "," : "", sum(i));
	seq_putc(m, '\n');
}

static int latency_hist_show(struct seq_file *m, void *unused)
{
	hist_show(m, GRTRACE_HIST_LATENCY_FIRST, grtrace_stat_latency_sum);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(latency_hist);

static int size_hist_show(struct seq_file *m, void *unused)
{
	hist_show(m, GRTRACE_HIST_SIZE_FIRST, grtrace_stat_size_sum);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(size_hist);

static int result_hist_show(struct seq_file *m, void *unused)
{
	static const struct {
		const char *name;
		enum grtrace_stat stat;
	} results[] = {
		{ "written", GRTRACE_STAT_WRITTEN },
		{ "filtered", GRTRACE_STAT_FILTERED },
		{ "sampled_out", GRTRACE_STAT_SAMPLED_OUT },
		{ "rate_limited", GRTRACE_STAT_RATE_LIMITED },
		{ "backpressure", GRTRACE_STAT_BACKPRESSURE },
		{ "reserve_fail", GRTRACE_STAT_RESERVE_FAIL },
		{ "oversize", GRTRACE_STAT_OVERSIZE },
		{ "nmi", GRTRACE_STAT_NMI },
	};
	size_t i;

	seq_puts(m, "result,events\n");
	for (i = 0; i < ARRAY_SIZE(results); i++)
		seq_printf(m, "%s,%llu\n", results[i].name,
			   grtrace_stat_sum(results[i].stat));
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(result_hist);

static int rings_show(struct seq_file *m, void *unused)
{
	struct grtrace_ring *ring;
	u32 cursor = 0;

	guard(mutex)(&grtrace_rings_lock);
	seq_puts(m, "id,device,driver,name,class,in_flight\n");
	while ((ring = grtrace_rings_next(&cursor))) {
		if (!READ_ONCE(ring->key))
			continue;
		seq_printf(m, "%u,%s,%s,%s,%s,%llu\n", ring->id, ring->device,
			   ring->driver, ring->name,
			   grtrace_record_class_name(READ_ONCE(ring->engine_class)),
			   grtrace_rings_in_flight(ring));
	}
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(rings);

static const struct {
	const char *name;
	const struct file_operations *fops;
} views[] = {
	{ "stats", &stats_fops },
	{ "pc_stats", &pc_stats_fops },
	{ "pc_cseq", &pc_cseq_fops },
	{ "sec_stats", &sec_stats_fops },
	{ "events_by_type", &events_by_type_fops },
	{ "latency_hist", &latency_hist_fops },
	{ "size_hist", &size_hist_fops },
	{ "result_hist", &result_hist_fops },
	{ "rings", &rings_fops },
};

void grtrace_views_create(struct dentry *dir)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(views); i++)
		/* mode 0400 would be readable under lockdown */
		debugfs_create_file(views[i].name, 0600, dir, NULL,
				    views[i].fops);
}

/* After it returns, no task uses one of the files. */
void grtrace_views_remove(struct dentry *dir)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(views); i++)
		debugfs_lookup_and_remove(views[i].name, dir);
}
