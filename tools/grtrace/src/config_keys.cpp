// SPDX-License-Identifier: GPL-2.0
#include "config_keys.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

namespace grtrace {

namespace {

struct ConfigKey {
	const char *name;
	bool idle_only;
	const char *allowed;
};

constexpr ConfigKey keys[] = {
	{ "mode", true, "stop or overwrite" },
	{ "subbuf_size", true, "4096 to 16777216 bytes, a multiple of 4096" },
	{ "n_subbufs", true, "2 to 1024" },
	{ "order", true, "gseq or clock" },
	{ "filter_type_mask", false, "a 64-bit mask of event types, 0x..." },
	{ "filter_ring_id", false, "a ring id; 0 is all rings" },
	{ "filter_engine_mask", false,
	  "a 64-bit mask of engine classes, 0x..." },
	{ "filter_device", false, "the name of a device, or all" },
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

const char *allowed_values(const std::string &key)
{
	const ConfigKey *known = find_key(key);

	return known ? known->allowed : nullptr;
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

std::string explain_refusal(const std::vector<NamedText> &settings, int error,
			    const std::string &there)
{
	const std::vector<NamedText> known = parse_named(there, '=');
	std::string text =
		fmt::format("the kernel refused '{}': {} ({})",
			    join_settings(settings, ' '), errno_meaning(error),
			    strerrorname_np(error));

	for (const NamedText &setting : settings) {
		if (error == EBUSY && !is_idle_only(setting.first))
			continue;
		const char *allowed = allowed_values(setting.first);
		if (!known.empty() && !find_named(known, setting.first))
			text += fmt::format(
				"\n  {}: unknown key; there are: {}",
				setting.first, key_names(known));
		else if (allowed)
			text += fmt::format("\n  {}: {}", setting.first,
					    allowed);
	}
	if (error == ERANGE)
		text += "\n  subbuf_size x n_subbufs has a limit of its own";
	return text + "\nnothing was changed";
}

} // namespace grtrace
