// SPDX-License-Identifier: GPL-2.0
//
// The limit of open files, which a machine with many CPUs reaches.
#pragma once

#include <cstddef>

namespace grtrace {

// Raises the limit, as far as the hard limit allows, to two files for each CPU and some
// more. The usual soft limit of 1024 does not change where it is enough, since a program we
// run inherits it.
void allow_files(size_t cpus);

} // namespace grtrace
