// SPDX-License-Identifier: GPL-2.0
#include "lib/text/byte_writer.h"

#include <poll.h>
#include <unistd.h>

namespace grtrace {

// The result of poll() does not matter: write() will report any error.
void ByteWriter::wait() const
{
	struct pollfd room = {fd_, POLLOUT, 0};

	poll(&room, 1, -1);
}

bool ByteWriter::write(std::string_view bytes)
{
	while (!bytes.empty() && !error_) {
		const ssize_t put = ::write(fd_, bytes.data(), bytes.size());

		if (put >= 0) {
			bytes.remove_prefix(static_cast<size_t>(put));
			written_ += static_cast<uint64_t>(put);
		} else if (errno == EAGAIN) {
			wait();
		} else if (errno != EINTR) {
			error_ = errno;
		}
	}
	return !error_;
}

} // namespace grtrace
