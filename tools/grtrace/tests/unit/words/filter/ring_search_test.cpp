// SPDX-License-Identifier: GPL-2.0
#include "words/filter/ring_search.h"

#include <cstdio>
#include <unistd.h>

#include "unit/from_text.h"

namespace grtrace {

// The message about these rings of a capture in a file, before it is read.
static std::string search(const char *rings, const char *text)
{
	const Bytes bytes = bytes_of(text, true)[0];
	char name[] = "/tmp/grtrace-XXXXXX";
	FILE *file = fdopen(mkstemp(name), "w");
	RingFilter filter;

	fwrite(bytes.data(), 1, bytes.size(), file);
	fclose(file);
	EXPECT_TRUE(filter.add_rings(rings).ok());
	const Status status = find_rings(filter, "", {name});
	unlink(name);
	return status.sentence();
}

static const char *const gfx = "cpu none\ninfo start=0\n"
			       "ring id=1 class=1 device=card0 driver=mock name=gfx\n"
			       "cpu 0\nsubmit ctx=1 ring=1 seqno=1\nsubmit ctx=1 ring=7 seqno=1\n";

TEST(RingSearch, finds_names_and_numbers)
{
	EXPECT_EQ(search("gfx", gfx), "");
	EXPECT_EQ(search("card0/gfx", gfx), "");
	// No record describes it; its number is enough.
	EXPECT_EQ(search("7", gfx), "");
}

TEST(RingSearch, names_those_that_there_are)
{
	EXPECT_NE(search("gfx9", gfx).find("card0/gfx (1, render)"), std::string::npos);
}

TEST(RingSearch, what_cannot_be_read_twice_is_left_to_the_end)
{
	RingFilter filter;

	ASSERT_TRUE(filter.add_rings("gfx9").ok());
	EXPECT_TRUE(find_rings(filter, "", {"-"}).ok());
	EXPECT_TRUE(find_rings(filter, "", {"/tmp/grtrace-none"}).ok());
	EXPECT_TRUE(find_rings(RingFilter(), "", {"/tmp/grtrace-none"}).ok());
}

} // namespace grtrace
