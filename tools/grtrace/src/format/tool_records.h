// SPDX-License-Identifier: GPL-2.0
//
// Records that only the tools write, by the rules of the stream: the event of an ioctl,
// and lines of METADATA.
//
//	recorder <name>
//	untold <fact>...
//	host <word>
//	tag <word> <word>
//	node <name>...
//
// A recorder that works without the module names itself, and the facts that its events
// lack; "merge" copies both lines from captures. The last three are in host_facts.h. The uAPI
// header describes everything else.
#pragma once

#include <cstdint>

#include <drm/grtrace_drm.h>

namespace grtrace {

// IOCTL: a task returned from an ioctl of a DRM device. `grtrace annotate` writes it into a
// file that is read together with a capture. Sampling never omits it, so its weight is 1.
inline constexpr uint16_t GRTRACE_IOCTL = 48;

// The clock in a STREAM_INFO if the capture was made from a trace that does not name its
// clock.
inline constexpr uint32_t GRTRACE_CLOCK_UNKNOWN = 0;

// The value of IOCTL.handles if the arguments do not contain the number.
inline constexpr uint32_t GRTRACE_HANDLES_UNKNOWN = 0xffffffff;

// The time stamp is the time of the return; the task entered the ioctl @duration
// earlier. Numbers from 0x40 to 0x9f are specific to @driver; all others belong to
// DRM.
struct grtrace_rec_ioctl {
	grtrace_rec_job job; // ctx, seqno and ring are 0
	__le64 duration; // ns from entry to return
	__le64 result; // what it returned, 0 or more or -errno, as __s64
	__le64 cgroup; // id of the task's cgroup (version 2), or 0
	__le32 cmd; // the number of the ioctl, as user space gave it
	__le32 minor; // minor number of the device's node
	__le32 handles; // buffer objects that its argument names
	__le32 reserved; // 0
	char driver[GRTRACE_DRIVER_LEN];
};

} // namespace grtrace
