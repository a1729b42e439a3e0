// SPDX-License-Identifier: GPL-2.0
/*
 * /sys/kernel/debug/grtrace/: the interface to user space. This is the only
 * file of the core that touches user memory, and it has the module's entry.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

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
#include "session.h"
#include "snapshot.h"

#ifdef GRTRACE_COMPAT
#include "compat.h"
#endif

#define WRITE_MAX	SZ_64K	/* one write: enough for 1000 lines to "emit" */

static struct dentry *debugfs_dir;

/* Copies a write as text without its last newline; refuses NUL and control characters. */
static char *write_text(const char __user *from, size_t count)
{
	char *text;
	size_t i;

	if (count > WRITE_MAX)
		return ERR_PTR(-E2BIG);
	text = memdup_user_nul(from, count);
	if (IS_ERR(text))
		return text;
	for (i = 0; i < count; i++) {
		u8 c = text[i];

		if (c >= ' ' && c != 0x7f)
			continue;
		if (c == '\n' || c == '\t')
			continue;
		kfree(text);
		return ERR_PTR(-EINVAL);
	}
	if (count && text[count - 1] == '\n')
		text[count - 1] = '\0';
	return text;
}

static ssize_t write_with(const char __user *from, size_t count, loff_t *pos,
			  int (*fn)(char *text))
{
	char *text;
	int ret;

	/* A second write to the same file starts again: text of several writes is not joined. */
	text = write_text(from, count);
	if (IS_ERR(text))
		return PTR_ERR(text);
	ret = fn(text);
	kfree(text);
	if (ret)
		return ret;
	*pos += count;
	return count;
}

/* -------------------------------------------------------------- control */

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
	pr_warn_ratelimited("control: '%.16s' is not start, stop, snapshot or discard\n",
			    text);
	return -EINVAL;
}

static ssize_t control_write(struct file *file, const char __user *from,
			     size_t count, loff_t *pos)
{
	return write_with(from, count, pos, control_apply);
}

static int control_show(struct seq_file *m, void *unused)
{
	seq_printf(m, "%s\n", grtrace_session_state());
	return 0;
}
DEFINE_SHOW_STORE_ATTRIBUTE(control);

/* --------------------------------------------------------------- config */

static ssize_t config_write(struct file *file, const char __user *from,
			    size_t count, loff_t *pos)
{
	return write_with(from, count, pos, grtrace_session_config_write);
}

static int config_show(struct seq_file *m, void *unused)
{
	grtrace_session_config_show(m);
	return 0;
}
DEFINE_SHOW_STORE_ATTRIBUTE(config);

/* ---------------------------------------------------------- emit and msg */

static ssize_t emit_write(struct file *file, const char __user *from,
			  size_t count, loff_t *pos)
{
	return write_with(from, count, pos, grtrace_emit);
}

static int msg_apply(char *text)
{
	if (!*text || strchr(text, '\n'))
		return -EINVAL;
	return grtrace_session_message(text, strlen(text));
}

static ssize_t msg_write(struct file *file, const char __user *from,
			 size_t count, loff_t *pos)
{
	return write_with(from, count, pos, msg_apply);
}

/* ------------------------------------------------ metadata and snapshot */

/**
 * struct packet_file - an open "metadata" or "snapshot": its content when it was opened
 *
 * @head: the packet that describes the session; NULL if there is nothing to read
 * @size: its size in bytes
 * @snapshot: the packets after it, or NULL
 */
struct packet_file {
	void *head;
	size_t size;
	struct grtrace_snapshot *snapshot;
};

static int metadata_open(struct inode *inode, struct file *file)
{
	struct packet_file *open = kzalloc_obj(*open);
	int ret;

	if (!open)
		return -ENOMEM;
	open->head = grtrace_session_metadata(&open->size);
	ret = PTR_ERR_OR_ZERO(open->head);
	if (ret)
		kfree(open);
	else
		file->private_data = open;
	return ret;
}

static int snapshot_open(struct inode *inode, struct file *file)
{
	struct packet_file *open = kzalloc_obj(*open);
	int ret;

	if (!open)
		return -ENOMEM;
	open->snapshot = grtrace_session_snapshot_get(&open->head, &open->size);
	ret = PTR_ERR_OR_ZERO(open->snapshot);
	if (ret)
		kfree(open);
	else
		file->private_data = open;
	return ret;
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

static const struct file_operations emit_fops = {
	.owner		= THIS_MODULE,
	.open		= simple_open,
	.write		= emit_write,
	.llseek		= noop_llseek,
};

static const struct file_operations msg_fops = {
	.owner		= THIS_MODULE,
	.open		= simple_open,
	.write		= msg_write,
	.llseek		= noop_llseek,
};

static const struct file_operations metadata_fops = {
	.owner		= THIS_MODULE,
	.open		= metadata_open,
	.read		= packet_read,
	.llseek		= default_llseek,
	.release	= packet_release,
};

static const struct file_operations snapshot_fops = {
	.owner		= THIS_MODULE,
	.open		= snapshot_open,
	.read		= packet_read,
	.llseek		= default_llseek,
	.release	= packet_release,
};

static const struct {
	const char *name;
	umode_t mode;
	const struct file_operations *fops;
} debugfs_files[] = {
	{ "control", 0600, &control_fops },
	{ "config", 0600, &config_fops },
	{ "emit", 0200, &emit_fops },
	{ "msg", 0200, &msg_fops },
	/* mode 0400 would be readable under lockdown */
	{ "metadata", 0600, &metadata_fops },
	{ "snapshot", 0600, &snapshot_fops },
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
	char *text;
	int ret;

	if (!boot_config)
		return 0;
	/* Parsing modifies the text, but the parameter must keep its value. */
	text = kstrdup(boot_config, GFP_KERNEL);
	if (!text)
		return -ENOMEM;
	ret = grtrace_session_config_write(text);
	kfree(text);
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
	for (i = 0; i < ARRAY_SIZE(debugfs_files); i++)
		debugfs_create_file(debugfs_files[i].name,
				    debugfs_files[i].mode, debugfs_dir, NULL,
				    debugfs_files[i].fops);
	grtrace_views_create(debugfs_dir);
	if (!configured)
		boot_session();
	return 0;
}

static void __exit grtrace_exit(void)
{
	size_t i;

	/* No session can be started from here on. */
	for (i = 0; i < ARRAY_SIZE(debugfs_files); i++)
		debugfs_lookup_and_remove(debugfs_files[i].name, debugfs_dir);
	grtrace_views_remove(debugfs_dir);
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
