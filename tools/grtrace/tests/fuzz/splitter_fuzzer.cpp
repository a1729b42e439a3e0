// SPDX-License-Identifier: GPL-2.0
//
// Any bytes as the kernel's stream of all CPUs, in any pieces, into a file for
// each CPU. The first byte says how many sizes of pieces follow, which take
// turns. For all sizes each record before the first damage is in its CPU's
// file, and the damage is reported with its place. Each record of the files is read, or lost.
#include "format/byte_order.h"
#include "fuzz/fuzz_bytes.h"
#include "fuzz/fuzz_folder.h"
#include "fuzz/fuzz_stream.h"
#include "words/snapshot/packet_splitter.h"

#include <drm/grtrace_drm.h>

#include <cstddef>
#include <map>
#include <string_view>

using namespace grtrace;

namespace {

using Packet = grtrace_rec_packet;

constexpr uint32_t most_cpus = 64; // as many files are made

// The CPU of each byte of a stream that is complete.
struct Split {
	explicit Split(std::string_view stream);

	// Where its bytes go; nullptr: nowhere.
	std::string *find(const uint8_t *record, size_t size, std::string *last);
	// Those of CPUs without a packet.
	void fill();

	std::map<std::string, std::string> files; // by name
	std::string tables;
	size_t good = 0; // bytes before the damage
	uint32_t cpus = 0;
};

std::string name_of(uint32_t cpu)
{
	return fmt::format("x.grtrace.{}", cpu);
}

std::string *Split::find(const uint8_t *record, size_t size, std::string *last)
{
	if (load16(record) != GRTRACE_PACKET)
		return last;
	if (size < sizeof(Packet) || load32(record + offsetof(Packet, magic)) != GRTRACE_MAGIC)
		return nullptr;
	const uint32_t cpu = load32(record + offsetof(Packet, cpu));
	if (cpu == GRTRACE_CPU_NONE)
		return &tables;
	if (cpu >= 65536)
		return nullptr;
	cpus = std::max(cpus, cpu + 1);
	return &files.try_emplace(name_of(cpu), tables).first->second;
}

Split::Split(std::string_view stream)
{
	std::string *to = nullptr;

	while (stream.size() - good >= 8) {
		const std::string_view rest = stream.substr(good);
		const uint8_t *record = reinterpret_cast<const uint8_t *>(rest.data());
		const size_t size = load16(record + 2);

		if (size < 8 || size % 8 || size > rest.size())
			return;
		to = find(record, size, to);
		if (!to)
			return;
		to->append(rest.substr(0, size));
		good += size;
	}
}

void Split::fill()
{
	if (tables.empty())
		return;
	for (uint32_t cpu = 0; cpu < std::max(cpus, 1u); cpu++)
		files.try_emplace(name_of(cpu), tables);
}

Status feed(PacketSplitter &splitter, std::string_view stream, const std::vector<uint8_t> &sizes)
{
	Status status;
	size_t turn = 0, size;

	for (; status.ok() && !stream.empty(); stream.remove_prefix(size)) {
		size = stream.size();
		if (!sizes.empty())
			size = std::min<size_t>(size, sizes[turn++ % sizes.size()] + 1);
		status = splitter.feed(stream.data(), size);
	}
	return status;
}

void check(bool right)
{
	if (!right)
		abort();
}

void check_files(const FuzzFolder &folder, const Split &want)
{
	namespace fs = std::filesystem;

	size_t count = 0;

	for (const auto &file : fs::directory_iterator(folder.path("out"))) {
		const std::string name = file.path().filename();
		const std::vector<uint8_t> bytes = folder.read(("out/" + name).c_str());
		const auto found = want.files.find(name);

		check(found != want.files.end());
		check(std::ranges::equal(bytes, found->second, {}, {},
					 [](char c) { return static_cast<uint8_t>(c); }));
		count++;
	}
	check(count == want.files.size());

	// As they are read.
	std::vector<std::vector<uint8_t>> streams;
	for (const auto &[name, bytes] : want.files)
		streams.emplace_back(bytes.begin(), bytes.end());
	if (!streams.empty())
		check_sum(std::move(streams), true);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const FuzzFolder folder;
	const std::vector<uint8_t> sizes = FuzzBytes(data, size).bytes();
	std::string_view stream(reinterpret_cast<const char *>(data), size);

	stream.remove_prefix(std::min(size, sizes.size() + 1));
	Split want(stream);
	if (want.cpus > most_cpus)
		return 0;
	folder.remove("out");
	std::filesystem::create_directory(folder.path("out"));

	PacketSplitter splitter(folder.path("out/x"));
	Status status = feed(splitter, stream, sizes);
	const bool whole = want.good == stream.size();
	if (whole)
		want.fill();
	if (status.ok()) {
		check(splitter.bytes() == stream.size());
		status = splitter.finish();
	}
	check(status.ok() == whole);
	check(status.ok() ||
	      status.sentence().find(fmt::format("at byte {}:", want.good)) != std::string::npos);
	check(splitter.tables() == want.tables);
	check_files(folder, want);
	return 0;
}
