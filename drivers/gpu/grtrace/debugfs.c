// SPDX-License-Identifier: GPL-2.0
/*
 * /sys/kernel/debug/grtrace/: the interface to user space. This is the only
 * file of the core that touches user memory, and it has the module's entry.
 *
 * There are three kinds of files: text, which is shown and written as a whole;
 * packets, whose content is made when the file is opened; and the trace files,
 * which the channel creates.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cleanup.h>
#include <linux/cpumask.h>
#include <linux/ctype.h>
#include <linux/debugfs.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/irq_work.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/mutex.h>
#include <linux/relay.h>
#include <linux/seq_file.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "channel.h"
#include "live.h"
#include "record.h"
#include "rings.h"
#include "session.h"
#include "snapshot.h"
#include "stats.h"

#ifdef GRTRACE_COMPAT
#include "compat.h"
#endif

#define WRITE_MAX	SZ_64K	/* one write: enough for 1000 lines to "emit" */

static struct dentry *debugfs_dir;

/* A file of the directory. */
struct debugfs_entry {
	const char *name;
	/* its operations, which find this struct as the inode's private data */
	const struct file_operations *fops;
	int (*show)(struct seq_file *m, void *unused);	/* prints the content of a text file */
	/* applies a write to a text file; NULL if it is not for writing */
	int (*apply)(char *text);
	bool snapshot;				/* of a packet file: that of the snapshot */
};

/* ------------------------------------------------------------ text files */

/* Copies a write as text without its last newline; refuses NUL and control characters. */
static char *write_text(const char __user *from, size_t count)
{
	size_t i;

	if (count > WRITE_MAX)
		return ERR_PTR(-E2BIG);
	char *text __free(kfree) = memdup_user_nul(from, count);
	if (IS_ERR(text))
		return text;
	for (i = 0; i < count; i++)
		if (iscntrl(text[i]) && text[i] != '\n' && text[i] != '\t')
			return ERR_PTR(-EINVAL);
	if (count && text[count - 1] == '\n')
		text[count - 1] = '\0';
	return_ptr(text);
}

/* A second write to the same file starts again: text of several writes is not joined. */
static ssize_t text_write(struct file *file, const char __user *from,
			  size_t count, loff_t *pos)
{
	const struct debugfs_entry *entry = file_inode(file)->i_private;
	int ret;

	if (!entry->apply)
		return -EINVAL;
	char *text __free(kfree) = write_text(from, count);
	if (IS_ERR(text))
		return PTR_ERR(text);
	ret = entry->apply(text);
	if (ret)
		return ret;
	*pos += count;
	return count;
}

static int text_open(struct inode *inode, struct file *file)
{
	const struct debugfs_entry *entry = inode->i_private;

	return single_open(file, entry->show, NULL);
}

static const struct file_operations text_fops = {
	.owner		= THIS_MODULE,
	.open		= text_open,
	.read		= seq_read,
	.write		= text_write,
	.llseek		= seq_lseek,
	.release	= single_release,
};

/* A file that is only for writing. */
static int none_show(struct seq_file *m, void *unused)
{
	return -EINVAL;
}

static int control_apply(char *text)
{
	if (!strcmp(text, "start"))
		return grtrace_session_start();
	if (!strcmp(text, "stop"))
		return grtrace_session_stop();
	if (!strcmp(text, "snapshot"))
		return grtrace_session_snapshot();
	if (!strcmp(text, "discard"))
		return grtrace_session_discard();
	pr_warn_ratelimited("control: '%*pE' is not start, stop, snapshot or discard\n",
			    (int)strnlen(text, 16), text);
	return -EINVAL;
}

static int control_show(struct seq_file *m, void *unused)
{
	seq_printf(m, "%s\n", grtrace_session_state());
	return 0;
}

static int msg_apply(char *text)
{
	if (!*text || strchr(text, '\n'))
		return -EINVAL;
	return grtrace_session_message(text, strlen(text));
}

/* ----------------------------------------------------------------- views */

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

static int size_hist_show(struct seq_file *m, void *unused)
{
	hist_show(m, GRTRACE_HIST_SIZE_FIRST, grtrace_stat_size_sum);
	return 0;
}

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

static void rings_show_flags(struct seq_file *m, u32 flags)
{
	static const char * const names[] = { "cpu", "shared", "device", "user", "mixed" };
	const char *between = "";
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		if (!(flags & BIT(i)))
			continue;
		seq_printf(m, "%s%s", between, names[i]);
		between = "+";
	}
}

static int rings_show(struct seq_file *m, void *unused)
{
	struct grtrace_ring *ring;
	u32 cursor = 0;

	guard(mutex)(&grtrace_rings_lock);
	seq_puts(m, "id,device,driver,name,class,in_flight,flags,timeout_ms\n");
	while ((ring = grtrace_rings_next(&cursor))) {
		if (!READ_ONCE(ring->key))
			continue;
		seq_printf(m, "%u,%s,%s,%s,%s,%llu,", ring->id, ring->device,
			   ring->driver, ring->name,
			   grtrace_record_class_name(READ_ONCE(ring->engine_class)),
			   grtrace_rings_in_flight(ring));
		rings_show_flags(m, ring->flags);
		seq_printf(m, ",%u\n", ring->timeout_ms);
	}
	return 0;
}

