// SPDX-License-Identifier: GPL-2.0
/*
 * grtrace_mock: a mock GPU, for testing and showing grtrace where
 * there is no GPU. Its scheduler is real, and so are a job's life and fences;
 * only the work is a timer. See mock.h for the files.
 *
 * Lifetimes: an open file keeps the DRM device, and so the rings' memory and
 * names; unbinding ends everything that runs. mock_remove() is the order in
 * which that is safe.
 */
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/rcupdate.h>
#include <linux/string.h>
#include <linux/workqueue.h>

#include <drm/drm_drv.h>
#include <drm/drm_file.h>
#include <drm/drm_ioctl.h>

#include "mock.h"

#define MOCK_MAX_DEVICES	8

static unsigned int mock_param_rings = 4;
module_param_named(rings, mock_param_rings, uint, 0444);
MODULE_PARM_DESC(rings, "rings of each device (1 to 16, default 4)");

static unsigned int mock_param_devices = 1;
module_param_named(devices, mock_param_devices, uint, 0444);
MODULE_PARM_DESC(devices, "number of devices (1 to 8, default 1)");

/* Longer than guests stand still, which is not a hang. */
static unsigned int mock_param_timeout_ms = 3000;
module_param_named(timeout_ms, mock_param_timeout_ms, uint, 0444);
MODULE_PARM_DESC(timeout_ms, "time a job may take before the ring is reset (default 3000)");

static unsigned int mock_param_credits = 4;
module_param_named(credits, mock_param_credits, uint, 0444);
MODULE_PARM_DESC(credits, "jobs a ring takes at a time; it works on one (default 4)");

/* Rings have these kinds in turn: render0, compute0, ..., render1, ... */
static const struct {
	const char *name;
	enum grtrace_engine_class engine_class;
} mock_kinds[] = {
	{ "render", GRTRACE_CLASS_RENDER },
	{ "compute", GRTRACE_CLASS_COMPUTE },
	{ "copy", GRTRACE_CLASS_COPY },
	{ "video", GRTRACE_CLASS_VIDEO_DECODE },
};

static struct grtrace_source mock_source = {
	.name = "mock",
};

static const struct file_operations mock_fops = {
	.owner = THIS_MODULE,
	.open = drm_open,
	.release = drm_release,
	.unlocked_ioctl = drm_ioctl,
	.compat_ioctl = drm_compat_ioctl,
	.poll = drm_poll,
	.read = drm_read,
	.llseek = noop_llseek,
	.show_fdinfo = drm_show_fdinfo,
	.fop_flags = FOP_UNSIGNED_OFFSET,
};

static struct drm_driver mock_drm_driver = {
	.driver_features = DRIVER_RENDER | DRIVER_SYNCOBJ | DRIVER_SYNCOBJ_TIMELINE,
	.open = mock_file_open,
	.postclose = mock_file_close,
	.ioctls = mock_ioctls,
	.fops = &mock_fops,
	.name = GRTRACE_MOCK_NAME,
	.desc = "mock GPU",
	.major = 1,
	.minor = 0,
};

static int mock_ring_create(struct mock_device *mdev, unsigned int index)
{
	const unsigned int kind = index % ARRAY_SIZE(mock_kinds);
	struct mock_ring *ring = &mdev->rings[index];
	int ret;

	ring->mdev = mdev;
	ring->engine_class = mock_kinds[kind].engine_class;
	snprintf(ring->name, sizeof(ring->name), "%s%zu", mock_kinds[kind].name,
		 index / ARRAY_SIZE(mock_kinds));
	mock_ring_init(ring);
	ret = mock_sched_init(ring, mdev->drm.dev, mock_param_credits, mock_param_timeout_ms);
	if (ret)
		return ret;
	mdev->nr_rings++;
	return 0;
}

/* In a running session, the ring ends when its scheduler does. */
static void mock_ring_forget(struct mock_ring *ring)
{
	guard(rcu)();
	if (grtrace_running())
		grtrace_ring_retire(&ring->sched);
}

static void mock_rings_destroy(struct mock_device *mdev)
{
	unsigned int i;

	for (i = 0; i < mdev->nr_rings; i++) {
		drm_sched_fini(&mdev->rings[i].sched);
		mock_ring_forget(&mdev->rings[i]);
	}
	destroy_workqueue(mdev->reset_wq);
}

