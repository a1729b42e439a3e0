// SPDX-License-Identifier: GPL-2.0
//
// trace_text_export: exports captures as the text of ftrace.
#pragma once

#include <memory>

#include "words/export/export_options.h"
#include "words/export/exporter.h"

namespace grtrace {

// Uses the events of the DRM scheduler that Linux has since 6.17.
std::unique_ptr<Exporter> make_text_export(const ExportOptions &options);
// Uses the scheduler's events from before 6.17.
std::unique_ptr<Exporter> make_old_text_export(const ExportOptions &options);

} // namespace grtrace
