// SPDX-License-Identifier: GPL-2.0
//
// The kernel accepts a write to `config` completely or not at all, and returns only an
// errno. So mistakes are found here first, and a refusal is explained by the key.
#include "drive/control/config_keys.h"

#include "drive/control/masks.h"
#include "lib/text/words_of.h"

#include <drm/grtrace_drm.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace grtrace {

namespace {

using Kind = ConfigKey::Kind;

constexpr uint64_t any32 = UINT32_MAX;
constexpr uint64_t any64 = UINT64_MAX;
constexpr size_t max_list = 64; // of a watchlist, in the kernel
constexpr size_t max_device = 31; // bytes, GRTRACE_DEVICE_LEN without the NUL
constexpr size_t max_told = 8; // settings repeated in a sentence
constexpr uint64_t max_pid = INT32_MAX;
constexpr uint64_t hour_us = 3600000000;

constexpr ConfigKey keys[] = {
	{"mode", Kind::word, "stop", "stop, overwrite",
	 "full channel: lose the newest, or overwrite the oldest", 0, 0, 1, true, true},
	{"subbuf_size", Kind::number, "524288", "4096 to 16777216, multiple of 4096",
	 "bytes of a sub-buffer", 4096, 16 * 1024 * 1024, 4096, true},
	{"n_subbufs", Kind::number, "4", "2 to 1024", "sub-buffers per CPU", 2, 1024, 1, true},
	{"clock", Kind::word, "mono", "mono, boot", "clock of the stamps", 0, 0, 1, true},
	{"level", Kind::word, "verbose", "off, normal, verbose",
	 "normal: the life cycle of jobs; verbose: all; off: nothing", 0, 0, 1, false, true},
	{"filter_type_mask", Kind::mask, "all", "all, or 64 bits (0x...)",
	 "bit n: events of type n pass", 0, 0, 1, false, true},
	{"filter_engine_mask", Kind::mask, "all", "all, or 64 bits (0x...)",
	 "bit n: rings of engine class n pass", 0, 0, 1, false, true},
	{"filter_ring_mask", Kind::mask, "all", "all, or 64 bits (0x...)",
	 "bit n: ring n passes; rings above 63 need all bits", 0, 0, 1, false, true},
	{"filter_ring_id", Kind::number, "0", "0 to 4294967295",
	 "the only ring that passes; 0: all", 0, any32, 1, false, true},
	{"filter_device", Kind::devices, "all", "all, or names, separated by commas",
	 "the devices that pass", 0, 0, 1, false, true},
	{"watch_allow_mode", Kind::number, "1", "0, 1",
	 "1: record only what the watchlists name; 0: all but that", 0, 1, 1, false, true},
	{"watch_combine", Kind::word, "or", "or, and",
	 "or: match any list; and: match each list that is not empty"},
	{"watch_ctx_clear", Kind::action, "0", "0, 1", "1: empty the list of contexts", 0, 1},
	{"watch_ring_clear", Kind::action, "0", "0, 1", "1: empty the list of rings", 0, 1},
	{"watch_pid_clear", Kind::action, "0", "0, 1", "1: empty the list of pids", 0, 1},
	{"watch_ctx_add", Kind::list, "none", "none, or numbers, separated by commas",
	 "contexts to add to their watchlist of up to 64", 0, any64, 1, false, true},
	{"watch_ring_add", Kind::list, "none", "none, or numbers, separated by commas",
	 "rings to add to their watchlist of up to 64", 0, any32, 1, false, true},
	{"watch_pid_add", Kind::list, "none", "none, or numbers, separated by commas",
	 "threads or processes to add to their watchlist of up to 64", 1, max_pid, 1, false, true},
	{"sample", Kind::number, "1", "1 to 1000000", "record one job of this many; 1: every job",
	 1, 1000000, 1, false, true},
	{"adaptive_sampling", Kind::number, "0", "0, 1",
	 "1: raise sample while the channel fills up", 0, 1, 1, false, true},
	{"max_events_per_sec", Kind::number, "0", "0 to 100000000",
	 "rate limit of all CPUs; 0: none", 0, 100000000, 1, false, true},
	{"rate_limiter_mode", Kind::number, "1", "0, 1", "0: window of a second; 1: token bucket",
	 0, 1},
	{"burst", Kind::number, "0", "0 to 100000000",
	 "events the bucket holds; 0: as many as max_events_per_sec", 0, 100000000},
	{"backpressure_threshold", Kind::number, "0", "0 to 100",
	 "refuse events above this fill level in percent; 0: off; needs mode=stop", 0, 100, 1,
	 false, true},
	{"slow_queue_us", Kind::number, "0", "0 to 3600000000",
	 "mark jobs that queue for more than this many us; 0: none", 0, hour_us},
	{"slow_exec_us", Kind::number, "0", "0 to 3600000000",
	 "mark jobs that execute for more than this many us; 0: none", 0, hour_us},
	{"snapshot_on", Kind::words, "none", "none, or of slow_queue,slow_exec,error",
	 "events that freeze the channel into the file snapshot"},
	{"profile", Kind::number, "0", "0, 1", "1: measure the time of each hook (latency_hist)", 0,
	 1},
	{"reset_stats", Kind::action, "0", "0, 1", "1: set counters and histograms to 0", 0, 1},
};

std::vector<std::string> choices_of(const ConfigKey &key)
{
	// This is the only kind whose values are listed in a sentence.
	if (key.kind == Kind::words)
		return {"slow_queue", "slow_exec", "error"};
	std::vector<std::string> choices = split(key.values, ',');
	for (std::string &choice : choices)
		choice.erase(0, choice.find_first_not_of(' '));
	return choices;
}

bool is_choice(const ConfigKey &key, const std::string &word)
{
	const std::vector<std::string> choices = choices_of(key);

	return std::find(choices.begin(), choices.end(), word) != choices.end();
}

// Returns all bits that have a meaning in this version.
uint64_t full_mask(const ConfigKey &key)
{
	if (!strcmp(key.name, "filter_type_mask"))
		return known_events();
	if (!strcmp(key.name, "filter_engine_mask"))
		return (uint64_t(1) << GRTRACE_CLASS_COUNT) - 1;
	return any64;
}

// Returns what is wrong with the value, or an empty text.
std::string number_fault(const ConfigKey &key, const std::string &text)
{
	uint64_t number;

	if (text.starts_with('-') || text.starts_with('+'))
		return fmt::format("'{}' has a sign", text);
	if (!parse_config_number(text, &number))
		return fmt::format("'{}' is not a number of up to 64 bits", text);
	if (number < key.least || number > key.greatest)
		return fmt::format("{} is out of range", text);
	if (number % key.step)
		return fmt::format("{} is not a multiple of {}", text, key.step);
	return {};
}

std::string list_fault(const ConfigKey &key, const std::string &text)
{
	const std::vector<std::string> words = split(text, ',');

	if (words.size() > max_list)
		return fmt::format("{} values are too many: the list holds {}", words.size(),
				   max_list);
	for (const std::string &word : words) {
		std::string fault = number_fault(key, word);

		if (!fault.empty())
			return fault;
	}
	return {};
}

std::string words_fault(const ConfigKey &key, const std::string &text)
{
	for (const std::string &word : split(text, ',')) {
		if (!is_choice(key, word))
			return fmt::format("'{}' is not one of its values", word);
	}
	return {};
}

std::string devices_fault(const std::string &text)
{
	for (const std::string &name : split(text, ',')) {
		if (name.empty())
			return "a name is empty";
		if (name == "all" && name != text)
			return "all cannot be combined with other names";
		if (name.size() > max_device)
			return fmt::format("'{}' is longer than {} bytes", name, max_device);
	}
	return {};
}

std::string value_fault(const ConfigKey &key, const std::string &value)
{
	if (value.empty())
		return "there is no value";
	switch (key.kind) {
	case Kind::word:
		return is_choice(key, value) ? std::string() :
					       fmt::format("'{}' is not one of its values", value);
	case Kind::words:
		return value == "none" ? std::string() : words_fault(key, value);
	case Kind::mask:
		return value == "all" ?
			       std::string() :
			       number_fault({key.name, Kind::number, "", "", "", 0, any64}, value);
	case Kind::list:
		return value == "none" ? std::string() : list_fault(key, value);
	case Kind::devices:
		return devices_fault(value);
	case Kind::number:
	case Kind::action:
		return number_fault(key, value);
	}
	return {};
}

const char *errno_meaning(int error)
{
	switch (error) {
	case EINVAL:
		return "not a value of this key";
	case ERANGE:
		return "out of range";
	case EBUSY:
		return "not while a session is running: stop the session first (grtrace stop)";
	case E2BIG:
		return "too many at once: a list has 64 entries, a write 65536 bytes";
	case ENOMEM:
		return "the kernel has no memory for it: ask for less";
	default:
		return strerror(error);
	}
}

} // namespace

