// SPDX-License-Identifier: GPL-2.0
#include "grparse/event_output.h"

#include <cstdio>
#include <fstream>
#include <iterator>
#include <unistd.h>

#include "grparse/grparse_options.h"
#include "unit/from_text.h"

namespace grtrace {

// A capture in a file, and two files to write to.
class EventOutputTest : public testing::Test {
protected:
	void SetUp() override
	{
		const Bytes bytes = bytes_of("cpu 0\n"
					     "submit ctx=1 ring=1 seqno=1 ts=100\n"
					     "message hello\n"
					     "complete ctx=1 ring=1 seqno=1 ts=350\n",
					     true)[0];

		ASSERT_NE(mkdtemp(directory_), nullptr);
		std::ofstream(path("in"), std::ios::binary)
			.write(reinterpret_cast<const char *>(bytes.data()),
			       static_cast<std::streamsize>(bytes.size()));
		ASSERT_TRUE(captures_.open("", {path("in")}).ok());
		options_.output = path("text");
		ASSERT_TRUE(options_.printer.set_format("%a\n").ok());
	}
	void TearDown() override
	{
		for (const char *name : {"in", "text", "dump"})
			unlink(path(name).c_str());
		rmdir(directory_);
	}

	std::string path(const std::string &name) const
	{
		return std::string(directory_) + "/" + name;
	}
	// Events of these letters are left out.
	void run(const std::string &left_out = "")
	{
		EventOutput output(options_, captures_);
		const Event *event;

		ASSERT_TRUE(output.open().ok());
		while (captures_.next(event) != Next::end) {
			if (event->type == GRTRACE_SUBMIT && left_out == "Q")
				output.skip(*event);
			else
				output.print(*event, no_time);
		}
		fmt::format_to(std::back_inserter(output.tables()), "table\n");
		for (OutputFile *file : output.files())
			ASSERT_TRUE(file->close().ok());
		testing::internal::CaptureStderr();
		output.print_tables_aside();
		aside_ = testing::internal::GetCapturedStderr();
	}
	std::string text(const std::string &name) const
	{
		std::ifstream file(path(name), std::ios::binary);

		return {std::istreambuf_iterator<char>(file), {}};
	}

	char directory_[32] = "/tmp/grtrace-XXXXXX";
	GrparseOptions options_;
	Diagnostics diagnostics_{nullptr};
	CaptureSet captures_{diagnostics_};
	std::string aside_;
};

TEST_F(EventOutputTest, text_has_the_tables_behind_it)
{
	run();
	EXPECT_EQ(text("text"), "Q\nm\nC\ntable\n");
	EXPECT_EQ(aside_, "");
}

// Replaces grtrace-parse: it writes rows of types, and a stream of types.
class Suite : public Additions {
public:
	class Types : public EventWriter {
	public:
		void write(fmt::memory_buffer &out, const Event &event) override
		{
			fmt::format_to(std::back_inserter(out), "{} ", event.type);
		}
		void skip(const Event &event) override { left_out = event.type; }
		void finish(fmt::memory_buffer &) override {}

		uint16_t left_out = 0;
	};

	Status set(Option, const std::string &) override { return {}; }
	bool chooses() const override { return false; }
	Status find(const std::string &, const std::vector<std::string> &) const override
	{
		return {};
	}
	bool wants(const Event &, Session &) override { return true; }
	Status check(const CaptureSet &) const override { return {}; }
	std::vector<std::string> missing() const override { return {}; }
	bool tracks() const override { return false; }
	std::unique_ptr<Counting> counting(CaptureSet &) const override { return {}; }
	std::unique_ptr<EventWriter> writer(const Session &) const override
	{
		return std::make_unique<Types>();
	}
	bool has_rows() const override { return rows; }
	void print_names(fmt::memory_buffer &out) const override
	{
		fmt::format_to(std::back_inserter(out), "type\n");
	}
	void print_row(fmt::memory_buffer &out, const Event &event, Capture &,
		       uint64_t) const override
	{
		fmt::format_to(std::back_inserter(out), "{}\n", event.type);
	}

	bool rows = false;
};

// In place of text.
TEST_F(EventOutputTest, rows_and_tables_do_not_mix)
{
	Suite suite;

	suite.rows = true;
	options_.more = &suite;
	run();
	EXPECT_EQ(text("text"), fmt::format("type\n{}\n{}\n{}\n", int(GRTRACE_SUBMIT),
					    int(GRTRACE_MESSAGE), int(GRTRACE_COMPLETE)));
	EXPECT_EQ(aside_, "table\n");
}

TEST_F(EventOutputTest, dump_is_short_of_what_was_left_out)
{
	Suite suite;

	options_.more = &suite;
	options_.dump = path("dump");
	options_.no_messages = true;
	run("Q");
	EXPECT_EQ(text("dump"), fmt::format("{} ", int(GRTRACE_COMPLETE)));
}

} // namespace grtrace
