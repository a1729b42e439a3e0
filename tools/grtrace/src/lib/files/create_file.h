// SPDX-License-Identifier: GPL-2.0
//
// Creates the files that outlive a program: who may read them, and which links are followed.
#pragma once

#include <string>

#include <sys/stat.h>

namespace grtrace {

// A capture shows the work of all users of the machine, so only the user who recorded it may
// read it.
constexpr mode_t capture_mode = 0600;
constexpr mode_t usual_mode = 0666;

// Opens a file for writing from its beginning. A new capture belongs to the user who called
// sudo. Returns a descriptor; -1, with errno, also where the path is a planted link.
int create_file(const std::string &path, mode_t mode);

// Creates a directory for captures, which only their owner may enter; an existing directory
// stays as it is. Returns whether there is one, or sets errno.
bool create_capture_directory(const std::string &path);

// Returns whether the path is a link that no program should follow, as the kernel has it where
// fs.protected_symlinks is set: in a directory such as /tmp, of another user.
bool is_planted_link(const std::string &path);

// Gives a new file that replaces another one its mode. If the old one is another user's, the
// new one has no right that the old one had not.
void keep_mode(int fd, const struct stat &old);

// Returns the directory of a path, with its slash; "./" if it names none.
std::string directory_of(const std::string &path);

} // namespace grtrace
