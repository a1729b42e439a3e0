/* SPDX-License-Identifier: GPL-2.0 */
/* A job of a scheduler that runs nothing: it is not pushed, and it is the test's. */
#ifndef _GRTRACE_TESTS_SOURCE_SCHED_H_
#define _GRTRACE_TESTS_SOURCE_SCHED_H_

#include <drm/gpu_scheduler.h>

#include "source_case.h"

#define SCHED_CREDITS	3

/* The job, armed, with all that it needs. */
struct sched_made {
	struct drm_gpu_scheduler sched;
	struct drm_sched_entity entity;
	struct drm_sched_job job;
};

static void sched_unmake(void *data)
{
	struct sched_made *made = data;

	drm_sched_job_cleanup(&made->job);
	drm_sched_entity_fini(&made->entity);
	drm_sched_fini(&made->sched);
}

static struct sched_made *sched_make(struct kunit *test, struct device *dev, const char *name)
{
	static const struct drm_sched_backend_ops ops;
	struct sched_made *made = test_zalloc(test, sizeof(*made));
	const struct drm_sched_init_args args = {
		.ops = &ops,
		.num_rqs = DRM_SCHED_PRIORITY_COUNT,
		.credit_limit = SCHED_CREDITS,
		.timeout = MAX_SCHEDULE_TIMEOUT,
		.name = name,
		.dev = dev,
	};
	struct drm_gpu_scheduler *sched = &made->sched;

	KUNIT_ASSERT_EQ(test, drm_sched_init(sched, &args), 0);
	KUNIT_ASSERT_EQ(test, drm_sched_entity_init(&made->entity,
						    DRM_SCHED_PRIORITY_NORMAL,
						    &sched, 1, NULL), 0);
	KUNIT_ASSERT_EQ(test, drm_sched_job_init(&made->job, &made->entity,
						 SCHED_CREDITS, NULL, 0), 0);
	drm_sched_job_arm(&made->job);
	KUNIT_ASSERT_EQ(test, kunit_add_action_or_reset(test, sched_unmake, made), 0);
	return made;
}

#endif /* _GRTRACE_TESTS_SOURCE_SCHED_H_ */
