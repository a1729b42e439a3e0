// SPDX-License-Identifier: GPL-2.0
#include "words/foreign/event_text.h"

#include <algorithm>
#include <charconv>

#include "lib/text/words_of.h"

namespace grtrace {

namespace {

constexpr struct {
	std::string_view name;
	Field field;
} field_names[] = {
	{"ring", Field::ring},
	{"device", Field::device},
	{"ctx", Field::ctx},
	{"seqno", Field::seqno},
	{"fence_ctx", Field::fence_ctx},
	{"fence_seqno", Field::fence_seqno},
	{"address", Field::address},
	{"entity", Field::entity},
	{"id", Field::id},
	{"client", Field::client},
	{"driver", Field::driver},
	{"timeline", Field::timeline},
	{"type", Field::type},
	{"flags", Field::flags},
	{"class", Field::engine_class},
	{"instance", Field::instance},
	{"completed", Field::completed},
	{"crtc", Field::crtc},
	{"pid", Field::pid},
	{"next_pid", Field::next_pid},
	{"state", Field::state},
	{"result", Field::result},
	{"method", Field::method},
	{"comm", Field::comm},
	{"ticks", Field::ticks},
	{"end_ticks", Field::end_ticks},
	{"duration", Field::duration},
};

bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_';
}

// Digits at the beginning; what follows is something else.
bool read_number(std::string_view text, int base, uint64_t *number)
{
	const bool negative = text.starts_with('-');
	uint64_t value = 0;

	text.remove_prefix(negative);
	if (take_hex(text))
		base = 16;
	const std::from_chars_result got =
		std::from_chars(text.data(), text.data() + text.size(), value, base);
	if (got.ec != std::errc())
		return false;
	*number = negative ? 0 - value : value;
	return true;
}

// "(0xffff8c0a41d8e2c8:gfx)[UNSAFE-MEMORY]": kernels 5.12 to 5.16 print a text so if they
// cannot know that it is still there.
std::string_view without_address(std::string_view text)
{
	constexpr std::string_view tail = ")[UNSAFE-MEMORY]";
	const size_t colon = text.find(':');

	if (!text.starts_with("(0x") || !text.ends_with(tail) || colon == text.npos)
		return text;
	text.remove_suffix(tail.size());
	return text.substr(colon + 1);
}

// "249:91446" is not a number, though it begins with one.
bool is_one_number(std::string_view text)
{
	const size_t end = text.find_first_not_of("0123456789abcdefABCDEFxX-");

	return end == text.npos || text[end] == ' ' || text[end] == ',';
}

} // namespace

EventText::EventText(const ForeignEvent &event)
	: event_(event),
	  has_commas_(std::string_view(event.format).find(',') != std::string_view::npos)
{
	std::string_view rest = event.format;

	for (size_t at = rest.find('%'); at != rest.npos; at = rest.find('%')) {
		const size_t close = rest.find('}', at);
		std::string_view key = rest.substr(0, at);

		while (!key.empty() && (key.front() == ' ' || key.front() == ','))
			key.remove_prefix(1);
		add_piece(key, rest[at + 1], rest.substr(at + 3, close - at - 3));
		rest.remove_prefix(close + 1);
	}
}

void EventText::add_piece(std::string_view key, char form, std::string_view field)
{
	for (const auto &known : field_names)
		if (known.name == field)
			pieces_.push_back({std::string(key), static_cast<Form>(form), known.field});
}

// Where the value begins: behind the key, which begins a word. Without a key it follows the
// value before it.
size_t EventText::find_key(std::string_view text, size_t from, std::string_view key)
{
	if (key.empty()) {
		while (from < text.size() && (text[from] == ' ' || text[from] == ','))
			from++;
		return from;
	}
	if (!is_word(key.front()))
		return text.substr(from).starts_with(key) ? from + key.size() : text.npos;
	for (size_t at = text.find(key, from); at != text.npos; at = text.find(key, at + 1))
		if (!at || !is_word(text[at - 1]))
			return at + key.size();
	return text.npos;
}

bool EventText::store(const Piece &piece, std::string_view value, FieldValues *fields)
{
	uint64_t number = 0;

	switch (piece.form) {
	case Form::text:
		while (!value.empty() && (value.back() == ' ' || value.back() == ','))
			value.remove_suffix(1);
		fields->set(piece.field, without_address(value));
		return true;
	case Form::state:
		// Only a task that could continue has R, or 0 where it is not printed in letters.
		if (!read_number(value, 10, &number))
			number = !value.empty() && value.front() != 'R';
		fields->set(piece.field, number);
		return true;
	case Form::number:
	case Form::pointer:
		if (!read_number(value, piece.form == Form::number ? 10 : 16, &number))
			return false;
		fields->set(piece.field, number);
	}
	return true;
}

bool EventText::is_whole(const FieldValues &fields) const
{
	return std::all_of(event_.fields.begin(), event_.fields.end(), [&](const FieldSpec &spec) {
		return !spec.needed || fields.has(spec.field);
	});
}

bool EventText::read_form(std::string_view text, FieldValues *fields) const
{
	size_t at = 0;

	fields->clear();
	for (size_t i = 0; i < pieces_.size(); i++) {
		const Piece &piece = pieces_[i];
		const size_t begin = find_key(text, at, piece.key);
		size_t end = text.size();

		if (begin == text.npos)
			continue;
		at = begin;
		if (piece.form == Form::text) {
			// A name may have spaces. It ends where the next key begins, or with
			// a comma.
			const size_t next = i + 1 < pieces_.size() ?
						    find_key(text, begin, pieces_[i + 1].key) :
						    text.npos;
			const size_t comma = text.find(", ", begin);

			if (next != text.npos)
				end = next - pieces_[i + 1].key.size();
			if (has_commas_)
				end = std::min(end, comma);
		}
		if (!store(piece, text.substr(begin, end - begin), fields))
			return false;
		if (piece.form == Form::text)
			at = end;
		while (piece.form != Form::text && at < text.size() &&
		       (is_word(text[at]) || text[at] == '-'))
			at++;
	}
	return is_whole(*fields);
}

// "name=gfx_0 job_count=0": a value ends where the next name begins.
bool EventText::read_raw(std::string_view text, FieldValues *fields) const
{
	fields->clear();
	for (const FieldSpec &spec : event_.fields) {
		const std::string key = std::string(spec.name) + "=";
		const size_t begin = find_key(text, 0, key);

		if (begin == text.npos)
			continue;
		const size_t next = text.find('=', begin);
		size_t end = next == text.npos ? next : text.rfind(' ', next);
		if (end == text.npos || end < begin)
			end = text.size();
		const std::string_view value = text.substr(begin, end - begin);
		const auto piece =
			std::find_if(pieces_.begin(), pieces_.end(),
				     [&](const Piece &one) { return one.field == spec.field; });
		const bool is_text = piece != pieces_.end() && piece->form == Form::text;
		if (!is_text && !is_one_number(value))
			return false;
		if (!store({{}, is_text ? Form::text : Form::number, spec.field}, value, fields))
			return false;
	}
	return is_whole(*fields);
}

bool EventText::read(std::string_view text, FieldValues *fields) const
{
	return read_form(text, fields) || read_raw(text, fields);
}

} // namespace grtrace
