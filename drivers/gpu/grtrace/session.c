// SPDX-License-Identifier: GPL-2.0
/*
 * The session: from start to stop, one at a time.
 *
 * A channel is made at the start and stays after the stop, so that the rest
 * can be read, until the next start or the module's end. The hot path reads
 * one RCU-protected snapshot; whoever takes it away waits for all hooks to be
 * out before touching what it points to.
 */
#include <linux/jump_label.h>
#include <linux/lockdep.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/printk.h>
#include <linux/random.h>
#include <linux/rcupdate.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>

#include "channel.h"
#include "config.h"
#include "metadata.h"
#include "record.h"
#include "rings.h"
#include "session.h"
#include "source.h"
#include "stats.h"

DEFINE_STATIC_KEY_FALSE(grtrace_running_key);
EXPORT_SYMBOL_GPL(grtrace_running_key);

/* Set while a session runs; written with session_lock held. */
struct grtrace_live __rcu *grtrace_live;

/* Guards all below. */
static DEFINE_MUTEX(session_lock);
static struct grtrace_config session_config;
static struct grtrace_channel *session_channel;
static struct grtrace_rec_stream_info session_info;
static struct dentry *session_dir;
static const struct file_operations *session_fops;

static struct grtrace_live *session_live(void)
{
	return rcu_dereference_protected(grtrace_live,
					 lockdep_is_held(&session_lock));
}

/* Publish @next, and free the snapshot before it once no hook reads it. */
static void session_live_set(struct grtrace_live *next)
{
	struct grtrace_live *old = session_live();

	rcu_assign_pointer(grtrace_live, next);
	if (old) {
		synchronize_rcu();
		kfree(old);
	}
}

static struct grtrace_channel *session_channel_create(u64 session)
{
	const struct grtrace_channel template = {
		.session = session,
		.subbuf_size = session_config.subbuf_size,
		.n_subbufs = session_config.n_subbufs,
		.overwrite = session_config.overwrite,
		.order_clock = session_config.order_clock,
		.parent = session_dir,
		.fops = session_fops,
	};

	return grtrace_channel_create(&template);
}

/* What the stream begins with: who and when, and the tables. */
static int session_announce(struct grtrace_channel *channel)
{
	grtrace_metadata_info(&session_info, channel);
	grtrace_record_stream_info(channel, &session_info);
	return grtrace_metadata_tables(channel);
}

/* Rings that come from now on are told by whoever interns them. */
static void session_announce_rings(struct grtrace_channel *channel)
{
	struct grtrace_ring *ring;
	unsigned long flags;
	u32 cursor = 0;

	while ((ring = grtrace_rings_next(&cursor))) {
		local_irq_save(flags);
		grtrace_record_ring(channel, ring);
		local_irq_restore(flags);
	}
}

static void session_channel_drop(void)
{
	if (session_channel)
		grtrace_channel_close(session_channel);
	session_channel = NULL;
}

/**
 * grtrace_session_start - begin a session with the present configuration
 *
 * Context: Process.
 * Return: 0; -EBUSY if one runs; -ENOMEM.
 */
int grtrace_session_start(void)
{
	struct grtrace_live *live;
	int ret;

	guard(mutex)(&session_lock);
	if (session_live())
		return -EBUSY;

	live = kzalloc(sizeof(*live), GFP_KERNEL);
	if (!live)
		return -ENOMEM;
	/* the old files go first: the new ones have their names */
	session_channel_drop();
	session_channel = session_channel_create(get_random_u64() ?: 1);
	if (!session_channel) {
		kfree(live);
		return -ENOMEM;
	}
	grtrace_stats_reset();
	grtrace_rings_forget();
	ret = session_announce(session_channel);
	if (ret) {
		session_channel_drop();
		kfree(live);
		return ret;
	}

	live->channel = session_channel;
	live->filter = session_config.filter;
	/* an owner either sees the session, or has his ring announced here */
	grtrace_rings_owner_lock();
	session_live_set(live);
	session_announce_rings(session_channel);
	grtrace_rings_owner_unlock();
	static_branch_enable(&grtrace_running_key);
	grtrace_sources_attach();
	return 0;
}

static void session_stop_locked(void)
{
	lockdep_assert_held(&session_lock);

	grtrace_sources_detach();
	static_branch_disable(&grtrace_running_key);
	session_live_set(NULL);
	grtrace_channel_flush(session_channel);
}

