// SPDX-License-Identifier: GPL-2.0
/*
 * Attaches another tracer to the benchmark's tracepoint, has the benchmark's
 * loop run by reading its file, prints the file's line and, behind it, how many
 * records came and how many bytes they took:
 *
 *	peers PEER FILE
 *
 * PEER is one of
 *	perf	a perf event with a sample for each hit, into a mapped buffer
 *	bpf	a BPF program on the trace event, into a BPF ring buffer
 *	bpf-raw	the same on the raw tracepoint
 *
 * Both programs store what a record of grtrace's holds and a tracepoint has:
 * time, task, context, seqno; 32 bytes. They copy no strings, and nobody is
 * woken for a record, with perf neither.
 *
 * Exit status: 0; 3 when the kernel lacks the peer, with the reason on stderr.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define EVENT "grtrace_bench_job_run"
#define EVENT_DIR "/sys/kernel/tracing/events/grtrace_bench/" EVENT
#define BUFFER_SIZE (16u << 20)
#define RECORD_SIZE 32
/* where drivers/gpu/grtrace/bench.h has them */
#define JOB_FENCE 0
#define FENCE_CONTEXT 0

static void fail(const char *what)
{
	fprintf(stderr, "%s: %s\n", what, strerror(errno));
	exit(errno == ENOENT || errno == EINVAL || errno == ENOSYS ||
	     errno == EPERM || errno == EOPNOTSUPP ? 3 : 1);
}

static void read_file(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY);
	ssize_t n;

	if (fd < 0)
		fail(path);
	n = read(fd, text, size - 1);
	if (n < 0)
		fail(path);
	text[n] = '\0';
	close(fd);
}

/* The loop runs while its file is read. */
static void run(const char *path)
{
	char line[512];

	read_file(path, line, sizeof(line));
	line[strcspn(line, "\n")] = '\0';
	fputs(line, stdout);
}

/* ----------------------------------------------------------------- perf */

static int event_open(int cpu, uint64_t sample_type)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT,
		.size = sizeof(attr),
		.sample_period = 1,
		.sample_type = sample_type,
		.disabled = 1,
		.watermark = 1,
		.wakeup_watermark = BUFFER_SIZE,
		.use_clockid = 1,
		.clockid = 1,	/* CLOCK_MONOTONIC, as grtrace */
	};
	char id[32];
	int fd;

	read_file(EVENT_DIR "/id", id, sizeof(id));
	attr.config = strtoull(id, NULL, 10);
	fd = syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		fail("perf_event_open");
	return fd;
}

static void peer_perf(const char *path)
{
	size_t page = sysconf(_SC_PAGESIZE);
	struct perf_event_mmap_page *head;
	uint64_t pos, records = 0;
	char *data;
	int fd;

	fd = event_open(0, PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_RAW);
	head = mmap(NULL, page + BUFFER_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED,
		    fd, 0);
	if (head == MAP_FAILED)
		fail("mmap of the perf event");
	if (ioctl(fd, PERF_EVENT_IOC_ENABLE, 0))
		fail("PERF_EVENT_IOC_ENABLE");
	run(path);
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);

	data = (char *)head + page;
	for (pos = 0; pos < head->data_head;) {
		struct perf_event_header *record = (void *)(data + pos % BUFFER_SIZE);

		records += record->type == PERF_RECORD_SAMPLE;
		pos += record->size;
	}
	printf(" records %llu bytes %llu\n", (unsigned long long)records,
	       (unsigned long long)head->data_head);
}

/* ------------------------------------------------------------------ BPF */

static int bpf(int cmd, union bpf_attr *attr)
{
	return syscall(SYS_bpf, cmd, attr, sizeof(*attr));
}

static int ringbuf_create(void)
{
	union bpf_attr attr = {
		.map_type = BPF_MAP_TYPE_RINGBUF,
		.max_entries = BUFFER_SIZE,
	};
	int fd = bpf(BPF_MAP_CREATE, &attr);

	if (fd < 0)
		fail("BPF ring buffer");
	return fd;
}

#define INSN(c, d, s, o, i) \
	((struct bpf_insn){ .code = (c), .dst_reg = (d), .src_reg = (s), .off = (o), .imm = (i) })
#define MOV(d, s)	INSN(BPF_ALU64 | BPF_MOV | BPF_X, d, s, 0, 0)
#define MOV_IMM(d, i)	INSN(BPF_ALU64 | BPF_MOV | BPF_K, d, 0, 0, i)
#define ADD_IMM(d, i)	INSN(BPF_ALU64 | BPF_ADD | BPF_K, d, 0, 0, i)
#define LOAD(d, s, o)	INSN(BPF_LDX | BPF_MEM | BPF_DW, d, s, o, 0)
#define STORE(d, s, o)	INSN(BPF_STX | BPF_MEM | BPF_DW, d, s, o, 0)
#define CALL(f)		INSN(BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_##f)
#define EXIT()		INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0)

struct program {
	struct bpf_insn insns[64];
	unsigned int n;
};

static void emit(struct program *p, struct bpf_insn insn)
{
	p->insns[p->n++] = insn;
}

