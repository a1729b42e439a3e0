// SPDX-License-Identifier: GPL-2.0
/*
 * Wakes a machine that is suspended to idle, where no device of it does: an
 * emulated PC's clock, for one, has an alarm that only ends deeper sleeps. Needs
 * timers that run in that sleep, as on a CPU without idle states of its own.
 *
 * Seconds written to the parameter "alarm" are the time until then. After it
 * comes each second again: the first may be too early to find the machine asleep.
 * 0 ends it.
 */
#include <linux/jiffies.h>
#include <linux/module.h>
#include <linux/suspend.h>
#include <linux/timer.h>

static void wake(struct timer_list *timer)
{
	pm_system_wakeup();
	mod_timer(timer, jiffies + HZ);
}

static DEFINE_TIMER(alarm, wake);

static int alarm_set(const char *text, const struct kernel_param *param)
{
	unsigned int seconds;
	int ret;

	ret = kstrtouint(text, 0, &seconds);
	if (ret)
		return ret;
	/* not "shutdown": it is set again */
	timer_delete_sync(&alarm);
	if (seconds)
		mod_timer(&alarm, jiffies + seconds * HZ);
	return 0;
}

static const struct kernel_param_ops alarm_ops = { .set = alarm_set };

module_param_cb(alarm, &alarm_ops, NULL, 0200);
MODULE_PARM_DESC(alarm, "seconds until it wakes the machine, 0: never");

static int __init wake_stub_init(void)
{
	return 0;
}
module_init(wake_stub_init);

static void __exit wake_stub_exit(void)
{
	timer_shutdown_sync(&alarm);
}
module_exit(wake_stub_exit);

MODULE_DESCRIPTION("Wakes a machine that is suspended to idle");
MODULE_LICENSE("GPL");
