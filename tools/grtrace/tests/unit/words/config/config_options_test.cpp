// SPDX-License-Identifier: GPL-2.0
#include "words/config/config_options.h"

#include "drive/control/config_keys.h"

#include <gtest/gtest.h>

namespace grtrace {

TEST(ConfigOptions, HelpHasEveryKey)
{
	const std::string help = ConfigOptions::help_text();

	EXPECT_NE(help.find("\nn_subbufs *             4         2 to 1024\n    sub-buffers"),
		  std::string::npos);
	for (const ConfigKey &key : config_keys())
		EXPECT_NE(help.find("\n" + std::string(key.name) + " "), std::string::npos)
			<< key.name;
}

} // namespace grtrace
