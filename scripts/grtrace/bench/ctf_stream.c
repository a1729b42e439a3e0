// SPDX-License-Identifier: GPL-2.0
/*
 * Writes a trace in the Common Trace Format 1.8 as LTTng lays one out, with
 * EVENTS events that have the fields of the kernel's drm_sched_job_run:
 *
 *	ctf_stream EVENTS FOLDER
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define PACKET_SIZE (512 * 1024)

static const char metadata[] =
	"/* CTF 1.8 */\n"
	"typealias integer { size = 8; align = 8; signed = false; } := uint8_t;\n"
	"typealias integer { size = 16; align = 8; signed = false; } := uint16_t;\n"
	"typealias integer { size = 32; align = 8; signed = false; } := uint32_t;\n"
	"typealias integer { size = 64; align = 8; signed = false; } := uint64_t;\n"
	"typealias integer { size = 32; align = 8; signed = true; } := int32_t;\n"
	"trace {\n"
	"	major = 1;\n"
	"	minor = 8;\n"
	"	byte_order = le;\n"
	"	packet.header := struct { uint32_t magic; uint32_t stream_id; };\n"
	"};\n"
	"clock {\n"
	"	name = monotonic;\n"
	"	freq = 1000000000;\n"
	"	offset = 1700000000000000000;\n"
	"};\n"
	"typealias integer { size = 64; align = 8; signed = false;\n"
	"	map = clock.monotonic.value; } := moment_t;\n"
	"stream {\n"
	"	id = 0;\n"
	"	packet.context := struct {\n"
	"		moment_t timestamp_begin; moment_t timestamp_end;\n"
	"		uint64_t content_size; uint64_t packet_size;\n"
	"		uint64_t events_discarded; uint32_t cpu_id;\n"
	"	};\n"
	"	event.header := struct { uint16_t id; moment_t timestamp; };\n"
	"	event.context := struct { int32_t pid; };\n"
	"};\n"
	"event {\n"
	"	name = \"drm_sched_job_run\";\n"
	"	id = 0;\n"
	"	stream_id = 0;\n"
	"	fields := struct {\n"
	"		string name; uint32_t job_count; int32_t hw_job_count;\n"
	"		string dev; uint64_t fence_context;\n"
	"		uint64_t fence_seqno; uint64_t client_id;\n"
	"	};\n"
	"};\n";

struct packet {
	uint8_t bytes[PACKET_SIZE];
	size_t used;
	uint64_t first;
	uint64_t last;
};

static void put(struct packet *packet, const void *value, size_t size)
{
	memcpy(packet->bytes + packet->used, value, size);
	packet->used += size;
}

#define PUT(packet, type, value)                       \
	do {                                           \
		type put_value = (value);              \
		put(packet, &put_value, sizeof(type)); \
	} while (0)

static void put_head(struct packet *packet, size_t content)
{
	packet->used = 0;
	PUT(packet, uint32_t, 0xc1fc1fc1);
	PUT(packet, uint32_t, 0);
	PUT(packet, uint64_t, packet->first);
	PUT(packet, uint64_t, packet->last);
	PUT(packet, uint64_t, content * 8);
	PUT(packet, uint64_t, (uint64_t)PACKET_SIZE * 8);
	PUT(packet, uint64_t, 0);
	PUT(packet, uint32_t, 0);
}

static void put_event(struct packet *packet, uint64_t n)
{
	static const char name[] = "gfx_0.0.0";
	static const char device[] = "0000:03:00.0";

	packet->last = n * 1000;
	if (!packet->used) {
		packet->first = packet->last;
		put_head(packet, 0);
	}
	PUT(packet, uint16_t, 0);
	PUT(packet, uint64_t, packet->last);
	PUT(packet, int32_t, 1000 + n % 8);
	put(packet, name, sizeof(name));
	PUT(packet, uint32_t, 1);
	PUT(packet, int32_t, n % 4);
	put(packet, device, sizeof(device));
	PUT(packet, uint64_t, 41 + n % 16);
	PUT(packet, uint64_t, n / 16);
	PUT(packet, uint64_t, 7 + n % 8);
}

static int flush(struct packet *packet, FILE *file)
{
	size_t content = packet->used;

	put_head(packet, content);
	memset(packet->bytes + content, 0, PACKET_SIZE - content);
	packet->used = 0;
	return fwrite(packet->bytes, PACKET_SIZE, 1, file) == 1;
}

static FILE *create(const char *folder, const char *name)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return fopen(path, "w");
}

int main(int argc, char **argv)
{
	uint64_t events = argc == 3 ? strtoull(argv[1], NULL, 10) : 0;
	static struct packet packet;
	FILE *stream, *text;
	int ok;

	if (!events) {
		fprintf(stderr, "usage: ctf_stream EVENTS FOLDER\n");
		return 2;
	}
	mkdir(argv[2], 0777);
	text = create(argv[2], "metadata");
	stream = create(argv[2], "stream_0");
	ok = text && stream && fputs(metadata, text) >= 0;
	for (uint64_t n = 0; ok && n < events; n++) {
		put_event(&packet, n);
		if (packet.used + 128 > PACKET_SIZE)
			ok = flush(&packet, stream);
	}
	if (ok && packet.used)
		ok = flush(&packet, stream);
	if (!ok || fclose(stream) || fclose(text)) {
		perror(argv[2]);
		return 1;
	}
	return 0;
}
