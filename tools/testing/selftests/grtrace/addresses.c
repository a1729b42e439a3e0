// SPDX-License-Identifier: GPL-2.0
/*
 * Are there kernel addresses in the bytes or the text on stdin?  The ranges are this
 * kernel's own, as /proc/kcore has them: all memory, what is mapped from it, the
 * kernel's text, its modules.  Prints each that was found with its place.
 *
 * Usage: addresses [--self]     --self: look for an address that is put there
 *
 * Exit status: 0 none was found, 1 one was, 2 the ranges are not known.
 */
#include <ctype.h>
#include <elf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static bool is_address(Elf64_Addr value)
{
	for (unsigned int i = 0; i < ranges_nr; i++)
		if (value - ranges[i].p_vaddr < ranges[i].p_memsz)
			return true;
	return false;
}

static bool is_hex(int c)
{
	return isdigit(c) || (c >= 'a' && c <= 'f');
}

int main(int argc, char **argv)
{
	/* zeros before and after it, so that a number ends there */
	char *bytes = calloc(1, INPUT_MAX + 16), digits[17] = "";
	size_t size, at, middle, found = 0;
	Elf64_Addr value;

	(void)argv;
	if (!bytes || !read_ranges()) {
		puts("the kernel does not tell where its memory is (/proc/kcore)");
		return 2;
	}
	bytes++;
	size = fread(bytes, 1, INPUT_MAX, stdin);
	if (argc > 1) {
		/* in the middle of what is there, at a place that is aligned by four */
		middle = size / 8 * 4;
		memmove(bytes + middle + 8, bytes + middle, size - middle);
		value = ranges[0].p_vaddr + 0x1234;
		memcpy(bytes + middle, &value, sizeof(value));
		size += sizeof(value);
	}
	for (at = 0; at + sizeof(value) <= size; at += 4) {
		memcpy(&value, bytes + at, sizeof(value));
		if (is_address(value) && ++found)
			printf("%#lx at byte %zu\n", (unsigned long)value, at);
	}
	for (at = 0; at < size; at++)
		bytes[at] = tolower(bytes[at]);
	for (at = 0; at + 16 <= size; at++) {
		if (is_hex(bytes[at - 1]) || is_hex(bytes[at + 16]))
			continue;
		memcpy(digits, bytes + at, 16);
		if (strspn(digits, "0123456789abcdef") == 16 &&
		    is_address(strtoul(digits, NULL, 16)) && ++found)
			printf("%s as text at byte %zu\n", digits, at);
	}
	return found > 0;
}
