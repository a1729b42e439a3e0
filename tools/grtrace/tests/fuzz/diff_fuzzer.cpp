// SPDX-License-Identifier: GPL-2.0
//
// Any bytes as two captures, side by side. The first byte says where the second one
// begins, in 256ths, and the bits of the next one how they are compared.
#include "fuzz/fuzz_bytes.h"
#include "fuzz/fuzz_folder.h"
#include "lib/options/word_main.h"
#include "words/diff/diff_main.h"

#include <string_view>

using namespace grtrace;

namespace {

enum { exit_fails = exit_lost + 1, exit_open };

// Each has 14 columns, and no name has a comma that is not in quotes.
void check_table(std::string_view text)
{
	while (!text.empty()) {
		size_t columns = 1, end = 0;

		for (bool quoted = false; quoted || text[end] != '\n'; end++) {
			if (end + 1 == text.size())
				abort();
			quoted ^= text[end] == '"';
			columns += !quoted && text[end] == ',';
		}
		if (columns != 14)
			abort();
		text.remove_prefix(end + 1);
	}
}

// Returns whether there is more than one packet.
bool has_packets(const uint8_t *data, size_t size)
{
	const std::string_view bytes(reinterpret_cast<const char *>(data), size);
	const size_t first = bytes.find("GRTR");

	return first != bytes.npos && bytes.find("GRTR", first + 1) != bytes.npos;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const FuzzFolder folder;
	FuzzBytes head(data, size);
	const uint8_t share = head.byte(), how = head.byte();

	if (size < 2)
		return 0;
	data += 2;
	size -= 2;
	const size_t first = size * share / 256;
	folder.write("base", data, first);
	folder.write("new", data + first, size - first);
	std::vector<std::string> words = {"diff", "-o", folder.path("out")};
	const std::pair<uint8_t, std::vector<std::string>> options[] = {
		{0x02, {"--json"}},
		{0x04, {"--all-rings"}},
		{0x08, {"--fail-if", "p50:Q2C>+5%", "--fail-if", "n:B2E<10"}},
		{0x10, {"--no-ci"}},
		{0x20, {"--strict"}},
		{0x40, {"-w", "0.000001:10"}},
		{0x80, {"--fail-if", "mean:D2B>+1us"}},
	};
	const bool csv = (how & 3) == 1;
	if (csv)
		words.push_back("--csv");
	for (const auto &[bit, given] : options)
		if (how & bit)
			words.insert(words.end(), given.begin(), given.end());
	words.push_back(folder.path("base"));
	words.push_back(folder.path("new"));

	folder.remove("out");
	const int code = run_main(diff_main, words);
	// Two recordings joined into one file are refused as wrong use.
	if (code == exit_usage && !has_packets(data, size))
		abort();
	if (code > exit_open)
		abort();
	if (code >= exit_fails && !(how & 0x88))
		abort();
	if (code == exit_lost && !(how & 0x20))
		abort();
	const std::vector<uint8_t> out = folder.read("out");
	if (csv)
		check_table({reinterpret_cast<const char *>(out.data()), out.size()});
	return 0;
}
