// SPDX-License-Identifier: GPL-2.0
//
// The names and letters of records, for people; the uAPI header has the numbers.
#pragma once

#include <bit>
#include <cstdint>
#include <string_view>

#include <drm/grtrace_drm.h>

#include "format/tool_records.h"

namespace grtrace {

// Facts about a record type that a reader needs.
struct RecordKind {
	uint16_t type;
	uint16_t min_size; // bytes, a shorter one is damage
	uint16_t max_size; // bytes known here, the rest is an unknown tail
	const char *letter; // grparse's action
	const char *name;
};

// Returns the kind of a type, or nullptr if this program does not know it.
const RecordKind *record_kind(uint16_t type);

// Finds a kind by letter (Q, DP, mR) or name (submit, dep), in any case; nullptr if there
// is none.
const RecordKind *record_kind_by_word(std::string_view word);

// Returns G, X, ...; '-' for a number that is not a class.
char engine_letter(uint32_t engine_class);
const char *engine_name(uint32_t engine_class);

// Finds a class by letter or name, in any case; GRTRACE_CLASS_COUNT if there is none.
uint32_t engine_class_by_word(std::string_view word);

// Returns timeout, hang, ...; "?" for an unknown number.
const char *error_kind_name(uint32_t kind);

// Return off or on, and evicted, restored, ...; "?" for an unknown number.
const char *queue_state_name(uint32_t state);
const char *queue_reason_name(uint32_t reason);

// Returns why the sampling changed, as half a sentence; "?" for an unknown number.
const char *sample_reason_name(uint32_t reason);

// Returns mono or boot, as in the configuration; unknown, or "?".
const char *clock_name(uint32_t clock);

// Returns whether a PACKET is of the version that this program reads. Before 1.0 that is one.
bool is_our_version(const uint8_t *packet);

// Bit n: this program knows events of type n. From the kernel come those up to QUEUE.
inline constexpr uint64_t event_bits = ((2ull << GRTRACE_QUEUE) - 2) | 1ull << GRTRACE_IOCTL;

inline constexpr bool is_known_event(uint16_t type)
{
	return type < GRTRACE_TYPE_LIMIT && event_bits >> type & 1;
}

// The events come first, in the order of their types, then the notes.
extern const RecordKind record_kinds[];
inline constexpr unsigned int nr_event_kinds = std::popcount(event_bits);
inline constexpr unsigned int nr_record_kinds = nr_event_kinds + 10;

// Returns the place of a type in record_kinds, from 1 on; 0 if this program does not know it.
unsigned int record_kind_number(uint16_t type);

// Calls fn(kind) for every known type, events first.
template <typename Fn> void for_each_record_kind(Fn fn)
{
	for (unsigned int i = 0; i < nr_record_kinds; i++)
		fn(record_kinds[i]);
}

} // namespace grtrace
