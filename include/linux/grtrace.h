/* SPDX-License-Identifier: GPL-2.0 */
/*
 * grtrace: the API for sources.
 *
 * A source turns the actions of a driver or a subsystem into grtrace's events.
 * It either calls the hooks below from its own code, or lists tracepoints and
 * lets the core attach its probes to them while a session runs. It only
 * translates: policy, memory and tables belong to the core.
 *
 * All hooks may be called in any context, with any lock held. They never sleep,
 * allocate, print or take a lock. In an NMI they count the event and record
 * nothing. While no session runs they cost one nop.
 */
#ifndef _LINUX_GRTRACE_H_
#define _LINUX_GRTRACE_H_

#include <linux/array_size.h>
#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/device/driver.h>
#include <linux/dma-fence.h>
#include <linux/jiffies.h>
#include <linux/jump_label.h>
#include <linux/list.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/types.h>
#ifdef GRTRACE_EXTERNAL
#include <linux/notifier.h>
#include <linux/version.h>
#endif

#include <uapi/drm/grtrace_drm.h>

struct device;
struct tracepoint;

/**
 * struct grtrace_ring_desc - the facts that a source knows about a ring
 *
 * @dev: the device, or NULL if the driver provides none
 * @driver: name of its driver, or NULL to use the driver of @dev
 * @name: the ring's name
 * @engine_class: &enum grtrace_engine_class
 * @leaves_on: the event after which a job is no longer in flight:
 *	%GRTRACE_COMPLETE, or %GRTRACE_END if no completion is seen
 * @flags: GRTRACE_RING_*
 * @timeout_ms: the time limit of its jobs, see grtrace_ring_timeout(); 0: none, or
 *	not known
 *
 * A source looks a ring up in each hook, and keeps no pointer to it.
 */
struct grtrace_ring_desc {
	struct device *dev;
	const char *driver;
	const char *name;
	enum grtrace_engine_class engine_class;
	enum grtrace_rec_type leaves_on;
	u32 flags;
	u32 timeout_ms;
};

/**
 * struct grtrace_ring - an interned GPU queue
 *
 * Sources pass it to hooks and may read @id, @engine_class and @ctx; the other
 * fields are private to the core.
 *
 * @key: address by which its source identifies it
 * @dev: identity of its device, never dereferenced
 * @id: the id in records, never %GRTRACE_RING_NONE, not used twice in a session
 * @slot: its place in the core's tables
 * @engine_class: &enum grtrace_engine_class
 * @leaves_on: see &struct grtrace_ring_desc
 * @name_cut: a name was too long and was cut
 * @recent: it had an event since the registry last checked
 * @brief: it is known only in the session that interned it
 * @flags: see &struct grtrace_ring_desc
 * @timeout_ms: see &struct grtrace_ring_desc
 * @in_flight: jobs that came minus jobs that left, per CPU
 * @ctx: a fence context that belongs to the ring, for jobs without a context of
 * their own
 * @newest_ctx: highest context that has submitted to this ring
 * @device: name of the device, padded with NULs
 * @driver: name of its driver
 * @name: name of the ring
 */
struct grtrace_ring {
	const void *key;
	const void *dev;
	u32 id;
	u32 slot;
	u32 engine_class;
	u16 leaves_on;
	bool name_cut;
	bool recent;
	bool brief;
	u32 flags;
	u32 timeout_ms;
	int __percpu *in_flight;
	u64 ctx;
	u64 newest_ctx;
	char device[GRTRACE_DEVICE_LEN];
	char driver[GRTRACE_DRIVER_LEN];
	char name[GRTRACE_NAME_LEN];
};

/**
 * struct grtrace_job - arguments of an event, in full width
 *
 * @ctx: context of the job's (or, in waits, the fence's) key
 * @seqno: seqno of the same key
 * @fence_ctx: context of the second fence, if the event has one
 * @fence_seqno: seqno of the second fence
 * @command: type of the command, or of the response to it, of a virtual GPU
 * @time: GRTRACE_TIME_*, if the caller has a better time than
 *	%GRTRACE_TIME_SOFTWARE
 * @arg: see &struct grtrace_rec_job
 */
