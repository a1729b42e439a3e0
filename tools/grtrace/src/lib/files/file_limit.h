// SPDX-License-Identifier: GPL-2.0
//
// The limit of open files, which a machine with many CPUs reaches.
#pragma once

#include <cstddef>

namespace grtrace {

// Two files are open for each CPU, and some more: makes room for them, as far
// as the hard limit lets. The usual soft limit is 1024; it is left alone where
// it is enough, since a program we run inherits it.
void allow_files(size_t cpus);

} // namespace grtrace
