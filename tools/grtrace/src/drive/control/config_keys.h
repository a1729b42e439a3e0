// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "drive/control/views.h"
#include "lib/text/status.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

// The tools' knowledge about the keys of debugfs's `config`: the defaults, and what each key
// takes, so that the user gets a sentence about a mistake where the kernel could only
// return EINVAL. Keys that are not known here are passed on, because the kernel may be
// newer.
namespace grtrace {

struct ConfigKey {
	enum class Kind {
		word, // one of choices
		words, // none, or some of the choices separated by commas
		number, // least to greatest, a multiple of step
		mask, // all, or 64 bits
		list, // none, or numbers separated by commas, which are added
		devices, // all, or names separated by commas
		action, // 1 does something, 0 nothing
	};

	const char *name;
	Kind kind;
	const char *standard; // the default, as config shows it
	const char *values; // the possible values, for people
	const char *meaning;
	uint64_t least = 0;
	uint64_t greatest = 0;
	uint64_t step = 1;
	bool idle_only = false; // may not change while a session runs
	bool narrows = false; // if it is not the default, events may be missing
};

// Returns all keys, in the kernel's order.
std::span<const ConfigKey> config_keys();
const ConfigKey *find_config_key(const std::string &name);
// Returns what to do instead of setting a key that is no more, or nullptr.
const char *instead_of_key(std::string_view name);

// Reads a number as the kernel does: decimal, 0x or 0 for octal, no sign.
bool parse_config_number(const std::string &text, uint64_t *number);

// Returns whether the value is the key's default, in any notation.
bool is_default(const ConfigKey &key, const std::string &value);

// Checks whether the key accepts the value; the sentence lists the values that it
// accepts.
Status check_value(const ConfigKey &key, const std::string &value);

// Writes a mask of all bits as a number, which every kernel accepts.
std::string kernel_value(const ConfigKey &key, const std::string &value);

// Returns why the kernel refused these settings with this errno. The kernel accepts all
// settings or none, so nothing has changed. @there is the text of `config` as read.
std::string explain_refusal(const std::vector<NamedText> &settings, int error,
			    const std::string &there);

// Returns key=value words; the kernel accepts spaces and newlines between them.
std::string join_settings(const std::vector<NamedText> &settings, char separator);

// Returns "there are: ..." with the names of these settings.
std::string key_names(const std::vector<NamedText> &there);

} // namespace grtrace
