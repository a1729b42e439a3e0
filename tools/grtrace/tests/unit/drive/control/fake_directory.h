// SPDX-License-Identifier: GPL-2.0
#pragma once

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <string>

// A directory of plain files that passes for grtrace's in debugfs. No kernel is
// behind it: a file reads as what was written last.
class FakeDirectory : public testing::Test {
protected:
	void SetUp() override
	{
		char name[] = "/tmp/grtrace_test.XXXXXX";

		ASSERT_NE(mkdtemp(name), nullptr);
		root_ = name;
		setenv("GRTRACE_DEBUGFS_UNCHECKED", "1", 1);
		shell("mkdir grtrace out");
		put("control", "idle\n");
		put("config", "mode=stop\nsubbuf_size=4096\nn_subbufs=4\n"
			      "filter_type_mask=0xffffffffffffffff\n"
			      "filter_engine_mask=0xffffffffffffffff\n"
			      "filter_ring_id=0\nfilter_device=all\n");
		put("pc_stats", "cpu,offered,written,notes,lost,lost_notes,"
				"bytes\n0,9,8,1,1,0,64\n");
		put("rings", "id,device,driver,name,class,in_flight,flags,timeout_ms\n"
			     "1,0000:00:02.0,i915,rcs0,render,0,,0\n"
			     "2,0000:00:02.0,i915,bcs0,copy,0,,0\n");
		put("stats", "offered 9\nwritten 8\n");
		put("metadata", "meta");
		put("trace0", "zero");
		put("trace1", "one");
	}

	void TearDown() override { shell("rm -rf \"$PWD\""); }

	void shell(const std::string &command)
	{
		ASSERT_EQ(system(("cd " + root_ + " && " + command).c_str()), 0);
	}

	void put(const std::string &file, const std::string &text)
	{
		FILE *out = fopen((root_ + "/grtrace/" + file).c_str(), "w");

		ASSERT_NE(out, nullptr);
		fwrite(text.data(), 1, text.size(), out);
		fclose(out);
	}

	// A file below the root, or "(none)".
	std::string get(const std::string &path)
	{
		FILE *in = fopen((root_ + "/" + path).c_str(), "r");
		std::string text;

		if (!in)
			return "(none)";
		for (int c = getc(in); c != EOF; c = getc(in))
			text += static_cast<char>(c);
		fclose(in);
		return text;
	}

	std::string root_;
};
