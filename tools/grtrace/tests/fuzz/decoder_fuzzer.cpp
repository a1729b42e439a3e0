// SPDX-License-Identifier: GPL-2.0
//
// Any bytes at all, as one stream and as two CPU files, through decoder and merger and
// nothing else, so that many are tried. Each record is read, or lost. analysis_fuzzer.cpp
// tries the analysis of the events.
#include "fuzz/fuzz_stream.h"

using namespace grtrace;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const Bytes all = near_cpus(data, size);
	const auto middle = all.begin() + static_cast<ptrdiff_t>(size / 2);

	check_sum({all}, false);
	check_sum({Bytes(all.begin(), middle), Bytes(middle, all.end())}, true);
	return 0;
}
