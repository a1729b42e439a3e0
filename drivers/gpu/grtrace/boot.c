// SPDX-License-Identifier: GPL-2.0
/*
 * A session that the kernel's command line or modprobe asks for, which begins
 * before any program could write to debugfs. Built in, it sees a driver's first
 * job.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/err.h>
#include <linux/moduleparam.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "boot.h"
#include "session.h"

static bool boot_start;
module_param_named(start, boot_start, bool, 0444);
MODULE_PARM_DESC(start, "Start a session at once (default: no)");

static char *boot_config;
module_param_named(config, boot_config, charp, 0444);
MODULE_PARM_DESC(config, "\"key=value ...\", as written to the file config in debugfs");

/**
 * grtrace_boot_configure - write the module's parameter config
 *
 * Return: 0, or -errno if it was refused; nothing of it is in effect then.
 */
int __init grtrace_boot_configure(void)
{
	char *text;
	int ret;

	if (!boot_config)
		return 0;
	/* the parameter is to stay as it was given */
	text = kstrdup(boot_config, GFP_KERNEL);
	if (!text)
		return -ENOMEM;
	ret = grtrace_session_config_write(text);
	kfree(text);
	if (ret)
		pr_err("the parameter config=\"%s\" was refused: %pe; nothing of it is in effect\n",
		       boot_config, ERR_PTR(ret));
	return ret;
}

/**
 * grtrace_boot_start - start a session if the module's parameters ask for one
 *
 * If it cannot be started, the log says so, and the module stays, because a
 * program may have opened one of its files by now.
 */
void __init grtrace_boot_start(void)
{
	int ret;

	if (!boot_start)
		return;
	ret = grtrace_session_start();
	if (ret)
		pr_err("the session that the parameter start=1 asks for could not be started: %pe\n",
		       ERR_PTR(ret));
}
