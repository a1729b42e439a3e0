// SPDX-License-Identifier: GPL-2.0
//
// FindingJson: prints findings as lines of JSON.
#pragma once

#include <string_view>

#include <fmt/format.h>

#include "read/capture/capture.h"
#include "words/findings/findings.h"

namespace grtrace {

// Prints a line with the sum of all waiting, a line for each finding, a line for each kind
// of the rest, and a last line that marks the end. The ns of findings and rest add up to
// waited_ns. Keys may be added, but none changes its meaning.
void print_findings_json(fmt::memory_buffer &out, const Findings &findings, const Capture &capture);

// Returns the JSON schema of these lines.
std::string_view findings_schema();

} // namespace grtrace
