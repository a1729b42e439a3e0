// SPDX-License-Identifier: GPL-2.0
#include "words/reading/newest_capture.h"

#include <cctype>
#include <filesystem>
#include <string_view>

#include <sys/stat.h>
#include <unistd.h>

#include "lib/text/print_to.h"
#include "words/reading/running_session.h"

namespace grtrace {

// Returns NAME for a file NAME.grtrace.<cpu>, or nothing.
static std::string name_of(const std::string &file)
{
	static constexpr std::string_view infix = ".grtrace.";
	const size_t at = file.rfind(infix);

	if (at == file.npos || !at || at + infix.size() == file.size() ||
	    file.find_first_not_of("0123456789", at + infix.size()) != file.npos)
		return {};
	return file.substr(0, at);
}

// A user who pipes a capture into a word may expect that it is read. But in a loop of the
// shell, standard input belongs to the loop, so it is read only if it is named.
static const char *unread_stdin()
{
	struct stat input;
	const bool is_there =
		!fstat(STDIN_FILENO, &input) &&
		(S_ISFIFO(input.st_mode) || (S_ISREG(input.st_mode) && input.st_size));

	return is_there ? "; name - to read standard input" : "";
}

Status name_newest_capture(const char *word, const std::string &directory,
			   std::vector<std::string> &inputs)
{
	namespace fs = std::filesystem;
	const std::string folder = directory.empty() ? "." : directory;
	std::error_code error;
	std::string newest;
	fs::file_time_type newest_time;

	if (!inputs.empty())
		return {};
	for (fs::directory_iterator at(folder, error), end; !error && at != end;
	     at.increment(error)) {
		const std::string name = name_of(at->path().filename().string());
		std::error_code unknown;
		const fs::file_time_type time = at->last_write_time(unknown);

		if (name.empty() || unknown || (!newest.empty() && time < newest_time))
			continue;
		// All files of a capture were last written at about the same time.
		newest = name;
		newest_time = time;
	}
	std::string session, phrase;
	if (newest.empty() && directory.empty() && copy_session(session, phrase).ok()) {
		print_to(stderr, "{}: {}; there is no capture in this folder{}\n", word, phrase,
			 unread_stdin());
		inputs.push_back(session);
		return {};
	}
	if (newest.empty())
		return Status::error("name a capture; see --help: there is none in {}{}",
				     directory.empty() ? "this folder" : directory, unread_stdin());
	print_to(stderr, "{}: {} is the newest capture here{}\n", word, newest, unread_stdin());
	inputs.push_back(newest);
	return {};
}

} // namespace grtrace
