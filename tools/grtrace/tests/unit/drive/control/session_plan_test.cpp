// SPDX-License-Identifier: GPL-2.0
#include "drive/control/session_plan.h"

#include "drive/control/capture_options.h"
#include "drive/control/config_keys.h"
#include "drive/control/control.h"
#include "drive/control/device.h"
#include "unit/drive/control/fake_directory.h"

#include <gtest/gtest.h>

namespace grtrace {

using Settings = std::vector<NamedText>;

// A machine with an Intel GPU and a virtio GPU behind PCI.
class SessionPlanTest : public FakeDirectory {
protected:
	void SetUp() override
	{
		FakeDirectory::SetUp();
		shell("mkdir -p drm devices/pci0000:00/0000:00:02.0 "
		      "devices/pci0000:00/0000:00:05.0/virtio3 && cd drm && "
		      "mkdir card0 card1 renderD128 card0-HDMI-A-1 && "
		      "ln -s ../../devices/pci0000:00/0000:00:02.0 "
		      "card0/device && "
		      "ln -s ../../devices/pci0000:00/0000:00:02.0 "
		      "renderD128/device && "
		      "ln -s ../card0 card0-HDMI-A-1/device && "
		      "ln -s ../../devices/pci0000:00/0000:00:05.0/virtio3 "
		      "card1/device");
		setenv("GRTRACE_SYSFS_DRM", (root_ + "/drm").c_str(), 1);
		ASSERT_TRUE(control_.open(root_).ok());
	}

	void TearDown() override
	{
		unsetenv("GRTRACE_SYSFS_DRM");
		FakeDirectory::TearDown();
	}

	// The value of filter_device, or the sentence of the error.
	std::string device(const std::vector<std::string> &typed)
	{
		CaptureOptions options;
		SessionPlan plan;

		options.devices = typed;
		Status status = plan_session(control_, options, &plan);
		name_ = plan.name;
		const std::string *set = find_named(plan.settings, "filter_device");
		return status.ok() ? (set ? *set : "(as it is)") : status.sentence();
	}

	// The rings as settings, or the sentence of the error.
	std::string rings(const std::vector<std::string> &typed)
	{
		CaptureOptions options;
		SessionPlan plan;

		options.rings = typed;
		Status status = plan_session(control_, options, &plan);
		return status.ok() ? join_settings(plan.settings, ' ') : status.sentence();
	}

