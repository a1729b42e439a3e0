// SPDX-License-Identifier: GPL-2.0
//
// Words are found as git finds its commands: the build folder and the installed tree need
// no configuration, and a path that is set has priority.
#include "lib/options/exec_word.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/text/print_to.h"
#include "lib/text/words_of.h"

namespace grtrace {

namespace {

constexpr int exit_error = 1;

// The path to use if the word is not beside this program, as in a build folder.
constexpr const char *from_bin_to_libexec = "/../libexec/grtrace";

bool is_program(const std::string &path)
{
	struct stat st;

	return !stat(path.c_str(), &st) && S_ISREG(st.st_mode) && !access(path.c_str(), X_OK);
}

std::string own_folder()
{
	char path[4096];
	const ssize_t size = readlink("/proc/self/exe", path, sizeof(path));

	if (size <= 0 || size == sizeof(path))
		return {};
	const std::string_view whole(path, static_cast<size_t>(size));
	return std::string(whole.substr(0, whole.rfind('/')));
}

// If it is set, only this folder and PATH are searched.
const char *chosen_folder()
{
	const char *folder = secure_getenv("GRTRACE_EXEC_PATH");

	return folder && *folder ? folder : nullptr;
}

std::vector<std::string> folders()
{
	std::vector<std::string> result;

	if (const char *chosen = chosen_folder()) {
		result.push_back(chosen);
	} else if (const std::string own = own_folder(); !own.empty()) {
		result.push_back(own);
		result.push_back(own + from_bin_to_libexec);
	}
	if (const char *path = getenv("PATH"))
		for (const std::string &folder : split(path, ':'))
			if (!folder.empty())
				result.push_back(folder);
	return result;
}

int say_missing(const char *program, std::string_view word, std::string_view packages)
{
	if (const char *chosen = chosen_folder())
		print_to(stderr,
			 "{}: there is no program grtrace-{} in {}, which GRTRACE_EXEC_PATH names, "
			 "nor in PATH: unset it, or name the folder that has it\n",
			 program, word, chosen);
	else
		print_to(stderr,
			 "{0}: the word {1} is not installed: there is no program grtrace-{1} "
			 "beside {0}, in {2}{3} or in PATH; it is built with {4}\n",
			 program, word, own_folder(), from_bin_to_libexec, packages);
	return exit_error;
}

} // namespace

std::string find_word_program(std::string_view word)
{
	if (word.empty() || word[0] == '-' || word.find('/') != word.npos)
		return {};
	for (const std::string &folder : folders()) {
		const std::string path = fmt::format("{}/grtrace-{}", folder, word);
		if (is_program(path))
			return path;
	}
	return {};
}

int exec_word(const char *program, std::vector<std::string> args, std::string_view packages)
{
	const std::string path = find_word_program(args[0]);
	std::vector<char *> argv;

	if (path.empty())
		return say_missing(program, args[0], packages);
	for (std::string &arg : args)
		argv.push_back(arg.data());
	argv.push_back(nullptr);
	execv(path.c_str(), argv.data());
	print_to(stderr, "{}: {}: cannot run: {}\n", program, path, strerror(errno));
	return exit_error;
}

} // namespace grtrace
