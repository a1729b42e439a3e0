// SPDX-License-Identifier: GPL-2.0
//
// The names of DRM's ioctls, from the kernel's uAPI headers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace grtrace {

// Returns MODE_ATOMIC, or EXECBUFFER of the driver virtio_gpu; an unknown number is shown
// as a number. cmd is the value that user space passed to ioctl().
std::string ioctl_name(uint32_t cmd, std::string_view driver);

} // namespace grtrace
