// SPDX-License-Identifier: GPL-2.0
//
// option_table: every word and option of the capture wing, once. The parser,
// the usage lines and --help are made from it, so they cannot disagree.
#include "drive/options/option_table.h"

#include "drive/control/config_keys.h"
#include "drive/control/masks.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace grtrace {

namespace {

constexpr unsigned int max_subbuf_kib = 16 * 1024; // blktrace's limit
constexpr unsigned int page_kib = 4;
constexpr unsigned int max_snapshots = 1000;
constexpr unsigned int max_keep = 1000000;
constexpr unsigned int day = 24 * 60 * 60;
constexpr uint64_t least_capture = 4 << 20; // above what one read returns
constexpr uint64_t most_capture = 1ull << 40;

constexpr unsigned int record = word_bit(Word::record);
constexpr unsigned int begins = record | word_bit(Word::start);
constexpr unsigned int writes = record | word_bit(Word::stop);
constexpr unsigned int ends = word_bit(Word::stop);
constexpr unsigned int all_words = ~0u;

} // namespace

const WordSpec capture_words[] = {
	{Word::record,
	 "record",
	 "record what happens to the jobs of GPU rings",
	 "[OPTIONS] [DEV...] [-- CMD ARGS...]",
	 "records what happens to the jobs of GPU rings, into one file per CPU.",
	 "It writes <dev>.grtrace.<cpu>, or all.grtrace.<cpu> without -d and -o, until\n"
	 "Ctrl-C, the end of -w's time or the end of CMD. Settings made by options are\n"
	 "undone when it ends; all others stay as grtrace config shows them. record names\n"
	 "those that drop events. With --mode overwrite nothing is written until the\n"
	 "end; then the newest records, which the channel still holds, are saved. With\n"
	 "--snapshot-on, what the channel held at that moment is saved as\n"
	 "BASE.snapshot.grtrace.<cpu> while the recording continues. With --source\n"
	 "tracefs, and by default if the module is not loaded, the kernel's own trace\n"
	 "events are recorded.\n\n",
	 {{"grtrace record -w 10 -o game", "10 seconds, into game.grtrace.<cpu>"},
	  {"grtrace record -o game -- glxgears", "while a program runs"}}},
	{Word::start,
	 "start",
	 "start a session without a recorder, as a flight recorder",
	 "[OPTIONS] [DEV...]",
	 "starts a session without a recorder, such as a flight recorder.",
	 "grtrace stop -o BASE ends and saves it. Settings made by options stay in force\n"
	 "after the session, until grtrace config changes them (--reset: all of them).\n\n",
	 {{"grtrace start --mode overwrite", "keep the newest records"},
	  {"grtrace start --snapshot-on error", "freeze a copy at the first error"}}},
	{Word::stop,
	 "stop",
	 "end the session, and save what its channel holds",
	 "[-o BASE|-] [-D DIR] [--unload]",
	 "ends the running session.",
	 "With -o or -D it saves what the channel still holds, as record does at its end;\n"
	 "otherwise the data stays readable until the next start. On a patched kernel a\n"
	 "source that is loaded keeps its driver loaded; --unload ends that, also when no\n"
	 "session is running.\n\n",
	 {{"grtrace stop -o hang", "and save the records"},
	  {"grtrace stop --unload", "so that a driver can be unloaded"}}},
	{Word::msg,
	 "msg",
	 "write a line of text into the session",
	 "TEXT...",
	 "writes a line of text into the running session.",
	 "",
	 {{"grtrace msg level 2 loaded", "a note among the events"},
	  {"grtrace msg frame 1234 is late", "shows up in grparse's output"}}},
};

const unsigned int nr_capture_words = std::size(capture_words);

