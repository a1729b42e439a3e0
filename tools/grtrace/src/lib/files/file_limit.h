// SPDX-License-Identifier: GPL-2.0
//
// The limit of open files, which a machine with many CPUs reaches.
#pragma once

#include <cstddef>

namespace grtrace {

// Raises the limit to two files for each CPU and some more, or to the hard limit if that
// is lower. A usual soft limit of 1024 that is enough stays as it is, since a program
// that we run inherits it.
void allow_files(size_t cpus);

} // namespace grtrace
