/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the programs of annotate.bpf.c hand to the annotator. Both sides are of one
 * build, so this is no format that anyone keeps.
 */
#ifndef _GRTRACE_BPF_ANNOTATE_H_
#define _GRTRACE_BPF_ANNOTATE_H_

#include <linux/types.h>

#define ANNOTATE_COMM_LEN 16
#define ANNOTATE_DRIVER_LEN 24
#define ANNOTATE_ARGUMENT_LEN 64

enum annotate_kind {
	ANNOTATE_IOCTL,
	ANNOTATE_WAIT_ENTER,
	ANNOTATE_WAIT_EXIT,
	ANNOTATE_LOST,
};

/* What every record begins with. */
struct annotate_head {
	__u64 ts; /* CLOCK_MONOTONIC, ns */
	__u32 kind;
	__u32 cpu;
	__u32 tid;
	__u32 tgid;
	__u64 cgroup;
	char comm[ANNOTATE_COMM_LEN];
};

struct annotate_ioctl {
	struct annotate_head head;
	__u64 duration;
	__s64 result;
	__u32 cmd;
	__u32 minor;
	char driver[ANNOTATE_DRIVER_LEN];
	__u32 argument_size; /* bytes of it that could be read */
	__u32 pad;
	__u8 argument[ANNOTATE_ARGUMENT_LEN];
};

struct annotate_wait {
	struct annotate_head head;
	__u64 ctx;
	__u64 seqno;
	__s64 result; /* of an exit: jiffies that were left, 0: its time was over, -errno */
};

/* Of one CPU, since the last that was told: records that found no room. */
struct annotate_loss {
	__u64 records;
	__u64 first_ts;
	__u64 last_ts;
};

struct annotate_lost {
	struct annotate_head head;
	struct annotate_loss loss;
};

/* Counters of one CPU that are read at the end. */
struct annotate_counts {
	struct annotate_loss loss;
	__u64 unpaired; /* returned without having been seen to enter */
	__u64 crowded; /* entered when too many were inside */
};

#endif /* _GRTRACE_BPF_ANNOTATE_H_ */
