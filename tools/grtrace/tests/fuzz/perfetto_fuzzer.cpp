// SPDX-License-Identifier: GPL-2.0
//
// Any bytes, as a trace of Perfetto that is imported. The capture must be readable without
// damage.
#include "fuzz/fuzz_folder.h"
#include "fuzz/fuzz_stream.h"
#include "words/foreign/foreign_capture.h"
#include "words/foreign/perfetto_trace.h"

using namespace grtrace;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const FuzzFolder folder;
	OutputFile out;

	if (!out.open(folder.path("out")).ok())
		abort();
	ForeignCapture capture({.kind = "perfetto"}, out);
	PerfettoTrace({reinterpret_cast<const char *>(data), size}, capture).read();
	capture.finish();
	capture.summary();
	capture.remarks();
	if (!out.close().ok())
		abort();
	if (capture.events())
		check_readable({folder.read("out")}, false);
	return 0;
}
