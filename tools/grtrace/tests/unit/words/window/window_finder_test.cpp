// SPDX-License-Identifier: GPL-2.0
#include "words/window/window_finder.h"

#include "unit/from_text.h"
#include "unit/words/window/file_of_bytes.h"

namespace grtrace {

constexpr uint64_t ms = 1000 * 1000;

// Two CPUs that write in turns, a packet each 10 ms; CPU 0 ends with tables.
static std::string text_of(const std::string &info = "info start=0", const std::string &last = "")
{
	std::string text = "cpu none\n" + info + "\n";

	for (unsigned int i = 1; i <= 100; i++)
		text += fmt::format("cpu {}\npacket base_ts={}\nsubmit ctx=1 seqno={} ts={}\n",
				    i % 2, i * 10 * ms, i, i * 10 * ms);
	return text + last;
}

struct Found {
	CaptureParts parts;
	StreamStats stats;
};

static Found find(const std::vector<Bytes> &streams, uint64_t from, uint64_t to,
		  bool needs_names = false)
{
	std::vector<InputFile> files;
	Found found;

	for (const Bytes &bytes : streams)
		files.push_back({"x", file_of_bytes(bytes)});
	found.parts = window_finder(from, to, needs_names)(files, found.stats);
	return found;
}

// The files of a text, each with the tables at its start, and the first with them at its end.
static std::vector<Bytes> recorded(const std::string &info = "info start=0",
				   const std::string &last = "")
{
	const Bytes tables = bytes_of("cpu none\n" + info + "\n", true)[0];
	std::vector<Bytes> files = bytes_of(text_of(info, last), false);

	files[0].insert(files[0].end(), tables.begin(), tables.end());
	for (size_t i = 1; i < files.size(); i++)
		files[i].insert(files[i].begin(), tables.begin(), tables.end());
	return files;
}

TEST(WindowFinder, finds_tables_and_packets_of_the_interval)
{
	const std::vector<Bytes> files = recorded();
	const Found found = find(files, 500 * ms, 600 * ms);

	ASSERT_EQ(found.parts.files.size(), 2u);
	for (size_t cpu = 0; cpu < 2; cpu++) {
		const std::vector<ByteReader::Part> &parts = found.parts.files[cpu];

		ASSERT_EQ(parts.size(), 3u);
		EXPECT_EQ(parts[0].begin, 0u);
		EXPECT_EQ(parts[1].end, files[cpu].size());
		// Each packet has a job.
		EXPECT_LE(parts[2].end - parts[2].begin,
			  7 * (sizeof(grtrace_rec_packet) + sizeof(grtrace_rec_submit)));
	}
	EXPECT_LT(found.parts.files[0][1].begin, found.parts.files[0][1].end);
	EXPECT_EQ(found.parts.files[1][1].begin, found.parts.files[1][1].end);
	EXPECT_EQ(found.parts.first_gseq, 48u);
	EXPECT_EQ(found.parts.end_gseq, 60u);
	EXPECT_EQ(found.parts.last_ts, 1000 * ms);
	EXPECT_EQ(found.stats.cpus[1].next_cseq, 24u);
}

TEST(WindowFinder, names_are_in_the_sub_buffer_before)
{
	constexpr uint64_t packet = sizeof(grtrace_rec_packet) + sizeof(grtrace_rec_submit);
	const auto begin_of = [](uint64_t from, bool names) {
		const Found found = find(recorded("info start=0 features=64 subbuf=1040"), from,
					 600 * ms, names);
		const auto &parts = found.parts.files.at(1);

		return parts[2].begin - parts[0].end;
	};

	// CPU 1 has a packet each 20 ms, and ten of them have the size of a sub-buffer.
	EXPECT_EQ(begin_of(500 * ms, false), 24 * packet);
	EXPECT_EQ(begin_of(500 * ms, true), 14 * packet);
	EXPECT_EQ(begin_of(100 * ms, true), 0u);
	// They may be anywhere where the kernel does not say that it repeats them.
	EXPECT_TRUE(find(recorded(), 500 * ms, 600 * ms, true).parts.files.empty());
	EXPECT_TRUE(find(recorded("info start=0 features=64"), 500 * ms, 600 * ms, true)
			    .parts.files.empty());
}

TEST(WindowFinder, all_is_read_where_a_part_could_mislead)
{
	const auto is_whole = [](std::vector<Bytes> files) {
		return find(files, 500 * ms, 600 * ms).parts.files.empty();
	};
	std::vector<Bytes> files = recorded();

	EXPECT_FALSE(is_whole(files));
	EXPECT_TRUE(is_whole(recorded("info start=0 clock=0")));
	EXPECT_TRUE(is_whole(recorded("info start=0 features=32")));
	EXPECT_TRUE(is_whole(recorded("info start=0\nmeta recorder tracefs")));
	EXPECT_TRUE(is_whole(recorded("info start=0",
				      "lost events=1 first=1000000001 last=1000000002\npacket\n"
				      "submit ctx=1 seqno=101\n")));
	// Without tables at the end, or at the start of a file.
	EXPECT_TRUE(is_whole(bytes_of(text_of(), false)));
	files[1].erase(files[1].begin(), files[1].begin() + 8);
	EXPECT_TRUE(is_whole(files));
}

} // namespace grtrace