/* ------------------------------------------------ metadata and snapshot */

/* An open "metadata" or "snapshot": its content when it was opened. */
struct packet_file {
	/* the packet that describes the session; NULL if there is nothing to read */
	void *head;
	size_t size;
	struct grtrace_snapshot *snapshot;	/* the packets after it, or NULL */
};

static int packet_open(struct inode *inode, struct file *file)
{
	struct packet_file *open __free(kfree) = kzalloc_obj(*open);
	const struct debugfs_entry *entry = inode->i_private;

	if (!open)
		return -ENOMEM;
	open->head = grtrace_session_packet(entry->snapshot ? &open->snapshot : NULL,
					    &open->size);
	if (IS_ERR(open->head))
		return PTR_ERR(open->head);
	file->private_data = no_free_ptr(open);
	return 0;
}

static ssize_t packet_read(struct file *file, char __user *to, size_t count,
			   loff_t *pos)
{
	struct packet_file *open = file->private_data;
	loff_t rest = *pos - open->size;
	ssize_t ret;

	if (rest < 0 || !open->snapshot)
		return simple_read_from_buffer(to, count, pos, open->head,
					       open->size);
	ret = simple_read_from_buffer(to, count, &rest, open->snapshot->data,
				      open->snapshot->used);
	*pos = rest + open->size;
	return ret;
}

static int packet_release(struct inode *inode, struct file *file)
{
	struct packet_file *open = file->private_data;

	grtrace_snapshot_put(open->snapshot);
	kvfree(open->head);
	kfree(open);
	return 0;
}

static const struct file_operations packet_fops = {
	.owner		= THIS_MODULE,
	.open		= packet_open,
	.read		= packet_read,
	.llseek		= default_llseek,
	.release	= packet_release,
};

/* ----------------------------------------------------------- trace<cpu> */

/* Called with the buffer's read_lock held. */
static ssize_t trace_copy(struct rchan_buf *buf, char __user *to, size_t count)
{
	ssize_t copied = 0;
	const void *data;
	size_t size;

	while ((size_t)copied < count) {
		size = grtrace_channel_peek(buf, &data, !copied);
		/* If some data was copied, stop before a packet that does not fit. */
		if (!size || (copied && size > count - copied))
			break;
		size = grtrace_channel_whole(buf, data, size, count - copied);
		if (!size && grtrace_channel_consume(buf, 0))
			return -EINVAL;
		/* The flight recorder may tear data: grtrace_channel_consume() detects that. */
		if (data_race(copy_to_user(to + copied, data, size)))
			return copied ?: -EFAULT;
		if (grtrace_channel_consume(buf, size))
			copied += size;
		cond_resched();
		if (signal_pending(current))
			return copied ?: -ERESTARTSYS;
	}
	return copied;
}

static ssize_t trace_read(struct file *file, char __user *to, size_t count,
			  loff_t *pos)
{
	struct rchan_buf *buf = file->private_data;
	struct mutex *lock = grtrace_channel_read_lock(buf);
	ssize_t ret;

	/* The holder of the lock may wait for memory for a long time. */
	if (mutex_lock_interruptible(lock))
		return -ERESTARTSYS;
	ret = trace_copy(buf, to, count);
	mutex_unlock(lock);
	return ret;
}

static int trace_open(struct inode *inode, struct file *file)
{
	struct rchan_buf *buf = inode->i_private;
	int ret;

	if (!grtrace_channel_is_ready(buf))
		return -EAGAIN;
	ret = relay_file_operations.open(inode, file);
	if (!ret)
		kref_get(&grtrace_channel_of(buf)->kref);
	return ret;
}

static int trace_release(struct inode *inode, struct file *file)
{
	struct rchan_buf *buf = file->private_data;
	struct grtrace_channel *channel = grtrace_channel_of(buf);
	int ret;

	/* Closing a packet may have queued this work after relay_close() waited. */
	irq_work_sync(&buf->wakeup_work);
	ret = relay_file_operations.release(inode, file);
	grtrace_channel_put(channel);
	return ret;
}

static __poll_t trace_poll(struct file *file, struct poll_table_struct *wait)
{
	struct rchan_buf *buf = file->private_data;
	__poll_t mask = relay_file_operations.poll(file, wait);

	/* relay's check came before this task was on the list that channel_remove_file() wakes. */
	if (data_race(READ_ONCE(buf->finalized)))
		mask |= EPOLLERR;
	return mask;
}

