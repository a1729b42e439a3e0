// SPDX-License-Identifier: GPL-2.0
//
// ByteReader: the bytes of one file, pipe or piece of memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace grtrace {

// Learns from readers how far they are.
class ReadListener {
public:
	virtual ~ReadListener() = default;
	// Adds bytes that are still to be read.
	virtual void expect(uint64_t bytes) = 0;
	// Adds a pipe, whose length is unknown.
	virtual void expect_pipe() = 0;
	// A block was read.
	virtual void read(uint64_t bytes) = 0;
};

// A window that moves forward over a stream. fill() makes bytes visible at data(),
// consume() releases them; the next fill() invalidates pointers into the window. Reads in
// blocks, and needs memory for two of them, however long the input is. A caller that has thousands
// of files open asks for small blocks, which grow with the first record that is larger.
//
// The reader never waits for a live input (pipe, FIFO, terminal) without the caller's knowledge:
// the first fill() that finds nothing returns "again" at once, so that the caller can flush; each
// later one waits up to wait_ms.
class ByteReader {
public:
	enum class Fill { ok, again, end };

	// The largest block, which is also the most that fill() can make visible. It must be able
	// to hold the largest record, of 65528 bytes.
	static constexpr size_t block = 64 * 1024;
	static constexpr size_t page = 4096;
	static constexpr int wait_ms = 1000;

	// Bytes of a file, from one offset to another.
	struct Part {
		uint64_t begin;
		uint64_t end;
	};

	// Takes ownership of the descriptor. size: how many bytes are read at once, in
	// whole pages.
	explicit ByteReader(int fd, size_t size = block);
	// The memory must outlive the reader.
	ByteReader(const uint8_t *memory, size_t size);
	~ByteReader();
	ByteReader(const ByteReader &) = delete;
	ByteReader &operator=(const ByteReader &) = delete;

	const uint8_t *data() const { return begin_; }
	size_t available() const { return static_cast<size_t>(end_ - begin_); }

	// ok: at least `need` bytes are visible. end: the stream has fewer.
	Fill fill(size_t need) { return available() >= need ? Fill::ok : read_more(need); }

	void consume(size_t bytes) { begin_ += bytes; }

	// Reads only these parts of a file, one after the other; to be called first.
	void read_only(const std::vector<Part> &parts);

	// Reports each block to the listener from now on; it must outlive the reader.
	void tell(ReadListener &listener);

	// Returns the offset in the stream of data(), or of another byte of the window,
	// consumed or not.
	uint64_t offset() const { return offset_of(begin_); }
	uint64_t offset_of(const uint8_t *byte) const
	{
		return window_offset_ + static_cast<uint64_t>(byte - window_);
	}
	// Returns the errno of a read that failed, or 0. A failed read ends the stream.
	int error() const { return error_; }
	// Returns whether this is a live input.
	bool is_live() const { return live_; }
	// Returns whether the last "again" came after wait_ms of silence.
	bool waited() const { return waited_; }

private:
	Fill read_more(size_t need);
	bool ready();
	void next_part();
	void make_buffer(size_t size);
	// At most this much of a block is left when the next one is read: an incomplete
	// record. Small readers expect small records.
	static size_t rest_size(size_t size) { return size < block ? page : size; }

	// Room for the rest of a block, and a block. It is not set to zero, so the kernel
	// provides only the pages that are used.
	std::unique_ptr<uint8_t[]> buffer_;
	size_t block_size_ = 0;
	uint8_t *block_; // in the buffer
	const uint8_t *window_; // the first byte in memory
	const uint8_t *begin_;
	const uint8_t *end_;
	uint64_t window_offset_ = 0; // its offset in the stream
	std::vector<Part> parts_; // that are still to come, the next one last
	uint64_t part_end_ = UINT64_MAX; // of the part in progress
	ReadListener *listener_ = nullptr;
	uint64_t size_ = 0; // size of the file; 0: not known
	int fd_;
	int error_ = 0;
	bool live_ = false;
	bool eof_ = false;
	bool silent_ = false; // the last read found nothing
	bool waited_ = false;
};

} // namespace grtrace