/**
 * grtrace_session_stop - end the session
 *
 * After it returns no hook writes. What is in the channel can still be read.
 *
 * Context: Process, sleeps.
 * Return: 0; -EINVAL if none runs.
 */
int grtrace_session_stop(void)
{
	guard(mutex)(&session_lock);
	if (!session_live())
		return -EINVAL;
	session_stop_locked();
	return 0;
}

/**
 * grtrace_session_state - idle, running or stopped
 */
const char *grtrace_session_state(void)
{
	guard(mutex)(&session_lock);
	if (session_live())
		return "running";
	return session_channel ? "stopped" : "idle";
}

/**
 * grtrace_session_lock - keep the session as it is
 *
 * Context: Process.
 */
void grtrace_session_lock(void)
{
	mutex_lock(&session_lock);
}

/**
 * grtrace_session_unlock - let it change again
 */
void grtrace_session_unlock(void)
{
	mutex_unlock(&session_lock);
}

/**
 * grtrace_session_config_write - apply key=value words, all or none
 * @text: the words; cut up
 *
 * Context: Process.
 * Return: 0, or as grtrace_config_parse().
 */
int grtrace_session_config_write(char *text)
{
	struct grtrace_config config;
	struct grtrace_live *live;
	int ret;

	guard(mutex)(&session_lock);
	config = session_config;
	ret = grtrace_config_parse(&config, text, session_live());
	if (ret)
		return ret;
	if (session_live()) {
		live = kmemdup(session_live(), sizeof(*live), GFP_KERNEL);
		if (!live)
			return -ENOMEM;
		live->filter = config.filter;
		session_live_set(live);
	}
	session_config = config;
	return 0;
}

/**
 * grtrace_session_config_show - print all keys
 * @m: where to
 */
void grtrace_session_config_show(struct seq_file *m)
{
	guard(mutex)(&session_lock);
	grtrace_config_show(&session_config, m);
}

/**
 * grtrace_session_rings_show - print the table of rings
 * @m: where to
 */
void grtrace_session_rings_show(struct seq_file *m)
{
	struct grtrace_ring *ring;
	u32 cursor = 0;

	guard(mutex)(&session_lock);
	seq_puts(m, "id,device,driver,name,class,in_flight\n");
	while ((ring = grtrace_rings_next(&cursor))) {
		if (!READ_ONCE(ring->key))
			continue;
		seq_printf(m, "%u,%s,%s,%s,%s,%llu\n", ring->id, ring->device,
			   ring->driver, ring->name,
			   grtrace_record_class_name(ring->engine_class),
			   grtrace_rings_in_flight(ring));
	}
}

/**
 * grtrace_session_message - put a line of text into the stream
 * @text: the text
 * @length: its bytes
 *
 * Context: Process.
 * Return: 0; -E2BIG; -EPIPE if no session runs; -ENOSPC if there was no room.
 */
int grtrace_session_message(const char *text, size_t length)
{
	if (length > GRTRACE_MESSAGE_MAX)
		return -E2BIG;
	guard(mutex)(&session_lock);
	if (!session_live())
		return -EPIPE;
	return grtrace_record_message(session_channel, text, length) ? 0 :
								       -ENOSPC;
}

/**
 * grtrace_session_metadata - what a recorder writes before the stream
 * @size: set to its bytes
 *
 * Context: Process.
 * Return: memory for kvfree(), NULL when no session ran yet, or ERR_PTR().
 */
void *grtrace_session_metadata(size_t *size)
{
	guard(mutex)(&session_lock);
	if (!session_channel)
		return NULL;
	return grtrace_metadata_packet(&session_info, size);
}

/**
 * grtrace_session_init - before the first session
 * @dir: directory of the trace files
 * @fops: their operations
 */
int grtrace_session_init(struct dentry *dir, const struct file_operations *fops)
{
	session_dir = dir;
	session_fops = fops;
	grtrace_config_default(&session_config);
	return grtrace_rings_init();
}

/**
 * grtrace_session_exit - end what runs, free what is left
 *
 * Context: Process; nobody starts a session any more.
 */
void grtrace_session_exit(void)
{
	mutex_lock(&session_lock);
	if (session_live())
		session_stop_locked();
	session_channel_drop();
	mutex_unlock(&session_lock);
	grtrace_rings_exit();
}
