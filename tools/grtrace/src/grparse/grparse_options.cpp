// SPDX-License-Identifier: GPL-2.0
#include "grparse/grparse_options.h"

#include "format/vocabulary.h"
#include "grparse/format.h"
#include "lib/text/words_of.h"
#include "read/rows/event_columns.h"

namespace grtrace {

enum {
	option_help = 256,
	option_strict,
	option_csv,
	option_json,
	option_type,
	option_since,
	option_until,
	option_engine,
	option_ring,
	option_dev,
	option_pid,
	option_ctx,
	option_limit,
	option_explain,
};

// Letters and meanings are blkparse's; -h is left free as it means something
// else there.
static const Option table[] = {
	{'i', "input", "NAME",
	 "capture: base name of NAME.grtrace.<cpu>, a file or FIFO with "
	 "the packets of all CPUs, or - for stdin; repeatable"},
	{'a', "act-mask", "TYPE[,TYPE...]",
	 "show only events of these types (names or letters); "
	 "repeatable"},
	{'A', "set-mask", "HEX", "the same as a number: bit n is type n"},
	{'d', "dump-binary", "FILE",
	 "write the sorted binary stream to FILE or - (not affected "
	 "by -f, but by what chooses events)"},
	{option_type, "type", "TYPE[,TYPE...]", "the same as -a"},
	{option_engine, "engine", "CLASS[,CLASS...]",
	 "show only rings of these engine classes (names or letters); "
	 "repeatable"},
	{option_ring, "ring", "RING[,RING...]",
	 "show only these rings, by id, name or device/name; repeatable"},
	{option_dev, "dev", "DEV[,DEV...]",
	 "show only rings of these devices, by name (card0, a PCI address) or "
	 "by number as %M; repeatable"},
	{option_pid, "pid", "PID[,PID...]",
	 "show only what these threads or processes did, and their jobs; "
	 "repeatable"},
	{option_ctx, "ctx", "CTX[,CTX...]",
	 "show only jobs of these contexts, and their fences; repeatable"},
	{option_since, "since", "TIME",
	 "show only what came from TIME after the start on: 1.5 (s), 200ms, "
	 "70us, 5ns"},
	{option_until, "until", "TIME", "show only what came until then"},
	{option_limit, "limit", "N", "stop after N events"},
	{option_explain, "explain", "CTX:SEQ",
	 "tell the story of this job in words, each number with its source, "
	 "and nothing else"},
	{'D', "input-directory", "DIR", "put DIR before input names"},
	{'f', "format", "FORMAT", "output format of all actions"},
	{'F', "format-spec", "X,FORMAT", "output format of action X"},
	{'M', "no-msgs", nullptr, "no messages in the stream of -d"},
	{'b', "batch", "N",
	 "hold back at most N events (131072) to put a stream in order in "
	 "which "
	 "CPUs alternate, as from stdin"},
	{'o', "output", "FILE", "text to FILE, default is stdout"},
	{'O', "no-text-output", nullptr, "no text but the summary"},
	{'q', "quiet", nullptr, "no summary at the end"},
	{'s', "per-program-stats", nullptr, "a table of programs"},
	{'S', "sort-program-stats", "KEY",
	 "the same, sorted by N (name), by numbers: q (jobs queued), c "
	 "(completed), w (waits), f (failed), or by times: Q (queued), C "
	 "(executed: the GPU was busy), W (in waits)"},
	{'h', "hash-by-name", nullptr, "in it programs of one name are one (help is --help)"},
	{'t', "track-ios", nullptr,
	 "on each line how long the step took, in us: UN and I since Q; D since "
	 "I, or Q without I; B since D; E and FS since B, or since the GPU could begin; C since D, "
	 "or I without D; WX since WE. With -s: Q to D and D to C of each "
	 "program"},
	{'w', "stopwatch", "[START:]END", "only this interval, in seconds since the start"},
	{option_csv, "csv", nullptr,
	 "all events and notes as CSV with a line of names (see Columns); the "
	 "summary goes to stderr"},
	{option_json, "json", nullptr, "the same as one JSON object a line"},
	{'v', "verbose", nullptr, "show RING and TASK notes and records of unknown type too"},
	{'V', "version", nullptr, "print the version"},
	{option_strict, "strict", nullptr, "exit 3 if records were lost"},
	{option_help, "help", nullptr, "print this"},
};

static std::string describe_actions()
{
	std::string text;

	for_each_record_kind([&](const RecordKind &kind) {
		// The decoder keeps these for itself.
		if (kind.type == GRTRACE_PACKET || kind.type == GRTRACE_STREAM_INFO ||
		    kind.type == GRTRACE_METADATA)
			return;
		text += fmt::format("  {:<3} {}\n", kind.letter, kind.name);
	});
	return text;
}

static std::string describe_classes()
{
	std::string text;

	for (uint32_t n = 0; n < GRTRACE_CLASS_COUNT; n++)
		text += fmt::format("  {}  {}\n", engine_letter(n), engine_name(n));
	return text;
}

std::string GrparseOptions::help_text()
{
	return fmt::format("grparse shows the GPU job events of a capture.\n\n"
			   "usage: grparse [options] [-i] NAME...\n\n{}\n"
			   "Fields of a format, as %[-][width]letter; escapes are \\b "
			   "\\n \\r \\t \\\\:\n{}\n"
			   "The default is \"%D %2c %8s %5T.%9t %5p %2a %3d \" and what "
			   "the action has to tell.\n\n"
			   "Actions:\n{}\nEngine classes:\n{}\n"
			   "Columns of --csv and keys of --json; what is missing is NA or "
			   "null:\n{}\n"
			   "exit: 0, 1 something could not be read, 2 wrong usage, 3 "
			   "records lost (--strict)\n",
			   describe_options(table), Format::describe_fields(), describe_actions(),
			   describe_classes(), describe_event_columns());
}

Status GrparseOptions::set_rows(RowPrinter::Form form, const std::string &shown)
{
	if (rows)
		return Status::error("{}: lines have one form: give --csv or "
				     "--json once",
				     shown);
	rows.emplace(form);
	return {};
}

Status GrparseOptions::set_limit(const std::string &argument)
{
	if (parse_id(argument, UINT64_MAX, limit) && limit)
		return {};
	return Status::error("--limit wants a number of events, at least 1, "
			     "not \"{}\"",
			     argument);
}

Status GrparseOptions::set_batch(const std::string &argument)
{
	// Each may cost the bytes of its record twice.
	constexpr uint64_t most = 1 << 24;
	uint64_t value;

	if (!parse_id(argument, most, value) || !value)
		return Status::error("-b wants a number of events from 1 to "
				     "{}, not \"{}\"",
				     most, argument);
	batch = value;
	return {};
}

// What chooses events, and whether the option was of that kind.
Status GrparseOptions::set_filter(const GivenOption &given, bool &is_filter)
{
	const std::string &argument = given.argument;

	is_filter = true;
	switch (given.id) {
	case 'a':
	case option_type:
		return filter.add_types(given.shown, argument);
	case 'A':
		return filter.set_types(argument);
	case 'w':
		return filter.set_interval(argument);
	case option_since:
		return filter.set_since(argument);
	case option_until:
		return filter.set_until(argument);
	case option_engine:
		return jobs.rings.add_engines(argument);
	case option_ring:
		return jobs.rings.add_rings(argument);
	case option_dev:
		return jobs.rings.add_devices(argument);
	case option_pid:
		return jobs.add_pids(argument);
	case option_ctx:
		return jobs.add_contexts(argument);
	case option_limit:
		return set_limit(argument);
	}
	is_filter = false;
	return {};
}

Status GrparseOptions::set(const GivenOption &given)
{
	const std::string &argument = given.argument;
	bool is_filter;
	Status status = set_filter(given, is_filter);

	if (is_filter)
		return status;
	switch (given.id) {
	case 0:
	case 'i':
		inputs.push_back(argument);
		break;
	case 'b':
		return set_batch(argument);
	case 'd':
		dump = argument;
		break;
	case 'D':
		directory = argument;
		break;
	case 'f':
		formats = true;
		return printer.set_format(argument);
	case 'F':
		formats = true;
		return printer.set_format_of(argument);
	case 'o':
		output = argument;
		break;
	case 'O':
		text = false;
		break;
	case 'q':
		summary = false;
		break;
	case 'h':
		programs.by_name = true;
		break;
	case 'M':
		messages = false;
		break;
	case 's':
		programs.shown = true;
		break;
	case 'S':
		return programs.set_sort(argument);
	case 't':
		track = programs.steps = true;
		break;
	case 'v':
		verbose = true;
		break;
	case 'V':
		version = true;
		break;
	case option_csv:
		return set_rows(RowPrinter::Form::csv, given.shown);
	case option_json:
		return set_rows(RowPrinter::Form::json, given.shown);
	case option_explain:
		return explain.emplace().parse(argument);
	case option_strict:
		strict = true;
		break;
	case option_help:
		help = true;
		break;
	}
	return {};
}

// What only all of them together tell.
Status GrparseOptions::check() const
{
	if (inputs.empty())
		return Status::error("name a capture; see --help");
	if (!dump.empty() && inputs.size() > 1)
		return Status::error("-d writes one session: give one capture");
	if (dump == "-" && output == "-" && text)
		return Status::error("-d - and text cannot share standard "
				     "output: add -O, or -o FILE");
	if (explain && (rows || !dump.empty() || jobs.any() || limit || filter.has_types() ||
			filter.has_interval() || formats || track || programs.shown))
		return Status::error("--explain reads all and tells one job: "
				     "it goes with no filter, -d, -f, -F, -s, "
				     "-S, -t, --csv or --json");
	if (formats && rows)
		return Status::error("-f and -F are for lines of text: they do "
				     "not go with --csv and --json");
	return filter.check();
}

Status GrparseOptions::parse(int argc, char **argv)
{
	std::vector<GivenOption> given;
	Status status = parse_options(table, {argv + (argc > 0), argv + argc}, given);

	if (!status.ok())
		return Status::error("{}; see --help", status.sentence());
	// The default formats depend on it, and -f replaces them.
	for (const GivenOption &option : given)
		if (option.id == 't')
			printer.track_times();
	for (const GivenOption &option : given) {
		status = set(option);
		if (!status.ok())
			return status;
	}
	return help || version ? Status() : check();
}

} // namespace grtrace
