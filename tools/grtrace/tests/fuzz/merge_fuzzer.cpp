// SPDX-License-Identifier: GPL-2.0
//
// Any bytes as two captures, merged. The first byte says where the second one
// begins, in 256ths, and the next eight by how much its clock is moved.
#include "fuzz/fuzz_bytes.h"
#include "fuzz/fuzz_folder.h"
#include "fuzz/fuzz_stream.h"
#include "words/merge/merge_main.h"
#include "words/merge/text_source.h"

#include <fmt/format.h>

using namespace grtrace;

// Other programs read theirs: they are not what is tried.
static bool is_ours(const uint8_t *data, size_t size)
{
	return !find_text_format({reinterpret_cast<const char *>(data), size});
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const FuzzFolder folder;
	FuzzBytes head(data, size);
	const uint8_t share = head.byte();
	const int64_t offset = head.take<int64_t>();

	if (size < 9)
		return 0;
	data += 9;
	size -= 9;
	const size_t first = size * share / 256;
	if (!is_ours(data, first) || !is_ours(data + first, size - first))
		return 0;
	folder.write("one", data, first);
	folder.write("two", data + first, size - first);
	folder.remove("out");
	const std::string two = folder.path("two");
	std::vector<std::string> words = {"merge", "-o", folder.path("out"), folder.path("one"),
					  two};
	if (offset) {
		words.push_back("--clock-offset");
		words.push_back(fmt::format("{}={}", two, offset));
	}
	if (!run_main(merge_main, words))
		check_readable({folder.read("out")}, false);
	return 0;
}
