// SPDX-License-Identifier: GPL-2.0
#include "lib/text/errno_text.h"

#include <cstring>

#include <fmt/format.h>

namespace grtrace {

std::string errno_text(int32_t error)
{
	// User space never sees it, but a wait in the kernel that a signal ends returns it.
	if (error == -512)
		return "-ERESTARTSYS";

	// The name is a null pointer if the number has none.
	const char *name = error < 0 && error > -4096 ? strerrorname_np(-error) : nullptr;

	return name ? fmt::format("-{}", name) : fmt::to_string(error);
}

} // namespace grtrace