struct grtrace_job {
	u64 ctx;
	u64 seqno;
	u64 fence_ctx;
	u64 fence_seqno;
	u32 command;
	u16 time;
	u16 arg;
};

/**
 * struct grtrace_failure - what an ERROR says
 *
 * @kind: kind of the error
 * @code: -errno, or the device's own code
 * @pid: the task to blame, in the initial PID namespace; 0: not known
 * @comm: its name, or NULL
 * @text: what the driver says, or NULL; it is cut to %GRTRACE_TEXT_LEN
 */
struct grtrace_failure {
	enum grtrace_error_kind kind;
	s32 code;
	u32 pid;
	const char *comm;
	const char *text;
};

/**
 * struct grtrace_probe - a tracepoint that a source listens to
 *
 * Define it with GRTRACE_PROBE().
 *
 * @tracepoint: its name
 * @fn: the probe; its first argument is void *data, followed by the arguments
 *	of the tracepoint's prototype
 * @tp: the tracepoint
 * @attached: private to the core
 */
struct grtrace_probe {
	const char *tracepoint;
	void *fn;
#ifdef GRTRACE_EXTERNAL
	/** @from: the first kernel whose prototype was checked */
	u32 from;
	/** @until: the first later kernel that was not checked */
	u32 until;
#endif
	struct tracepoint *tp;
	bool attached;
#ifdef GRTRACE_EXTERNAL
	/** @refused: private to the core: the kernel has it, and was not checked */
	bool refused;
#endif
};

#ifdef GRTRACE_EXTERNAL

/* Defines a probe on a tracepoint that is found by its name, see lookup_name.c. */
#define GRTRACE_PROBE_IN(event, probe, _from, _until) {			\
	.tracepoint	= #event,					\
	.fn		= probe,					\
	.from		= _from,					\
	.until		= _until,					\
}

#define GRTRACE_PROBE(event, probe)					\
	GRTRACE_PROBE_IN(event, probe, KERNEL_VERSION(6, 12, 0),	\
			 KERNEL_VERSION(7, 4, 0))

#else

/* Defines a probe, and checks that it has the tracepoint's prototype. */
#define __GRTRACE_PROBE_FN(event, probe)				\
	((void *)(probe) +						\
	 BUILD_BUG_ON_ZERO(!__same_type(check_trace_callback_type_##event, \
					void (typeof(&(probe))))))

/**
 * GRTRACE_PROBE - define a probe on a tracepoint
 * @event: the tracepoint, declared by its header and exported by its owner
 * @probe: the probe
 *
 * The source is linked to the tracepoint, so that its owner stays loaded as
 * long as the source does.
 */
#define GRTRACE_PROBE(event, probe) {					\
	.tracepoint	= #event,					\
	.fn		= __GRTRACE_PROBE_FN(event, probe),		\
	.tp		= &__tracepoint_##event,			\
}

#endif

/**
 * struct grtrace_source - a module or driver that reports events
 *
 * @name: short name, one word
 * @probes: tracepoints to attach to, or NULL if the source calls the hooks
 *	itself
 * @nr_probes: number of probes
 * @claims_waits: it also reports waits for the fences that it claims, see
 *	grtrace_fence_claim()
 * @node: private to the core
 */
struct grtrace_source {
	const char *name;
	struct grtrace_probe *probes;
	unsigned int nr_probes;
	bool claims_waits;
	struct list_head node;
#ifdef GRTRACE_EXTERNAL
	/** @owner: the module that may have the tracepoints, if the kernel lacks them */
	const char *owner;
	/** @nb: private to the core */
	struct notifier_block nb;
#endif
};

/**
 * module_grtrace_source - define a source, and a module that only registers it
 * @source: name of the variable, a &struct grtrace_source
 * @_name: see there
 * @_probes: an array, see there
 * @...: initializers of other fields
 */
