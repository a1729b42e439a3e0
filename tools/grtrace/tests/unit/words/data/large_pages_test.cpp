// SPDX-License-Identifier: GPL-2.0
#include "words/data/large_pages.h"

#include <cstdio>
#include <fstream>
#include <memory>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

namespace grtrace {

// The flags that the kernel shows of the mapping an address lies in.
static std::string flags_of(const void *address)
{
	const auto at = reinterpret_cast<unsigned long>(address);
	std::ifstream maps("/proc/self/smaps");
	bool inside = false;

	for (std::string line; std::getline(maps, line);) {
		unsigned long from, to;

		if (sscanf(line.c_str(), "%lx-%lx ", &from, &to) == 2)
			inside = from <= at && at < to;
		else if (inside && line.starts_with("VmFlags:"))
			return line;
	}
	return {};
}

TEST(LargePages, a_large_table_lies_in_the_heap_that_has_them)
{
	if (access("/sys/kernel/mm/transparent_hugepage", F_OK))
		GTEST_SKIP() << "this kernel has no large pages";
#ifdef __SANITIZE_ADDRESS__
	GTEST_SKIP() << "AddressSanitizer's heap is not the C library's";
#endif

	use_large_pages();
	auto table = std::make_unique<char[]>(4 << 20);

	EXPECT_LT(static_cast<void *>(table.get()), sbrk(0));
	// Its start may be in what the heap had before.
	EXPECT_NE(flags_of(table.get() + (2 << 20)).find(" hg"), std::string::npos);
}

} // namespace grtrace
