// SPDX-License-Identifier: GPL-2.0
//
// option_table: every word and option of the capture wing, once. The parser,
// the usage lines and --help are made from it, so they cannot disagree.
#include "option_table.h"

#include "masks.h"
#include "views.h"

#include <iterator>

namespace grtrace {

namespace {

constexpr unsigned int max_subbuf_kib = 16 * 1024; // blktrace's limit
constexpr unsigned int page_kib = 4;
constexpr unsigned int min_subbufs = 2;
constexpr unsigned int max_subbufs = 1024;

constexpr unsigned int record = word_bit(Word::record);
constexpr unsigned int begins = record | word_bit(Word::start);
constexpr unsigned int writes = record | word_bit(Word::stop);
constexpr unsigned int all_words = ~0u;

} // namespace

const WordSpec capture_words[] = {
	{ Word::record, "record", "[OPTIONS] [DEV...] [-- CMD ARGS...]",
	  "Record what happens to the jobs of GPU rings, into one file per\n"
	  "CPU, <dev>.grtrace.<cpu>, until Ctrl-C, the end of -w's time or\n"
	  "the end of CMD.\n"
	  "The configuration stays in the kernel when a session ends: filters\n"
	  "set once hold until they are changed (see grtrace config).\n"
	  "With --mode overwrite nothing is written until the end; then the\n"
	  "newest records, which the channel still holds, are saved." },
	{ Word::start, "start", "[OPTIONS] [DEV...]",
	  "Start a session that nobody records: a flight recorder, with\n"
	  "--mode overwrite. grtrace stop -o BASE ends and saves it." },
	{ Word::stop, "stop", "[-o BASE|-] [-D DIR]",
	  "Stop the running session. With -o or -D, save what its channel\n"
	  "still holds, as record does at its end; otherwise the data stays\n"
	  "readable until the next start." },
	{ Word::status, "status", "[--json]",
	  "Show the state, the counters and the rings." },
	{ Word::config, "config", "[KEY=VALUE...]",
	  "Show the configuration, or change it." },
	{ Word::msg, "msg", "TEXT...",
	  "Write a line of text into the running session." },
};

const unsigned int nr_capture_words = std::size(capture_words);

namespace {

Status set_number(const std::string &text, uint64_t low, uint64_t high,
		  const char *unit, unsigned int *number)
{
	uint64_t value;

	if (!parse_number(text, &value) || value < low || value > high)
		return Status::error("'{}' is not {} to {}{}", text, low, high,
				     unit);
	*number = static_cast<unsigned int>(value);
	return Status();
}

Status set_choice(const std::string &text, const char *one, const char *other,
		  std::string *choice)
{
	if (text != one && text != other)
		return Status::error("'{}' is neither {} nor {}", text, one,
				     other);
	*choice = text;
	return Status();
}

Status set_text(const std::string &text, std::string *field)
{
	if (text.empty())
		return Status::error("its argument is empty");
	*field = text;
	return Status();
}

Status set_flag(bool *flag)
{
	*flag = true;
	return Status();
}

Status add_text(const std::string &text, std::vector<std::string> *list)
{
	std::string one;
	Status status = set_text(text, &one);

	if (status.ok())
		list->push_back(one);
	return status;
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
		options.engine_mask = mask;
	return status;
}

Status set_ring(CaptureOptions &options, const std::string &text)
{
	unsigned int ring;
	Status status = set_number(text, 0, UINT32_MAX, " (0: all)", &ring);

	if (status.ok())
		options.ring = ring;
	return status;
}

Status set_subbuf(CaptureOptions &options, const std::string &text)
{
	Status status = set_number(text, page_kib, max_subbuf_kib, " KiB",
				   &options.subbuf_kib);

	if (status.ok() && options.subbuf_kib % page_kib)
		return Status::error("'{}' is no multiple of {} KiB", text,
				     page_kib);
	return status;
}

Status refuse_network(CaptureOptions &, const std::string &)
{
	return Status::error("recording over the network is not there yet; "
			     "use ssh: grtrace record -o - | ssh HOST 'cat > "
			     "FILE' (help is --help)");
}

} // namespace

const OptionSpec capture_table[] = {
	{ 'd', "dev", "DEV", begins,
	  [](CaptureOptions &o, const std::string &text) {
		  return add_text(text, &o.devices);
	  },
	  "record this device: card0, renderD128, /dev/dri/card0 or a PCI "
	  "address; default all" },
	{ 'I', "input-devs", "FILE", begins,
	  [](CaptureOptions &o, const std::string &text) {
		  return add_text(text, &o.device_files);
	  },
	  "add the devices listed in FILE" },
	{ 'a', "act-mask", "EVENT", begins, add_events,
	  "record this event, by letter or name; repeatable" },
	{ 'A', "set-mask", "HEX", begins, set_events,
	  "record the events of this 64-bit mask" },
	{ 0, "ring", "ID", begins, set_ring,
	  "record one ring, by the id grtrace status shows; 0: all" },
	{ 0, "engine", "MASK", begins, set_engines,
	  "record these engine classes: names with commas, or 0x..." },
	{ 0, "mode", "MODE", begins,
	  [](CaptureOptions &o, const std::string &text) {
		  return set_choice(text, "stop", "overwrite", &o.mode);
	  },
	  "full channel: stop (lose the newest) or overwrite (the oldest)" },
	{ 0, "order", "ORDER", begins,
	  [](CaptureOptions &o, const std::string &text) {
		  return set_choice(text, "gseq", "clock", &o.order);
	  },
	  "order between CPUs: gseq (exact) or clock (cheaper)" },
	{ 'b', "buffer-size", "KIB", begins, set_subbuf,
	  "size of a sub-buffer, 4 to 16384 KiB; default 512" },
	{ 'n', "num-sub-buffers", "N", begins,
	  [](CaptureOptions &o, const std::string &text) {
		  return set_number(text, min_subbufs, max_subbufs, "",
				    &o.n_subbufs);
	  },
	  "sub-buffers per CPU, 2 to 1024; default 4" },
	{ 'o', "output", "BASE", writes,
	  [](CaptureOptions &o, const std::string &text) {
		  return set_text(text, &o.output);
	  },
	  "write BASE.grtrace.<cpu>; -: one stream to stdout" },
	{ 'D', "output-dir", "DIR", writes,
	  [](CaptureOptions &o, const std::string &text) {
		  return set_text(text, &o.directory);
	  },
	  "write into DIR, created if it is not there" },
	{ 'w', "stopwatch", "S", record,
	  [](CaptureOptions &o, const std::string &text) {
		  return set_number(text, 1, INT32_MAX, " seconds", &o.seconds);
	  },
	  "stop after S seconds" },
	{ 'k', "kill", nullptr, record,
	  [](CaptureOptions &o, const std::string &) {
		  return set_flag(&o.kill);
	  },
	  "stop a session that was left running, and record nothing" },
	{ 0, "strict", nullptr, record,
	  [](CaptureOptions &o, const std::string &) {
		  return set_flag(&o.strict);
	  },
	  "exit with 3 if records were lost" },
	{ 0, "json", nullptr, word_bit(Word::status),
	  [](CaptureOptions &o, const std::string &) {
		  return set_flag(&o.json);
	  },
	  "print JSON" },
	{ 'r', "relay", "PATH", all_words,
	  [](CaptureOptions &o, const std::string &text) {
		  return set_text(text, &o.debugfs);
	  },
	  "where debugfs is mounted; default /sys/kernel/debug" },
	{ 'l', "listen", nullptr, record, refuse_network,
	  "network server; not there yet" },
	{ 'h', "host", "HOST", record, refuse_network,
	  "network client; not there yet" },
	{ 'p', "port", "PORT", record, refuse_network,
	  "network port; not there yet" },
	{ 'v', "version", nullptr, all_words,
	  [](CaptureOptions &o, const std::string &) {
		  return set_flag(&o.version);
	  },
	  "print the version (also -V)" },
	{ 0, "help", nullptr, all_words,
	  [](CaptureOptions &o, const std::string &) {
		  return set_flag(&o.help);
	  },
	  "print this text" },
};
const unsigned int nr_capture_options = std::size(capture_table);

} // namespace grtrace
