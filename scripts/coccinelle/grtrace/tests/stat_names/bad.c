// SPDX-License-Identifier: GPL-2.0
/* What stat_names.cocci must say something about. */
static void bad(unsigned int number)
{
	enum grtrace_stat reason = GRTRACE_STAT_NMI;

	grtrace_stat_inc(GRTRACE_STAT_OFFERED);
	grtrace_stat_inc(reason);
	grtrace_stat_add(GRTRACE_STAT_OFFERED, number);

	grtrace_stat_inc(number); /* fires */
	grtrace_stat_add(GRTRACE_STAT_NMI + 1, 1); /* fires */
	grtrace_stat_inc(GRTRACE_STAT_WRITTEN); /* fires */
	grtrace_stat_add(GRTRACE_STAT_COUNT, 2); /* fires */
	grtrace_stat_inc(bad_number()); /* fires */
}

static u64 bad_sum(unsigned int number)
{
	u64 sum = grtrace_stat_sum(GRTRACE_STAT_WRITTEN);
	unsigned int i;

	for (i = 0; i < GRTRACE_STAT_COUNT; i++) {
		if (number)
			sum += grtrace_stat_cpu(i, number);
	}
	if (grtrace_stat_name(grtrace_filter(number)))
		sum++;
	return sum + grtrace_stat_sum(number); /* fires */
}
