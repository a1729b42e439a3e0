// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "drive/control/views.h"
#include "lib/text/status.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

// The tools' knowledge of the keys of debugfs's `config`: what each takes, so
// that a mistake gets a sentence before the kernel can only say EINVAL, and the
// defaults. Keys that are not known here are passed on: the kernel may be
// newer.
namespace grtrace {

struct ConfigKey {
	enum class Kind {
		word, // one of choices
		words, // none, or some of choices with commas
		number, // least to greatest, a multiple of step
		mask, // all, or 64 bits
		list, // none, or numbers with commas, which it adds
		devices, // all, or names with commas
		action, // 1 does something, 0 nothing
	};

	const char *name;
	Kind kind;
	const char *standard; // the default, as it is written
	const char *values; // what it takes, for people
	const char *meaning;
	uint64_t least;
	uint64_t greatest;
	uint64_t step;
	bool idle_only; // may not change while a session runs
	bool narrows; // other than by default, events may be missing
};

// All keys, in the kernel's order.
std::span<const ConfigKey> config_keys();
const ConfigKey *find_config_key(const std::string &name);

// As the kernel reads numbers: decimal, 0x or 0 for octal, no sign.
bool parse_config_number(const std::string &text, uint64_t *number);

// Whether the key has this default, however it is written.
bool is_default(const ConfigKey &key, const std::string &value);

// Whether the key takes the value; the sentence says what it would take.
Status check_value(const ConfigKey &key, const std::string &value);

// Takes "key=value" apart and checks it, as far as the key is known; the value
// may not contain white space, which would make it a second word for the
// kernel.
Status parse_setting(const std::string &text, NamedText *setting);

// A mask of all bits as a number, which every kernel reads.
std::string kernel_value(const ConfigKey &key, const std::string &value);

// Why the kernel refused these settings with this errno. It takes all of them
// or none, so nothing has changed. @there is the text of `config` as read.
std::string explain_refusal(const std::vector<NamedText> &settings, int error,
			    const std::string &there);

// key=value words; the kernel takes spaces and newlines between them.
std::string join_settings(const std::vector<NamedText> &settings, char separator);

// "there are: ..." of these settings.
std::string key_names(const std::vector<NamedText> &there);

} // namespace grtrace