/* r6 = the program's context; r7 = room for a record with its time and task */
static void emit_begin(struct program *p, int map)
{
	emit(p, MOV(BPF_REG_6, BPF_REG_1));
	emit(p, INSN(BPF_LD | BPF_DW | BPF_IMM, BPF_REG_1, BPF_PSEUDO_MAP_FD, 0, map));
	emit(p, INSN(0, 0, 0, 0, 0));
	emit(p, MOV_IMM(BPF_REG_2, RECORD_SIZE));
	emit(p, MOV_IMM(BPF_REG_3, 0));
	emit(p, CALL(ringbuf_reserve));
	emit(p, INSN(BPF_JMP | BPF_JNE | BPF_K, BPF_REG_0, 0, 1, 0));
	emit(p, EXIT());
	emit(p, MOV(BPF_REG_7, BPF_REG_0));
	emit(p, CALL(ktime_get_ns));
	emit(p, STORE(BPF_REG_7, BPF_REG_0, 0));
	emit(p, CALL(get_current_pid_tgid));
	emit(p, STORE(BPF_REG_7, BPF_REG_0, 8));
}

static void emit_end(struct program *p)
{
	emit(p, MOV(BPF_REG_1, BPF_REG_7));
	emit(p, MOV_IMM(BPF_REG_2, BPF_RB_NO_WAKEUP));
	emit(p, CALL(ringbuf_submit));
	emit(p, MOV_IMM(BPF_REG_0, 0));
	emit(p, EXIT());
}

static int program_load(struct program *p, enum bpf_prog_type type)
{
	static char log[65536];
	union bpf_attr attr = {
		.prog_type = type,
		.insns = (uintptr_t)p->insns,
		.insn_cnt = p->n,
		.license = (uintptr_t)"GPL",
		.log_buf = (uintptr_t)log,
		.log_size = sizeof(log),
		.log_level = 1,
	};
	int fd = bpf(BPF_PROG_LOAD, &attr);

	if (fd < 0) {
		fputs(log, stderr);
		fail("BPF program");
	}
	return fd;
}

/* Where a field is in the trace event, from its format. */
static int field_offset(const char *name)
{
	char text[8192], pattern[64], *at;

	read_file(EVENT_DIR "/format", text, sizeof(text));
	snprintf(pattern, sizeof(pattern), " %s;", name);
	at = strstr(text, pattern);
	at = at ? strstr(at, "offset:") : NULL;
	if (!at) {
		fprintf(stderr, "no field %s in %s/format\n", name, EVENT_DIR);
		exit(3);
	}
	return atoi(at + strlen("offset:"));
}

static void bpf_on_event(int map)
{
	struct program p = { .n = 0 };
	int event, prog;

	emit_begin(&p, map);
	emit(&p, LOAD(BPF_REG_1, BPF_REG_6, field_offset("fence_context")));
	emit(&p, STORE(BPF_REG_7, BPF_REG_1, 16));
	emit(&p, LOAD(BPF_REG_1, BPF_REG_6, field_offset("fence_seqno")));
	emit(&p, STORE(BPF_REG_7, BPF_REG_1, 24));
	emit_end(&p);
	prog = program_load(&p, BPF_PROG_TYPE_TRACEPOINT);
	event = event_open(0, 0);
	if (ioctl(event, PERF_EVENT_IOC_SET_BPF, prog) ||
	    ioctl(event, PERF_EVENT_IOC_ENABLE, 0))
		fail("attaching the BPF program to the trace event");
}

static void bpf_on_raw(int map)
{
	union bpf_attr attr = { .raw_tracepoint.name = (uintptr_t)EVENT };
	struct program p = { .n = 0 };

	emit_begin(&p, map);
	/* the fence: the job is the first argument */
	emit(&p, LOAD(BPF_REG_3, BPF_REG_6, 0));
	emit(&p, ADD_IMM(BPF_REG_3, JOB_FENCE));
	emit(&p, MOV(BPF_REG_1, BPF_REG_10));
	emit(&p, ADD_IMM(BPF_REG_1, -8));
	emit(&p, MOV_IMM(BPF_REG_2, 8));
	emit(&p, CALL(probe_read_kernel));
	/* its context and seqno, which are neighbours */
	emit(&p, LOAD(BPF_REG_3, BPF_REG_10, -8));
	emit(&p, ADD_IMM(BPF_REG_3, FENCE_CONTEXT));
	emit(&p, MOV(BPF_REG_1, BPF_REG_7));
	emit(&p, ADD_IMM(BPF_REG_1, 16));
	emit(&p, MOV_IMM(BPF_REG_2, 16));
	emit(&p, CALL(probe_read_kernel));
	emit_end(&p);
	attr.raw_tracepoint.prog_fd = program_load(&p, BPF_PROG_TYPE_RAW_TRACEPOINT);
	if (bpf(BPF_RAW_TRACEPOINT_OPEN, &attr) < 0)
		fail("attaching the BPF program to the raw tracepoint");
}

static void peer_bpf(const char *path, void (*attach)(int map))
{
	size_t page = sysconf(_SC_PAGESIZE);
	int map = ringbuf_create();
	uint64_t bytes;
	char *producer;

	attach(map);
	run(path);
	/* consumer page, producer page, data */
	producer = mmap(NULL, page, PROT_READ, MAP_SHARED, map, page);
	if (producer == MAP_FAILED)
		fail("mmap of the BPF ring buffer");
	bytes = *(volatile uint64_t *)producer;
	printf(" records %llu bytes %llu\n",
	       (unsigned long long)(bytes / (RECORD_SIZE + BPF_RINGBUF_HDR_SZ)),
	       (unsigned long long)bytes);
}

int main(int argc, char **argv)
{
	if (argc != 3) {
		fprintf(stderr, "usage: peers perf|bpf|bpf-raw FILE\n");
		return 2;
	}
	if (!strcmp(argv[1], "perf"))
		peer_perf(argv[2]);
	else if (!strcmp(argv[1], "bpf"))
		peer_bpf(argv[2], bpf_on_event);
	else if (!strcmp(argv[1], "bpf-raw"))
		peer_bpf(argv[2], bpf_on_raw);
	else
		return 2;
	return 0;
}
