// SPDX-License-Identifier: GPL-2.0
//
// FuzzBytes: a fuzzer's input as a sequence of values.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace grtrace {

// Takes values from the front; behind the end all are 0.
class FuzzBytes {
public:
	FuzzBytes(const uint8_t *data, size_t size) : data_(data), left_(size) {}

	bool empty() const { return !left_; }

	template <typename Value> Value take()
	{
		Value value = {};
		const size_t size = std::min(sizeof(value), left_);

		if (size)
			memcpy(static_cast<void *>(&value), data_, size);
		skip(size);
		return value;
	}
	uint8_t byte() { return take<uint8_t>(); }
	// As many bytes as the first one says.
	std::vector<uint8_t> bytes()
	{
		const size_t size = std::min<size_t>(byte(), left_);
		const std::vector<uint8_t> taken(data_, data_ + size);

		skip(size);
		return taken;
	}
	std::string text()
	{
		const std::vector<uint8_t> taken = bytes();

		return std::string(taken.begin(), taken.end());
	}

private:
	void skip(size_t size)
	{
		data_ += size;
		left_ -= size;
	}

	const uint8_t *data_;
	size_t left_;
};

} // namespace grtrace
