// SPDX-License-Identifier: GPL-2.0
#include "words/tracedat/cut_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>

#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "format/byte_order.h"
#include "words/foreign/copied_input.h"

namespace grtrace {

using namespace std::literals;

// The beginning of the file: its version, then whether it is big-endian, the size of a long, and
// that of a page.
static constexpr std::string_view magic = "\x17\x08\x44tracing6\0\0"sv;
static constexpr size_t page_size_at = magic.size() + 1;
// The number of CPUs is before the options; an offset and a size of each are behind this word.
static constexpr std::string_view options = "options  \0"sv;
static constexpr std::string_view table = "flyrecord\0"sv;

static std::optional<CutFile> cut_of(std::string_view file)
{
	constexpr uint32_t cpus_most = 1 << 16;
	constexpr uint64_t end_most = uint64_t(1) << 50;
	CutFile cut;

	if (!file.starts_with(magic) || file.size() < page_size_at + 4)
		return {};
	cut.size = file.size();
	auto at = [&](size_t place) { return reinterpret_cast<const uint8_t *>(&file[place]); };
	const uint32_t page = load32(at(page_size_at));
	const size_t count = file.find(options);
	const size_t word = file.find(table, count);
	if (count == file.npos || count < 4 || word == file.npos || !page)
		return {};
	const uint32_t cpus = load32(at(count - 4));
	const size_t rows = word + table.size();
	if (cpus > cpus_most || file.size() < rows + cpus * size_t(16))
		return {};
	cut.whole = file.size() - file.size() % page;
	for (uint32_t cpu = 0; cpu < cpus; cpu++) {
		const uint64_t offset = load64(at(rows + cpu * size_t(16)));
		const uint64_t size = load64(at(rows + cpu * size_t(16) + 8));

		if (offset > end_most || size > end_most || offset % page)
			return {};
		if (size && offset + size > file.size())
			cut.cpus.push_back(cpu);
		cut.end = std::max(cut.end, offset + size);
	}
	return cut.cpus.empty() ? std::nullopt : std::optional(cut);
}

std::optional<CutFile> find_cut(const Fd &fd)
{
	struct stat st;

	if (!fd.is_open() || fstat(fd.get(), &st) < 0 || st.st_size <= 0)
		return {};
	const auto size = static_cast<size_t>(st.st_size);
	void *bytes = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd.get(), 0);
	if (bytes == MAP_FAILED)
		return {};
	std::optional<CutFile> cut = cut_of({static_cast<const char *>(bytes), size});
	munmap(bytes, size);
	return cut;
}

Status copy_whole(const Fd &from, const CutFile &cut, Fd *copy)
{
	Status status = make_copy(copy);
	off_t at = 0;

	while (status.ok() && static_cast<uint64_t>(at) < cut.whole) {
		const ssize_t put = sendfile(copy->get(), from.get(), &at,
					     cut.whole - static_cast<uint64_t>(at));

		if (!put)
			status = Status::error("was made shorter while it was copied");
		else if (put < 0 && errno != EINTR)
			status = Status::error("cannot make a copy of it: {}", strerror(errno));
	}
	if (status.ok() && ftruncate(copy->get(), static_cast<off_t>(cut.end)) < 0)
		status = Status::error("cannot make a copy of it: {}", strerror(errno));
	return status;
}

} // namespace grtrace
