// SPDX-License-Identifier: GPL-2.0
//
// Any bytes, as a trace of Perfetto that is imported.
#include "fuzz/fuzz_import.h"
#include "words/foreign/perfetto_trace.h"

using namespace grtrace;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	check_import("perfetto", [&](ForeignCapture &capture) {
		PerfettoTrace({reinterpret_cast<const char *>(data), size}, capture).read();
	});
	return 0;
}
