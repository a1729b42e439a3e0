// SPDX-License-Identifier: GPL-2.0
/*
 * Attaches a BPF program to the benchmark's tracepoint, has the benchmark's loop run
 * by reading its file, prints the file's line and, behind it, how many records came
 * and how many bytes they took in the ring buffer:
 *
 *	peers OBJECT PROGRAM FILE
 *
 * Exit status: 1 where the kernel cannot do that, with the reason on stderr.
 */
#include <bpf/libbpf.h>
#include <stdio.h>
#include <string.h>

struct sum {
	unsigned long records;
	unsigned long bytes;
};

static int count(void *context, void *record, size_t size)
{
	struct sum *sum = context;

	(void)record;
	sum->records++;
	sum->bytes += size + BPF_RINGBUF_HDR_SZ;
	return 0;
}

static int failed(const char *what)
{
	fprintf(stderr, "%s: %m\n", what);
	return 1;
}

int main(int argc, char **argv)
{
	struct bpf_object *object = argc == 4 ? bpf_object__open_file(argv[1], NULL) : NULL;
	struct bpf_program *program;
	struct ring_buffer *ring;
	struct sum sum = {};
	char line[512] = "";
	FILE *file;

	if (!object)
		return failed("usage: peers OBJECT PROGRAM FILE");
	bpf_object__for_each_program(program, object)
		bpf_program__set_autoload(program, !strcmp(bpf_program__name(program), argv[2]));
	program = bpf_object__find_program_by_name(object, argv[2]);
	if (!program || bpf_object__load(object) || !bpf_program__attach(program))
		return failed("BPF program");
	file = fopen(argv[3], "r");
	if (!file || !fgets(line, sizeof(line), file))
		return failed(argv[3]);
	ring = ring_buffer__new(bpf_object__find_map_fd_by_name(object, "records"), count, &sum, NULL);
	if (!ring || ring_buffer__consume(ring) < 0)
		return failed("BPF ring buffer");
	printf("%.*s records %lu bytes %lu\n", (int)strcspn(line, "\n"), line, sum.records, sum.bytes);
	return 0;
}
