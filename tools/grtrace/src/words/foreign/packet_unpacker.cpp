// SPDX-License-Identifier: GPL-2.0
#include "words/foreign/packet_unpacker.h"

#include <algorithm>

#include <fmt/format.h>

#ifdef HAS_ZLIB
#include <zlib.h>
#endif
#ifdef HAS_ZSTD
#include <zstd.h>
#endif

namespace grtrace {

std::string PacketUnpacker::too_large()
{
	return fmt::format("it becomes more than {} MiB", packet_most >> 20);
}

// Bytes before the place where it was noticed may be wrong, and nothing would show it.
std::string PacketUnpacker::damaged(std::string why)
{
	size_ = 0;
	return why;
}

// Returns whether another byte may be unpacked.
bool PacketUnpacker::make_room()
{
	constexpr size_t first = 1 << 20;

	if (size_ < room_.size())
		return true;
	if (size_ >= packet_most)
		return false;
	room_.resize(std::clamp(2 * size_, first, packet_most));
	return true;
}

#ifdef HAS_ZLIB

std::string PacketUnpacker::inflate(std::string_view packed)
{
	z_stream stream = {};
	int state = inflateInit(&stream);
	std::string why;

	// The library does not write there.
	stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(packed.data()));
	stream.avail_in = static_cast<uInt>(packed.size());
	while (state == Z_OK && make_room()) {
		stream.next_out = reinterpret_cast<Bytef *>(room_.data() + size_);
		stream.avail_out = static_cast<uInt>(room_.size() - size_);
		state = ::inflate(&stream, Z_NO_FLUSH);
		size_ = room_.size() - stream.avail_out;
		// There was room, so that bytes are missing.
		if (state == Z_BUF_ERROR)
			why = "zlib: its end is missing";
	}
	if (state == Z_OK)
		why = too_large();
	else if (state == Z_STREAM_END && stream.avail_in)
		why = "zlib: there are bytes behind its end";
	else if (state != Z_STREAM_END && why.empty())
		why = damaged(fmt::format("zlib: {}", stream.msg ? stream.msg : "it is damaged"));
	inflateEnd(&stream);
	return why;
}

#else

std::string PacketUnpacker::inflate(std::string_view)
{
	return "grtrace was built without zlib";
}

#endif
#ifdef HAS_ZSTD

std::string PacketUnpacker::unpack_zstd(std::string_view packed)
{
	constexpr int window_log = 26; // 64 MiB, as a packet
	ZSTD_DCtx *const context = ZSTD_createDCtx();
	ZSTD_inBuffer in = {packed.data(), packed.size(), 0};
	size_t state = 1;
	std::string why;

	ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, window_log);
	while (state && !ZSTD_isError(state)) {
		if (!make_room()) {
			why = too_large();
			break;
		}
		ZSTD_outBuffer out = {room_.data(), room_.size(), size_};
		const size_t before = in.pos + out.pos;
		state = ZSTD_decompressStream(context, &out, &in);
		size_ = out.pos;
		if (state && !ZSTD_isError(state) && in.pos + out.pos == before) {
			why = "zstd: its end is missing";
			break;
		}
	}
	if (ZSTD_isError(state))
		why = damaged(fmt::format("zstd: {}", ZSTD_getErrorName(state)));
	else if (!state && in.pos < in.size)
		why = "zstd: there are bytes behind its end";
	ZSTD_freeDCtx(context);
	return why;
}

#else

std::string PacketUnpacker::unpack_zstd(std::string_view)
{
	return "grtrace was built without libzstd";
}

#endif

std::string PacketUnpacker::unpack(Packer packer, std::string_view packed)
{
	size_ = 0;
	if (packed.size() > packet_most)
		return too_large();
	std::string why = packer == Packer::zlib ? inflate(packed) : unpack_zstd(packed);
	is_full_ = size_ > rest_;
	size_ = std::min<uint64_t>(size_, rest_);
	rest_ -= size_;
	return why;
}

} // namespace grtrace
