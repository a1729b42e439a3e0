// SPDX-License-Identifier: GPL-2.0
//
// ForeignEvent: the trace events, of all kernel versions, that jobs are made
// from.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "words/translate/event_specs.h"

namespace grtrace {

// The one table of events that files may have. An event is listed more than once
// if kernels printed it in different ways; the first form that fits is taken.
struct ForeignEvent {
	const char *system;
	const char *name;
	TraceKind kind;
	const char *kernels; // the kernels with this event
	const char *records; // the records that it becomes
	// How the kernel prints it: literal text, and %u, %p (hexadecimal), %s (text) or %c
	// (the state of a task) with the field. Text between two keys is skipped.
	const char *format;
	// The fields in the event's bytes, as trace-cmd report -R prints them as well.
	std::span<const FieldSpec> fields;
};

std::span<const ForeignEvent> foreign_events();

// Returns the table for the user.
std::string describe_foreign_events();

} // namespace grtrace
