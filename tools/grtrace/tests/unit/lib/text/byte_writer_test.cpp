// SPDX-License-Identifier: GPL-2.0
#include "lib/text/byte_writer.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <csignal>
#include <string>
#include <thread>

#include <gtest/gtest.h>

namespace grtrace {
namespace {

class ByteWriterTest : public testing::Test {
protected:
	ByteWriterTest()
	{
		int fds[2];

		signal(SIGPIPE, SIG_IGN);
		EXPECT_EQ(pipe2(fds, O_CLOEXEC), 0);
		reader_ = fds[0];
		writer_ = fds[1];
		EXPECT_GE(fcntl(writer_, F_SETPIPE_SZ, 4096), 0);
		EXPECT_EQ(fcntl(writer_, F_SETFL, O_NONBLOCK), 0);
	}
	~ByteWriterTest() override
	{
		close_reader();
		::close(writer_);
	}

	void close_reader()
	{
		if (reader_ >= 0)
			::close(reader_);
		reader_ = -1;
	}

	int reader_, writer_;
};

TEST_F(ByteWriterTest, WaitsForRoom)
{
	std::string sent, got;

	for (int i = 0; i < 50000; i++)
		sent += static_cast<char>('a' + i % 26);
	std::thread reading([&] {
		char bytes[1000];

		while (got.size() < sent.size()) {
			const ssize_t size = ::read(reader_, bytes, sizeof(bytes));
			if (size <= 0)
				break;
			got.append(bytes, static_cast<size_t>(size));
		}
	});
	ByteWriter out(writer_);
	EXPECT_TRUE(out.write(sent));
	reading.join();
	EXPECT_EQ(got, sent);
	EXPECT_EQ(out.written(), sent.size());
	EXPECT_EQ(out.error(), 0);
}

TEST_F(ByteWriterTest, IsNotLeftWaitingForAReaderWhoGoes)
{
	ByteWriter out(writer_);
	std::thread going([&] {
		int waiting = 0;

		// The pipe is full, and the writer at its second write.
		while (waiting < 4096 && ioctl(reader_, FIONREAD, &waiting) == 0)
			usleep(1000);
		close_reader();
	});

	EXPECT_FALSE(out.write(std::string(50000, 'x')));
	going.join();
	EXPECT_TRUE(out.reader_gone());
	EXPECT_EQ(out.written(), 4096u);
}

TEST(ByteWriter, KeepsTheFirstErrorAndWritesNothingAfterIt)
{
	const int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
	ByteWriter out(full);

	ASSERT_GE(full, 0);
	EXPECT_TRUE(out.write(""));
	EXPECT_FALSE(out.write("one"));
	EXPECT_EQ(out.error(), ENOSPC);
	EXPECT_EQ(dup2(STDOUT_FILENO, full), full);
	EXPECT_FALSE(out.write("two"));
	EXPECT_EQ(out.error(), ENOSPC);
	EXPECT_FALSE(out.reader_gone());
	EXPECT_EQ(out.written(), 0u);
	::close(full);
}

} // namespace
} // namespace grtrace
