/* SPDX-License-Identifier: (GPL-2.0 WITH Linux-syscall-note) OR MIT */
/*
 * grtrace: the stream of GPU job events.
 *
 * This header is the contract between the kernel that writes a stream and every
 * program that reads one, live or from a capture years later.
 */
#ifndef _UAPI_DRM_GRTRACE_DRM_H_
#define _UAPI_DRM_GRTRACE_DRM_H_

#include <linux/types.h>

#if defined(__cplusplus)
extern "C" {
#endif

/**
 * DOC: The grtrace stream
 *
 * A stream is a sequence of *records*. There is one format: the channel of a
 * CPU, the capture and the input of the reader have the same bytes. A capture
 * is one file per CPU, or one stream in which the packets of all CPUs
 * alternate; there is no file header.
 *
 * Rules
 *
 * - Everything is little endian and naturally aligned. A record starts with
 *   &struct grtrace_rec_hdr and is a multiple of 8 bytes long.
 * - Until version 1.0 each change of the format is a new minor version, and a
 *   reader reads only its own. From 1.0 on a change only adds fields at the tail
 *   of records, types and bits, for which there are rules below, so that a reader
 *   of 1.0 reads all 1.x.
 * - A *packet* is a PACKET record and everything after it up to the next PACKET
 *   record. Each sub-buffer of the channel begins with one. A packet can be
 *   read by itself: it has the CPU, the full-width time stamp, sequence numbers
 *   and the context base. A writer puts packets at 8-byte steps. A reader that
 *   has lost its way looks for %GRTRACE_MAGIC at every byte (it is 4 bytes into
 *   the PACKET record), because bytes may have been cut out of the file.
 * - Types below 64 are *events*: something happened to a GPU job. An event's
 *   number is also its bit in filter_type_mask. Events of 48 to 63 come from
 *   tools, never from the kernel. 64 to 255 are not used. Types from
 *   %GRTRACE_NOTE_FIRST on are *notes* about the trace itself.
 * - Events and the notes RING, TASK, MESSAGE, SAMPLE and FENCE_NAME are *sequenced*:
 *   each has a time stamp and takes one cseq (per CPU) and one gseq
 *   (whole session). PACKET, LOST, STOP, STREAM_INFO and METADATA are not sequenced,
 *   and in a packet of %GRTRACE_CPU_NONE no record is: its RING records repeat
 *   what the CPUs' streams say, and take no number.
 *
 * Unknown types, fields and bits
 *
 * - A type: it uses @size to skip the record, and counts it as skipped. An
 *   unknown event is sequenced. The notes of 0x100 to 0x1ff are those of this
 *   header and no others; a later note of 0x200 to 0x2ff
 *   (%GRTRACE_LATER_SEQ_FIRST) is sequenced, one of 0x300 to 0x3ff is not.
 * - The tail of a record: a record may be longer than its struct here, never
 *   shorter. New fields are added at the tail.
 * - A bit of flags, a reserved word: it ignores them. A writer sets them to 0.
 * - A bit of STREAM_INFO.features: it ignores those of 0 to 31, and says so once.
 *   It refuses a capture with one of 32 to 63: such a bit changes what it knows.
 *
 * Widening
 *
 * The 32-bit fields of a sequenced record are widened from the packet:
 *
 * - ts: nearest to the previous record's ts in the packet (signed 32-bit
 *   difference); for the first record, nearest to the packet's ts. It may be a
 *   little less, because a clock may step back while it is adjusted.
 * - seq (gseq): in the same way, beginning with the packet's gseq.
 * - cseq: the packet's cseq for its first sequenced record, one more for each
 *   sequenced record after it. A LOST record advances it by the number of
 *   records lost.
 * - ctx: the packet's ctx_hi is its upper half.
 * - fence_ctx: nearest to the widened ctx.
 * - seqno, fence_seqno: the lower half of the number, not widened and not unique:
 *   a context comes back to it after 2^32 jobs, and some drivers' numbers are 64
 *   bits that user space chooses.
 *
 * The writer starts a new packet, if necessary in the middle of a sub-buffer, so
 * that all records can be widened by these rules: when ctx_hi changes, and for a record that
 * comes 2^30 ns or more after the previous one.
 *
 * Loss
 *
 * Records that could not be written are counted, and so are events that the
 * rate limiter or backpressure refused. A LOST record with the count and time range of these
 * records is at the place of the loss: on the CPU where it happened, before the first record
 * that was written afterwards. PACKET.lost and STOP.lost are the sum of the CPU's LOST records
 * so far, events and notes. In the flight recorder (mode=overwrite) whole packets are
 * overwritten: cseq jumps from one packet to the next, and the difference is the number of
 * records, which no LOST and no such sum counts.
 *
 * gseq counts the written records of all CPUs. So if a number is in no file of a capture, a
 * record is lost: a file is missing, was cut, or was copied before the others. A jump of cseq
 * and a missing gseq may both show the loss of the same record, which counts once. Records
 * that a LOST reports have no gseq.
 *
 * End
 *
 * The last record of each CPU is a STOP, which always has room, as has a LOST before it. If a CPU
 * of a capture has a STOP, or the metadata has the line "state stopped", the end of each CPU that
 * has a packet but no STOP was cut off or not read, which is damage. A capture whose metadata has
 * a line "snapshot" or "segment" is a part of a session and needs no STOP.
 *
 * Numbers
 *
 * A record of type 0, a session id of 0, and a CPU above 65535 that is not
 * %GRTRACE_CPU_NONE are damage. On a CPU gseq increases from record to record, and cseq
 * never goes back from packet to packet; PACKET.gseq is greater than the gseq of all
 * earlier records of its CPU. The numbers of a STOP are those that a PACKET in its place would
 * have; a record of its CPU after it is damage. A number that breaks this, or that is far from its
 * neighbours, is damage, and does not mean that this number of records was lost.
 *
 * Policies
 *
 * Sampling, limits and rules add a note, fields and flags: see the last block of this
 * header.
 */

#define GRTRACE_VERSION_MAJOR	0
#define GRTRACE_VERSION_MINOR	8

/* This is "GRTR" in the byte order of the stream. */
#define GRTRACE_MAGIC		0x52545247u

/* The ring id of a record that belongs to no ring (fences, waits). */
#define GRTRACE_RING_NONE	0u

/* PACKET.cpu of the packet in the debugfs file "metadata". */
#define GRTRACE_CPU_NONE	0xffffffffu

#define GRTRACE_DEVICE_LEN	32	/* with the terminating NUL */
#define GRTRACE_DRIVER_LEN	24
#define GRTRACE_NAME_LEN	32
#define GRTRACE_COMM_LEN	16
#define GRTRACE_TEXT_LEN	64
#define GRTRACE_RELEASE_LEN	64
#define GRTRACE_MESSAGE_MAX	1024	/* bytes of text in one MESSAGE */

/**
 * enum grtrace_rec_type - type of a record
 *
 * The letters are the actions that grparse prints.
 *
 * @GRTRACE_SUBMIT: Q, the job was pushed to its software queue
 *	(&struct grtrace_rec_submit)
 * @GRTRACE_DEP: DP, the job depends on fence fence_ctx:fence_seqno.
 * @GRTRACE_BLOCKED: UN, the job cannot be scheduled because of this fence.
 *	DEP and BLOCKED name a job by its key, even if the wait is only for the
 *	job to be scheduled.
 * @GRTRACE_PICK: I, the scheduler took the job off the software queue.
 * @GRTRACE_COMMIT: D, the job was handed to the hardware ring; fence_ctx and
 *	fence_seqno are its hardware fence.
 * @GRTRACE_START: B, the hardware began.
 * @GRTRACE_END: E, the hardware finished; where a device answers each command,
 *	&struct grtrace_rec_response.
 * @GRTRACE_COMPLETE: C, waiters can see the completion; arg is 0 or -errno.
 * @GRTRACE_IRQ: IR, the interrupt that reported a completion.
 * @GRTRACE_CTX_SWITCH: CS, the ring switched from fence_ctx to ctx; arg is
 *	&enum grtrace_switch.
 * @GRTRACE_SYNC_WAIT_ENTER: WE, a task starts to wait for fence ctx:seqno.
 * @GRTRACE_SYNC_WAIT_EXIT: WX, the task stops waiting.
 * @GRTRACE_ERROR: ER, reset, timeout, hang, kill or host error
 *	(&struct grtrace_rec_error).
 * @GRTRACE_FENCE: FS, a fence that is not a job's key (ctx:seqno) was signalled.
 *	For a hardware fence that a COMMIT named, this is the job's end; for a
 *	fence that a SUBMIT named, it is the job's completion.
 * @GRTRACE_QUEUE: QS, a queue that user space or firmware feeds went off or on
 *	(&struct grtrace_rec_queue).
 * @GRTRACE_TYPE_LIMIT: first number that can never be an event.
 * @GRTRACE_NOTE_FIRST: first number of a note.
 * @GRTRACE_PACKET: &struct grtrace_rec_packet
 * @GRTRACE_STREAM_INFO: &struct grtrace_rec_stream_info
 * @GRTRACE_METADATA: &struct grtrace_rec_metadata
 * @GRTRACE_LOST: &struct grtrace_rec_lost
 * @GRTRACE_RING: &struct grtrace_rec_ring
 * @GRTRACE_TASK: &struct grtrace_rec_task
 * @GRTRACE_MESSAGE: m, &struct grtrace_rec_message
 * @GRTRACE_SAMPLE: &struct grtrace_rec_sample
 * @GRTRACE_STOP: &struct grtrace_rec_stop
 * @GRTRACE_FENCE_NAME: FN, &struct grtrace_rec_fence_name
 * @GRTRACE_LATER_SEQ_FIRST: first number of later notes that are sequenced
 * @GRTRACE_LATER_SEQ_LAST: last number of these
 */
enum grtrace_rec_type {
	GRTRACE_SUBMIT		= 1,
	GRTRACE_DEP		= 2,
	GRTRACE_BLOCKED		= 3,
	GRTRACE_PICK		= 4,
	GRTRACE_COMMIT		= 5,
	GRTRACE_START		= 6,
	GRTRACE_END		= 7,
	GRTRACE_COMPLETE	= 8,
	GRTRACE_IRQ		= 9,
	GRTRACE_CTX_SWITCH	= 10,
	GRTRACE_SYNC_WAIT_ENTER	= 11,
	GRTRACE_SYNC_WAIT_EXIT	= 12,
	GRTRACE_ERROR		= 13,
	GRTRACE_FENCE		= 14,
	GRTRACE_QUEUE		= 15,

	GRTRACE_TYPE_LIMIT	= 64,

	GRTRACE_NOTE_FIRST	= 0x100,
	GRTRACE_PACKET		= 0x100,
	GRTRACE_STREAM_INFO	= 0x101,
	GRTRACE_METADATA	= 0x102,
	GRTRACE_LOST		= 0x103,
	GRTRACE_RING		= 0x104,
	GRTRACE_TASK		= 0x105,
	GRTRACE_MESSAGE		= 0x106,
	GRTRACE_SAMPLE		= 0x107,
	GRTRACE_STOP		= 0x109,
	GRTRACE_FENCE_NAME	= 0x10a,

	GRTRACE_LATER_SEQ_FIRST	= 0x200,
	GRTRACE_LATER_SEQ_LAST	= 0x2ff,
};

/**
 * enum grtrace_engine_class - kind of work that a ring does
 *
 * @GRTRACE_CLASS_UNKNOWN: the source does not know
 * @GRTRACE_CLASS_RENDER: 3D
 * @GRTRACE_CLASS_COMPUTE: compute only
 * @GRTRACE_CLASS_COPY: copies (blitter, DMA)
 * @GRTRACE_CLASS_VIDEO_DECODE: video decode
 * @GRTRACE_CLASS_VIDEO_ENCODE: video encode
 * @GRTRACE_CLASS_OTHER: none of these
 * @GRTRACE_CLASS_COUNT: number of classes; bit n of filter_engine_mask is
 *	class n
 */
enum grtrace_engine_class {
	GRTRACE_CLASS_UNKNOWN		= 0,
	GRTRACE_CLASS_RENDER		= 1,
	GRTRACE_CLASS_COMPUTE		= 2,
	GRTRACE_CLASS_COPY		= 3,
	GRTRACE_CLASS_VIDEO_DECODE	= 4,
	GRTRACE_CLASS_VIDEO_ENCODE	= 5,
	GRTRACE_CLASS_OTHER		= 6,
	GRTRACE_CLASS_COUNT		= 7,
};

/**
 * enum grtrace_error_kind - kind of error in an ERROR record
 *
 * @GRTRACE_ERROR_OTHER: only the code describes it
 * @GRTRACE_ERROR_TIMEOUT: the job exceeded its time limit
 * @GRTRACE_ERROR_HANG: the hardware was found hanging
 * @GRTRACE_ERROR_RESET: the ring or the device was reset
 * @GRTRACE_ERROR_KILL: the job was discarded before it ran
 * @GRTRACE_ERROR_HOST: the host of a virtual GPU refused the command
 * @GRTRACE_ERROR_WEDGED: the device was wedged; the code has the ways to
 *	recover it, DRM_WEDGE_RECOVERY_*, or 1 if it recovered by itself
 */
enum grtrace_error_kind {
	GRTRACE_ERROR_OTHER	= 0,
	GRTRACE_ERROR_TIMEOUT	= 1,
	GRTRACE_ERROR_HANG	= 2,
	GRTRACE_ERROR_RESET	= 3,
	GRTRACE_ERROR_KILL	= 4,
	GRTRACE_ERROR_HOST	= 5,
	GRTRACE_ERROR_WEDGED	= 6,
};

/**
 * enum grtrace_switch - how a CTX_SWITCH left the job fence_ctx:fence_seqno
 *
 * Most drivers signal a fence some time after the job ended, so only the driver
 * can know the answer at the time of the switch.
 *
 * @GRTRACE_SWITCH_UNKNOWN: the driver does not report it
 * @GRTRACE_SWITCH_PREEMPTED: before its end
 * @GRTRACE_SWITCH_DONE: after its end
 */
enum grtrace_switch {
	GRTRACE_SWITCH_UNKNOWN		= 0,
	GRTRACE_SWITCH_PREEMPTED	= 1,
	GRTRACE_SWITCH_DONE		= 2,
};

/**
 * enum grtrace_queue_state - whether the hardware takes work from a queue
 *
 * @GRTRACE_QUEUE_OFF: what is in the queue does not run
 * @GRTRACE_QUEUE_ON: the hardware may run it
 */
enum grtrace_queue_state {
	GRTRACE_QUEUE_OFF	= 0,
	GRTRACE_QUEUE_ON	= 1,
};

/**
 * enum grtrace_queue_reason - why a queue went off or on
 *
 * @GRTRACE_QUEUE_UNKNOWN: the source does not know
 * @GRTRACE_QUEUE_CREATED: on for the first time
 * @GRTRACE_QUEUE_DESTROYED: off for ever
 * @GRTRACE_QUEUE_EVICTED: off, because the memory of its process had to move, or
 *	moved
 * @GRTRACE_QUEUE_RESTORED: on again after any of the reasons here to be off, save
 *	a suspend
 * @GRTRACE_QUEUE_SUSPENDED: off, because the device sleeps
 * @GRTRACE_QUEUE_RESUMED: on again after that
 * @GRTRACE_QUEUE_DISABLED: off, because the firmware shall not schedule it, for a
 *	reason that the source does not know
 * @GRTRACE_QUEUE_ENABLED: on, because the firmware shall schedule it
 * @GRTRACE_QUEUE_HUNG: off, because it or the firmware did not answer, or its
 *	device was reset
 * @GRTRACE_QUEUE_ISOLATED: off, because another process has the hardware alone
 * @GRTRACE_QUEUE_PREEMPTED: off, because other queues shall run, or for a reason
 *	that looks like this
 * @GRTRACE_QUEUE_FAULTED: off, because memory that it uses is not mapped
 */
enum grtrace_queue_reason {
	GRTRACE_QUEUE_UNKNOWN	= 0,
	GRTRACE_QUEUE_CREATED	= 1,
	GRTRACE_QUEUE_DESTROYED	= 2,
	GRTRACE_QUEUE_EVICTED	= 3,
	GRTRACE_QUEUE_RESTORED	= 4,
	GRTRACE_QUEUE_SUSPENDED	= 5,
	GRTRACE_QUEUE_RESUMED	= 6,
	GRTRACE_QUEUE_DISABLED	= 7,
	GRTRACE_QUEUE_ENABLED	= 8,
	GRTRACE_QUEUE_HUNG	= 9,
	GRTRACE_QUEUE_ISOLATED	= 10,
	GRTRACE_QUEUE_PREEMPTED	= 11,
	GRTRACE_QUEUE_FAULTED	= 12,
};

/**
 * enum grtrace_clock - the clock of ts, in ns
 *
 * @GRTRACE_CLOCK_MONOTONIC: CLOCK_MONOTONIC
 * @GRTRACE_CLOCK_BOOTTIME: CLOCK_BOOTTIME
 */
enum grtrace_clock {
	GRTRACE_CLOCK_MONOTONIC	= 1,
	GRTRACE_CLOCK_BOOTTIME	= 7,
};

/* Bits of STREAM_INFO.features. */
#define GRTRACE_FEATURE_TOKEN_BUCKET	(1ull << 1) /* rate limit */
#define GRTRACE_FEATURE_WATCHLIST	(1ull << 2) /* some jobs only */
#define GRTRACE_FEATURE_OVERWRITE	(1ull << 5) /* flight recorder */
#define GRTRACE_FEATURE_NAMES		(1ull << 6) /* TASK and FENCE_NAME in each sub-buffer */

/* Bits of grtrace_rec_job.flags. These bits are the origin of the record's time. */
#define GRTRACE_TIME_MASK	0x0003u
#define GRTRACE_TIME_SOFTWARE	0x0000u	/* the CPU passed this line of code */
#define GRTRACE_TIME_INTERRUPT	0x0001u	/* read in the completion interrupt */
/* The device reported it, in the session's clock: up to 2^31 ns before the records around it. */
#define GRTRACE_TIME_HARDWARE	0x0002u
#define GRTRACE_TIME_INFERRED	0x0003u	/* derived from other records */
/*
 * These are the context of the CPU: in an interrupt, the task of pid is not
 * related to the event.
 */
#define GRTRACE_IN_MASK		0x000cu
#define GRTRACE_IN_TASK		0x0000u
#define GRTRACE_IN_SOFTIRQ	0x0004u
#define GRTRACE_IN_HARDIRQ	0x0008u
/* 0x0010 and 0x0020 are of policies, see GRTRACE_SLOW_QUEUE. */

/* Bits of grtrace_rec_ring.flags. */
#define GRTRACE_RING_CPU	0x0001u	/* the CPU executes its jobs: no GPU work */
/* Other rings feed the same hardware: a job that got there may still wait for theirs. */
#define GRTRACE_RING_SHARED	0x0002u
#define GRTRACE_RING_DEVICE	0x0004u	/* not a queue: it stands for its device */
#define GRTRACE_RING_USER	0x0008u	/* user space feeds the queue; most jobs are not seen */
#define GRTRACE_RING_MIXED	0x0010u	/* jobs of several GPUs (only from tools) */

/**
 * struct grtrace_rec_hdr - the start of every record
 *
 * @type: &enum grtrace_rec_type
 * @size: bytes of the whole record, this header included; a multiple of 8
 */
struct grtrace_rec_hdr {
	__le16 type;
	__le16 size;
};

/**
 * struct grtrace_rec_packet - PACKET, the start of a packet
 *
 * @hdr: record header
 * @magic: %GRTRACE_MAGIC
 * @major: %GRTRACE_VERSION_MAJOR; a reader refuses other values
 * @minor: %GRTRACE_VERSION_MINOR; a reader of major 0 refuses other values
 * @cpu: the CPU that wrote the packet, or %GRTRACE_CPU_NONE
 * @session: id of the session; never 0
 * @ts: base for the ts of the packet's records
 * @gseq: base for their gseq: the next number when the packet begins
 * @cseq: cseq of the packet's first sequenced record
 * @lost: records (events and notes) lost on this CPU since the start
 * @ctx_hi: upper half of the ctx of all job records in the packet
 * @sample: N: one job of N is in the packet; 0 and 1: every job
 */
struct grtrace_rec_packet {
	struct grtrace_rec_hdr hdr;
	__le32 magic;
	__le16 major;
	__le16 minor;
	__le32 cpu;
	__le64 session;
	__le64 ts;
	__le64 gseq;
	__le64 cseq;
	__le64 lost;
	__le32 ctx_hi;
	__le32 sample;
};

/**
 * struct grtrace_rec_stream_info - STREAM_INFO, facts about the session
 *
 * @hdr: record header
 * @clock: &enum grtrace_clock; 0: not known (tools)
 * @session: id of the session
 * @features: GRTRACE_FEATURE_*
 * @start_ts: time of @clock at the start, ns
 * @start_real: CLOCK_REALTIME at the same moment, ns
 * @boot_id: the kernel's boot id. The kernel leaves it zero, because only /proc
 *	has it, and a recorder fills it in; zero if it is not known.
 * @release: kernel release
 * @subbuf_size: bytes of a sub-buffer
 * @n_subbufs: sub-buffers per CPU
 * @nr_cpus: possible CPUs
 * @reserved: 0
 */
struct grtrace_rec_stream_info {
	struct grtrace_rec_hdr hdr;
	__le32 clock;
	__le64 session;
	__le64 features;
	__le64 start_ts;
	__le64 start_real;
	__u8 boot_id[16];
	char release[GRTRACE_RELEASE_LEN];
	__le32 subbuf_size;
	__le32 n_subbufs;
	__le32 nr_cpus;
	__le32 reserved[5];
};

/**
 * struct grtrace_rec_metadata - METADATA, tables as lines of text
 *
 * Lines end with a newline, and the record is padded with NULs. Words are
 * separated by one space; a reader ignores lines and words that it does not
 * know::
 *
 *	module <version>
 *	event <type> <name> <letter> <size>
 *	class <number> <name>
 *	source <name> <tracepoints found> <tracepoints it can have here>
 *	device <name> <pci|of> <vendor:device, in hex|first compatible string>
 *	rings_full <events whose ring the table had no room for>
 *	snapshot <manual|slow_queue|slow_exec|error> <ts>
 *	state <running|stopped>
 *	segment <number>
 *
 * Each GPU is a device, even one without rings. Long text is divided between
 * lines into several METADATA records. Rings follow as RING records. Only the
 * debugfs file "snapshot" has a line "snapshot"; "metadata" has the session's state at
 * that time. A recorder that divides its recording into several adds "segment" to each.
 *
 * @hdr: record header
 * @reserved: 0
 * @text: the lines
 */
struct grtrace_rec_metadata {
	struct grtrace_rec_hdr hdr;
	__le32 reserved;
	char text[];
};

/**
 * struct grtrace_rec_lost - LOST, records were lost here
 *
 * @hdr: record header
 * @notes: notes for which there was no room
 * @events: events lost: @limited, @pressure, and those that could not be
 *	written
 * @first_ts: time of the first lost record, full width
 * @last_ts: time of the last lost record, full width
 * @limited: events that the rate limiter refused
 * @pressure: events refused because the channel was too full (backpressure)
 */
struct grtrace_rec_lost {
	struct grtrace_rec_hdr hdr;
	__le32 notes;
	__le64 events;
	__le64 first_ts;
	__le64 last_ts;
	__le64 limited;
	__le64 pressure;
};

/**
 * struct grtrace_rec_stop - STOP, the end of a CPU's stream
 *
 * @hdr: record header
 * @reserved: 0
 * @ts: time of the stop, full width
 * @gseq: the next number of the session
 * @cseq: the next number of this CPU
 * @lost: records (events and notes) lost on this CPU since the start
 */
struct grtrace_rec_stop {
	struct grtrace_rec_hdr hdr;
	__le32 reserved;
	__le64 ts;
	__le64 gseq;
	__le64 cseq;
	__le64 lost;
};

/**
 * struct grtrace_rec_seq - the start of every sequenced record
 *
 * @hdr: record header
 * @ts: low half of the time stamp, ns
 * @seq: low half of gseq
 * @pid: thread id of the task on the CPU, in the initial PID namespace
 */
struct grtrace_rec_seq {
	struct grtrace_rec_hdr hdr;
	__le32 ts;
	__le32 seq;
	__le32 pid;
};

/**
 * struct grtrace_rec_job - an event, or the start of one
 *
 * The key of a job is {ctx, ring, seqno}: ctx:seqno are the context and seqno
 * of the fence that completes it. In SYNC_WAIT_* and FENCE records ctx:seqno is
 * the fence, and ring is %GRTRACE_RING_NONE unless the source knows the ring.
 *
 * @seq: sequenced record
 * @ctx: low half of the context
 * @seqno: low half of the seqno
 * @ring: ring id, see &struct grtrace_rec_ring
 * @flags: GRTRACE_TIME_*, GRTRACE_IN_* and GRTRACE_SLOW_*
 * @arg: SUBMIT: the job's priority + 1, where 1 is the most urgent of the DRM
 *	scheduler's priorities, or 0 if it is not known; PICK: the credits that
 *	the job takes; COMPLETE and SYNC_WAIT_EXIT: 0 or -errno as __s16, where a
 *	wait whose result is not known has 0, and one that ended because its time
 *	was over has -ETIME; CTX_SWITCH: &enum grtrace_switch; else 0
 */
struct grtrace_rec_job {
	struct grtrace_rec_seq seq;
	__le32 ctx;
	__le32 seqno;
	__le32 ring;
	__le16 flags;
	__le16 arg;
};

/**
 * struct grtrace_rec_job_fence - an event that names a second fence
 *
 * DEP, BLOCKED, COMMIT and CTX_SWITCH have this form.
 *
 * @job: the event
 * @fence_ctx: low half of the fence's context
 * @fence_seqno: low half of the fence's seqno
 */
struct grtrace_rec_job_fence {
	struct grtrace_rec_job job;
	__le32 fence_ctx;
	__le32 fence_seqno;
};

/**
 * struct grtrace_rec_submit - SUBMIT
 *
 * @job: the event
 * @client: drm-client-id of the file's fdinfo, 0 if it is not known. Drivers number
 *	their own jobs from 2^64-1 downwards; the driver defines the meaning of such
 *	a number.
 */
struct grtrace_rec_submit {
	struct grtrace_rec_job job;
	__le64 client;
};

/**
 * struct grtrace_rec_command - SUBMIT of a command that a device answers (virtio-gpu)
 *
 * A SUBMIT that is at least as long as this struct has this form.
 *
 * @submit: the event
 * @fence_ctx: low half of the context of the fence that completes the job, if that
 *	is not its key
 * @fence_seqno: low half of the fence's seqno; with @fence_ctx, 0 if there is none
 * @command: type of the command, a number of the device's interface
 * @reserved: 0
 */
struct grtrace_rec_command {
	struct grtrace_rec_submit submit;
	__le32 fence_ctx;
	__le32 fence_seqno;
	__le32 command;
	__le32 reserved;
};

/**
 * struct grtrace_rec_response - END of a command that a device answered (virtio-gpu)
 *
 * An END that is at least as long as this struct has this form.
 *
 * @job: the event
 * @response: type of the response, a number of the device's interface
 * @reserved: 0
 */
struct grtrace_rec_response {
	struct grtrace_rec_job job;
	__le32 response;
	__le32 reserved;
};

/**
 * struct grtrace_rec_error - ERROR
 *
 * @job: the event; ctx:seqno are 0 if no single job is to blame
 * @kind: &enum grtrace_error_kind
 * @code: -errno, or the device's own code if @kind says so, as __s32
 * @pid: the task to blame, as the driver names it, in the initial PID namespace; 0: not
 *	known. The pid of @job is the task on the CPU, which is seldom to blame.
 * @reserved: 0
 * @comm: the name of that task, filled up with NULs; empty if it is not known
 * @text: what the driver says about it, filled up with NULs; may be cut
 */
struct grtrace_rec_error {
	struct grtrace_rec_job job;
	__le32 kind;
	__le32 code;
	__le32 pid;
	__le32 reserved;
	char comm[GRTRACE_COMM_LEN];
	char text[GRTRACE_TEXT_LEN];
};

/**
 * struct grtrace_rec_queue - QUEUE, a queue that user space or firmware feeds went off or on
 *
 * A queue that is off runs nothing, whatever user space puts into it and whatever
 * waits for it. Its state before its first record is not known. The record is
 * written when the driver has done it, so the hardware stopped a little earlier.
 *
 * @job: the event; ring is the queue's, ctx is a fence context of the queue, or 0 if
 *	the source knows none, and seqno is 0
 * @state: &enum grtrace_queue_state
 * @reason: &enum grtrace_queue_reason
 * @client: drm-client-id of the queue's owner, see &struct grtrace_rec_submit; 0: not
 *	known
 */
struct grtrace_rec_queue {
	struct grtrace_rec_job job;
	__le32 state;
	__le32 reason;
	__le64 client;
};

/**
 * struct grtrace_rec_ring - RING, the description of a ring id
 *
 * It is written before the first record that uses the id, again when the class
 * or a flag of a ring becomes known later, and in the metadata. The newest one is valid.
 * An id never belongs to two rings in one session.
 *
 * @seq: sequenced record
 * @ring: the id, any but %GRTRACE_RING_NONE. Ids need not be small or without gaps.
 * @engine_class: &enum grtrace_engine_class
 * @device: name of the device (PCI address if it has one)
 * @driver: name of its driver
 * @name: the ring's own name
 * @flags: GRTRACE_RING_*
 * @timeout_ms: how long the driver lets a job run before it treats it as hung;
 *	0: no limit, or not known
 */
struct grtrace_rec_ring {
	struct grtrace_rec_seq seq;
	__le32 ring;
	__le32 engine_class;
	char device[GRTRACE_DEVICE_LEN];
	char driver[GRTRACE_DRIVER_LEN];
	char name[GRTRACE_NAME_LEN];
	__le32 flags;
	__le32 timeout_ms;
};

/**
 * struct grtrace_rec_task - TASK, the description of a pid
 *
 * It is written before a thread's first event or MESSAGE on a CPU, and again when the
 * thread's name has changed; with %GRTRACE_FEATURE_NAMES, also before its first one in
 * each sub-buffer. It may come more often. An event in an interrupt, whose pid is
 * unrelated, needs none, and neither do other notes.
 *
 * @seq: sequenced record; its pid is the described thread: the thread on the CPU,
 *	or the leader of that thread's process
 * @tgid: pid of its process
 * @reserved: 0
 * @comm: the thread's name
 * @cgroup: id of the thread's cgroup in the default hierarchy, when the record was
 *	written: the inode number of its directory; 0: not known
 */
struct grtrace_rec_task {
	struct grtrace_rec_seq seq;
	__le32 tgid;
	__le32 reserved;
	char comm[GRTRACE_COMM_LEN];
	__le64 cgroup;
};

/**
 * struct grtrace_rec_message - MESSAGE, a line written to the file "msg"
 *
 * @seq: sequenced record
 * @text: the line without its newline, filled up with NULs
 */
struct grtrace_rec_message {
	struct grtrace_rec_seq seq;
	char text[];
};

/**
 * struct grtrace_rec_fence_name - FENCE_NAME, whose fences a context has
 *
 * It is written before the first SYNC_WAIT_ENTER, DEP or BLOCKED on a CPU that names
 * a fence of a context whose fences are no jobs of a source, if that fence is not
 * signalled yet; with %GRTRACE_FEATURE_NAMES, before the first in each sub-buffer.
 * It may come more often, and on another CPU if the task moves in between.
 *
 * @seq: sequenced record; its pid is the task on the CPU
 * @ctx: the context, full width
 * @driver: name of the driver whose fences these are
 * @timeline: name of the timeline, as that driver calls it
 */
struct grtrace_rec_fence_name {
	struct grtrace_rec_seq seq;
	__le64 ctx;
	char driver[GRTRACE_DRIVER_LEN];
	char timeline[GRTRACE_NAME_LEN];
};

/**
 * DOC: Policies
 *
 * Sampling: if PACKET.sample is N > 1, the packet has only one of every N jobs: all
 * events of each such job, and none of the others. Each represents N events. ERROR, IRQ,
 * CTX_SWITCH and QUEUE events are never left out and always represent one event. When N
 * changes while a session runs, each CPU starts a new packet, and a SAMPLE note
 * has the reason; the events of a job in flight at that moment may be incomplete.
 *
 * Limits: LOST.limited and LOST.pressure are the events that the rate limit and
 * backpressure refused. The rest of LOST.events had no room, or came in an NMI, where
 * nothing can be written. The bits %GRTRACE_FEATURE_TOKEN_BUCKET and
 * %GRTRACE_FEATURE_WATCHLIST of the features say that only some jobs or events passed.
 *
 * Rules: they set the bits GRTRACE_SLOW_* in the flags of an event.
 */

/* The event ends a time that is above the rule's threshold. */
#define GRTRACE_SLOW_QUEUE	0x0010u	/* in the software queue, slow_queue_us */
#define GRTRACE_SLOW_EXEC	0x0020u	/* on the hardware, slow_exec_us */

/**
 * enum grtrace_sample_reason - reason for a change of the sampling
 *
 * @GRTRACE_SAMPLE_CONFIG: the configuration was changed
 * @GRTRACE_SAMPLE_PRESSURE: the channel is filling up (adaptive_sampling)
 * @GRTRACE_SAMPLE_RELIEF: the channel is emptying again
 */
enum grtrace_sample_reason {
	GRTRACE_SAMPLE_CONFIG	= 0,
	GRTRACE_SAMPLE_PRESSURE	= 1,
	GRTRACE_SAMPLE_RELIEF	= 2,
};

/**
 * struct grtrace_rec_sample - SAMPLE, one job of N is recorded from now on
 *
 * It is written once for each change, on one CPU; the other CPUs show it in
 * PACKET.sample.
 *
 * @seq: sequenced record
 * @sample: the new N
 * @previous: the old N
 * @reason: &enum grtrace_sample_reason
 * @fill: fill of the fullest CPU's buffer, smoothed, in percent
 */
struct grtrace_rec_sample {
	struct grtrace_rec_seq seq;
	__le32 sample;
	__le32 previous;
	__le32 reason;
	__le32 fill;
};

#if defined(__cplusplus)
}
#endif

#endif /* _UAPI_DRM_GRTRACE_DRM_H_ */
