// SPDX-License-Identifier: GPL-2.0
//
// Any bytes at all, as one stream and as two CPU files, through decoder and merger and
// nothing else, so that many are tried. Each record is read, or lost. analysis_fuzzer.cpp
// tries the analysis of the events.
#include "fuzz/fuzz_stream.h"

using namespace grtrace;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	using Bytes = std::vector<uint8_t>;

	check_sum({Bytes(data, data + size)}, false);
	check_sum({Bytes(data, data + size / 2), Bytes(data + size / 2, data + size)}, true);
	return 0;
}
