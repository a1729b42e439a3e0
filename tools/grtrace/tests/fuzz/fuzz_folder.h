// SPDX-License-Identifier: GPL-2.0
//
// FuzzFolder: files for those that take names of files.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace grtrace {

// A folder of its own, in memory where there is /dev/shm, that goes at the end.
class FuzzFolder {
public:
	FuzzFolder()
	{
		std::string name = std::filesystem::exists("/dev/shm") ?
					   "/dev/shm/grtrace-fuzz-XXXXXX" :
					   "/tmp/grtrace-fuzz-XXXXXX";

		if (!mkdtemp(name.data()))
			abort();
		folder_ = name;
	}
	~FuzzFolder() { std::filesystem::remove_all(folder_); }

	std::string path(const char *name) const { return folder_ + "/" + name; }
	void write(const char *name, const uint8_t *data, size_t size) const
	{
		std::ofstream(path(name), std::ios::binary)
			.write(reinterpret_cast<const char *>(data),
			       static_cast<std::streamsize>(size));
	}
	std::vector<uint8_t> read(const char *name) const
	{
		std::ifstream file(path(name), std::ios::binary);

		return {std::istreambuf_iterator<char>(file), {}};
	}
	void remove(const char *name) const { std::filesystem::remove_all(path(name)); }

private:
	std::string folder_;
};

// main() of a word, with these words.
inline int run_main(int (*main)(int, char **), std::vector<std::string> words)
{
	std::vector<char *> argv;

	for (std::string &word : words)
		argv.push_back(word.data());
	argv.push_back(nullptr);
	return main(static_cast<int>(words.size()), argv.data());
}

} // namespace grtrace
