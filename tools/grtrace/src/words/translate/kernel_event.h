// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "words/translate/event_specs.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

namespace grtrace {

// The values of an event's fields, independent of where it was read from.
class FieldValues {
public:
	void clear() { set_ = 0; }
	void set(Field field, uint64_t number)
	{
		value(field) = {number, {}};
		set_ |= bit(field);
	}
	// The text must outlive the use of the event.
	void set(Field field, std::string_view text)
	{
		value(field) = {0, text};
		set_ |= bit(field);
	}

	bool has(Field field) const { return set_ & bit(field); }
	// Return 0 or an empty text if the field is missing, or if it is a text
	// instead of a number or the reverse.
	uint64_t number(Field field) const { return has(field) ? value(field).number : 0; }
	std::string_view text(Field field) const
	{
		return has(field) ? value(field).text : std::string_view();
	}

	// Texts that are used later than their source lasts.
	void keep_texts(std::deque<std::string> &room)
	{
		for (size_t i = 0; i < count; i++)
			if (set_ >> i & 1 && !values_[i].text.empty())
				values_[i].text = room.emplace_back(values_[i].text);
	}

private:
	struct Value {
		uint64_t number;
		std::string_view text;
	};

	static constexpr size_t count = static_cast<size_t>(Field::count);
	static_assert(count <= 32);

	static uint32_t bit(Field field) { return 1u << static_cast<unsigned int>(field); }
	Value &value(Field field) { return values_[static_cast<size_t>(field)]; }
	const Value &value(Field field) const { return values_[static_cast<size_t>(field)]; }

	std::array<Value, count> values_;
	uint32_t set_ = 0;
};

// One event of the kernel.
struct KernelEvent {
	uint64_t ts = 0;
	uint32_t cpu = 0;
	uint32_t pid = 0;
	uint16_t flags = 0; // GRTRACE_IN_* and GRTRACE_TIME_*
	TraceKind kind = TraceKind::sched_queue;
	const FieldValues *fields = nullptr;
};

// Returns a record's flags for the context that the kernel's common_flags have.
uint16_t record_flags(int common_flags);

} // namespace grtrace
