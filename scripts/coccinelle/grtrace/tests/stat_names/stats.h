/* SPDX-License-Identifier: GPL-2.0 */
enum grtrace_stat {
	GRTRACE_STAT_OFFERED,
	GRTRACE_STAT_NMI,
	GRTRACE_STAT_COUNTERS,

	GRTRACE_STAT_WRITTEN = GRTRACE_STAT_COUNTERS,
	GRTRACE_STAT_COUNT,
};

static inline void grtrace_stat_inc(enum grtrace_stat stat)
{
	grtrace_stat_add(stat, 1);
}
