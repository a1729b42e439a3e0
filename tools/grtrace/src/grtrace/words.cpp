// SPDX-License-Identifier: GPL-2.0
#include "grtrace/words.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "drive/options/capture_words.h"
#include "lib/text/nearest.h"
#include "lib/text/print_to.h"

namespace grtrace {

namespace {

constexpr int exit_error = 1;
constexpr int exit_usage = 2;

struct SuiteWord {
	std::string_view name;
	std::string_view what;
	std::string_view packages; // of Debian, which it is built with
};

constexpr SuiteWord suite[] = {
	{"annotate", "record DRM ioctls and waits by BPF", "libbpf-dev bpftool clang"},
	{"diff", "compare two captures", "libfmt-dev"},
	{"export", "write captures for Perfetto, SQLite, CTF and others",
	 "libsqlite3-dev libprotobuf-dev protobuf-compiler"},
	{"merge", "join what was recorded side by side", "libfmt-dev"},
	{"monitor", "watch GPU work as it happens",
	 "libtracefs-dev libtraceevent-dev libncurses-dev"},
	{"report", "say why GPU work was late", "libfmt-dev"},
	{"timeline", "draw jobs over time in a terminal", "libfmt-dev"},
	{"tracefs", "record without the module; record runs it by itself",
	 "libtracefs-dev libtraceevent-dev"},
	{"verify", "check whether a capture is whole and right", "libfmt-dev"},
};

// Where it is not beside this program, which is a build folder.
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

// Whoever sets it means it: what is not there is not looked for elsewhere.
const char *chosen_folder()
{
	const char *folder = getenv("GRTRACE_EXEC_PATH");

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
	if (const char *path = getenv("PATH")) {
		std::string_view rest(path);

		while (!rest.empty()) {
			const size_t end = rest.find(':');

			if (end)
				result.emplace_back(rest.substr(0, end));
			rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
		}
	}
	return result;
}

// Empty: there is none.
std::string program_of(std::string_view word)
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

const SuiteWord *find_suite_word(std::string_view name)
{
	for (const SuiteWord &word : suite)
		if (word.name == name)
			return &word;
	return nullptr;
}

int say_missing(const SuiteWord &word)
{
	const char *chosen = chosen_folder();

	if (chosen)
		print_to(stderr,
			 "grtrace: there is no program grtrace-{} in {}, which "
			 "GRTRACE_EXEC_PATH names, nor in PATH: unset it, or "
			 "name the folder that has it\n",
			 word.name, chosen);
	else
		print_to(stderr,
			 "grtrace: the word {0} is not installed: there is no "
			 "program grtrace-{0} beside grtrace, in {1}{2} or in "
			 "PATH; it is built with {3}\n",
			 word.name, own_folder(), from_bin_to_libexec, word.packages);
	return exit_error;
}

int say_unknown(const char *word)
{
	std::vector<std::string_view> names = capture_word_names();

	for (const SuiteWord &one : suite)
		names.push_back(one.name);
	print_to(stderr, "grtrace: '{}' is no word of grtrace{}; see grtrace --help\n", word,
		 did_you_mean(word, names));
	return exit_usage;
}

} // namespace

int run_program_of(int argc, char **argv)
{
	const std::string program = program_of(argv[0]);

	if (program.empty()) {
		const SuiteWord *word = find_suite_word(argv[0]);
		return word ? say_missing(*word) : say_unknown(argv[0]);
	}
	std::vector<char *> args(argv, argv + argc);
	args.push_back(nullptr);
	execv(program.c_str(), args.data());
	print_to(stderr, "grtrace: {}: cannot run: {}\n", program, strerror(errno));
	return exit_error;
}

std::string suite_overview()
{
	std::string text;

	for (const SuiteWord &word : suite)
		text += fmt::format("  {:<10}{}{}\n", word.name, word.what,
				    program_of(word.name).empty() ? " (not installed)" : "");
	return text;
}

} // namespace grtrace
