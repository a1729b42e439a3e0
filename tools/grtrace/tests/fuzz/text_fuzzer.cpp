// SPDX-License-Identifier: GPL-2.0
//
// The output of trace-cmd and perf, line by line, and the clocks that it
// names. A time that was read is put where the merge puts it.
#include "words/merge/clock_facts.h"
#include "words/merge/text_source.h"

#include <cstdlib>

using namespace grtrace;

namespace {

constexpr std::string_view magics[] = {"\x17\x08\x44tracing", "PERFILE2"};

// Parts of a line are parts of that line.
void check_inside(std::string_view line, std::string_view part)
{
	if (!part.empty() &&
	    (part.data() < line.data() || part.data() + part.size() > line.data() + line.size()))
		abort();
}

void read(const TextFormat &format, std::string_view text)
{
	ClockFacts clock, other;
	TraceLine event;

	other.id = ClockId::monotonic;
	other.has_real = true;
	other.real = 1700000000000000000;
	while (!text.empty()) {
		const std::string_view line = text.substr(0, text.find('\n'));

		text.remove_prefix(std::min(line.size() + 1, text.size()));
		format.learn(line, clock);
		read_trace_line(line, event);
		// The idle task has another name in a capture.
		if (event.comm != "swapper")
			check_inside(line, event.comm);
		check_inside(line, event.name);
		check_inside(line, event.text);
	}
	for (int i = 0; i < 4; i++) {
		const bool turned = i & 1, apart = i & 2;
		ClockOffset offset;

		if (offset_between(turned ? other : clock, turned ? clock : other, apart, offset)
			    .ok() &&
		    offset.how.empty())
			abort();
		clock.ts = event.ts;
	}
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const std::string_view text(reinterpret_cast<const char *>(data), size);

	for (const std::string_view magic : magics)
		read(*find_text_format(magic), text);
	find_text_format(text);
	return 0;
}
