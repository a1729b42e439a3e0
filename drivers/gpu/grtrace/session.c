// SPDX-License-Identifier: GPL-2.0
/*
 * The session: from start to stop, one at a time.
 *
 * A channel is created at the start. It stays after the stop, so that its rest
 * can be read, until the next start or until the module is unloaded. The hot
 * path reads one RCU-protected snapshot of everything it needs (live.h). After
 * replacing the snapshot, the session waits until no hook uses the old one
 * before it changes anything that it points to.
 */
#include <linux/err.h>
#include <linux/jump_label.h>
#include <linux/lockdep.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/random.h>
#include <linux/rcupdate.h>
#include <linux/security.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include "channel.h"
#include "config.h"
#include "live.h"
#include "record.h"
#include "rings.h"
#include "sampling.h"
#include "session.h"
#include "snapshot.h"
#include "stages.h"
#include "stats.h"

#ifdef GRTRACE_COMPAT
#include "compat.h"
#endif

DEFINE_STATIC_KEY_FALSE(grtrace_running_key);
EXPORT_SYMBOL_GPL(grtrace_running_key);

/* Guards all variables below, and writing grtrace_live. */
DEFINE_MUTEX(grtrace_session_lock);
static struct grtrace_config session_config;
static struct grtrace_channel *session_channel;
static struct grtrace_live_memory *session_memory;
static u32 session_permille;		/* fill of the channel, for adaptive sampling */
static struct grtrace_snapshot *session_held;	/* the current snapshot */
static struct grtrace_snapshot *session_spare;	/* memory for the next one */
static u64 session_snapshots;
static struct grtrace_rec_stream_info session_info;
static struct dentry *session_dir;
static const struct file_operations *session_fops;

static void session_adapt(struct work_struct *work);
static DECLARE_DELAYED_WORK(session_adapt_work, session_adapt);

/* Returns the running session, or NULL. */
static struct grtrace_live *session_live(void)
{
	struct grtrace_live *live;

	live = rcu_dereference_protected(grtrace_live,
					 lockdep_is_held(&grtrace_session_lock));
	return live == &grtrace_live_off ? NULL : live;
}

/* Publishes @next, or the idle state, and frees the previous one. */
static void session_live_set(struct grtrace_live *next)
{
	struct grtrace_live *old = session_live();

	WRITE_ONCE(grtrace_live_off.channel, NULL);
	rcu_assign_pointer(grtrace_live, next ?: &grtrace_live_off);
	if (!old)
		return;
	/* Wait until no hook reads it. */
	synchronize_rcu();
	grtrace_live_free(old, next);
}

static int session_channel_create(u64 session)
{
	const struct grtrace_channel template = {
		.session = session,
		.subbuf_size = session_config.subbuf_size,
		.n_subbufs = session_config.n_subbufs,
		.overwrite = session_config.overwrite,
		.clock = session_config.clock,
		.parent = session_dir,
		.fops = session_fops,
	};

	struct grtrace_channel *channel = grtrace_channel_create(&template);

	if (IS_ERR(channel))
		return PTR_ERR(channel);
	session_channel = channel;
	return 0;
}

/* Writes the beginning of the stream: the session, its time, and the tables. */
static int session_announce(struct grtrace_channel *channel)
{
	grtrace_metadata_info(&session_info, channel,
			      grtrace_config_features(&session_config));
	grtrace_record_stream_info(channel, &session_info);
	return grtrace_metadata_tables(channel);
}

/* Allocates in advance, because a trigger must not allocate memory when it fires. */
static int session_spare_fill(const struct grtrace_config *config)
{
	struct grtrace_snapshot *spare;

	if (!config->triggers || session_spare)
		return 0;
	spare = grtrace_snapshot_create(session_channel);
	if (IS_ERR(spare))
		return PTR_ERR(spare);
	session_spare = spare;
	return 0;
}

static void session_spare_drop(void)
{
	grtrace_snapshot_put(session_spare);
	session_spare = NULL;
}

static void session_held_drop(void)
{
	grtrace_snapshot_put(session_held);
	session_held = NULL;
	grtrace_snapshot_arm();
}

