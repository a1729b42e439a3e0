// SPDX-License-Identifier: GPL-2.0
//
// synth: text fixture to capture, for tests at the command line.
//
//	synth FIXTURE NAME		writes NAME.grtrace.<cpu>
//	synth --stream FIXTURE FILE	writes one stream; "-" is stdout
//
// FIXTURE "-" is standard input.
#include <cstdio>
#include <cstring>

#include <fmt/format.h>

#include "synth.h"

using namespace grtrace;

static bool read_all(const char *path, std::string &text)
{
	FILE *file = strcmp(path, "-") ? fopen(path, "r") : stdin;
	char block[4096];

	if (!file)
		return false;
	for (size_t got; (got = fread(block, 1, sizeof(block), file));)
		text.append(block, got);
	if (file != stdin)
		fclose(file);
	return true;
}

static bool write_all(const std::string &path, const std::vector<uint8_t> &bytes)
{
	FILE *file = path == "-" ? stdout : fopen(path.c_str(), "w");

	if (!file)
		return false;
	bool ok = fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
	if (file == stdout)
		return fflush(file) == 0 && ok;
	return fclose(file) == 0 && ok;
}

int main(int argc, char **argv)
{
	bool stream = argc > 1 && !strcmp(argv[1], "--stream");
	Synth synth(stream);
	std::string text;

	if (argc != 3 + stream) {
		fmt::print(stderr, "usage: synth [--stream] FIXTURE NAME\n");
		return 2;
	}
	if (!read_all(argv[1 + stream], text) || !synth.parse(text)) {
		fmt::print(stderr, "synth: {}: {}\n", argv[1 + stream],
			   synth.error().empty() ? "cannot read" : synth.error());
		return 1;
	}
	for (const auto &[cpu, bytes] : synth.files()) {
		std::string name = argv[2 + stream];

		if (!stream)
			name += fmt::format(".grtrace.{}", cpu);
		if (!write_all(name, bytes)) {
			fmt::print(stderr, "synth: cannot write {}\n", name);
			return 1;
		}
	}
	return 0;
}
