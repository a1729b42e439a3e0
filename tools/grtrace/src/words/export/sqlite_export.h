// SPDX-License-Identifier: GPL-2.0
//
// sqlite_export: exports captures as a database.
#pragma once

#include <memory>

#include "words/export/export_options.h"
#include "words/export/exporter.h"

namespace grtrace {

// The schema is in sqlite_schema.cpp, and described in
// Documentation/gpu/grtrace/export.rst.
std::unique_ptr<Exporter> make_sqlite_export(const ExportOptions &options);

} // namespace grtrace
