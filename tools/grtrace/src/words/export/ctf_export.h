// SPDX-License-Identifier: GPL-2.0
//
// ctf_export: captures in the Common Trace Format, version 1.8.
#pragma once

#include <memory>

#include "words/export/export_options.h"
#include "words/export/exporter.h"

namespace grtrace {

// A directory with a trace for each capture, and in it a stream for each CPU.
std::unique_ptr<Exporter> make_ctf_export(const ExportOptions &options);

} // namespace grtrace
