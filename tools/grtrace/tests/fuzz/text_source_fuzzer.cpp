// SPDX-License-Identifier: GPL-2.0
//
// The output of trace-cmd and perf, as records of a merge; cat prints it in their
// place. The first byte says whose lines they are, "p" for perf, and the second one
// the number of the machine. No event and no loss of a line is left out, and the
// output must be readable without damage.
#include "fuzz/fuzz_folder.h"
#include "fuzz/fuzz_stream.h"
#include "words/merge/machine.h"
#include "words/merge/merged_stream.h"
#include "words/merge/text_source.h"

using namespace grtrace;

namespace {

struct Told {
	uint64_t events = 0;
	uint64_t lost = 0;

	bool operator==(const Told &) const = default;
};

void check(bool right)
{
	if (!right)
		abort();
}

TextFormat by_cat(std::string_view magic)
{
	TextFormat format = *find_text_format(magic);

	format.facts = {"cat"};
	format.events = {"cat"};
	return format;
}

Told by_line(std::string_view text)
{
	TraceLine event;
	Told told;

	while (!text.empty()) {
		const std::string_view line = text.substr(0, text.find('\n'));

		text.remove_prefix(std::min(line.size() + 1, text.size()));
		const LineKind kind = read_trace_line(line, event);

		told.events += kind == LineKind::event;
		if (kind == LineKind::loss)
			told.lost += event.lost;
	}
	return told;
}

// Writes them as a merge does.
Told by_record(TextSource &source, const Machine &machine, OutputFile &out)
{
	MergeRecord record;
	Session tables;
	Told told;
	uint64_t messages = 0;

	tables.id = 1;
	tables.start_ts = source.start_ts();
	MergedStream stream(tables, out);
	while (source.next(record) == Next::event) {
		const Event &event = record.event;

		check(event.raw == record.bytes.data());
		check(event.size == record.bytes.size());
		messages += event.type == GRTRACE_MESSAGE;
		if (event.type == GRTRACE_LOST)
			told.lost += load64(event.raw + offsetof(grtrace_rec_lost, events));
		// The CPU of a line may have no number in a merge.
		const bool placed = event.cpu < Machine::cpus;
		check(stream.write(record, 0, machine, *source.session(), true) == placed);
	}
	// The other lines are jobs.
	told.events = source.events();
	check(messages <= told.events);
	check(told.lost == source.lost());
	return told;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const FuzzFolder folder;
	static const TextFormat perf = by_cat("PERFILE2");
	static const TextFormat trace_cmd = by_cat("\x17\x08\x44tracing");
	const std::string_view text(reinterpret_cast<const char *>(data), size);

	if (size < 2)
		return 0;
	const TextFormat &format = text[0] == 'p' ? perf : trace_cmd;
	const Machine machine(data[1] % (Machine::most + 1), "other");
	folder.write("text", data, size);
	TextSource source(format, folder.path("text"));
	OutputFile out;
	check(source.open().ok());
	check(out.open(folder.path("out")).ok());

	const Told told = by_record(source, machine, out);
	check(told == by_line(text));
	check(source.close().ok() == (told.events > 0));
	check(out.close().ok());
	check_readable({folder.read("out")}, false);
	return 0;
}