std::span<const ConfigKey> config_keys()
{
	return keys;
}

const ConfigKey *find_config_key(const std::string &name)
{
	const auto key = std::ranges::find(keys, name, &ConfigKey::name);

	return key == std::end(keys) ? nullptr : key;
}

const char *instead_of_key(std::string_view name)
{
	return name == "order" ? "all records have one order, gseq: leave it out" : nullptr;
}

bool parse_config_number(const std::string &text, uint64_t *number)
{
	std::string_view digits = text;

	if (take_hex(digits))
		return whole_number(digits, *number, 16);
	const bool octal = text.size() > 1 && text[0] == '0';
	return whole_number(digits.substr(octal), *number, octal ? 8 : 10);
}

bool is_default(const ConfigKey &key, const std::string &value)
{
	uint64_t number, standard;

	if (value == key.standard)
		return true;
	if (!parse_config_number(value, &number))
		return false;
	if (key.kind == Kind::mask)
		return (number & full_mask(key)) == full_mask(key);
	return parse_config_number(key.standard, &standard) && number == standard;
}

Status check_value(const ConfigKey &key, const std::string &value)
{
	const std::string fault = value_fault(key, value);

	if (fault.empty())
		return Status();
	return Status::error("{}: give {} {} ({})", fault, key.name, key.values, key.meaning);
}

