// SPDX-License-Identifier: GPL-2.0
#include "config_keys.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

namespace grtrace {

namespace {

// A key with a greatest value takes decimal numbers from the least to it.
struct ConfigKey {
	const char *name;
	bool idle_only;
	const char *allowed;
	uint64_t least;
	uint64_t greatest;
};

constexpr ConfigKey keys[] = {
	{ "mode", true, "stop or overwrite", 0, 0 },
	{ "subbuf_size", true, "4096 to 16777216 bytes, a multiple of 4096",
	  4096, 16 * 1024 * 1024 },
	{ "n_subbufs", true, "2 to 1024", 2, 1024 },
	{ "order", true, "gseq or clock", 0, 0 },
	{ "filter_type_mask", false, "a 64-bit mask of event types, 0x...", 0,
	  0 },
	{ "filter_ring_id", false, "a ring id; 0 is all rings", 0, UINT32_MAX },
	{ "filter_engine_mask", false, "a 64-bit mask of engine classes, 0x...",
	  0, 0 },
	{ "filter_device", false, "the name of a device, or all", 0, 0 },
};

const ConfigKey *find_key(const std::string &name)
{
	for (const ConfigKey &key : keys) {
		if (name == key.name)
			return &key;
	}
	return nullptr;
}

const char *errno_meaning(int error)
{
	switch (error) {
	case EINVAL:
		return "not a value of this key";
	case ERANGE:
		return "out of range";
	case EBUSY:
		return "not while a session is running";
	case ENOSPC:
		return "too many devices were named";
	default:
		return strerror(error);
	}
}

std::string key_names(const std::vector<NamedText> &there)
{
	std::string names;

	for (const NamedText &pair : there)
		names += (names.empty() ? "" : ", ") + pair.first;
	return names;
}

} // namespace

Status parse_setting(const std::string &text, NamedText *setting)
{
	const size_t middle = text.find('=');

	if (middle == std::string::npos || middle == 0)
		return Status::error("'{}' is not key=value", text);
	if (text.find_first_of(" \t\n") != std::string::npos)
		return Status::error("'{}': white space is not allowed in it",
				     text);
	*setting = { text.substr(0, middle), text.substr(middle + 1) };
	return Status();
}

bool is_idle_only(const std::string &key)
{
	const ConfigKey *known = find_key(key);

	return known && known->idle_only;
}

std::string join_settings(const std::vector<NamedText> &settings,
			  char separator)
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

bool is_out_of_range(const NamedText &setting)
{
	const ConfigKey *key = find_key(setting.first);
	uint64_t number;

	return key && key->greatest && parse_number(setting.second, &number) &&
	       (number < key->least || number > key->greatest);
}

// Whether this setting may be why, as far as that can be told from here.
bool is_suspect(const NamedText &setting, int error)
{
	if (error == EBUSY)
		return is_idle_only(setting.first);
	if (error == ERANGE)
		return is_out_of_range(setting);
	return true;
}

std::string explain_setting(const NamedText &setting,
			    const std::vector<NamedText> &known)
{
	const ConfigKey *key = find_key(setting.first);

	if (!known.empty() && !find_named(known, setting.first))
		return fmt::format("\n  {}: unknown key; there are: {}",
				   setting.first, key_names(known));
	return key ? fmt::format("\n  {}: {}", setting.first, key->allowed)
		   : std::string();
}

} // namespace

std::string explain_refusal(const std::vector<NamedText> &settings, int error,
			    const std::string &there)
{
	const std::vector<NamedText> known = parse_named(there, '=');
	std::string text =
		fmt::format("the kernel refused '{}': {} ({})",
			    join_settings(settings, ' '), errno_meaning(error),
			    strerrorname_np(error));
	std::string details;

	for (const NamedText &setting : settings) {
		if (is_suspect(setting, error))
			details += explain_setting(setting, known);
	}
	// Each number is in its range, so it is what they make together.
	if (error == ERANGE && details.empty())
		details = "\n  subbuf_size x n_subbufs is more than a CPU's "
			  "channel may have: use a smaller -b or -n";
	return text + details + "\nnothing was changed";
}

} // namespace grtrace
