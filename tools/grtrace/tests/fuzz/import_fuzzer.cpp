// SPDX-License-Identifier: GPL-2.0
//
// Any lines, as the text of a trace that is imported. No event of a line may be counted
// twice or not at all, and the capture must be readable without damage.
#include "fuzz/fuzz_folder.h"
#include "fuzz/fuzz_stream.h"
#include "words/foreign/foreign_capture.h"
#include "words/foreign/text_trace.h"

using namespace grtrace;

namespace {

void check(bool right)
{
	if (!right)
		abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const FuzzFolder folder;
	std::string_view text(reinterpret_cast<const char *>(data), size);
	OutputFile out;

	check(out.open(folder.path("out")).ok());
	ForeignCapture capture({.kind = "text"}, out);
	TextTrace trace(capture);
	while (!text.empty()) {
		const std::string_view line = text.substr(0, text.find('\n'));

		text.remove_prefix(std::min(line.size() + 1, text.size()));
		trace.take(line);
	}
	capture.finish();
	check(trace.events() >= capture.events() + trace.counters());
	check(!capture.summary().empty());
	capture.remarks();
	check(out.close().ok());
	if (capture.events())
		check_readable({folder.read("out")}, false);
	return 0;
}
