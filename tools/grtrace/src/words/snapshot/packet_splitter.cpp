// SPDX-License-Identifier: GPL-2.0
//
// A snapshot is one stream, but a reader needs a file for each CPU to merge CPUs of any size.
// A record that is cut by the end of a piece waits for the next piece.
#include "words/snapshot/packet_splitter.h"

#include "format/byte_order.h"
#include "lib/files/file_limit.h"

#include <drm/grtrace_drm.h>
#include <fmt/format.h>

#include <cstddef>

namespace grtrace {

namespace {

// No kernel has more CPUs; a greater number is damage, and would become a file name.
constexpr uint32_t max_cpus = 65536;

} // namespace

PacketSplitter::PacketSplitter(std::string base) : base_(std::move(base))
{
	if (base_ == "-") {
		output_ = &outputs_[0];
		output_->use_stdout();
	}
}

Status PacketSplitter::damaged(const char *what, size_t at) const
{
	return Status::error("the stream is damaged at byte {}: {}", walked_ + at, what);
}

Status PacketSplitter::feed(const char *data, size_t size)
{
	size_t done = 0;

	bytes_ += size;
	if (base_ == "-")
		return output_->write(data, size);
	pending_.append(data, size);
	run_ = 0;
	Status status = walk(&done);
	// Everything before the damage is good.
	const Status flushed = flush(done);
	if (status.ok())
		status = flushed;
	pending_.erase(0, done);
	walked_ += done;
	return status;
}

// Goes through complete records; @done: set to their size in bytes.
Status PacketSplitter::walk(size_t *done)
{
	while (pending_.size() - *done >= 8) {
		const uint8_t *record = reinterpret_cast<const uint8_t *>(pending_.data()) + *done;
		const uint16_t type = load16(record);
		const uint16_t size = load16(record + 2);

		if (size < 8 || size % 8)
			return damaged("a record of an impossible size", *done);
		if (pending_.size() - *done < size)
			break;
		if (type == GRTRACE_PACKET) {
			Status status = flush(*done);
			if (status.ok())
				status = enter_packet(record, size);
			if (!status.ok())
				return status;
		} else if (!in_packet_) {
			return damaged("no packet begins there", *done);
		}
		*done += size;
	}
	return Status();
}

Status PacketSplitter::enter_packet(const uint8_t *record, uint16_t size)
{
	using Packet = grtrace_rec_packet;

	if (size < sizeof(Packet) || load32(record + offsetof(Packet, magic)) != GRTRACE_MAGIC)
		return damaged("its type is PACKET, but it is not a valid one", run_);
	const uint32_t cpu = load32(record + offsetof(Packet, cpu));

	in_packet_ = true;
	output_ = nullptr;
	if (cpu == GRTRACE_CPU_NONE)
		return Status();
	if (cpu >= max_cpus)
		return damaged("a packet that names no valid CPU", run_);
	return switch_to(cpu);
}

Status PacketSplitter::switch_to(uint32_t cpu)
{
	const bool known = outputs_.contains(cpu);
	Status status = Status();

	output_ = &outputs_[cpu];
	if (known)
		return status;
	allow_files(outputs_.size());
	status = output_->create(fmt::format("{}.grtrace.{}", base_, cpu));
	if (status.ok())
		status = output_->write(tables_.data(), tables_.size());
	return status;
}

// Writes the records since the last packet.
Status PacketSplitter::flush(size_t end)
{
	const char *data = pending_.data() + run_;
	const size_t size = end - run_;

	run_ = end;
	if (output_)
		return output_->write(data, size);
	tables_.append(data, size);
	return Status();
}

Status PacketSplitter::finish()
{
	Status status = Status();

	if (!pending_.empty())
		status = damaged("it ends inside a record", 0);
	// A reader takes a missing file of a lower CPU for a loss. So a CPU without
	// events gets a file with only the tables.
	uint32_t cpus = outputs_.empty() ? 1 : outputs_.rbegin()->first + 1;
	for (uint32_t cpu = 0; cpu < cpus && !tables_.empty(); cpu++) {
		if (status.ok() && base_ != "-")
			status = switch_to(cpu);
	}
	for (auto &[cpu, output] : outputs_) {
		Status closed = output.close();

		if (status.ok())
			status = closed;
	}
	return status;
}

} // namespace grtrace
