/* SPDX-License-Identifier: GPL-2.0 */
/* The module's parameters. */
#ifndef _GRTRACE_BOOT_H_
#define _GRTRACE_BOOT_H_

int grtrace_boot_configure(void);
void grtrace_boot_start(void);

#endif /* _GRTRACE_BOOT_H_ */
