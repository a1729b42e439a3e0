// SPDX-License-Identifier: GPL-2.0
//
// Pager: shows text for people page by page, as git does.
#pragma once

#include <sys/types.h>

namespace grtrace {

// While this object exists, standard output goes to the pager that the environment names:
// GRTRACE_PAGER, else PAGER, else less, which exits by itself if everything fits on the
// screen. There is no pager if it is empty or cat, if standard output is not a terminal, or
// if it cannot be started.
class Pager {
public:
	explicit Pager(bool wanted);
	// Waits until the user has left the pager.
	~Pager();
	Pager(const Pager &) = delete;
	Pager &operator=(const Pager &) = delete;

private:
	pid_t pid_ = -1;
};

} // namespace grtrace
