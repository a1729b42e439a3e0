// SPDX-License-Identifier: GPL-2.0
//
// The parser, --help and the manual use one table. Each option is checked when it is read,
// combinations at the end.
#include "grparse/grparse_options.h"

#include "format/vocabulary.h"
#include "grparse/format.h"
#include "lib/options/exec_word.h"
#include "lib/options/word_options.h"
#include "lib/text/words_of.h"

namespace grtrace {

using Word = WordOption<GrparseOptions>;

// Passes the argument to a part of the options.
template <auto part, auto set> static Status call(GrparseOptions &o, const std::string &argument)
{
	return (o.*part.*set)(argument);
}

template <Additions::Option option>
static Status add(GrparseOptions &o, const std::string &argument)
{
	o.wants_more = true;
	return o.more ? o.more->set(option, argument) : Status();
}

template <bool of_action> static Status add_format(GrparseOptions &o, const std::string &argument)
{
	o.formats.push_back({of_action, argument});
	return {};
}

// Letters and meanings are blkparse's; -h is not help because it means something else
// there.
static const Word table[] = {
	option_group<GrparseOptions>("Options"),
	input_option<GrparseOptions>,
	directory_option<GrparseOptions>,
	{'b', "batch", "N",
	 "put a stream in which CPUs alternate, such as stdin, in order by holding back at most N "
	 "events (131072)",
	 [](GrparseOptions &o, const std::string &argument) { return o.set_batch(argument); }},
	strict_option<GrparseOptions>,
	version_option<GrparseOptions>,
	help_option<GrparseOptions>,
	option_group<GrparseOptions>("Choose what is shown"),
	{'a', "act-mask", "TYPE[,TYPE...]",
	 "show only events of these types (names or letters, or blkparse's words issue, queue, "
	 "requeue and complete: D, Q, ER and C); repeatable",
	 [](GrparseOptions &o, const std::string &argument) {
		 return o.filter.add_types("-a", argument);
	 }},
	{'A', "set-mask", "HEX", "the same as a hexadecimal number: bit n is type n",
	 call<&GrparseOptions::filter, &EventFilter::set_types>},
	{0, "type", "TYPE[,TYPE...]", "the same as -a",
	 [](GrparseOptions &o, const std::string &argument) {
		 return o.filter.add_types("--type", argument);
	 }},
	{0, "engine", "CLASS[,CLASS...]",
	 "show only rings of these engine classes (names, letters or numbers; 0x...: a mask of "
	 "them); repeatable",
	 add<Additions::Option::engine>},
	{0, "engine-mask", "CLASS[,CLASS...]", "the same as --engine",
	 add<Additions::Option::engine>},
	{0, "ring", "RING[,RING...]",
	 "show only these rings, by id, name or device/name; repeatable",
	 add<Additions::Option::ring>},
	{0, "dev", "DEV[,DEV...]",
	 "show only rings of these devices, by name (card0, renderD128, a PCI address) or by the "
	 "number that %M prints; repeatable",
	 add<Additions::Option::dev>},
	{0, "pid", "PID[,PID...]",
	 "show what these threads or processes (number or name) did, and their jobs; repeatable",
	 add<Additions::Option::pid>},
	{0, "client", "ID[,ID...]",
	 "show only jobs of these DRM clients from their SUBMIT on, by drm-client-id or the name "
	 "of "
	 "a job of amdgpu's own (vm_update); repeatable",
	 add<Additions::Option::client>},
	{0, "ctx", "CTX[,CTX...]", "show only jobs of these contexts, and their fences; repeatable",
	 add<Additions::Option::ctx>},
	{'w', "stopwatch", "[START:]END", "only this interval, in seconds since the start",
	 call<&GrparseOptions::filter, &EventFilter::set_interval>},
	{0, "since", "TIME",
	 "show only events from TIME on, since the start: 1.5 (s), 200ms, 70us, 5ns",
	 call<&GrparseOptions::filter, &EventFilter::set_since>},
	{0, "until", "TIME", "show only events until TIME",
	 call<&GrparseOptions::filter, &EventFilter::set_until>},
	{0, "limit", "N", "stop after N events",
	 [](GrparseOptions &o, const std::string &argument) { return o.set_limit(argument); }},
	option_group<GrparseOptions>("Output"),
	{'o', "output", "FILE", "text to FILE, default is stdout", &GrparseOptions::output},
	{'f', "format", "FORMAT", "output format of all actions that have no -F",
	 add_format<false>},
	{'F', "format-spec", "X,FORMAT", "output format of action X", add_format<true>},
	{0, "csv", nullptr,
	 "all events and notes as CSV with a line of names (see Columns); the summary goes to "
	 "stderr",
	 add<Additions::Option::csv>},
	{0, "json", nullptr, "the same as one JSON object a line", add<Additions::Option::json>},
	{'d', "dump-binary", "FILE",
	 "write the sorted binary stream to FILE or - (not affected by -f, but by what chooses "
	 "events)",
	 [](GrparseOptions &o, const std::string &argument) {
		 o.dump = argument;
		 o.wants_more = true;
		 return Status();
	 }},
	{0, "explain", "CTX:SEQ",
	 "print the story of this job in words, each number with its source, and nothing else: "
	 "runs "
	 "grtrace explain",
	 [](GrparseOptions &o, const std::string &argument) {
		 o.explain = argument;
		 return Status();
	 }},
	{'O', "no-text-output", nullptr, "no text but the summary", &GrparseOptions::no_text},
	{'M', "no-msgs", nullptr, "no messages in the stream of -d", &GrparseOptions::no_messages},
	{'v', "verbose", nullptr, "also show RING and TASK notes and records of unknown type",
	 &GrparseOptions::verbose},
	{'t', "track-ios", nullptr,
	 "add the time of the step to each line, in us: UN and I since Q; D since I, or Q without "
	 "I; "
	 "B since D; E and FS since B, or since the GPU could begin; C since D, or I without D; WX "
	 "since WE. With -s: Q to D and D to C of each program",
	 add<Additions::Option::track>},
	option_group<GrparseOptions>("Summary"),
	{'q', "quiet", nullptr, "no summary at the end", &GrparseOptions::quiet},
	{'s', "per-program-stats", nullptr, "a table of programs",
	 add<Additions::Option::programs>},
	{'S', "sort-program-stats", "KEY",
	 "the same, sorted by N (name), by numbers: q (jobs queued), c (completed), w (waits), f "
	 "(failed), or by times: Q (queued), C (executed: the GPU was busy), W (in waits)",
	 add<Additions::Option::sort>},
	{'h', "hash-by-name", nullptr, "one row for all programs of a name (help is --help)",
	 // It asks for nothing by itself.
	 [](GrparseOptions &o, const std::string &argument) {
		 return o.more ? o.more->set(Additions::Option::by_name, argument) : Status();
	 }},
};

static std::string describe_actions()
{
	std::string text;

	for_each_record_kind([&](const RecordKind &kind) {
		// The decoder does not return these.
		if (kind.type == GRTRACE_PACKET || kind.type == GRTRACE_STREAM_INFO ||
		    kind.type == GRTRACE_METADATA)
			return;
		if (kind.type < GRTRACE_TYPE_LIMIT)
			text += fmt::format("  {:<3} {:<11} {:>2}  {:>5x}\n", kind.letter,
					    kind.name, kind.type, uint64_t{1} << kind.type);
		else
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

std::string GrparseOptions::help_with(const std::string &columns)
{
	return fmt::format(
		"grparse shows the GPU job events of a capture.\n"
		"\n"
		"Usage: grparse [OPTIONS] [-i] NAME...\n"
		"\n"
		"{}\n"
		"Fields of a format, as %[-][width]letter; escapes are \\b \\n \\r \\t \\\\:\n"
		"{}\n"
		"The default is \"%D %2c %8s %5T.%9t %5p %2a %3d \" and the fields of the action.\n"
		"\n"
		"Actions, with the type's number and its bit for -A:\n"
		"{}\n"
		"Engine classes:\n"
		"{}\n"
		"{}"
		"{}",
		describe_options(table), Format::describe_fields(), describe_actions(),
		describe_classes(), columns,
		describe_end({{"grparse game", "all events, then a summary"},
			      {"grparse -t --ring render0 --since 200ms game",
			       "with the time of each step"},
			      {"grparse -q -f '%T.%t %a %x:%S\\n' game", "lines of your own"},
			      {"grparse -q --json game | jq -c .type", "for programs"},
			      {"grtrace -o - | grparse -i -", "while it is recorded"}},
			     {{"0", "done"},
			      {"1", "something could not be read"},
			      {"2", "wrong usage"},
			      {"3", "records were lost (--strict)"}}));
}

Status GrparseOptions::set_limit(const std::string &argument)
{
	if (parse_id(argument, UINT64_MAX, limit) && limit)
		return {};
	return Status::error("--limit wants a number of events, at least 1, not \"{}\"", argument);
}

Status GrparseOptions::set_batch(const std::string &argument)
{
	// Each event may need twice the bytes of its record.
	constexpr uint64_t most = 1 << 24;
	uint64_t value;

	if (!parse_id(argument, most, value) || !value)
		return Status::error("-b wants a number of events from 1 to {}, not \"{}\"", most,
				     argument);
	batch = value;
	return {};
}

std::vector<std::string> GrparseOptions::explain_words() const
{
	std::vector<std::string> words = {
		"explain", "-D", directory, "-o", output, "-b", std::to_string(batch)};

	if (strict)
		words.push_back("--strict");
	words.insert(words.end(), {"--", *explain});
	words.insert(words.end(), inputs.begin(), inputs.end());
	return words;
}

// Checks combinations of options.
Status GrparseOptions::check() const
{
	if (inputs.empty())
		return Status::error("name a capture; see --help");
	if (!dump.empty() && inputs.size() > 1)
		return Status::error("-d writes one session: give one capture");
	if (dump == "-" && output == "-" && !no_text)
		return Status::error(
			"-d - and text cannot share standard output: add -O, or -o FILE");
	if (explain && (wants_more || limit || filter.has_types() || filter.has_interval() ||
			!formats.empty()))
		return Status::error(
			"--explain reads all and prints one job: it cannot be combined with "
			"filters, -d, -f, -F, -s, -S, -t, --csv or --json");
	if (!formats.empty() && rows())
		return Status::error("-f and -F are for lines of text: they cannot be combined "
				     "with --csv and --json");
	return filter.check();
}

// grtrace-parse also reports wrong options. If it is installed, the help is its own as well,
// because that lists the columns of its lines.
bool GrparseOptions::is_for_parse(const Status &status) const
{
	return !more &&
	       (wants_more || (status.ok() && help && !find_word_program("parse").empty()));
}

void GrparseOptions::leave_to_parse(int argc, char **argv)
{
	other_word.assign(argv + 1, argv + argc);
	other_word.insert(other_word.begin(), "parse");
	help = version = false;
}

Status GrparseOptions::parse(int argc, char **argv)
{
	Status status = read_options(table, argc, argv, *this);

	if (is_for_parse(status)) {
		leave_to_parse(argc, argv);
		return {};
	}
	// The default formats depend on it, and -f replaces them.
	if (more && more->tracks())
		printer.track_times();
	// As in blkparse, -F counts wherever it stands: -f comes first.
	for (const bool actions : {false, true})
		for (const auto &[of_action, text] : formats)
			if (status.ok() && of_action == actions)
				status = actions ? printer.set_format_of(text) :
						   printer.set_format(text);
	if (!status.ok() || help || version)
		return status;
	status = check();
	if (explain)
		other_word = explain_words();
	// Its summary counts jobs as well, and it knows the names of ioctls.
	else if (status.ok() && !more && !find_word_program("parse").empty())
		leave_to_parse(argc, argv);
	return status;
}

} // namespace grtrace
