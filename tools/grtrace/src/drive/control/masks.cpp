// SPDX-License-Identifier: GPL-2.0
//
// Letters and names are those that grparse prints, so they can be copied from its
// output.
#include "drive/control/masks.h"

#include "drive/control/views.h"
#include "format/vocabulary.h"
#include "lib/text/words_of.h"

#include <drm/grtrace_drm.h>
#include <fmt/format.h>
#include <strings.h>

#include <string>

namespace grtrace {

namespace {

// Returns whether a session of the kernel can record it.
bool is_recorded(const RecordKind &kind)
{
	return kind.type < GRTRACE_TYPE_LIMIT && kind.type != GRTRACE_IOCTL;
}

std::string event_list()
{
	std::string list;

	for_each_record_kind([&list](const RecordKind &kind) {
		if (is_recorded(kind))
			list += fmt::format(", {} ({})", kind.name, kind.letter);
	});
	return list.substr(2);
}

std::string engine_list()
{
	std::string list;

	for (unsigned int i = 0; i < GRTRACE_CLASS_COUNT; i++)
		list += fmt::format(", {}", engine_name(i));
	return list.substr(2);
}

} // namespace

Status parse_event_mask(std::string_view text, uint64_t *mask)
{
	*mask = 0;
	for (std::string &word : split(text, ',')) {
		// The header's own spelling, as blktrace accepts BLK_TC_ISSUE.
		if (!strncasecmp(word.c_str(), "GRTRACE_", 8))
			word.erase(0, 8);
		const RecordKind *kind = record_kind_by_word(word);
		if (!kind || !is_recorded(*kind))
			return Status::error("'{}' is not an event; there are: {}", word,
					     event_list());
		*mask |= uint64_t(1) << kind->type;
	}
	return Status();
}

Status parse_engine_mask(std::string_view text, uint64_t *mask)
{
	if (std::string_view digits = text; take_hex(digits))
		return parse_hex_mask(text, mask);
	*mask = 0;
	for (const std::string &word : split(text, ',')) {
		uint32_t engine = engine_class_by_word(word);

		whole_number(word, engine);
		if (engine >= GRTRACE_CLASS_COUNT)
			return Status::error("'{}' is not an engine class; there are: {}", word,
					     engine_list());
		*mask |= uint64_t(1) << engine;
	}
	return Status();
}

Status parse_hex_mask(std::string_view text, uint64_t *mask)
{
	std::string_view digits = text;

	take_hex(digits);
	if (!whole_number(digits, *mask, 16))
		return Status::error("'{}' is not a mask of up to 16 hex digits", text);
	if (*mask == 0)
		return Status::error("an empty mask would record nothing");
	return Status();
}

uint64_t known_events()
{
	uint64_t mask = 0;

	for_each_record_kind([&mask](const RecordKind &kind) {
		if (is_recorded(kind))
			mask |= uint64_t(1) << kind.type;
	});
	return mask;
}

} // namespace grtrace