static void session_channel_drop(void)
{
	session_held_drop();
	session_spare_drop();
	kvfree(session_memory);
	session_memory = NULL;
	if (session_channel)
		grtrace_channel_close(session_channel);
	session_channel = NULL;
}

static int session_prepare(struct grtrace_live **live)
{
	int ret;

	session_memory = kvzalloc_obj(*session_memory);
	if (!session_memory)
		return -ENOMEM;
	ret = session_channel_create(get_random_u64() ?: 1);
	if (!ret)
		ret = session_spare_fill(&session_config);
	if (ret)
		return ret;
	*live = grtrace_live_create(&session_config, session_config.sample,
				    session_channel, session_memory, NULL);
	if (!*live)
		return -ENOMEM;
	grtrace_seconds_start();
	grtrace_rings_forget();
	ret = session_announce(session_channel);
	if (ret) {
		grtrace_seconds_stop();
		grtrace_live_free(*live, NULL);
	}
	return ret;
}

static void session_adapt_schedule(void)
{
	if (session_config.adaptive && !session_config.overwrite)
		schedule_delayed_work(&session_adapt_work,
				      msecs_to_jiffies(GRTRACE_PRESSURE_MS));
}

/* After it returns, no hook is called. */
static void session_detach(void)
{
	static_branch_disable(&grtrace_running_key);
	grtrace_sources_detach();
}

static void session_stop_locked(void)
{
	lockdep_assert_held(&grtrace_session_lock);

	grtrace_seconds_stop();
	/* Detaching takes time: without this, some kinds of events would end later. */
	session_live_set(NULL);
	grtrace_channel_stop(session_channel);
	session_detach();
}

/**
 * grtrace_session_start - begin a session with the present configuration
 *
 * Context: Process.
 * Return: 0; -EPERM if the kernel is locked down, which is logged; -EBUSY if a
 * session runs; -ENFILE if readers hold files of too many old sessions; -ENOMEM.
 */
int grtrace_session_start(void)
{
	struct grtrace_live *live;
	int ret;

	guard(mutex)(&grtrace_session_lock);
	if (session_live())
		return -EBUSY;

	/*
	 * This is checked first, so that a session that cannot begin removes
	 * nothing. debugfs checks this when a file is opened, but not for the
	 * module's parameter.
	 */
	ret = security_locked_down(LOCKDOWN_DEBUGFS);
	if (ret)
		return ret;
	if (!grtrace_channel_allowed(session_channel))
		return -ENFILE;
	/* The old files must be removed first: the new ones have the same names. */
	session_channel_drop();
	session_permille = 0;
	session_snapshots = 0;
	ret = grtrace_rings_prepare_table();
	if (ret)
		return ret;
	/* Attaching takes time: hooks find no session until all probes are there. */
	ret = grtrace_sources_attach();
	if (!ret) {
		static_branch_enable(&grtrace_running_key);
		ret = session_prepare(&live);
	}
	if (ret) {
		session_detach();
		session_channel_drop();
		return ret;
	}
	grtrace_rings_announce(session_channel);
	session_live_set(live);
	session_adapt_schedule();
	return 0;
}

/**
 * grtrace_session_stop - end the session
 *
 * After it returns, no hook writes. The rest of the channel can still be read.
 *
 * Context: Process, sleeps.
 * Return: 0; -EINVAL if no session runs.
 */
int grtrace_session_stop(void)
{
	guard(mutex)(&grtrace_session_lock);
	if (!session_live())
		return -EINVAL;
	session_stop_locked();
	return 0;
}

const char *grtrace_session_state(void)
{
	guard(mutex)(&grtrace_session_lock);
	if (session_live())
		return "running";
	return session_channel ? "stopped" : "idle";
}

/* Makes hooks use @config and record one job of @sample. */
static int session_follow(const struct grtrace_config *config, u32 sample,
			  enum grtrace_sample_reason reason)
{
	struct grtrace_live *old = session_live(), *live;
	u32 previous = old->sample;

