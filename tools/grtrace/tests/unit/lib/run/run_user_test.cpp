// SPDX-License-Identifier: GPL-2.0
//
// Whether a command really runs as the user is for tests/cli/record.t.
#include "lib/run/run_user.h"

#include <gtest/gtest.h>
#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace grtrace {

static bool has(const RunUser &user, const std::string &line)
{
	return std::ranges::find(user.environment, line) != user.environment.end();
}

TEST(RunUserTest, a_name_or_a_number_with_the_environment_of_the_user)
{
	const struct passwd *entry = getpwuid(geteuid());
	if (!entry)
		GTEST_SKIP() << "the user of this test has no name";
	const std::string name = entry->pw_name, home = entry->pw_dir;

	setenv("SUDO_COMMAND", "x", 1);
	setenv("HOME", "/elsewhere", 1);
	for (const std::string &given : {name, std::to_string(geteuid())}) {
		RunUser user;

		ASSERT_TRUE(find_run_user(given, &user).ok()) << given;
		EXPECT_EQ(user.uid, geteuid());
		EXPECT_TRUE(has(user, "USER=" + name));
		EXPECT_TRUE(has(user, "HOME=" + home));
		EXPECT_FALSE(has(user, "HOME=/elsewhere"));
		EXPECT_FALSE(has(user, "SUDO_COMMAND=x"));
		EXPECT_EQ(user.become(), 0);
	}
	unsetenv("SUDO_COMMAND");
	setenv("HOME", home.c_str(), 1);
}

TEST(RunUserTest, only_root_may_choose_another)
{
	const struct passwd *entry = getpwnam(geteuid() ? "root" : "nobody");
	ASSERT_NE(entry, nullptr);
	const uid_t uid = entry->pw_uid;
	const std::string name = entry->pw_name;
	RunUser user;
	Status status = find_run_user(name, &user);

	if (geteuid() == 0) {
		EXPECT_TRUE(status.ok()) << status.sentence();
		EXPECT_EQ(user.uid, uid);
	} else {
		EXPECT_EQ(status.sentence(), "only root may run the command as root: try sudo");
	}
}

TEST(RunUserTest, a_user_that_is_not_there)
{
	RunUser user;

	EXPECT_EQ(find_run_user("no one", &user).sentence(),
		  "there is no user 'no one' to run the command as; name one with --user");
}

TEST(RunUserTest, who_called_sudo)
{
	setenv("SUDO_UID", "1234", 1);
	EXPECT_EQ(calling_user(), geteuid() == 0 ? "1234" : "");
	unsetenv("SUDO_UID");
	EXPECT_EQ(calling_user(), "");
	for (const char *other : {"PKEXEC_UID", "DOAS_USER"}) {
		setenv(other, "1234", 1);
		EXPECT_EQ(calling_user(), geteuid() == 0 ? "1234" : "") << other;
		unsetenv(other);
	}
}

} // namespace grtrace