std::string kernel_value(const ConfigKey &key, const std::string &value)
{
	if (key.kind == Kind::mask && value == "all")
		return fmt::format("{:#x}", any64);
	return value;
}

std::string key_names(const std::vector<NamedText> &there)
{
	std::string names;

	for (const NamedText &pair : there)
		names += (names.empty() ? "" : ", ") + pair.first;
	return names;
}

std::string join_settings(const std::vector<NamedText> &settings, char separator)
{
	std::string text;

	for (const NamedText &setting : settings) {
		if (!text.empty())
			text += separator;
		text += fmt::format("{}={}", setting.first, setting.second);
	}
	return text;
}

namespace {

// Returns whether this setting may be the reason, as far as this program can know.
bool is_suspect(const NamedText &setting, int error)
{
	const ConfigKey *key = find_config_key(setting.first);

	if (error == EBUSY)
		return key && key->idle_only;
	if (error == ERANGE)
		return key && !value_fault(*key, setting.second).empty();
	if (error == E2BIG)
		return key && (key->kind == Kind::list || key->kind == Kind::devices);
	return error == EINVAL;
}

std::string explain_setting(const NamedText &setting, int error,
			    const std::vector<NamedText> &known)
{
	const ConfigKey *key = find_config_key(setting.first);

	// Its value is not the mistake.
	if (error == EBUSY)
		return "\n  " + setting.first;
	if (const char *instead = instead_of_key(setting.first))
		return fmt::format("\n  {}: {}", setting.first, instead);
	if (!known.empty() && !find_named(known, setting.first))
		return fmt::format("\n  {}: unknown key; there are: {}", setting.first,
				   key_names(known));
	return key ? fmt::format("\n  {}: {}", setting.first, key->values) : std::string();
}

} // namespace

std::string explain_refusal(const std::vector<NamedText> &settings, int error,
			    const std::string &there)
{
	const std::vector<NamedText> known = parse_named(there, '=');
	const std::string asked = settings.size() > max_told ?
					  fmt::format("{} settings", settings.size()) :
					  fmt::format("'{}'", join_settings(settings, ' '));
	std::string text = fmt::format("the kernel refused {}: {} ({})", asked,
				       errno_meaning(error), strerrorname_np(error));
	std::string details;

	for (const NamedText &setting : settings) {
		if (is_suspect(setting, error))
			details += explain_setting(setting, error, known);
	}
	// Each number is within its range, so their product must be too large.
	if (error == ERANGE && details.empty())
		details = "\n  subbuf_size x n_subbufs is more than a CPU's channel may have: use "
			  "a smaller -b or -n";
	return text + details + "\nnothing was changed";
}

} // namespace grtrace
