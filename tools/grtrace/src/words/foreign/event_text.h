// SPDX-License-Identifier: GPL-2.0
//
// EventText: reads the fields of an event from the text that a kernel printed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "words/foreign/foreign_events.h"
#include "words/translate/kernel_event.h"

namespace grtrace {

// Keys are looked for in the order of the form, so a kernel may print more fields than the
// form has. If the form does not fit, the text may be that of trace-cmd report -R: names of
// fields and values, in any order.
class EventText {
public:
	explicit EventText(const ForeignEvent &event);

	const ForeignEvent &event() const { return event_; }
	// Returns false if the event lacks a field without which it is useless. The
	// fields' texts are parts of the text.
	bool read(std::string_view text, FieldValues *fields) const;

private:
	enum class Form : char { number = 'u', pointer = 'p', text = 's', state = 'c' };

	struct Piece {
		std::string key; // " ring=", or ":" right behind the value before
		Form form;
		Field field;
	};

	void add_piece(std::string_view key, char form, std::string_view field);
	bool read_form(std::string_view text, FieldValues *fields) const;
	bool read_raw(std::string_view text, FieldValues *fields) const;
	bool is_whole(const FieldValues &fields) const;
	static bool store(const Piece &piece, std::string_view value, FieldValues *fields);
	static size_t find_key(std::string_view text, size_t from, std::string_view key);

	const ForeignEvent &event_;
	std::vector<Piece> pieces_;
	const bool has_commas_; // they separate the fields
};

} // namespace grtrace
