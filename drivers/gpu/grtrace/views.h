/* SPDX-License-Identifier: GPL-2.0 */
/* The debugfs files that only show something. */
#ifndef _GRTRACE_VIEWS_H_
#define _GRTRACE_VIEWS_H_

struct dentry;

void grtrace_views_create(struct dentry *dir);
void grtrace_views_remove(struct dentry *dir);

#endif /* _GRTRACE_VIEWS_H_ */
