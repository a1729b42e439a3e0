/* SPDX-License-Identifier: GPL-2.0 */
/* Events as text, for tests. */
#ifndef _GRTRACE_EMIT_H_
#define _GRTRACE_EMIT_H_

int grtrace_emit(char *text);

#endif /* _GRTRACE_EMIT_H_ */
