// SPDX-License-Identifier: GPL-2.0
//
// trace_text_export: captures as the text of ftrace.
#pragma once

#include <memory>

#include "words/export/export_options.h"
#include "words/export/exporter.h"

namespace grtrace {

// With the events of the DRM scheduler as Linux has them since 6.17 ...
std::unique_ptr<Exporter> make_text_export(const ExportOptions &options);
// ... and as it had them before.
std::unique_ptr<Exporter> make_old_text_export(const ExportOptions &options);

} // namespace grtrace
