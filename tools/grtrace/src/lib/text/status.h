// SPDX-License-Identifier: GPL-2.0
//
// Status: the result of a step that can fail.
//
// The callee writes the sentence (file, offset, reason, remedy), the caller decides what to
// do, and only a main prints it and chooses the exit code.
#pragma once

#include <cstring>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace grtrace {

// Ok, or a sentence for the user without "grtrace:" before it and newline after it. It has
// no error code to compare; a callee whose callers need one has a function of its own for
// it.
class [[nodiscard]] Status {
public:
	Status() = default;

	static Status error(std::string sentence)
	{
		Status status;
		status.failed_ = true;
		status.sentence_ = std::move(sentence);
		return status;
	}

	template <typename... Args>
	static Status error(fmt::format_string<Args...> format, Args &&...args)
	{
		return error(fmt::format(format, std::forward<Args>(args)...));
	}

	bool ok() const { return !failed_; }
	const std::string &sentence() const { return sentence_; }

private:
	bool failed_ = false;
	std::string sentence_;
};

// Combines the failures of several steps; each sentence is reported once.
inline Status join(const Status &first, const Status &second)
{
	const std::string told = fmt::format("\n{}\n", first.sentence());

	if (first.ok())
		return second;
	if (second.ok() || told.find(fmt::format("\n{}\n", second.sentence())) != told.npos)
		return first;
	return Status::error("{}\n{}", first.sentence(), second.sentence());
}

} // namespace grtrace
