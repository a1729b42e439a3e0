// SPDX-License-Identifier: GPL-2.0
//
// Format: a compiled format of blkparse's -f language.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lib/text/status.h"

namespace grtrace {

// A letter after '%' and its meaning; --help prints the same table.
struct FormatField {
	char letter;
	const char *help;
};

// Text such as "%5T.%9t %x:%S
// " becomes steps for a printer: literal text, or a field with a width. As in blkparse, a
// letter that is not a field is printed unchanged; an escape other than \b
//  \r \t \\ is an error.
class Format {
public:
	static constexpr unsigned int max_width = 255;

	struct Step {
		char field; // 0: literal
		bool left; // '-' was given
		uint8_t width;
		uint32_t from; // for literal text: its place in text()
		uint32_t length;
	};

	Status compile(std::string_view source);

	// A field without a width takes at most this many bytes, except for long names and
	// messages.
	static constexpr size_t usual_width = 64;
	// Returns how many bytes a line takes if no field is longer than usual.
	size_t usual_size() const { return usual_size_; }

	const std::vector<Step> &steps() const { return steps_; }
	std::string_view literal(const Step &step) const
	{
		return {text_.data() + step.from, step.length};
	}

	// Returns all fields as text for --help.
	static std::string describe_fields();

private:
	Status add_escape(std::string_view source, size_t &at);
	Status add_field(std::string_view source, size_t &at);
	void add_literal(char c);

	std::vector<Step> steps_;
	std::string text_;
	size_t usual_size_ = 0;
};

} // namespace grtrace
