// SPDX-License-Identifier: GPL-2.0
//
// Any bytes at all, as one stream and as two CPU files, through decoder and merger and
// nothing else, so that many are tried. What was written is read, or lost. What is made of
// the events is analysis_fuzzer.cpp's.
#include "fuzz/fuzz_stream.h"

using namespace grtrace;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	using Bytes = std::vector<uint8_t>;

	check_sum({Bytes(data, data + size)}, false);
	check_sum({Bytes(data, data + size / 2), Bytes(data + size / 2, data + size)}, true);
	return 0;
}
