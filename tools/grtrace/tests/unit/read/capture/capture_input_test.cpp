// SPDX-License-Identifier: GPL-2.0
#include "read/capture/capture_input.h"

#include <cstdlib>
#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

namespace grtrace {

TEST(CaptureInput, a_cpu_is_a_number_to_the_end_of_the_name)
{
	char directory[] = "/tmp/grtrace-XXXXXX";

	ASSERT_NE(mkdtemp(directory), nullptr);
	const std::string base = std::string(directory) + "/a.grtrace.";
	const std::string names[] = {base + "0", base + "1x", base + "x", base + "99999999999"};
	for (const std::string &name : names)
		std::ofstream(name).put('\n');

	EXPECT_EQ(CaptureInput::paths(directory, "a"), std::vector{names[0]});

	for (const std::string &name : names)
		unlink(name.c_str());
	rmdir(directory);
}

} // namespace grtrace
