// SPDX-License-Identifier: GPL-2.0
//
// page_findings: the findings of a report, in the words of the page.
#pragma once

#include <vector>

#include "words/findings/findings.h"
#include "words/page/html_capture.h"

namespace grtrace {

// The longest first.
std::vector<HtmlFinding> page_findings(const Findings &findings, const Capture &capture);

} // namespace grtrace
