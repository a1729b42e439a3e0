// SPDX-License-Identifier: GPL-2.0

#include <linux/completion.h>
#include <linux/container_of.h>
#include <linux/delay.h>
#include <linux/dma-fence.h>
#include <linux/jiffies.h>
#include <linux/list.h>
#include <linux/rbtree.h>

#include "sched_tests.h"

/*
 * Entities that are killed while the scheduler is about to take a job of theirs.
 */

/**
 * struct kill_ops - the mock's callbacks, and one that holds a job up
 *
 * @ops: with prepare_job
 * @taken: the scheduler has chosen the entity and looks at its first job
 */
struct kill_ops {
	struct drm_sched_backend_ops ops;
	struct completion taken;
};

/* The scheduler goes on once somebody has killed the entity. */
static struct dma_fence *kill_prepare_job(struct drm_sched_job *job,
					  struct drm_sched_entity *entity)
{
	struct kill_ops *kill = container_of(job->sched->ops, struct kill_ops,
					     ops);
	unsigned long timeout = jiffies + HZ;

	complete(&kill->taken);
	while (!READ_ONCE(entity->stopped) && time_before(jiffies, timeout))
		usleep_range(100, 200);

	return NULL;
}

static int kill_init(struct kunit *test)
{
	test->priv = drm_mock_sched_new(test, MAX_SCHEDULE_TIMEOUT);

	return 0;
}

static void kill_exit(struct kunit *test)
{
	drm_mock_sched_fini(test->priv);
}

/*
 * The job that the scheduler has chosen runs, the one behind it does not, and
 * the entity, which may be freed at once, has left the run queue.
 */
static void kill_while_a_job_is_taken(struct kunit *test)
{
	struct drm_mock_scheduler *sched = test->priv;
	struct drm_mock_sched_entity *entity;
	struct drm_mock_sched_job *first, *second;
	struct dma_fence *killed;
	struct kill_ops *kill;

	kill = kunit_kzalloc(test, sizeof(*kill), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, kill);
	kill->ops = *sched->base.ops;
	kill->ops.prepare_job = kill_prepare_job;
	init_completion(&kill->taken);
	sched->base.ops = &kill->ops;

	entity = drm_mock_sched_entity_new(test, DRM_SCHED_PRIORITY_NORMAL,
					   sched);
	first = drm_mock_sched_job_new(test, entity);
	second = drm_mock_sched_job_new(test, entity);
	drm_mock_sched_job_submit(first);
	drm_mock_sched_job_submit(second);
	killed = dma_fence_get(&second->base.s_fence->finished);
	KUNIT_ASSERT_TRUE(test, wait_for_completion_timeout(&kill->taken, HZ));

	drm_sched_entity_kill(&entity->base);
	KUNIT_EXPECT_TRUE(test, RB_EMPTY_NODE(&entity->base.rb_tree_node));
	KUNIT_EXPECT_TRUE(test, list_empty(&entity->base.list));

	KUNIT_EXPECT_TRUE(test, drm_mock_sched_job_wait_scheduled(first, HZ));
	KUNIT_EXPECT_EQ(test, drm_mock_sched_advance(sched, 1), 1);
	KUNIT_EXPECT_TRUE(test, drm_mock_sched_job_wait_finished(first, HZ));

	KUNIT_EXPECT_GT(test, dma_fence_wait_timeout(killed, false, HZ), 0);
	KUNIT_EXPECT_EQ(test, dma_fence_get_status(killed), -ESRCH);
	dma_fence_put(killed);
	KUNIT_EXPECT_TRUE(test, wait_for_completion_timeout(&first->freed, HZ));
	KUNIT_EXPECT_TRUE(test, wait_for_completion_timeout(&second->freed, HZ));

	drm_mock_sched_entity_free(entity);
}

static struct kunit_case kill_tests[] = {
	KUNIT_CASE(kill_while_a_job_is_taken),
	{}
};

static struct kunit_suite kill_suite = {
	.name = "drm_sched_kill_tests",
	.init = kill_init,
	.exit = kill_exit,
	.test_cases = kill_tests,
};

kunit_test_suite(kill_suite);
