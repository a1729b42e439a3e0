// SPDX-License-Identifier: GPL-2.0
//
// The capture that is made of a foreign trace must be readable without damage.
#pragma once

#include "fuzz/fuzz_folder.h"
#include "fuzz/fuzz_stream.h"
#include "words/foreign/foreign_capture.h"

namespace grtrace {

// Calls read(capture), which passes the trace's events to it.
template <typename Read> void check_import(const char *kind, Read read)
{
	static const FuzzFolder folder;
	OutputFile out;

	if (!out.open(folder.path("out")).ok())
		abort();
	ForeignCapture capture({.kind = kind}, out);
	read(capture);
	capture.finish();
	if (capture.summary().empty())
		abort();
	capture.remarks();
	if (!out.close().ok())
		abort();
	if (capture.events())
		check_readable({folder.read("out")}, false);
}

} // namespace grtrace
