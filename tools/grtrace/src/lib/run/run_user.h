// SPDX-License-Identifier: GPL-2.0
//
// RunUser: the user as whom a recorder with root's rights runs a command.
#pragma once

#include "lib/text/status.h"

#include <sys/types.h>

#include <string>
#include <vector>

namespace grtrace {

// Everything is looked up before fork(): after it, a process with threads may only make system
// calls.
struct RunUser {
	uid_t uid = 0;
	gid_t gid = 0;
	std::vector<gid_t> groups;
	std::vector<std::string> environment; // of the command

	// Gives up all other rights, for ever; only system calls. Returns an errno or 0.
	int become() const;
};

// Takes a name or a number.
Status find_run_user(const std::string &name, RunUser *user);

// Returns the id of the user who called sudo; empty without sudo, or without root.
std::string sudo_user();

} // namespace grtrace