namespace {

Status set_number(const std::string &text, uint64_t low, uint64_t high, const char *unit,
		  unsigned int *number)
{
	uint64_t value;

	if (!parse_number(text, &value) || value < low || value > high)
		return Status::error("'{}' is not {} to {}{}", text, low, high, unit);
	*number = static_cast<unsigned int>(value);
	return Status();
}

// Sets an option that is a key of the configuration; the last one counts.
Status set_key(CaptureOptions &options, const char *name, const std::string &value)
{
	Status status = check_value(*find_config_key(name), value);

	if (!status.ok())
		return status;
	std::erase_if(options.settings,
		      [name](const NamedText &setting) { return setting.first == name; });
	options.settings.emplace_back(name, value);
	return status;
}

// Setters of the table: a line names the key, or the member that stores the argument.
struct Name {
	template <size_t n> consteval Name(const char (&from)[n]) { std::copy_n(from, n, text); }
	char text[32] = {};
};

template <uint64_t most, Name unit, unsigned int CaptureOptions::*number>
Status set_number(CaptureOptions &options, const std::string &text)
{
	return set_number(text, 1, most, unit.text, &(options.*number));
}

// If no value is given here, the option has an argument.
template <Name key, Name value = "">
Status set_key(CaptureOptions &options, const std::string &text)
{
	return set_key(options, key.text, *value.text ? value.text : text);
}

// Adds numbers separated by commas to a list of the kernel.
template <Name key, std::vector<std::string> CaptureOptions::*to>
Status add_numbers(CaptureOptions &options, const std::string &text)
{
	std::vector<std::string> &list = options.*to;
	const std::vector<std::string> more = split(text, ',');
	std::string all = text;

	for (const std::string &number : list)
		all += "," + number;
	Status status = check_value(*find_config_key(key.text), all);
	if (status.ok() && text != "none")
		list.insert(list.end(), more.begin(), more.end());
	return status;
}

Status set_limiter(CaptureOptions &options, const std::string &text)
{
	if (text != "window" && text != "bucket")
		return Status::error("'{}' is neither window nor bucket", text);
	return set_key(options, "rate_limiter_mode", text == "bucket" ? "1" : "0");
}

// An option that is no more.
template <Name key> Status refuse_key(CaptureOptions &, const std::string &)
{
	return Status::error("{}", instead_of_key(key.text));
}

template <auto parse, bool adds> Status set_events(CaptureOptions &options, const std::string &text)
{
	uint64_t mask;
	Status status = parse(text, &mask);

	if (status.ok())
		options.type_mask = mask | (adds ? options.type_mask.value_or(0) : 0);
	return status;
}

Status set_engines(CaptureOptions &options, const std::string &text)
{
	uint64_t mask;
	Status status = parse_engine_mask(text, &mask);

	if (status.ok())
		status = set_key(options, "filter_engine_mask", fmt::format("{:#x}", mask));
	return status;
}

// Adds ids and names; they are looked up later.
Status add_rings(CaptureOptions &options, const std::string &text)
{
	Status status = Status();

	for (const std::string &ring : split(text, ',')) {
		uint64_t id;

		if (ring.empty())
			return Status::error("its argument is empty");
		if (status.ok() && parse_number(ring, &id))
			status = check_value(*find_config_key("filter_ring_id"), ring);
		options.rings.push_back(ring);
	}
	return status;
}

Status set_subbuf(CaptureOptions &options, const std::string &text)
{
	unsigned int kib;
	Status status = set_number(text, page_kib, max_subbuf_kib, " KiB", &kib);

	if (status.ok() && kib % page_kib)
		return Status::error("'{}' is not a multiple of {} KiB", text, page_kib);
	if (status.ok())
		status = set_key(options, "subbuf_size", fmt::format("{}", kib * 1024));
	return status;
}

// Reads "/10" or "/10s".
Status set_at(CaptureOptions &options, const std::string &text)
{
	if (!text.starts_with('/'))
		return Status::error("'{}' is not /S, as in /10s", text);
	return set_number(text.substr(1, text.size() - 1 - text.ends_with('s')), 1, day, " seconds",
			  &options.at);
}

// Reads a number of bytes, with K, M or G for KiB, MiB and GiB.
Status set_max_size(CaptureOptions &options, const std::string &text)
{
	const std::string units = "KMG";
	const size_t unit = text.empty() ? std::string::npos : units.find(text.back());
	const bool has_unit = unit != std::string::npos;
	uint64_t number;

	if (!parse_number(text.substr(0, text.size() - has_unit), &number) || number > most_capture)
		number = 0;
	number <<= has_unit ? 10 * (unit + 1) : 0;
	if (number < least_capture || number > most_capture)
		return Status::error("'{}' is not 4M to 1024G", text);
	options.max_size = number;
	return Status();
}

Status set_source(CaptureOptions &options, const std::string &text)
{
	if (text != "relay" && text != "tracefs")
		return Status::error("'{}' is neither relay nor tracefs", text);
	options.source = text;
	return Status();
}

Status refuse_network(CaptureOptions &, const std::string &)
{
	return Status::error("recording over the network is not there yet; use ssh: grtrace record "
			     "-o - | ssh HOST 'cat > FILE' (help is --help)");
}

} // namespace

