// SPDX-License-Identifier: GPL-2.0
//
// TextPrinter: turns events into lines.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include <fmt/format.h>

#include "format/vocabulary.h"
#include "grparse/format.h"
#include "lib/text/duration.h"
#include "read/stream/event.h"
#include "read/stream/note_text.h"
#include "read/stream/session.h"

namespace grtrace {

// The local time of one second, split into fields, because converting it is slow.
struct SecondText {
	int64_t second = -1;
	char text[16] = {};
};

// Every kind of record has a format of its own, which is blkparse's unless the user gives
// another format. Appends to a buffer and does no I/O; printing a line allocates nothing.
class TextPrinter {
public:
	TextPrinter();

	// -t: adds the duration of a step to the default formats. Call it before -f and -F.
	void track_times();
	// Says more about notes and ioctls than note_text().
	void set_note_text(NoteText *text) { note_text_ = text; }
	// -f: sets the format of all actions.
	Status set_format(std::string_view format);
	// -F X,format: sets the format of action X.
	Status set_format_of(std::string_view spec);

	// elapsed: ns since the previous step, or no_time.
	void print(fmt::memory_buffer &out, const Event &event, Session &session,
		   uint64_t elapsed = no_time);

private:
	// Formats by record_kind_number(), 0 for unknown types; then SUBMIT with a fence.
	static constexpr size_t nr_formats = nr_record_kinds + 2;

	void set_defaults(std::string_view more);
	static size_t format_index(const Event &event);

	std::array<Format, nr_formats> formats_;
	std::array<bool, nr_formats> headed_ = {}; // which formats begin with the default header
	SecondText clock_;
	NoteText *note_text_ = note_text;
};

} // namespace grtrace
