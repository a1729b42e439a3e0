// SPDX-License-Identifier: GPL-2.0
#include "words/page/picture_bytes.h"

#include "lib/text/print_to.h"

namespace grtrace {

static void append_base64(fmt::memory_buffer &out, std::string_view bytes)
{
	static constexpr char letters[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

	for (size_t at = 0; at < bytes.size(); at += 3) {
		const std::string_view group = bytes.substr(at, 3);
		uint32_t bits = 0;

		for (size_t i = 0; i < 3; i++)
			bits = bits << 8 | (i < group.size() ? static_cast<uint8_t>(group[i]) : 0);
		for (size_t i = 0; i < 4; i++)
			out.push_back(i > group.size() ? '=' : letters[bits >> (18 - 6 * i) & 63]);
	}
}

void PictureBytes::number(uint64_t value)
{
	for (; value > 127; value >>= 7)
		bytes_.push_back(static_cast<char>(value | 128));
	bytes_.push_back(static_cast<char>(value));
	// A number of 64 bits may take 10 bytes, and must not be split.
	if (bytes_.size() + 10 > block)
		flush();
}

void PictureBytes::flush()
{
	print_to(file_.text(), "<script type=\"application/octet-stream\" data-part=\"{}\">",
		 name_);
	append_base64(file_.text(), {bytes_.data(), bytes_.size()});
	print_to(file_.text(), "</script>\n");
	file_.drain();
	bytes_.clear();
}

void PictureBytes::end()
{
	if (bytes_.size())
		flush();
}

} // namespace grtrace
