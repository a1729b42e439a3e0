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

constexpr unsigned int record = word_bit(Word::record);
constexpr unsigned int begins = record | word_bit(Word::start);
constexpr unsigned int writes = record | word_bit(Word::stop);
constexpr unsigned int all_words = ~0u;

} // namespace

const WordSpec capture_words[] = {
	{Word::record, "record", "record what happens to the jobs of GPU rings",
	 "[OPTIONS] [DEV...] [-- CMD ARGS...]",
	 "Record what happens to the jobs of GPU rings, into one file per\n"
	 "CPU, <dev>.grtrace.<cpu> (all.grtrace.<cpu> without -d and -o),\n"
	 "until Ctrl-C, the end of -w's time or the end of CMD.\n"
	 "Settings of options are undone when record ends. All others are as\n"
	 "grtrace config shows them; record names those that drop events.\n"
	 "With --mode overwrite nothing is written until the end; then the\n"
	 "newest records, which the channel still holds, are saved. With\n"
	 "--snapshot-on, what the channel held at that moment is saved as\n"
	 "BASE.snapshot.grtrace.<cpu> while the recording goes on.\n"
	 "With --source tracefs, and by default where the module is not\n"
	 "loaded, it is recorded from the kernel's own trace events."},
	{Word::start, "start", "start a session without a recorder, as a flight recorder",
	 "[OPTIONS] [DEV...]",
	 "Start a session without a recorder: a flight recorder, with\n"
	 "--mode overwrite. grtrace stop -o BASE ends and saves it.\n"
	 "Settings of options stay in force after the session, until\n"
	 "grtrace config changes them (--reset: all)."},
	{Word::stop, "stop", "end the session, and save what its channel holds",
	 "[-o BASE|-] [-D DIR]",
	 "Stop the running session. With -o or -D, save what its channel\n"
	 "still holds, as record does at its end; otherwise the data stays\n"
	 "readable until the next start."},
	{Word::msg, "msg", "write a line of text into the session", "TEXT...",
	 "Write a line of text into the running session."},
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

// An option that is a key of the configuration; the last one counts.
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

// Setters of the table: the key, or where the argument goes, stands in its line.
struct Name {
	template <size_t n> consteval Name(const char (&from)[n]) { std::copy_n(from, n, text); }
	char text[32] = {};
};

// Without a value of its own the option takes one.
template <Name key, Name value = "">
Status set_key(CaptureOptions &options, const std::string &text)
{
	return set_key(options, key.text, *value.text ? value.text : text);
}

// Numbers with commas, more with each option, for a list of the kernel.
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

Status check_text(const std::string &text)
{
	return text.empty() ? Status::error("its argument is empty") : Status();
}

template <std::string CaptureOptions::*to>
Status set_text(CaptureOptions &options, const std::string &text)
{
	options.*to = text;
	return check_text(text);
}

template <std::vector<std::string> CaptureOptions::*to>
Status add_text(CaptureOptions &options, const std::string &text)
{
	(options.*to).push_back(text);
	return check_text(text);
}

template <bool CaptureOptions::*to> Status set_flag(CaptureOptions &options, const std::string &)
{
	options.*to = true;
	return Status();
}

Status set_limiter(CaptureOptions &options, const std::string &text)
{
	if (text != "window" && text != "bucket")
		return Status::error("'{}' is neither window nor bucket", text);
	return set_key(options, "rate_limiter_mode", text == "bucket" ? "1" : "0");
}

Status add_events(CaptureOptions &options, const std::string &text)
{
	uint64_t mask;
	Status status = parse_event_mask(text, &mask);

	if (status.ok())
		options.type_mask = options.type_mask.value_or(0) | mask;
	return status;
}

Status set_events(CaptureOptions &options, const std::string &text)
{
	uint64_t mask;
	Status status = parse_hex_mask(text, &mask);

	if (status.ok())
		options.type_mask = mask;
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

// Ids and names; which rings there are is known when they are looked up.
Status add_rings(CaptureOptions &options, const std::string &text)
{
	Status status = Status();

	for (const std::string &ring : split(text, ',')) {
		uint64_t id;

		if (status.ok())
			status = add_text<&CaptureOptions::rings>(options, ring);
		if (status.ok() && parse_number(ring, &id))
			status = check_value(*find_config_key("filter_ring_id"), ring);
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

const OptionSpec capture_table[] = {
	{'d', "dev", "DEV", begins, add_text<&CaptureOptions::devices>,
	 "record this device: card0, renderD128, /dev/dri/card0, a PCI address, or all; "
	 "repeatable"},
	{0, "source", "SOURCE", record, set_source,
	 "relay (the module's channel) or tracefs (the kernel's own events, without a module); by "
	 "default relay, where it is there"},
	{0, "sched", nullptr, record, set_flag<&CaptureOptions::sched>,
	 "from tracefs: also note when tasks that wait sleep and run"},
	{0, "vblank", nullptr, record, set_flag<&CaptureOptions::vblank>,
	 "from tracefs: also note each vblank"},
	{'I', "input-devs", "FILE", begins, add_text<&CaptureOptions::device_files>,
	 "add the devices listed in FILE"},
	{'a', "act-mask", "EVENT", begins, add_events,
	 "record this event, by letter or name; repeatable"},
	{'A', "set-mask", "HEX", begins, set_events, "record the events of this 64-bit mask"},
	{0, "level", "LEVEL", begins, set_key<"level">,
	 "off, normal (what a job's life needs) or verbose (all)"},
	{0, "ring", "RING", begins, add_rings,
	 "record these rings, by id or name as grtrace status shows them; commas; repeatable; 0: "
	 "all"},
	{0, "engine", "MASK", begins, set_engines,
	 "record these engine classes: names with commas, or 0x..."},
	{0, "engine-mask", "MASK", begins, set_engines, "the same"},
	{0, "ctx", "CTX", begins, add_numbers<"watch_ctx_add", &CaptureOptions::contexts>,
	 "record jobs of these contexts; commas; repeatable"},
	{0, "pid", "PID", begins, add_numbers<"watch_pid_add", &CaptureOptions::pids>,
	 "record jobs of these threads or processes; commas; repeatable"},
	{0, "deny", nullptr, begins, set_key<"watch_allow_mode", "0">,
	 "record all but what --ctx and --pid name"},
	{0, "combine", "HOW", begins, set_key<"watch_combine">,
	 "jobs named by --ctx or --pid (or), or by both (and)"},
	{0, "sample", "N", begins, set_key<"sample">,
	 "record one job of N, with all its events; 1: every job"},
	{0, "adaptive", nullptr, begins, set_key<"adaptive_sampling", "1">,
	 "raise N while the channel fills up"},
	{0, "rate", "N", begins, set_key<"max_events_per_sec">,
	 "record at most N events a second; 0: no limit"},
	{0, "burst", "N", begins, set_key<"burst">,
	 "events the token bucket holds; 0: as many as --rate"},
	{0, "limiter", "KIND", begins, set_limiter,
	 "of --rate: window (of a second) or bucket (of tokens)"},
	{0, "backpressure", "PCT", begins, set_key<"backpressure_threshold">,
	 "refuse events while more than PCT percent are full; 0: off"},
	{0, "slow-queue", "US", begins, set_key<"slow_queue_us">,
	 "mark jobs that queue longer than US; 0: none"},
	{0, "slow-exec", "US", begins, set_key<"slow_exec_us">,
	 "mark jobs that execute longer than US; 0: none"},
	{0, "snapshot-on", "LIST", begins, set_key<"snapshot_on">,
	 "take a snapshot on slow_queue,slow_exec,error; none: never"},
	{0, "snapshots", "N", record,
	 [](CaptureOptions &o, const std::string &text) {
		 return set_number(text, 1, max_snapshots, "", &o.snapshots);
	 },
	 "save up to N snapshots, 1 to 1000; default 1"},
	{0, "mode", "MODE", begins, set_key<"mode">,
	 "full channel: stop (lose the newest) or overwrite (the oldest)"},
	{0, "order", "ORDER", begins, set_key<"order">,
	 "order between CPUs: gseq (exact) or clock (cheaper)"},
	{0, "clock", "CLOCK", begins, set_key<"clock">,
	 "clock of the time stamps: mono, boot or tai"},
	{0, "profile", nullptr, begins, set_key<"profile", "1">,
	 "measure the time of each hook (status --view latency_hist)"},
	{'b', "buffer-size", "KIB", begins, set_subbuf,
	 "size of a sub-buffer, 4 to 16384 KiB; by default 512"},
	{'n', "num-sub-buffers", "N", begins, set_key<"n_subbufs">,
	 "sub-buffers per CPU, 2 to 1024; by default 4"},
	{'o', "output", "BASE", writes, set_text<&CaptureOptions::output>,
	 "write BASE.grtrace.<cpu>; -: one stream to stdout"},
	{'D', "output-dir", "DIR", writes, set_text<&CaptureOptions::directory>,
	 "write into DIR, created if it is not there"},
	{'w', "stopwatch", "S", record,
	 [](CaptureOptions &o, const std::string &text) {
		 return set_number(text, 1, INT32_MAX, " seconds", &o.seconds);
	 },
	 "stop after S seconds"},
	{'k', "kill", nullptr, record, set_flag<&CaptureOptions::kill>,
	 "stop a session that was left running, and record nothing"},
	{0, "strict", nullptr, record, set_flag<&CaptureOptions::strict>,
	 "exit with 3 if records were lost"},
	{'r', "relay", "PATH", all_words,
	 [](CaptureOptions &o, const std::string &text) {
		 o.has_debugfs = true;
		 return set_text<&CaptureOptions::debugfs>(o, text);
	 },
	 "where debugfs is mounted; default /sys/kernel/debug"},
	// blktrace's; not in the help, which lists only options that do something.
	{'l', "listen", nullptr, record, refuse_network, nullptr},
	{'h', "host", "HOST", record, refuse_network, nullptr},
	{'p', "port", "PORT", record, refuse_network, nullptr},
	{'v', "version", nullptr, all_words, set_flag<&CaptureOptions::version>,
	 "print the version (also -V)"},
	{0, "help", nullptr, all_words, set_flag<&CaptureOptions::help>, "print this text"},
};
const unsigned int nr_capture_options = std::size(capture_table);

} // namespace grtrace