	Control control_;
	std::string name_;
};

TEST_F(SessionPlanTest, EveryNameOfADevice)
{
	EXPECT_EQ(device({"card0"}), "0000:00:02.0");
	EXPECT_EQ(name_, "card0");
	EXPECT_EQ(device({"/dev/dri/renderD128"}), "0000:00:02.0");
	EXPECT_EQ(name_, "renderD128");
	EXPECT_EQ(device({"0000:00:02.0"}), "0000:00:02.0");
	EXPECT_EQ(name_, "0000-00-02.0");
	EXPECT_EQ(device({"00:02.0"}), "0000:00:02.0");
	EXPECT_EQ(device({}), "(as it is)");
	EXPECT_EQ(device({"all"}), "all");
}

TEST_F(SessionPlanTest, VirtioIsFoundByItsPciAddress)
{
	EXPECT_EQ(device({"card1"}), "virtio3");
	EXPECT_EQ(device({"0000:00:05.0"}), "virtio3");
	EXPECT_EQ(device({"virtio3"}), "virtio3");
	put("rings", "id,device,driver,name,class,in_flight,flags,timeout_ms\n"
		     "1,0000:00:05.0,virtio_gpu,controlq,other,0,,0\n");
	EXPECT_EQ(device({"card1"}), "0000:00:05.0");
}

TEST_F(SessionPlanTest, DeviceOnlyGrtraceKnows)
{
	put("rings", "id,device,driver,name,class,in_flight,flags,timeout_ms\n"
		     "1,mock0,grtrace_mock,ring-a,copy,0,,0\n");
	EXPECT_EQ(device({"mock0"}), "mock0");
}

TEST_F(SessionPlanTest, UnknownDeviceListsThoseThereAre)
{
	EXPECT_EQ(device({"card7"}), "there is no device 'card7'; there are: card0 "
				     "(0000:00:02.0), card1 (virtio3), renderD128 "
				     "(0000:00:02.0), 0000:00:02.0");
}

TEST_F(SessionPlanTest, TwoNamesOfOneDeviceAreOne)
{
	EXPECT_EQ(device({"card0", "renderD128"}), "0000:00:02.0");
	EXPECT_EQ(name_, "card0+renderD128");
}

TEST_F(SessionPlanTest, SeveralDevicesAreAList)
{
	EXPECT_EQ(device({"card0", "card1", "card0"}), "0000:00:02.0,virtio3");
	EXPECT_EQ(name_, "card0+card1");
	EXPECT_EQ(device({"card0", "all"}), "all");
	EXPECT_EQ(name_, "all");
}

TEST_F(SessionPlanTest, DevicesFromAFile)
{
	CaptureOptions options;
	SessionPlan plan;

	put("list", "# the fast one\n\n  card1 # virtio\n");
	options.device_files = {root_ + "/grtrace/list"};
	ASSERT_TRUE(plan_session(control_, options, &plan).ok());
	EXPECT_EQ(*find_named(plan.settings, "filter_device"), "virtio3");
}

TEST_F(SessionPlanTest, OnlyWhatWasAskedForIsSet)
{
	CaptureOptions options;
	SessionPlan plan;

	ASSERT_TRUE(plan_session(control_, options, &plan).ok());
	EXPECT_EQ(plan.settings, Settings{});
	EXPECT_EQ(plan.name, "");
	options.settings = {{"sample", "4"}, {"mode", "overwrite"}};
	options.type_mask = 6;
	ASSERT_TRUE(plan_session(control_, options, &plan).ok());
	EXPECT_EQ(plan.settings,
		  (Settings{{"filter_type_mask", "0x6"}, {"sample", "4"}, {"mode", "overwrite"}}));
}

TEST_F(SessionPlanTest, OneRingIsAnIdAndSeveralAreAMask)
{
	EXPECT_EQ(rings({"7"}), "filter_ring_id=7");
	EXPECT_EQ(rings({"0"}), "filter_ring_id=0");
	EXPECT_EQ(rings({"bcs0"}), "filter_ring_id=2");
	EXPECT_EQ(rings({"bcs0", "5", "bcs0"}), "filter_ring_mask=0x24");
	EXPECT_EQ(rings({"rcs0", "63"}), "filter_ring_mask=0x8000000000000002");
	EXPECT_EQ(rings({"1", "64"}), "watch_ring_clear=1 watch_ring_add=1,64");
	EXPECT_EQ(rings({"0", "1"}), "ring 0 means all rings and cannot be combined with others");
	EXPECT_EQ(rings({"vcs9"}), "there is no ring 'vcs9'; there are: "
				   "rcs0 (1), bcs0 (2)");
}

TEST_F(SessionPlanTest, ANameMayMeanSeveralRings)
{
	put("rings", "id,device,driver,name,class,in_flight,flags,timeout_ms\n"
		     "1,card0,a,gfx,render,0,,0\n4,card1,a,gfx,render,0,,0\n");
	EXPECT_EQ(rings({"gfx"}), "filter_ring_mask=0x12");
	put("rings", "id,device,driver,name,class,in_flight,flags,timeout_ms\n");
	EXPECT_EQ(rings({"gfx"}), "there is no ring 'gfx': no ring is known yet; a driver's rings "
				  "appear with its first job");
}

TEST_F(SessionPlanTest, ListsAreEmptiedAndFilled)
{
	CaptureOptions options;
	SessionPlan plan;

	options.contexts = {"5", "6"};
	options.pids = {"70"};
	ASSERT_TRUE(plan_session(control_, options, &plan).ok());
	EXPECT_EQ(plan.settings, (Settings{{"watch_ctx_clear", "1"},
					   {"watch_ctx_add", "5,6"},
					   {"watch_pid_clear", "1"},
					   {"watch_pid_add", "70"}}));
}

TEST_F(SessionPlanTest, AListOfRingsMustNotWidenTheOthers)
{
	CaptureOptions options;
	SessionPlan plan;

	options.rings = {"1", "64"};
	options.pids = {"70"};
	EXPECT_NE(plan_session(control_, options, &plan)
			  .sentence()
			  .find("only if --combine=and is given"),
		  std::string::npos);
	options.settings = {{"watch_combine", "and"}};
	EXPECT_TRUE(plan_session(control_, options, &plan).ok());
}

TEST_F(SessionPlanTest, WhatAnEarlierSessionLeftIsTold)
{
	SessionConfig config;

	ASSERT_TRUE(read_session_config(control_, {}, &config).ok());
	EXPECT_EQ(config.narrowed, "");
	EXPECT_FALSE(config.overwrite);
	EXPECT_FALSE(config.has_triggers);
	EXPECT_EQ(config.subbuf_bytes, 4096u);
	put("config", "mode=overwrite\nlevel=normal\nfilter_type_mask=0x2\n"
		      "filter_engine_mask=0x7f\nfilter_ring_id=3\n"
		      "watch_pid_clear=0\nwatch_pid_add=7,8\nsample=4\n"
		      "burst=5\nsnapshot_on=error\n");
	ASSERT_TRUE(read_session_config(control_, {}, &config).ok());
	EXPECT_TRUE(config.overwrite);
	EXPECT_TRUE(config.has_triggers);
	EXPECT_EQ(config.narrowed, " mode=overwrite level=normal filter_type_mask=0x2 "
				   "filter_ring_id=3 watch_pid_add=7,8 sample=4");
}

TEST_F(SessionPlanTest, WhatWasAskedForIsNotTold)
{
	SessionConfig config;

	put("config", "mode=overwrite\nfilter_type_mask=0x2\n");
	ASSERT_TRUE(read_session_config(
			    control_, {{"mode", "overwrite"}, {"filter_type_mask", "0x2"}}, &config)
			    .ok());
	EXPECT_EQ(config.narrowed, "");
}

TEST(CaptureName, IsOfTheDevices)
{
	EXPECT_EQ(capture_name("all"), "all");
	EXPECT_EQ(capture_name("0000:00:02.0,mock0"), "0000-00-02.0+mock0");
}

} // namespace grtrace
