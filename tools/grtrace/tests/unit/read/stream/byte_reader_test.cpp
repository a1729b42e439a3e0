// SPDX-License-Identifier: GPL-2.0
#include "read/stream/byte_reader.h"

#include <cerrno>
#include <cstdlib>
#include <string>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

#include <gtest/gtest.h>

namespace grtrace {

using Fill = ByteReader::Fill;

// A file of this many bytes, each that of its place.
static int file_of(size_t size)
{
	char name[] = "/tmp/grtrace-XXXXXX";
	const int fd = mkstemp(name);
	std::vector<uint8_t> bytes(size);

	for (size_t i = 0; i < size; i++)
		bytes[i] = static_cast<uint8_t>(i * 7);
	EXPECT_EQ(write(fd, bytes.data(), size), static_cast<ssize_t>(size));
	lseek(fd, 0, SEEK_SET);
	unlink(name);
	return fd;
}

// Pieces that do not divide a block, so that each block ends inside one.
TEST(ByteReader, a_piece_may_stand_across_blocks)
{
	const size_t size = 3 * ByteReader::block + 5;

	for (const size_t block : {ByteReader::page, ByteReader::block}) {
		ByteReader in(file_of(size), block);
		size_t at = 0;

		for (; in.fill(40) == Fill::ok; at += 40, in.consume(40)) {
			ASSERT_EQ(in.offset(), at);
			ASSERT_EQ(in.data()[39], static_cast<uint8_t>((at + 39) * 7));
		}
		EXPECT_EQ(in.available(), size % 40);
		EXPECT_EQ(in.error(), 0);
	}
}

// A piece may stand across two parts, and a part may be empty.
TEST(ByteReader, only_its_parts_are_read)
{
	const std::vector<ByteReader::Part> parts = {
		{0, 10}, {100000, 100000}, {200000, 200030}, {50000, 50020}};
	std::vector<uint8_t> wanted;

	for (const ByteReader::Part &part : parts)
		for (uint64_t at = part.begin; at < part.end; at++)
			wanted.push_back(static_cast<uint8_t>(at * 7));
	for (const size_t piece : {1, 7, 10, 60}) {
		ByteReader in(file_of(4 * ByteReader::block));
		std::vector<uint8_t> got;

		in.read_only(parts);
		for (; in.fill(piece) == Fill::ok; in.consume(piece))
			got.insert(got.end(), in.data(), in.data() + piece);
		got.insert(got.end(), in.data(), in.data() + in.available());
		EXPECT_EQ(got, wanted) << piece;
		in.consume(in.available());
		EXPECT_EQ(in.offset(), 50020u);
	}
}

TEST(ByteReader, a_small_one_grows_with_a_large_piece)
{
	ByteReader in(file_of(2 * ByteReader::block), ByteReader::page);

	ASSERT_EQ(in.fill(8), Fill::ok);
	in.consume(8);
	ASSERT_EQ(in.fill(65528), Fill::ok);
	EXPECT_EQ(in.data()[65527], static_cast<uint8_t>((8 + 65527) * 7));
	EXPECT_EQ(in.offset_of(in.data() + 1), 9u);
	EXPECT_EQ(in.fill(2 * ByteReader::block), Fill::end);
}

TEST(ByteReader, memory_is_there_at_once)
{
	const uint8_t bytes[] = {1, 2, 3};
	ByteReader in(bytes, sizeof(bytes));

	EXPECT_FALSE(in.is_live());
	EXPECT_EQ(in.fill(3), Fill::ok);
	EXPECT_EQ(in.fill(4), Fill::end);
	EXPECT_EQ(in.data(), bytes);
}

TEST(ByteReader, a_silent_pipe_is_waited_for_the_second_time)
{
	int ends[2];

	ASSERT_EQ(pipe(ends), 0);
	ByteReader in(ends[0]);
	ASSERT_EQ(write(ends[1], "ab", 2), 2);
	EXPECT_TRUE(in.is_live());
	EXPECT_EQ(in.fill(2), Fill::ok);
	EXPECT_EQ(in.fill(3), Fill::again);
	EXPECT_FALSE(in.waited());
	EXPECT_EQ(in.fill(3), Fill::again);
	EXPECT_TRUE(in.waited());
	close(ends[1]);
	EXPECT_EQ(in.fill(3), Fill::end);
	EXPECT_EQ(in.available(), 2u);
}

TEST(ByteReader, a_read_that_fails_ends_the_stream)
{
	ByteReader in(open("/tmp", O_RDONLY | O_DIRECTORY));

	EXPECT_EQ(in.fill(1), Fill::end);
	EXPECT_EQ(in.error(), EISDIR);
}

} // namespace grtrace
