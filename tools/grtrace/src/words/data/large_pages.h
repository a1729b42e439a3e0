// SPDX-License-Identifier: GPL-2.0
//
// Large pages for random access to megabytes of tables.
#pragma once

namespace grtrace {

// From here on, what is allocated comes from a heap of large pages, as far as
// the system has some. A job touches a dozen places in tables of many rings:
// with small pages the processor has to look up nearly each of them. They are of no use,
// and some 2 MiB of memory, for reading from front to back.
void use_large_pages();

} // namespace grtrace
