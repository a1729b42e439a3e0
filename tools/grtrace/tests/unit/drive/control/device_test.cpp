// SPDX-License-Identifier: GPL-2.0
#include "drive/control/device.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

namespace grtrace {

// Missing devices, and lists of devices; how names are found in sysfs is
// session_plan_test's.
class DeviceTest : public testing::Test {
protected:
	void SetUp() override { ASSERT_NE(mkdtemp(folder_), nullptr); }
	void TearDown() override { std::filesystem::remove_all(folder_); }

	std::string path(const char *name) const { return std::string(folder_) + "/" + name; }

	char folder_[32] = "/tmp/grtrace-XXXXXX";
};

TEST_F(DeviceTest, a_machine_without_drm_has_those_that_grtrace_knows)
{
	DeviceTable table;
	std::string name;

	ASSERT_TRUE(table.load(path("none"), {"mock0"}).ok());
	ASSERT_TRUE(table.resolve("mock0", &name).ok());
	EXPECT_EQ(name, "mock0");
	EXPECT_EQ(table.resolve("card0", &name).sentence(),
		  "there is no device 'card0'; there are: mock0");
	ASSERT_TRUE(table.load(path("none"), {}).ok());
	EXPECT_EQ(table.resolve("card0", &name).sentence(),
		  "there is no device 'card0'; this machine has none");
}

TEST_F(DeviceTest, a_node_without_a_device_is_none)
{
	DeviceTable table;
	std::string name;

	std::filesystem::create_directories(path("drm/card0"));
	ASSERT_TRUE(table.load(path("drm"), {}).ok());
	EXPECT_FALSE(table.resolve("card0", &name).ok());
}

// The folder that has them all is none, nor are those above it.
TEST_F(DeviceTest, a_device_is_named_by_what_is_on_the_way_to_it)
{
	DeviceTable table;
	std::string name;

	std::filesystem::create_directories(path("devices/pci0/gpu0"));
	std::filesystem::create_directories(path("drm/card0"));
	std::filesystem::create_symlink("../../devices/pci0/gpu0", path("drm/card0/device"));
	ASSERT_TRUE(table.load(path("drm"), {}).ok());
	for (const char *typed : {"card0", "/dev/dri/card0", "gpu0", "pci0"}) {
		ASSERT_TRUE(table.resolve(typed, &name).ok()) << typed;
		EXPECT_EQ(name, "gpu0");
	}
	EXPECT_FALSE(table.resolve("devices", &name).ok());
	EXPECT_FALSE(table.resolve("tmp", &name).ok());
}

TEST_F(DeviceTest, a_file_lists_words_and_comments)
{
	std::vector<std::string> devices = {"first"};

	std::ofstream(path("list")) << "card0 card1 # two\n\n\t# none\nall";
	ASSERT_TRUE(read_device_file(path("list"), &devices).ok());
	EXPECT_EQ(devices, (std::vector<std::string>{"first", "card0", "card1", "all"}));
	EXPECT_EQ(read_device_file(path("none"), &devices).sentence(),
		  path("none") + ": No such file or directory");
}

TEST_F(DeviceTest, a_name_for_files_has_no_folder_and_no_colon)
{
	EXPECT_EQ(file_name_of("/dev/dri/card0"), "card0");
	EXPECT_EQ(file_name_of("0000:00:02.0"), "0000-00-02.0");
}

} // namespace grtrace
