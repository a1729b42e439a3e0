// SPDX-License-Identifier: GPL-2.0
//
// ctf_layout: the fields of an event in CTF. The metadata and the bytes are generated from
// one table.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "read/stream/event.h"

namespace grtrace {

enum class CtfType {
	u16,
	u32,
	u64,
	s32,
	s64,
	hex16,
	ring,
	error_kind,
	queue_state,
	queue_reason,
	engine,
	text
};

const char *ctf_type_name(CtfType type);

struct CtfField {
	const char *name;
	CtfType type;
	uint64_t (*number)(const Event &event); // nullptr: the field is text
	std::string (*text)(const Event &event) = nullptr;
};

struct CtfKind {
	uint16_t id; // the record's type, or a number above 0x200
	const char *name;
	std::span<const CtfField> fields;
};

// The fields of every event.
std::span<const CtfField> ctf_context();

// Returns the kind of an event; records of unknown type share one.
CtfKind ctf_kind(const Event &event);

// Calls fn(kind) for every possible kind.
template <typename Fn> void for_each_ctf_kind(Fn fn);

constexpr size_t nr_ctf_kinds = 25;
CtfKind ctf_kind_at(size_t index);

template <typename Fn> void for_each_ctf_kind(Fn fn)
{
	for (size_t i = 0; i < nr_ctf_kinds; i++)
		fn(ctf_kind_at(i));
}

} // namespace grtrace