const WordOption<CaptureOptions> capture_table[] = {
	option_group<CaptureOptions>("Options", all_words),
	{'o', "output", "BASE", "write BASE.grtrace.<cpu>; -: one stream to stdout",
	 &CaptureOptions::output, writes},
	{'D', "output-dir", "DIR", "write into DIR, which is created if necessary",
	 &CaptureOptions::directory, writes},
	{'w', "stopwatch", "S", "stop after S seconds",
	 set_number<INT32_MAX, " seconds", &CaptureOptions::seconds>, record},
	{0, "at", "PERIOD", "start with the next full PERIOD of the wall clock, such as /10s",
	 set_at, record},
	{0, "max-size", "SIZE",
	 "roll: begin a new capture, BASE.000001 and so on, after SIZE bytes, such as 64M; "
	 "implies --mode overwrite",
	 set_max_size, record},
	{0, "keep", "N", "with --max-size: keep the newest N captures, and remove older ones",
	 set_number<max_keep, "", &CaptureOptions::keep>, record},
	{0, "user", "NAME",
	 "run CMD as this user, with its groups and HOME; default is the user who called sudo",
	 &CaptureOptions::user, record},
	{0, "source", "SOURCE",
	 "relay (the module's channel) or tracefs (the kernel's own events, without a module); by "
	 "default relay, if the module is loaded",
	 set_source, record},
	{0, "sched", nullptr, "from tracefs: also record when waiting tasks sleep and run",
	 &CaptureOptions::sched, record},
	{0, "vblank", nullptr, "from tracefs: also record each vblank", &CaptureOptions::vblank,
	 record},
	{'k', "kill", nullptr, "stop a session that was left running, and record nothing",
	 &CaptureOptions::kill, record},
	{0, "unload", nullptr,
	 "unload the sources, so that the drivers can be unloaded; the next start loads them",
	 &CaptureOptions::unload, ends},
	{0, "host", "NAME", "name of the machine in the capture; by default its own; -: none",
	 [](CaptureOptions &o, const std::string &text) {
		 o.host.host = text;
		 return Status();
	 },
	 writes},
	{0, "tag", "KEY=VALUE", "keep this in the capture, as in mesa=26.1; repeatable",
	 [](CaptureOptions &o, const std::string &text) { return o.host.add_tag(text); }, writes},
	{0, "strict", nullptr, "exit with 3 if records were lost", &CaptureOptions::strict, record},
	{'r', "relay", "PATH", "where debugfs is mounted; default /sys/kernel/debug",
	 [](CaptureOptions &o, const std::string &text) {
		 o.has_debugfs = true;
		 o.debugfs = text;
		 return Status();
	 },
	 all_words},
	// blktrace's options. They are not in the help, which lists only options that
	// work.
	{'l', "listen", nullptr, nullptr, refuse_network, record},
	{'h', "", "HOST", nullptr, refuse_network, record},
	{'p', "port", "PORT", nullptr, refuse_network, record},
	{'v', "version", nullptr, "print the version (also -V)", &CaptureOptions::version,
	 all_words},
	// blktrace uses both letters.
	{'V', "", nullptr, nullptr, &CaptureOptions::version, all_words},
	{0, "help", nullptr, "print this text", &CaptureOptions::help, all_words},
	option_group<CaptureOptions>("Choose what is recorded", begins),
	{'d', "dev", "DEV",
	 "record this device: card0, renderD128, /dev/dri/card0, a PCI address, or all; "
	 "repeatable",
	 &CaptureOptions::devices, begins},
	{'I', "input-devs", "FILE", "add the devices listed in FILE", &CaptureOptions::device_files,
	 begins},
	{'a', "act-mask", "EVENT",
	 "record this event, by letter, name or blktrace's word; repeatable",
	 set_events<parse_event_mask, true>, begins},
	{'A', "set-mask", "HEX", "record the events of this 64-bit mask",
	 set_events<parse_hex_mask, false>, begins},
	{0, "level", "LEVEL", "off, normal (the life cycle of jobs) or verbose (all)",
	 set_key<"level">, begins},
	{0, "ring", "RING",
	 "record these rings, by id or name as grtrace status shows them; commas; repeatable; 0: "
	 "all",
	 add_rings, begins},
	{0, "engine", "MASK", "record these engine classes: names with commas, or 0x...",
	 set_engines, begins},
	{0, "engine-mask", "MASK", "the same as --engine", set_engines, begins},
	{0, "ctx", "CTX", "record jobs of these contexts; commas; repeatable",
	 add_numbers<"watch_ctx_add", &CaptureOptions::contexts>, begins},
	{0, "pid", "PID", "record jobs of these threads or processes; commas; repeatable",
	 add_numbers<"watch_pid_add", &CaptureOptions::pids>, begins},
	{0, "deny", nullptr, "record all jobs except those that --ctx and --pid name",
	 set_key<"watch_allow_mode", "0">, begins},
	{0, "combine", "HOW",
	 "record jobs that either --ctx or --pid names (or), or that both name (and)",
	 set_key<"watch_combine">, begins},
	option_group<CaptureOptions>("Record less", begins),
	{0, "sample", "N", "record one job of N, with all its events; 1: every job",
	 set_key<"sample">, begins},
	{0, "adaptive", nullptr, "raise N while the channel fills up",
	 set_key<"adaptive_sampling", "1">, begins},
	{0, "rate", "N", "record at most N events a second; 0: no limit",
	 set_key<"max_events_per_sec">, begins},
	{0, "burst", "N", "events the token bucket holds; 0: as many as --rate", set_key<"burst">,
	 begins},
	{0, "limiter", "KIND", "for --rate: window (of a second) or bucket (of tokens)",
	 set_limiter, begins},
	{0, "backpressure", "PCT", "refuse events while more than PCT percent are full; 0: off",
	 set_key<"backpressure_threshold">, begins},
	option_group<CaptureOptions>("Marks and snapshots", begins),
	{0, "slow-queue", "US", "mark jobs that queue longer than US; 0: none",
	 set_key<"slow_queue_us">, begins},
	{0, "slow-exec", "US", "mark jobs that execute longer than US; 0: none",
	 set_key<"slow_exec_us">, begins},
	{0, "snapshot-on", "LIST", "take a snapshot on slow_queue,slow_exec,error; none: never",
	 set_key<"snapshot_on">, begins},
	{0, "snapshots", "N", "save up to N snapshots, 1 to 1000; default 1",
	 set_number<max_snapshots, "", &CaptureOptions::snapshots>, record},
	option_group<CaptureOptions>("The channel", begins),
	{0, "mode", "MODE", "full channel: stop (lose the newest) or overwrite (the oldest)",
	 set_key<"mode">, begins},
	{0, "clock", "CLOCK", "clock of the time stamps: mono or boot", set_key<"clock">, begins},
	{0, "order", "ORDER", nullptr, refuse_key<"order">, begins},
	{0, "profile", nullptr, "measure the time of each hook (status --view latency_hist)",
	 set_key<"profile", "1">, begins},
	{'b', "buffer-size", "KIB", "size of a sub-buffer, 4 to 16384 KiB; by default 512",
	 set_subbuf, begins},
	{'n', "num-sub-buffers", "N", "sub-buffers per CPU, 2 to 1024; by default 4",
	 set_key<"n_subbufs">, begins},
};
const unsigned int nr_capture_options = std::size(capture_table);

} // namespace grtrace