static int mock_probe(struct platform_device *pdev)
{
	struct mock_device *mdev;
	unsigned int i;
	int ret;

	mdev = devm_drm_dev_alloc(&pdev->dev, &mock_drm_driver, struct mock_device, drm);
	if (IS_ERR(mdev))
		return PTR_ERR(mdev);
	platform_set_drvdata(pdev, mdev);
	refcount_set(&mdev->jobs, 1);
	init_completion(&mdev->jobs_freed);
	mutex_init(&mdev->files_lock);
	INIT_LIST_HEAD(&mdev->files);
	mdev->reset_wq = alloc_ordered_workqueue("%s-reset", 0, dev_name(&pdev->dev));
	if (!mdev->reset_wq)
		return -ENOMEM;

	for (i = 0; i < mock_param_rings; i++) {
		ret = mock_ring_create(mdev, i);
		if (ret)
			goto err_rings;
	}
	ret = drm_dev_register(&mdev->drm, 0);
	if (ret)
		goto err_rings;
	return 0;

err_rings:
	mock_rings_destroy(mdev);
	return ret;
}

/*
 * The order matters. Each step relies on those before it:
 * - no ioctl submits from here on, and none is at it;
 * - the hardware is dead: no interrupt comes, jobs it is given fail at once;
 * - the schedulers have no entity left that could give them jobs;
 * - all hardware fences are signalled, so all jobs get done and freed, some by
 *   workers of their own (killed ones);
 * - the last timeout handler and the last callback of a fence, which may look at
 *   any ring's scheduler, are through;
 * - the schedulers are no longer known to anything.
 */
static void mock_remove(struct platform_device *pdev)
{
	struct mock_device *mdev = platform_get_drvdata(pdev);
	unsigned int i;

	drm_dev_unplug(&mdev->drm);
	for (i = 0; i < mdev->nr_rings; i++)
		mock_ring_die(&mdev->rings[i]);
	mock_files_kill(mdev);
	for (i = 0; i < mdev->nr_rings; i++)
		mock_ring_drain(&mdev->rings[i]);
	if (!refcount_dec_and_test(&mdev->jobs))
		wait_for_completion(&mdev->jobs_freed);
	flush_workqueue(mdev->reset_wq);
	synchronize_rcu();
	mock_rings_destroy(mdev);
}

static struct platform_driver mock_platform_driver = {
	.probe = mock_probe,
	.remove = mock_remove,
	.driver = {
		.name = GRTRACE_MOCK_NAME,
	},
};

static struct platform_device *mock_devices[MOCK_MAX_DEVICES];

static void mock_devices_unregister(void)
{
	unsigned int i;

	for (i = 0; i < mock_param_devices; i++)
		platform_device_unregister(mock_devices[i]);
}

static int mock_devices_register(void)
{
	unsigned int i;

	for (i = 0; i < mock_param_devices; i++) {
		struct platform_device *pdev;

		pdev = platform_device_register_simple(GRTRACE_MOCK_NAME, i, NULL, 0);
		if (IS_ERR(pdev)) {
			if (!i)
				return PTR_ERR(pdev);
			/* or a program that has opened a node by now would lose it */
			pr_err("only %u of %u devices: %pe\n", i,
			       mock_param_devices, pdev);
			break;
		}
		mock_devices[i] = pdev;
	}
	return 0;
}

static int __init mock_init(void)
{
	int ret;

	if (!in_range(mock_param_rings, 1, GRTRACE_MOCK_MAX_RINGS) ||
	    !in_range(mock_param_devices, 1, MOCK_MAX_DEVICES) ||
	    !mock_param_timeout_ms || !mock_param_credits)
		return -EINVAL;
	mock_drm_driver.num_ioctls = mock_nr_ioctls;

	ret = grtrace_source_register(&mock_source);
	if (ret)
		return ret;
	ret = platform_driver_register(&mock_platform_driver);
	if (ret)
		goto err_source;
	ret = mock_devices_register();
	if (ret)
		goto err_driver;
	return 0;

err_driver:
	platform_driver_unregister(&mock_platform_driver);
err_source:
	grtrace_source_unregister(&mock_source);
	return ret;
}
module_init(mock_init);

static void __exit mock_exit(void)
{
	mock_devices_unregister();
	platform_driver_unregister(&mock_platform_driver);
	grtrace_source_unregister(&mock_source);
	/*
	 * The task that freed the last killed job did so on a shared workqueue,
	 * and may have been preempted on its way out of our code.
	 */
	synchronize_rcu_tasks();
}
module_exit(mock_exit);
