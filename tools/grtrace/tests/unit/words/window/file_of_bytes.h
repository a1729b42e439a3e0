// SPDX-License-Identifier: GPL-2.0
//
// A file without a name, which lasts until the test ends.
#pragma once

#include <cstdlib>

#include <unistd.h>

#include "unit/from_text.h"

namespace grtrace {

inline int file_of_bytes(const Bytes &bytes)
{
	char name[] = "/tmp/grtrace-XXXXXX";
	const int fd = mkstemp(name);

	unlink(name);
	EXPECT_EQ(write(fd, bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
	return fd;
}

} // namespace grtrace
