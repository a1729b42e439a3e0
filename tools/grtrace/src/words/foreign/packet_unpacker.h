// SPDX-License-Identifier: GPL-2.0
//
// PacketUnpacker: unpacks the packets that Perfetto packed together into one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace grtrace {

// It needs memory for the largest packet.
class PacketUnpacker {
public:
	enum class Packer { zlib, zstd };

	// Perfetto packs up to 512 KiB into one, which become some MiB.
	static constexpr size_t packet_most = 64 << 20;

	// most: the number of bytes that all packets together may become
	explicit PacketUnpacker(uint64_t most) : rest_(most) {}

	// Unpacks one. Returns a reason if a part of it is missing.
	std::string unpack(Packer packer, std::string_view packed);
	// Returns the bytes that were unpacked from the last one.
	std::string_view bytes() const { return {room_.data(), size_}; }
	// Whether the limit is reached.
	bool is_full() const { return is_full_; }

private:
	std::string inflate(std::string_view packed);
	std::string unpack_zstd(std::string_view packed);
	bool make_room();
	std::string damaged(std::string why);
	static std::string too_large();

	uint64_t rest_; // that may still be unpacked
	bool is_full_ = false;
	std::vector<char> room_;
	size_t size_ = 0; // of it that is used
};

} // namespace grtrace
