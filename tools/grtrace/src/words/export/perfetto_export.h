// SPDX-License-Identifier: GPL-2.0
//
// perfetto_export: exports captures as a trace of Perfetto.
#pragma once

#include <memory>

#include "words/export/export_options.h"
#include "words/export/exporter.h"

namespace grtrace {

// Documentation/gpu/grtrace/export.rst describes the mapping.
std::unique_ptr<Exporter> make_perfetto_export(const ExportOptions &options);

} // namespace grtrace