/* Maps the whole buffer for reading. Only finished sub-buffers are stable. */
static int trace_mmap(struct file *file, struct vm_area_struct *vma)
{
	struct rchan_buf *buf = file->private_data;

	if (vma->vm_flags & VM_WRITE)
		return -EPERM;
	vm_flags_mod(vma, VM_DONTEXPAND, VM_MAYWRITE);
	return vm_map_pages(vma, buf->page_array, buf->page_count);
}

static const struct file_operations trace_fops = {
	.owner		= THIS_MODULE,
	.open		= trace_open,
	.read		= trace_read,
	.poll		= trace_poll,
	.mmap		= trace_mmap,
	.release	= trace_release,
};

/* ---------------------------------------------------------------- files */

#define TEXT(_name, _show, ...) \
	{ .name = _name, .fops = &text_fops, .show = _show, __VA_ARGS__ }

static const struct debugfs_entry debugfs_entries[] = {
	TEXT("control", control_show, .apply = control_apply),
	TEXT("config", grtrace_session_config_show,
	     .apply = grtrace_session_config_write),
	TEXT("emit", none_show, .apply = grtrace_emit),
	TEXT("msg", none_show, .apply = msg_apply),
	{ .name = "metadata", .fops = &packet_fops },
	{ .name = "snapshot", .fops = &packet_fops, .snapshot = true },
	TEXT("stats", stats_show),
	/* the others are CSV with a header line */
	TEXT("pc_stats", pc_stats_show),
	TEXT("pc_cseq", grtrace_session_cseq_show),
	TEXT("sec_stats", grtrace_seconds_show),
	TEXT("events_by_type", events_by_type_show),
	TEXT("latency_hist", latency_hist_show),
	TEXT("size_hist", size_hist_show),
	TEXT("result_hist", result_hist_show),
	TEXT("rings", rings_show),
};

/* ---------------------------------------------------------- parameters */

/*
 * A session that the kernel's command line or modprobe requests. It begins before
 * any program could write to debugfs. If the module is built in, the session sees a
 * driver's first job.
 */
static bool boot_start;
module_param_named(start, boot_start, bool, 0444);
MODULE_PARM_DESC(start, "Start a session at once (default: no)");

static char *boot_config;
module_param_named(config, boot_config, charp, 0444);
MODULE_PARM_DESC(config, "\"key=value ...\", as written to the file config in debugfs");

static int __init boot_configure(void)
{
	char *text __free(kfree) = NULL;
	int ret;

	if (!boot_config)
		return 0;
	/* Parsing modifies the text, but the parameter must keep its value. */
	text = kstrdup(boot_config, GFP_KERNEL);
	if (!text)
		return -ENOMEM;
	ret = grtrace_session_config_write(text);
	if (ret)
		pr_err("the parameter config=\"%s\" was refused: %pe; nothing of it is in effect\n",
		       boot_config, ERR_PTR(ret));
	return ret;
}

/*
 * If the session cannot be started, the log says so. The module stays, because a
 * program may have opened one of its files by now.
 */
static void __init boot_session(void)
{
	int ret;

	if (!boot_start)
		return;
	ret = grtrace_session_start();
	if (ret)
		pr_err("the session that the parameter start=1 asks for could not be started: %pe\n",
		       ERR_PTR(ret));
}

/* --------------------------------------------------------- begin and end */

static int __init grtrace_init(void)
{
	const struct debugfs_entry *entry;
	int configured;
	size_t i;

	debugfs_dir = debugfs_create_dir("grtrace", NULL);
	if (IS_ERR(debugfs_dir))
		return PTR_ERR(debugfs_dir);
	grtrace_session_init(debugfs_dir, &trace_fops);
	/* This comes before any file is created: if it fails, the module does not load. */
	configured = boot_configure();
	if (configured && IS_MODULE(CONFIG_GRTRACE)) {
		grtrace_session_exit();
		debugfs_remove(debugfs_dir);
		return configured;
	}
	for (i = 0; i < ARRAY_SIZE(debugfs_entries); i++) {
		entry = &debugfs_entries[i];
		/* mode 0400 would be readable under lockdown */
		debugfs_create_file(entry->name, entry->show == none_show ? 0200 : 0600,
				    debugfs_dir, (void *)entry, entry->fops);
	}
	if (!configured)
		boot_session();
	return 0;
}

static void __exit grtrace_exit(void)
{
	size_t i;

	/* No task uses one of these files after this, so no session can be started. */
	for (i = 0; i < ARRAY_SIZE(debugfs_entries); i++)
		debugfs_lookup_and_remove(debugfs_entries[i].name, debugfs_dir);
	/* This removes the trace files. */
	grtrace_session_exit();
	debugfs_remove(debugfs_dir);
}

module_init(grtrace_init);
module_exit(grtrace_exit);

#ifdef GRTRACE_EXTERNAL
/* A kernel that exports no tracepoint does not show which of these modules are needed. */
MODULE_SOFTDEP("post: grtrace_dma_fence grtrace_drm_sched grtrace_virtio_gpu");
#endif
