// SPDX-License-Identifier: GPL-2.0
//
// ctf_export: exports captures in the Common Trace Format, version 1.8.
#pragma once

#include <memory>

#include "words/export/export_options.h"
#include "words/export/exporter.h"

namespace grtrace {

// Writes a directory with a trace for each capture, which has a stream for each CPU.
std::unique_ptr<Exporter> make_ctf_export(const ExportOptions &options);

} // namespace grtrace
