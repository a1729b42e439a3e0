// SPDX-License-Identifier: GPL-2.0
#include "words/annotate/handle_count.h"

#include <cstring>

#include <linux/ioctl.h>

namespace grtrace {

namespace {

// The places where include/uapi/drm of Linux 7.3 has a count of 32 bits. A uAPI never moves
// them.
struct Field {
	const char *driver;
	uint32_t number;
	size_t offset;
};

const Field fields[] = {
	{"amdgpu", 0x43, 8}, // BO_LIST: bo_number
	{"etnaviv", 0x46, 12}, // GEM_SUBMIT: nr_bos
	{"i915", 0x69, 8}, // GEM_EXECBUFFER2: buffer_count
	{"lima", 0x43, 8}, // GEM_SUBMIT: nr_bos
	{"msm", 0x46, 8}, // GEM_SUBMIT: nr_bos
	{"nouveau", 0x81, 4}, // GEM_PUSHBUF: nr_buffers
	{"panfrost", 0x40, 32}, // SUBMIT: bo_handle_count
	{"v3d", 0x40, 48}, // SUBMIT_CL: bo_handle_count
	{"v3d", 0x47, 56}, // SUBMIT_CSD: bo_handle_count
	{"vc4", 0x40, 48}, // SUBMIT_CL: bo_handle_count
	{"virtio_gpu", 0x42, 24}, // EXECBUFFER: num_bo_handles
};

} // namespace

uint32_t count_handles(std::string_view driver, uint32_t cmd, const void *argument, size_t size)
{
	uint32_t count;

	for (const Field &field : fields) {
		if (driver != field.driver || _IOC_NR(cmd) != field.number ||
		    size < field.offset + sizeof(count))
			continue;
		memcpy(&count, static_cast<const char *>(argument) + field.offset, sizeof(count));
		return count;
	}
	return GRTRACE_HANDLES_UNKNOWN;
}

} // namespace grtrace
