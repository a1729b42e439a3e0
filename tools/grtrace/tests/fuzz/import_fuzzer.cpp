// SPDX-License-Identifier: GPL-2.0
//
// Any lines, as the text of a trace that is imported. No event of a line may be counted
// twice or not at all.
#include "fuzz/fuzz_import.h"
#include "words/foreign/text_trace.h"

using namespace grtrace;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	check_import("text", [&](ForeignCapture &capture) {
		std::string_view text(reinterpret_cast<const char *>(data), size);
		TextTrace trace(capture);

		while (!text.empty()) {
			const std::string_view line = text.substr(0, text.find('\n'));

			text.remove_prefix(std::min(line.size() + 1, text.size()));
			trace.take(line);
		}
		if (trace.events() < capture.events() + trace.counters())
			abort();
	});
	return 0;
}
