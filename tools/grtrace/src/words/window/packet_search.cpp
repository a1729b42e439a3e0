// SPDX-License-Identifier: GPL-2.0
//
// Each step of the bisection reads from the middle up to the next packet, which is at most a
// sub-buffer away.
#include "words/window/packet_search.h"

#include <algorithm>

#include <sys/stat.h>
#include <unistd.h>

#include <drm/grtrace_drm.h>

#include "format/byte_order.h"
#include "format/vocabulary.h"

namespace grtrace {

using Packet = grtrace_rec_packet;

PacketSearch::PacketSearch(int fd, uint64_t session) : fd_(fd), session_(session), buffer_(block)
{
	struct stat st;

	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		size_ = static_cast<uint64_t>(st.st_size);
}

std::optional<PacketAt> PacketSearch::packet(const uint8_t *record, uint64_t offset) const
{
	const uint16_t size = load16(record + 2);
	const uint64_t session = load64(record + offsetof(Packet, session));

	if (load32(record + offsetof(Packet, magic)) != GRTRACE_MAGIC ||
	    load16(record) != GRTRACE_PACKET || size < sizeof(Packet) || size % 8 || !session ||
	    (session_ && session != session_) || !is_our_version(record))
		return {};
	return PacketAt{.offset = offset,
			.end = offset + size,
			.session = session,
			.ts = load64(record + offsetof(Packet, ts)),
			.gseq = load64(record + offsetof(Packet, gseq)),
			.cseq = load64(record + offsetof(Packet, cseq)),
			.lost = load64(record + offsetof(Packet, lost)),
			.cpu = load32(record + offsetof(Packet, cpu))};
}

std::optional<PacketAt> PacketSearch::first_in(uint64_t begin, uint64_t end)
{
	uint64_t at = (begin + 7) / 8 * 8;

	while (at < end) {
		// A record that begins before the end may reach beyond it.
		const ssize_t got =
			pread(fd_, buffer_.data(), buffer_.size(), static_cast<off_t>(at));

		if (got < static_cast<ssize_t>(sizeof(Packet)))
			break;
		const uint64_t last = static_cast<uint64_t>(got) - sizeof(Packet);
		uint64_t step = 0;
		for (; step <= last && at + step < end; step += 8)
			if (const auto found = packet(buffer_.data() + step, at + step))
				return found;
		at += step;
	}
	return {};
}

PacketAt PacketSearch::last_until(uint64_t ts, PacketAt first, uint64_t end)
{
	// No packet after ts begins before first, and none that is not, at the end or beyond.
	while (end > first.end) {
		const uint64_t middle = first.end + (end - first.end) / 2 / 8 * 8;
		const auto found = first_in(middle, end);

		if (found && found->ts <= ts)
			first = *found;
		else
			end = middle;
	}
	return first;
}

PacketSearch::Tail PacketSearch::tail(const PacketAt &first)
{
	// There may be many rings, so the tables may be long.
	for (uint64_t back = block;; back *= 8) {
		const uint64_t all = size_ - first.offset;
		const uint64_t begin = all > back ? size_ - back : first.offset;
		Tail tail = {{}, size_};

		for (auto at = first_in(begin, size_); at; at = first_in(at->end, size_)) {
			const bool is_table = at->cpu == GRTRACE_CPU_NONE;

			if (!is_table)
				tail = {at, size_};
			else if (tail.last)
				tail.tables = std::min(tail.tables, at->offset);
		}
		if (tail.last || all <= back)
			return tail;
	}
}

} // namespace grtrace
