// SPDX-License-Identifier: GPL-2.0
#include "words/translate/device_names.h"
#include "words/translate/ring_names.h"
#include "words/translate/task_names.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace grtrace {

namespace fs = std::filesystem;

class Names : public testing::Test {
protected:
	void SetUp() override
	{
		char name[] = "/tmp/tracefs_names.XXXXXX";

		ASSERT_TRUE(mkdtemp(name));
		root = name;
	}
	void TearDown() override { fs::remove_all(root); }

	void directory(const std::string &path) { fs::create_directories(root + "/" + path); }
	void link(const std::string &from, const std::string &to)
	{
		directory(fs::path(from).parent_path());
		fs::create_symlink(root + "/" + to, root + "/" + from);
	}
	void file(const std::string &path, const std::string &text)
	{
		directory(fs::path(path).parent_path());
		std::ofstream(root + "/" + path) << text;
	}

	std::string root;
};

TEST_F(Names, OfDevicesAreThoseOfSysfs)
{
	const DeviceNames devices(root);

	directory("devices/pci0000:00/0000:00:04.0/virtio3");
	directory("devices/pci0000:00/0000:01:00.0");
	directory("bus/pci/drivers/amdgpu");
	link("bus/pci/devices/0000:01:00.0", "devices/pci0000:00/0000:01:00.0");
	link("devices/pci0000:00/0000:01:00.0/driver", "bus/pci/drivers/amdgpu");
	link("bus/virtio/devices/virtio3", "devices/pci0000:00/0000:00:04.0/virtio3");
	link("class/drm/card1/device", "devices/pci0000:00/0000:01:00.0");
	link("class/drm/card2/device", "devices/pci0000:00/0000:00:04.0/virtio3");
	link("class/drm/renderD128/device", "devices/pci0000:00/0000:01:00.0");
	EXPECT_EQ(devices.driver("0000:01:00.0"), "amdgpu");
	EXPECT_EQ(devices.driver("0000:09:00.0"), "?");
	EXPECT_EQ(devices.virtio_parent(3), "0000:00:04.0");
	EXPECT_EQ(devices.virtio_parent(4), "?");
	EXPECT_EQ(devices.card(1), "0000:01:00.0");
	EXPECT_EQ(devices.card(2), "0000:00:04.0");
	EXPECT_EQ(devices.all(), (std::vector<std::string>{"0000:01:00.0", "0000:00:04.0"}));
}

TEST_F(Names, OfTasksAreThoseOfProcOrWhatTracefsRemembers)
{
	TaskNames tasks(root + "/proc", root + "/tracing");

	file("proc/70/status", "Name:\ta task\nUmask:\t0022\nTgid:\t69\n");
	file("tracing/saved_cmdlines", "71 gone already\n");
	file("tracing/saved_tgids", "71 68\n");
	EXPECT_EQ(tasks.find(70).comm, "a task");
	EXPECT_EQ(tasks.find(70).tgid, 69u);
	EXPECT_EQ(tasks.find(71).comm, "gone already");
	EXPECT_EQ(tasks.find(71).tgid, 68u);
	EXPECT_EQ(tasks.find(72).comm, "?");
	file("tracing/saved_cmdlines", "73 later\n");
	EXPECT_EQ(tasks.find(74).comm, "?");
	tasks.refresh();
	EXPECT_EQ(tasks.find(73).comm, "later");
}

TEST_F(Names, OfRings)
{
	DeviceNames devices(root);
	RingNames rings(devices);

	EXPECT_EQ(rings.find("a", "gfx_0.0.0").id, 1u);
	EXPECT_EQ(rings.find("", "gfx_0.0.0").id, 2u);
	EXPECT_EQ(rings.find("a", "gfx_0.0.0").id, 1u);
	EXPECT_EQ(rings.find_i915(0, 4, 2).name, "ccs2");
	EXPECT_EQ(rings.find_i915(0, 0xffff, 0xfffe).name, "virtual");
	EXPECT_EQ(rings.at(0), nullptr);
	EXPECT_EQ(rings.at(5), nullptr);
	EXPECT_EQ(rings.at(2)->device, "?");
}

TEST_F(Names, OfRingsTellTheirFlags)
{
	static const struct {
		const char *driver, *name;
		uint32_t flags;
	} rows[] = {
		{"amdgpu", "gfx_0.0.0", 0},
		{"amdgpu", "userq_comp_42", GRTRACE_RING_USER | GRTRACE_RING_SHARED},
		{"panthor", "panthor-queue-3-1-0", GRTRACE_RING_SHARED},
		{"?", "panthor-vm-bind", GRTRACE_RING_CPU},
		{"msm", "msm-vm-bind", GRTRACE_RING_CPU},
		{"msm", "ring0", 0},
		{"v3d", "v3d_cpu", GRTRACE_RING_CPU},
		{"xe", "rcs11", GRTRACE_RING_SHARED},
		{"i915", "rcs0", 0},
		{"nouveau", "nouveau_sched", GRTRACE_RING_SHARED},
	};

	for (const auto &row : rows)
		EXPECT_EQ(ring_name_flags(row.driver, row.name), row.flags) << row.name;
}

} // namespace grtrace
