// SPDX-License-Identifier: GPL-2.0
//
// IoctlCall: the fields that only an IOCTL event has.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "read/stream/event.h"
#include "read/stream/session.h"

namespace grtrace {

// The texts are valid as long as the event.
struct IoctlCall {
	explicit IoctlCall(const Event &event);

	uint64_t duration; // ns; the event's time is that of the return
	int64_t result; // -errno where it failed
	uint64_t cgroup; // 0: not known
	uint32_t cmd;
	uint32_t minor;
	uint32_t handles; // GRTRACE_HANDLES_UNKNOWN: not recorded
	std::string_view driver; // as it is in the capture

	std::string name() const; // made harmless for a terminal
};

// Returns "virtio_gpu EXECBUFFER = 0, 23.000 us, 2 handles".
std::string ioctl_text(const Event &event);

// Does the same as note_text(), except that it names the ioctl of an IOCTL event.
std::string note_or_ioctl_text(const Event &event, const Session &session);

} // namespace grtrace
