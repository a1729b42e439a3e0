// SPDX-License-Identifier: GPL-2.0
//
// Records that only the tools write, by the rules of the stream: the event of an ioctl,
// and lines of METADATA.
//
//	recorder <name>
//	untold <fact>...
//
// A recorder without the module records the origin of its events, and which facts
// they lack; "merge" takes both from captures. All else is in the uAPI header.
#pragma once

#include <cstdint>

#include <drm/grtrace_drm.h>

namespace grtrace {

// IO, a task returned from an ioctl of a DRM device. The annotator writes it, for
// captures that are read beside one. Never left out by sampling, and stands for one.
inline constexpr uint16_t GRTRACE_IOCTL = 15;

// IOCTL.handles where the arguments do not say it.
inline constexpr uint32_t GRTRACE_HANDLES_UNKNOWN = 0xffffffff;

// The time stamp is that of the return; it was entered @duration before. @driver says
// whose numbers from 0x40 to 0x9f are; all others are of DRM itself.
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