	live = grtrace_live_create(config, sample, session_channel,
				   session_memory, old);
	if (!live)
		return -ENOMEM;
	session_live_set(live);
	if (sample != previous)
		grtrace_record_sample(session_channel, sample, previous, reason,
				      session_permille / 10);
	return 0;
}

/* Returns the configured N, or the one that adaptive sampling has chosen. */
static u32 session_sample(const struct grtrace_config *config)
{
	if (config->adaptive && config->sample == session_config.sample)
		return session_live()->sample;
	return config->sample;
}

static int session_config_apply(struct grtrace_config *config)
{
	int ret;

	if (session_live()) {
		/* While a snapshot is held, no trigger can fire. */
		ret = session_held ? 0 : session_spare_fill(config);
		if (ret)
			return ret;
		ret = session_follow(config, session_sample(config),
				     GRTRACE_SAMPLE_CONFIG);
		if (ret)
			return ret;
		session_info.features =
			cpu_to_le64(grtrace_config_features(config));
	}
	if (config->reset_stats) {
		grtrace_seconds_reset();
		session_snapshots = 0;
	}
	if (!config->triggers)
		session_spare_drop();
	config->reset_stats = false;
	session_config = *config;
	if (session_live())
		session_adapt_schedule();
	return 0;
}

bool grtrace_session_running(void)
{
	return session_live();
}

/**
 * grtrace_session_config_write - apply key=value words, all or none
 * @text: the words; they are modified
 *
 * Context: Process.
 * Return: 0, or an error of grtrace_config_parse(); -ENFILE if there are too many
 * snapshots; -ENOMEM.
 */
int grtrace_session_config_write(char *text)
{
	struct grtrace_config *config __free(kfree) = NULL;
	int ret;

	guard(mutex)(&grtrace_session_lock);
	config = kmemdup(&session_config, sizeof(*config), GFP_KERNEL);
	if (!config)
		return -ENOMEM;
	ret = grtrace_config_parse(config, text, session_live());
	return ret ?: session_config_apply(config);
}

/* Adaptive sampling: checks the channel and adapts N. It may be left over from another session. */
static void session_adapt(struct work_struct *work)
{
	const struct grtrace_config *config = &session_config;
	u32 sample, next;

	guard(mutex)(&grtrace_session_lock);
	if (!session_live() || !config->adaptive || config->overwrite)
		return;
	grtrace_pressure_look(&session_permille, session_channel);
	sample = session_live()->sample;
	next = grtrace_pressure_sample(session_permille, config->pressure,
				       config->sample, sample);
	if (next != sample)
		session_follow(config, next, next > sample ?
			       GRTRACE_SAMPLE_PRESSURE : GRTRACE_SAMPLE_RELIEF);
	session_adapt_schedule();
}

int grtrace_session_config_show(struct seq_file *m, void *unused)
{
	guard(mutex)(&grtrace_session_lock);
	grtrace_config_show(&session_config, m);
	return 0;
}

/* Prints the sequence number of each CPU. */
int grtrace_session_cseq_show(struct seq_file *m, void *unused)
{
	int cpu;

	guard(mutex)(&grtrace_session_lock);
	seq_puts(m, "cpu,cseq\n");
	for_each_possible_cpu(cpu)
		seq_printf(m, "%d,%llu\n", cpu, session_channel ?
			   grtrace_channel_cseq(session_channel, cpu) : 0);
	return 0;
}

/**
 * grtrace_session_message - put a line of text into the stream
 * @text: the text
 * @length: its length in bytes
 *
 * Context: Process.
 * Return: 0; -E2BIG; -EPIPE if no session runs; -ENOSPC if there was no room.
 */
int grtrace_session_message(const char *text, size_t length)
{
	if (length > GRTRACE_MESSAGE_MAX)
		return -E2BIG;
	guard(mutex)(&grtrace_session_lock);
	if (!session_live())
		return -EPIPE;
	return grtrace_record_message(session_channel, text, length) ? 0 :
								       -ENOSPC;
}

