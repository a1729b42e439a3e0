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

// Returns the user who called sudo, pkexec or doas, a name or a number; empty without one of
// them, or without root.
std::string calling_user();

// Returns the user as whom root runs other people's code on a stranger's file: the one who
// called sudo, or one without rights; nullptr without root.
const RunUser *careful_user();

// Makes a file that was just created that user's; without one it stays root's.
void give_to_caller(int fd);

} // namespace grtrace
