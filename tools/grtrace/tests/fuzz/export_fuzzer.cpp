// SPDX-License-Identifier: GPL-2.0
//
// Any bytes as a capture, in each format of export. The first byte chooses.
#include "fuzz/fuzz_folder.h"
#include "words/export/export_main.h"

using namespace grtrace;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static constexpr const char *formats[] = {"sqlite",   "csv",  "json",    "ctf",
						  "perfetto", "text", "text-old"};
	static const FuzzFolder folder;

	if (!size)
		return 0;
	folder.write("capture", data + 1, size - 1);
	folder.remove("out");
	run_main(export_main, {"export", "--to", formats[data[0] % std::size(formats)], "-o",
			       folder.path("out"), folder.path("capture")});
	return 0;
}
