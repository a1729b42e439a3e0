// SPDX-License-Identifier: GPL-2.0
//
// PictureBytes: writes numbers as text that a page decodes quickly.
#pragma once

#include <cstdint>
#include <string_view>

#include <fmt/format.h>

#include "lib/files/output_file.h"

namespace grtrace {

// Numbers become LEB128, 7 bits to a byte, least first; the bytes become base64 in <script>
// elements of the given name that no browser executes. Each element has at most `block`
// bytes, so that a page can decode them one by one. Writes to the file immediately and
// keeps one block.
class PictureBytes {
public:
	static constexpr size_t block = 3 << 18; // this gives 1 MiB of base64

	// name: letters, digits and "-".
	PictureBytes(OutputFile &file, std::string_view name) : file_(file), name_(name) {}

	void number(uint64_t value);
	// Small numbers of either sign become short: 0, -1, 1, -2 ...
	void signed_number(int64_t value)
	{
		number(static_cast<uint64_t>(value) << 1 ^ static_cast<uint64_t>(value >> 63));
	}
	// Writes the difference b - a, which may need all 64 bits.
	void step(uint64_t a, uint64_t b) { signed_number(static_cast<int64_t>(b - a)); }
	void end();

private:
	void flush();

	OutputFile &file_;
	std::string_view name_;
	fmt::memory_buffer bytes_;
};

} // namespace grtrace
