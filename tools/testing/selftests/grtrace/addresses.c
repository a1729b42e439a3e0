// SPDX-License-Identifier: GPL-2.0
/*
 * Are there kernel addresses in the bytes or the text on stdin?  The ranges are this
 * kernel's own, as /proc/kcore has them: all memory, what is mapped from it, the
 * kernel's text, its modules.  Prints each that was found with its place.
 *
 * In a stream the first eight bytes of a record are its type, its size and, of most, a
 * time.  For some milliseconds in every 2^32 ns they look like an address, so they are left
 * out.
 *
 * Usage: addresses [--stream] [--self | --time]
 *	--stream   the bytes are a stream
 *	--self     look for an address that is put there
 *	--time     the first record's time has the bits of an address
 *
 * Exit status: 0 none was found, 1 one was, 2 the ranges are not known.
 */
#include <ctype.h>
#include <elf.h>
#include <endian.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <drm/grtrace_drm.h>

#define INPUT_MAX	(64u << 20)
#define RANGES_MAX	64

static Elf64_Phdr ranges[RANGES_MAX];
static unsigned int ranges_nr;

static bool read_ranges(void)
{
	FILE *core = fopen("/proc/kcore", "r");
	Elf64_Phdr range;
	Elf64_Ehdr elf;

	if (!core || fread(&elf, sizeof(elf), 1, core) != 1 || fseek(core, elf.e_phoff, SEEK_SET))
		return false;
	while (elf.e_phnum-- && ranges_nr < RANGES_MAX) {
		if (fread(&range, sizeof(range), 1, core) != 1)
			return false;
		if (range.p_type == PT_LOAD && range.p_vaddr >> 63)
			ranges[ranges_nr++] = range;
	}
	fclose(core);
	return ranges_nr;
}

/* In the middle of the largest range: all numbers that have its upper half are addresses. */
static Elf64_Addr an_address(void)
{
	unsigned int largest = 0;

	for (unsigned int i = 1; i < ranges_nr; i++)
		if (ranges[i].p_memsz > ranges[largest].p_memsz)
			largest = i;
	return ranges[largest].p_vaddr + ranges[largest].p_memsz / 2;
}

static bool is_address(Elf64_Addr value)
{
	for (unsigned int i = 0; i < ranges_nr; i++)
		if (value - ranges[i].p_vaddr < ranges[i].p_memsz)
			return true;
	return false;
}

/* The size of the record that begins at these bytes, or 0 if none can. */
static size_t record_size(const char *bytes, size_t left)
{
	struct grtrace_rec_hdr hdr;
	size_t size;

	if (left < sizeof(uint64_t))
		return 0;
	memcpy(&hdr, bytes, sizeof(hdr));
	size = le16toh(hdr.size);
	return hdr.type && size >= sizeof(uint64_t) && !(size % 8) && size <= left ? size : 0;
}

static bool is_hex(int c)
{
	return isxdigit((unsigned char)c);
}

static size_t find_in_bytes(const char *bytes, size_t size, bool stream)
{
	size_t at, record, next = 0, found = 0;
	Elf64_Addr value;

	for (at = 0; at + sizeof(value) <= size; at += 4) {
		record = 0;
		if (stream && at == next) {
			record = record_size(bytes + at, size - at);
			next += record ? record : 8;
		}
		memcpy(&value, bytes + at, sizeof(value));
		if (!record && is_address(value) && ++found)
			printf("%#lx at byte %zu\n", (unsigned long)value, at);
	}
	return found;
}

/* There is a byte before @bytes and one after them, neither of them a digit. */
static size_t find_in_text(const char *bytes, size_t size)
{
	char digits[17] = "";
	size_t at, found = 0;

	for (at = 0; at + 16 <= size; at++) {
		if (is_hex(bytes[at - 1]) || is_hex(bytes[at + 16]))
			continue;
		memcpy(digits, bytes + at, 16);
		if (strspn(digits, "0123456789abcdefABCDEF") == 16 &&
		    is_address(strtoul(digits, NULL, 16)) && ++found)
			printf("%s as text at byte %zu\n", digits, at);
	}
	return found;
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "stream", no_argument, NULL, 's' },
		{ "self", no_argument, NULL, 'a' },
		{ "time", no_argument, NULL, 't' },
		{}
	};
	bool stream = false, self = false, in_time = false;
	char *bytes = calloc(1, INPUT_MAX + 16);
	size_t size, middle;
	Elf64_Addr value;
	uint32_t high;
	int option;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option == '?')
			return 2;
		stream |= option == 's';
		self |= option == 'a';
		in_time |= option == 't';
	}
	if (!bytes || !read_ranges()) {
		puts("the kernel does not tell where its memory is (/proc/kcore)");
		return 2;
	}
	bytes++;
	size = fread(bytes, 1, INPUT_MAX, stdin);
	value = an_address();
	if (self) {
		/* in the middle of what is there, at a place that is aligned by four */
		middle = size / 8 * 4;
		memmove(bytes + middle + 8, bytes + middle, size - middle);
		memcpy(bytes + middle, &value, sizeof(value));
		size += sizeof(value);
	}
	if (in_time) {
		high = value >> 32;
		memcpy(bytes + sizeof(high), &high, sizeof(high));
	}
	return find_in_bytes(bytes, size, stream) + find_in_text(bytes, size) > 0;
}
