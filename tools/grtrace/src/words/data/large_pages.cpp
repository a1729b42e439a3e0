// SPDX-License-Identifier: GPL-2.0
#include "words/data/large_pages.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

namespace grtrace {

// Only addresses until they are touched. More than that gets small pages.
static constexpr size_t heap_size = 32 << 20;
static constexpr uintptr_t page = 4096;

void use_large_pages()
{
	// The C library has this in its environment only, so: let the heap
	// grow at once by as much as will be needed, large blocks included.
	mallopt(M_MMAP_THRESHOLD, heap_size);
	mallopt(M_TOP_PAD, heap_size);
	void *volatile grown = malloc(1 << 20); // or the compiler saves it
	free(grown);

	const uintptr_t end = reinterpret_cast<uintptr_t>(sbrk(0)) & -page;

	// Should there be none, small pages do as well.
	madvise(reinterpret_cast<void *>(end - heap_size), heap_size, MADV_HUGEPAGE);
}

} // namespace grtrace
