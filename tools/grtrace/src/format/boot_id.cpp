// SPDX-License-Identifier: GPL-2.0
//
// The kernel cannot fill it in, so the recorder writes it into the stream's first
// record, without copying the stream.
#include "format/boot_id.h"

#include "format/byte_order.h"

#include <drm/grtrace_drm.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace grtrace {

BootId read_boot_id()
{
	FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");
	BootId id = {};

	if (!file)
		return id;
	for (uint8_t &byte : id) {
		unsigned int value;

		// There are dashes between some of the bytes.
		if (fscanf(file, "%*[-]") < 0 || fscanf(file, "%2x", &value) != 1)
			break;
		byte = static_cast<uint8_t>(value);
	}
	fclose(file);
	return id;
}

void fill_boot_id(char *bytes, size_t size, const BootId &id)
{
	using Info = grtrace_rec_stream_info;
	size_t at = 0, record;

	for (; size - at >= sizeof(grtrace_rec_hdr); at += record) {
		record = load16(bytes + at + 2);
		if (record < sizeof(grtrace_rec_hdr) || record > size - at)
			return;
		char *const field = bytes + at + offsetof(Info, boot_id);
		if (load16(bytes + at) == GRTRACE_STREAM_INFO && record >= sizeof(Info) &&
		    std::all_of(field, field + id.size(), [](char c) { return !c; }))
			memcpy(field, id.data(), id.size());
	}
}

} // namespace grtrace
