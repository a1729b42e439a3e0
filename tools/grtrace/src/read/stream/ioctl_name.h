// SPDX-License-Identifier: GPL-2.0
//
// The names of DRM's ioctls, from the kernel's uAPI headers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace grtrace {

// MODE_ATOMIC, or EXECBUFFER of the driver virtio_gpu; a number that is not
// named here is shown as a number. cmd is what user space gave to ioctl().
std::string ioctl_name(uint32_t cmd, std::string_view driver);

} // namespace grtrace
