/* SPDX-License-Identifier: GPL-2.0 */
/* The files in debugfs whose content does not come from debugfs.c. */
#ifndef _GRTRACE_DEBUGFS_H_
#define _GRTRACE_DEBUGFS_H_

struct dentry;

int grtrace_emit(char *text);

void grtrace_views_create(struct dentry *dir);
void grtrace_views_remove(struct dentry *dir);

#endif /* _GRTRACE_DEBUGFS_H_ */