#define module_grtrace_source(source, _name, _probes, ...)		\
	static struct grtrace_source source = {				\
		.name		= _name,				\
		.probes		= _probes,				\
		.nr_probes	= ARRAY_SIZE(_probes),			\
		__VA_ARGS__						\
	};								\
	module_driver(source, grtrace_source_register,			\
		      grtrace_source_unregister)

/* The header of a record as one value: its type, and the size of its struct. */
#define GRTRACE_REC_HEAD(type, rec) \
	((u32)(type) | (u32)sizeof(struct grtrace_rec_##rec) << 16)

#if IS_ENABLED(CONFIG_GRTRACE)

DECLARE_STATIC_KEY_FALSE(grtrace_running_key);

int grtrace_source_register(struct grtrace_source *source);
void grtrace_source_unregister(struct grtrace_source *source);

struct grtrace_ring *grtrace_ring_find(const void *key);
struct grtrace_ring *grtrace_ring_submit(const void *key, u64 ctx,
					 const struct grtrace_ring_desc *desc);
void __grtrace_ring_classify(struct grtrace_ring *ring,
			     enum grtrace_engine_class engine_class);
void grtrace_ring_retire(const void *key);

void grtrace_fence_claim(const struct grtrace_source *source,
			 const struct dma_fence *fence);
const struct grtrace_source *
grtrace_fence_source(const struct dma_fence *fence);

void __grtrace_job(u32 head, struct grtrace_ring *ring,
		   const struct grtrace_job *job);
void __grtrace_submit(struct grtrace_ring *ring, const struct grtrace_job *job,
		      u64 client);
void __grtrace_command(struct grtrace_ring *ring, const struct grtrace_job *job,
		       u64 client);
void __grtrace_response(struct grtrace_ring *ring, const struct grtrace_job *job);
void __grtrace_job_fence(u32 head, struct grtrace_ring *ring,
			 const struct grtrace_job *job);
void __grtrace_error(struct grtrace_ring *ring, const struct grtrace_job *job,
		     const struct grtrace_failure *failure);
void __grtrace_queue(struct grtrace_ring *ring, u64 ctx,
		     enum grtrace_queue_state state,
		     enum grtrace_queue_reason reason, u64 client);
void __grtrace_fence_name(enum grtrace_rec_type type, struct dma_fence *fence);

/**
 * grtrace_running - is a session running?
 *
 * For callers that have to prepare arguments. Costs one nop while no session
 * runs.
 */
static __always_inline bool grtrace_running(void)
{
	return static_branch_unlikely(&grtrace_running_key);
}

#else

static inline int grtrace_source_register(struct grtrace_source *source) { return 0; }
static inline void grtrace_source_unregister(struct grtrace_source *source) { }
static inline struct grtrace_ring *grtrace_ring_find(const void *key) { return NULL; }
static inline struct grtrace_ring *
grtrace_ring_submit(const void *key, u64 ctx,
		    const struct grtrace_ring_desc *desc) { return NULL; }
static inline void
__grtrace_ring_classify(struct grtrace_ring *ring,
			enum grtrace_engine_class engine_class) { }
static inline void grtrace_ring_retire(const void *key) { }
static inline void grtrace_fence_claim(const struct grtrace_source *source,
				       const struct dma_fence *fence) { }
static inline const struct grtrace_source *
grtrace_fence_source(const struct dma_fence *fence) { return NULL; }
static inline void __grtrace_job(u32 head, struct grtrace_ring *ring,
				 const struct grtrace_job *job) { }
static inline void __grtrace_submit(struct grtrace_ring *ring,
				    const struct grtrace_job *job,
				    u64 client) { }
static inline void __grtrace_command(struct grtrace_ring *ring,
				     const struct grtrace_job *job,
				     u64 client) { }
static inline void __grtrace_response(struct grtrace_ring *ring,
				      const struct grtrace_job *job) { }
static inline void __grtrace_job_fence(u32 head, struct grtrace_ring *ring,
				       const struct grtrace_job *job) { }
static inline void __grtrace_error(struct grtrace_ring *ring,
				   const struct grtrace_job *job,
				   const struct grtrace_failure *failure) { }
static inline void __grtrace_queue(struct grtrace_ring *ring, u64 ctx,
				   enum grtrace_queue_state state,
				   enum grtrace_queue_reason reason,
				   u64 client) { }
static inline void __grtrace_fence_name(enum grtrace_rec_type type,
					struct dma_fence *fence) { }
static __always_inline bool grtrace_running(void) { return false; }

#endif /* CONFIG_GRTRACE */

/**
 * grtrace_ring_timeout - the time limit of a ring's jobs in ms
 * @timeout: the limit as the DRM scheduler has it, in jiffies
 */
static inline u32 grtrace_ring_timeout(long timeout)
{
	return timeout > 0 && timeout < MAX_SCHEDULE_TIMEOUT ?
	       jiffies_to_msecs(timeout) : 0;
}

/**
 * grtrace_ring_known - find the ring of a job whose context is not new to it
 * @key: see grtrace_ring_submit()
 * @ctx: see there
 *
 * For a source that gathers the facts about a ring, and calls
 * grtrace_ring_submit(), only if this returns NULL.
 *
 * Context: As grtrace_ring_find().
 */
static __always_inline struct grtrace_ring *
grtrace_ring_known(const void *key, u64 ctx)
{
	struct grtrace_ring *ring = grtrace_ring_find(key);

	return likely(ring && ctx <= READ_ONCE(ring->newest_ctx)) ? ring : NULL;
}

/**
 * grtrace_job_of - the arguments of an event whose job is identified by a fence
 * @key: the fence
 * @second: the event's second fence, or NULL
 */
static __always_inline struct grtrace_job
grtrace_job_of(const struct dma_fence *key, const struct dma_fence *second)
{
	return (struct grtrace_job) {
		.ctx = key->context,
		.seqno = key->seqno,
		.fence_ctx = second ? second->context : 0,
		.fence_seqno = second ? second->seqno : 0,
	};
}

/**
 * grtrace_ring_classify - set the kind of work that a ring does
 * @ring: the ring, or NULL
 * @engine_class: its class
 *
 * For a source that knows more about a ring than the source that interned it.
 * For example, a driver's source may know more about the rings of the DRM
 * scheduler. A class that was set never changes.
 *
 * Context: As grtrace_job(). If the class was unknown, the ring is written to
 * the stream again.
 */
static __always_inline void
grtrace_ring_classify(struct grtrace_ring *ring,
		      enum grtrace_engine_class engine_class)
{
	if (ring && unlikely(READ_ONCE(ring->engine_class) ==
			     GRTRACE_CLASS_UNKNOWN))
		__grtrace_ring_classify(ring, engine_class);
}

/**
 * grtrace_job - report an event of a job
 * @type: an event whose record is &struct grtrace_rec_job, so not SUBMIT
 * @ring: the ring, or NULL
 * @job: its arguments
 *
 * Context: Any. The event is dropped, and counted, if a filter refuses it, if
 * the channel is full, and in an NMI.
 */
static __always_inline void grtrace_job(enum grtrace_rec_type type,
					struct grtrace_ring *ring,
					const struct grtrace_job *job)
{
	BUILD_BUG_ON(__builtin_constant_p(type) && type == GRTRACE_SUBMIT);
	if (grtrace_running())
		__grtrace_job(GRTRACE_REC_HEAD(type, job), ring, job);
}

/**
 * grtrace_submit - report that a client pushed a job to its software queue
 * @ring: the ring, or NULL
 * @job: its arguments
 * @client: id of the DRM client, or the driver's substitute for it; 0: not
 * known
 *
 * Context: As grtrace_job().
 */
static __always_inline void grtrace_submit(struct grtrace_ring *ring,
					   const struct grtrace_job *job,
					   u64 client)
{
	if (grtrace_running())
		__grtrace_submit(ring, job, client);
}

/**
 * grtrace_command - report a SUBMIT of a command that the device will answer
 * @ring: the ring, or NULL
 * @job: its arguments, including command; fence_ctx and fence_seqno are the fence
 * that completes it, or 0
 * @client: see grtrace_submit()
 *
 * Context: As grtrace_job().
 */
static __always_inline void grtrace_command(struct grtrace_ring *ring,
					    const struct grtrace_job *job,
					    u64 client)
{
	if (grtrace_running())
		__grtrace_command(ring, job, client);
}

/**
 * grtrace_response - report an END, the device's response to a command
 * @ring: the ring, or NULL
 * @job: its arguments; command is the type of the response
 *
 * Context: As grtrace_job().
 */
static __always_inline void grtrace_response(struct grtrace_ring *ring,
					     const struct grtrace_job *job)
{
	if (grtrace_running())
		__grtrace_response(ring, job);
}

/**
 * grtrace_job_fence - report an event of a job and another fence
 * @type: an event whose record is &struct grtrace_rec_job_fence
 * @ring: the ring, or NULL
 * @job: its arguments, including fence_ctx and fence_seqno
 *
 * Context: As grtrace_job().
 */
static __always_inline void grtrace_job_fence(enum grtrace_rec_type type,
					      struct grtrace_ring *ring,
					      const struct grtrace_job *job)
{
	if (grtrace_running())
		__grtrace_job_fence(GRTRACE_REC_HEAD(type, job_fence), ring,
				    job);
}

/**
 * grtrace_failure - report an error on a ring, and who is to blame
 * @ring: the ring, or NULL
 * @job: the job to blame, or NULL
 * @failure: what is known about it; its strings are copied
 *
 * Context: As grtrace_job().
 */
static __always_inline void
grtrace_failure(struct grtrace_ring *ring, const struct grtrace_job *job,
		const struct grtrace_failure *failure)
{
	static const struct grtrace_job nobody;

	if (grtrace_running())
		__grtrace_error(ring, job ?: &nobody, failure);
}

/**
 * grtrace_error - report an error on a ring
 * @ring: the ring, or NULL
 * @job: the job to blame, or NULL
 * @kind: kind of the error
 * @code: -errno, or the device's own code
 *
 * Context: As grtrace_job().
 */
static __always_inline void grtrace_error(struct grtrace_ring *ring,
					  const struct grtrace_job *job,
					  enum grtrace_error_kind kind, s32 code)
{
	const struct grtrace_failure failure = {
		.kind = kind,
		.code = code,
	};

	grtrace_failure(ring, job, &failure);
}

/**
 * grtrace_wait_result - the arg of a SYNC_WAIT_EXIT
 * @ret: what the wait returned: time left, or -errno
 */
static inline u16 grtrace_wait_result(long ret)
{
	return ret < 0 ? (s16)ret : 0;
}

/**
 * grtrace_queue - report that a queue went off or on
 * @ring: the ring that represents the queue, or NULL
 * @ctx: a context of the queue's fences; 0: not known
 * @state: its state from now on
 * @reason: the reason
 * @client: id of the DRM client that owns the queue; 0: not known
 *
 * For a queue that user space or firmware feeds, whose jobs the kernel does not see.
 *
 * Context: As grtrace_job().
 */
static __always_inline void grtrace_queue(struct grtrace_ring *ring, u64 ctx,
					  enum grtrace_queue_state state,
					  enum grtrace_queue_reason reason,
					  u64 client)
{
	if (grtrace_running())
		__grtrace_queue(ring, ctx, state, reason, client);
}

/**
 * grtrace_fence_name - write who a fence belongs to, if that is not written yet
 * @type: the event that the caller reports next
 * @fence: the fence that this event names
 *
 * For a fence of a driver that no source knows. The caller holds a reference to it.
 * Nothing is written for a fence that is signalled, because its driver may be gone,
 * or for an event that the filter refuses.
 *
 * Context: Any. The fence's driver is asked for its names with interrupts off.
 */
static __always_inline void grtrace_fence_name(enum grtrace_rec_type type,
					       struct dma_fence *fence)
{
	if (grtrace_running())
		__grtrace_fence_name(type, fence);
}

#endif /* _LINUX_GRTRACE_H_ */
