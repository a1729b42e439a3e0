// SPDX-License-Identifier: GPL-2.0
#include "words/reading/next_command.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <filesystem>

#include <sys/stat.h>

#include "lib/text/utf8_text.h"
#include "read/capture/capture_input.h"

namespace grtrace {

std::string shell_word(const std::string &word)
{
	const bool plain = std::ranges::all_of(word, [](char c) {
		return isalnum(static_cast<unsigned char>(c)) || strchr("_./-+:@%,", c);
	});
	std::string text = "'";

	if (plain && !word.empty())
		return word;
	for (const char c : word)
		text += c == '\'' ? std::string("'\\''") : std::string(1, c);
	return text + "'";
}

// Pipes, terminals, and what /dev and /proc call the open files of a process, even if that is a
// file now: another process has others.
static bool is_read_once(const std::filesystem::path &path)
{
	std::error_code error;
	const std::filesystem::path folder = std::filesystem::canonical(
		std::filesystem::absolute(path, error).parent_path(), error);
	const std::string name = (folder / path.filename()).native();
	struct stat st;

	return name == "/dev/stdin" || name.starts_with("/proc/") ||
	       (stat(path.c_str(), &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode));
}

std::optional<std::string> input_words(const std::string &directory, const std::string &input,
				       bool is_session)
{
	if (is_session)
		return "";
	if (input == "-" || input.empty())
		return {};

	const bool joined = !directory.empty() && directory != "." && !input.starts_with('/');
	const std::string path = joined ? directory + "/" + input : input;

	// Control characters would do something to the terminal.
	if (printable(path) != path ||
	    std::ranges::any_of(CaptureInput::paths(directory, input), is_read_once))
		return {};
	// A name that begins with a dash would be an option.
	return " " + shell_word(path.starts_with('-') ? "./" + path : path);
}

} // namespace grtrace
