// SPDX-License-Identifier: GPL-2.0
#include "session_plan.h"

#include "capture_options.h"
#include "control.h"
#include "device.h"
#include "fake_directory.h"

#include <gtest/gtest.h>

namespace grtrace {

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

	// What filter_device becomes, or the sentence of the error.
	std::string device(const std::vector<std::string> &typed)
	{
		CaptureOptions options;
		SessionPlan plan;

		options.devices = typed;
		Status status = plan_session(control_, options, &plan);
		name_ = plan.name;
		return status.ok() ? *find_named(plan.settings, "filter_device")
				   : status.sentence();
	}

	Control control_;
	std::string name_;
};

TEST_F(SessionPlanTest, EveryNameOfADevice)
{
	EXPECT_EQ(device({ "card0" }), "0000:00:02.0");
	EXPECT_EQ(name_, "card0");
	EXPECT_EQ(device({ "/dev/dri/renderD128" }), "0000:00:02.0");
	EXPECT_EQ(name_, "renderD128");
	EXPECT_EQ(device({ "0000:00:02.0" }), "0000:00:02.0");
	EXPECT_EQ(name_, "0000-00-02.0");
	EXPECT_EQ(device({ "00:02.0" }), "0000:00:02.0");
	EXPECT_EQ(device({}), "all");
	EXPECT_EQ(name_, "all");
	EXPECT_EQ(device({ "all" }), "all");
}

TEST_F(SessionPlanTest, VirtioIsFoundByItsPciAddress)
{
	EXPECT_EQ(device({ "card1" }), "virtio3");
	EXPECT_EQ(device({ "0000:00:05.0" }), "virtio3");
	EXPECT_EQ(device({ "virtio3" }), "virtio3");
	put("rings", "id,device,driver,name,class,in_flight\n"
		     "1,0000:00:05.0,virtio_gpu,controlq,other,0\n");
	EXPECT_EQ(device({ "card1" }), "0000:00:05.0");
}

TEST_F(SessionPlanTest, DeviceOnlyGrtraceKnows)
{
	put("rings", "id,device,driver,name,class,in_flight\n"
		     "1,mock0,grtrace_mock,ring-a,copy,0\n");
	EXPECT_EQ(device({ "mock0" }), "mock0");
}

TEST_F(SessionPlanTest, UnknownDeviceListsThoseThereAre)
{
	EXPECT_EQ(device({ "card7" }),
		  "there is no device 'card7'; there are: card0 "
		  "(0000:00:02.0), card1 (virtio3), renderD128 "
		  "(0000:00:02.0), 0000:00:02.0");
}

TEST_F(SessionPlanTest, TwoNamesOfOneDeviceAreOne)
{
	EXPECT_EQ(device({ "card0", "renderD128" }), "0000:00:02.0");
	EXPECT_NE(device({ "card0", "card1" }).find("are two devices"),
		  std::string::npos);
}

TEST_F(SessionPlanTest, DevicesFromAFile)
{
	CaptureOptions options;
	SessionPlan plan;

	put("list", "# the fast one\n\n  card1 # virtio\n");
	options.device_files = { root_ + "/grtrace/list" };
	ASSERT_TRUE(plan_session(control_, options, &plan).ok());
	EXPECT_EQ(*find_named(plan.settings, "filter_device"), "virtio3");
}

TEST_F(SessionPlanTest, OnlyWhatWasAskedForIsSet)
{
	CaptureOptions options;
	SessionPlan plan;

	ASSERT_TRUE(plan_session(control_, options, &plan).ok());
	EXPECT_EQ(plan.settings,
		  (std::vector<NamedText>{ { "filter_device", "all" },
					   { "subbuf_size", "524288" },
					   { "n_subbufs", "4" } }));
}

TEST_F(SessionPlanTest, WhatAnEarlierSessionLeftIsTold)
{
	CaptureOptions options;
	SessionConfig config;

	ASSERT_TRUE(read_session_config(control_, options, &config).ok());
	EXPECT_EQ(config.narrowed, "");
	EXPECT_FALSE(config.overwrite);
	EXPECT_EQ(config.subbuf_bytes, 4096u);
	put("config", "mode=overwrite\nfilter_ring_id=3\n"
		      "filter_type_mask=0x2\nfilter_engine_mask=0x7f\n");
	ASSERT_TRUE(read_session_config(control_, options, &config).ok());
	EXPECT_TRUE(config.overwrite);
	EXPECT_EQ(config.narrowed,
		  " mode=overwrite filter_ring_id=3 filter_type_mask=0x2");
}

TEST_F(SessionPlanTest, WhatWasAskedForIsNotTold)
{
	CaptureOptions options;
	SessionConfig config;

	put("config", "mode=overwrite\nfilter_type_mask=0x2\n");
	options.mode = "overwrite";
	options.type_mask = 2;
	ASSERT_TRUE(read_session_config(control_, options, &config).ok());
	EXPECT_EQ(config.narrowed, "");
}

} // namespace grtrace
