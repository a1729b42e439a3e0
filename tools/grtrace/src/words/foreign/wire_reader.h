// SPDX-License-Identifier: GPL-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace grtrace {

// Reads the fields of a protobuf message from its bytes, without a description of it.
class WireReader {
public:
	struct Field {
		uint32_t number = 0;
		uint64_t value = 0; // of a number
		std::string_view bytes; // of a text or a message
		bool is_bytes = false;
	};

	explicit WireReader(std::string_view bytes) : rest_(bytes) {}

	// Returns false at the end, or where the bytes are no field.
	bool next(Field *field);
	// Whether it ended before the end of the bytes.
	bool is_damaged() const { return damaged_; }

private:
	bool number(uint64_t *value);
	bool take(uint64_t size, std::string_view *bytes);

	std::string_view rest_;
	bool damaged_ = false;
};

} // namespace grtrace