/**
 * grtrace_session_packet - the packet that describes the session, or its snapshot
 * @snapshot: NULL, or set to a reference to the snapshot, whose packets follow
 * @size: set to the packet's size in bytes
 *
 * Context: Process.
 * Return: memory for kvfree(); NULL if there was no session, or no snapshot, yet;
 * ERR_PTR(-ENOMEM).
 */
void *grtrace_session_packet(struct grtrace_snapshot **snapshot, size_t *size)
{
	void *packet;

	guard(mutex)(&grtrace_session_lock);
	if (snapshot ? !session_held : !session_channel)
		return NULL;
	packet = grtrace_metadata_packet(&session_info,
					 snapshot ? session_held : NULL,
					 session_live() ? "running" : "stopped",
					 size);
	if (snapshot && !IS_ERR(packet)) {
		kref_get(&session_held->kref);
		*snapshot = session_held;
	}
	return packet;
}

/* ------------------------------------------------------------- snapshots */

static int session_snapshot_take(enum grtrace_snapshot_reason reason)
{
	struct grtrace_snapshot *snapshot = session_spare;

	if (!session_channel)
		return -EINVAL;
	/* No spare snapshot, or it is too small since CPUs were added: first try to get another. */
	if (!grtrace_snapshot_suffices(snapshot, session_channel)) {
		snapshot = grtrace_snapshot_create(session_channel);
		if (IS_ERR(snapshot) && session_spare)
			snapshot = session_spare;
		if (IS_ERR(snapshot))
			return PTR_ERR(snapshot);
	}
	if (snapshot != session_spare)
		grtrace_snapshot_put(session_spare);
	session_spare = NULL;
	grtrace_snapshot_take(snapshot, session_channel, reason);
	grtrace_snapshot_put(session_held);
	session_held = snapshot;
	session_snapshots++;
	grtrace_snapshot_hold();
	return 0;
}

/* A trigger has fired. */
static void session_snapshot_triggered(struct work_struct *work)
{
	enum grtrace_snapshot_reason reason;

	guard(mutex)(&grtrace_session_lock);
	/* There is no channel or no memory: the next trigger may succeed. */
	if (grtrace_snapshot_triggered(&reason) &&
	    session_snapshot_take(reason))
		grtrace_snapshot_arm();
}

/**
 * grtrace_session_snapshot - take a snapshot, which replaces the current one
 *
 * Context: Process.
 * Return: 0; -EINVAL if there was no session yet; -ENFILE if readers hold too
 * many old snapshots; -ENOMEM.
 */
int grtrace_session_snapshot(void)
{
	guard(mutex)(&grtrace_session_lock);
	return session_snapshot_take(GRTRACE_SNAPSHOT_MANUAL);
}

/**
 * grtrace_session_discard - discard the snapshot and arm the trigger
 *
 * Context: Process.
 * Return: 0; -EINVAL if there is no snapshot. The current one stays if there is
 * no memory for the next (-ENOMEM), or if readers hold too many old ones
 * (-ENFILE).
 */
int grtrace_session_discard(void)
{
	int ret;

	guard(mutex)(&grtrace_session_lock);
	if (!session_held)
		return -EINVAL;
	ret = session_live() ? session_spare_fill(&session_config) : 0;
	if (!ret)
		session_held_drop();
	return ret;
}

/* Returns the number of snapshots taken in this session. */
u64 grtrace_session_snapshots(void)
{
	guard(mutex)(&grtrace_session_lock);
	return session_snapshots;
}

/* --------------------------------------------------------- begin and end */

/* @dir and @fops are those of the trace files. */
void grtrace_session_init(struct dentry *dir, const struct file_operations *fops)
{
	session_dir = dir;
	session_fops = fops;
	grtrace_config_default(&session_config);
	grtrace_snapshot_init(session_snapshot_triggered);
}

/* Ends a running session and frees all memory, when no session can be started. */
void grtrace_session_exit(void)
{
	scoped_guard(mutex, &grtrace_session_lock) {
		if (session_live())
			session_stop_locked();
		session_channel_drop();
	}
	cancel_delayed_work_sync(&session_adapt_work);
	grtrace_snapshot_exit();
	grtrace_rings_exit();
	grtrace_stats_exit();
}
