// SPDX-License-Identifier: GPL-2.0
//
// ByteReader: the bytes of one file, pipe or piece of memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace grtrace {

class ReadProgress;

// A window that moves forward over a stream. fill() makes bytes visible at
// data(), consume() gives them back; pointers into the window die at the next
// fill(). Reads in blocks; memory is two of them whatever the input. A caller that has
// thousands of files open asks for small ones, which grow with the first record
// that is larger.
//
// A live input (pipe, FIFO, terminal) is never waited for without the caller
// knowing: the first fill() that finds nothing returns "again" at once, so
// that the caller can flush; each later one waits up to wait_ms.
class ByteReader {
public:
	enum class Fill { ok, again, end };

	// The largest block, and the greatest fill(). Has to hold the largest
	// record, which is 65528 bytes.
	static constexpr size_t block = 64 * 1024;
	static constexpr size_t page = 4096;
	static constexpr int wait_ms = 1000;

	// Takes the descriptor over. size: bytes that are read at once, whole
	// pages.
	explicit ByteReader(int fd, size_t size = block);
	// The memory must outlive the reader.
	ByteReader(const uint8_t *memory, size_t size);
	~ByteReader();
	ByteReader(const ByteReader &) = delete;
	ByteReader &operator=(const ByteReader &) = delete;

	const uint8_t *data() const { return begin_; }
	size_t available() const { return static_cast<size_t>(end_ - begin_); }

	// ok: at least `need` bytes are visible. end: they will never be.
	Fill fill(size_t need) { return available() >= need ? Fill::ok : read_more(need); }

	void consume(size_t bytes) { begin_ += bytes; }

	// Reports each block to it from now on; it must outlive the reader.
	void tell(ReadProgress &progress);

	// The offset of data() in the stream, or of another byte of the window, consumed
	// or not.
	uint64_t offset() const { return offset_of(begin_); }
	uint64_t offset_of(const uint8_t *byte) const
	{
		return window_offset_ + static_cast<uint64_t>(byte - window_);
	}
	// errno of a read that failed, or 0. A failed read ends the stream.
	int error() const { return error_; }
	// Is it a live input?
	bool is_live() const { return live_; }
	// Did the last "again" come after wait_ms of silence?
	bool waited() const { return waited_; }

private:
	Fill read_more(size_t need);
	bool ready();
	void make_buffer(size_t size);
	// The most that can be left of a block when the next one is read: a record begun,
	// of which small readers see small ones.
	static size_t rest_size(size_t size) { return size < block ? page : size; }

	// The rest of a block, and a block. Memory that was never written
	// is none yet, so nothing is set to zero.
	std::unique_ptr<uint8_t[]> buffer_;
	size_t block_size_ = 0;
	uint8_t *block_; // in the buffer
	const uint8_t *window_; // the first byte that is in memory
	const uint8_t *begin_;
	const uint8_t *end_;
	uint64_t window_offset_ = 0; // in the stream
	ReadProgress *progress_ = nullptr;
	uint64_t size_ = 0; // of the file; 0: not known
	int fd_;
	int error_ = 0;
	bool live_ = false;
	bool eof_ = false;
	bool silent_ = false; // the last look found nothing
	bool waited_ = false;
};

} // namespace grtrace
