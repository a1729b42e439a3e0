// SPDX-License-Identifier: GPL-2.0
//
// FileExporter: an exporter that writes one file.
#pragma once

#include <string>

#include "lib/files/output_file.h"
#include "words/export/exporter.h"

namespace grtrace {

// All captures go into one file, or to standard output.
class FileExporter : public Exporter {
public:
	Status open(const std::string &path) override { return out_.replace(path); }
	void flush() override { out_.flush(); }
	bool failed() const override { return out_.failed(); }
	bool reader_gone() const override { return out_.reader_gone(); }
	Status close() override { return out_.close(); }

protected:
	OutputFile out_;
};

} // namespace grtrace
