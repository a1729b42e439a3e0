/* SPDX-License-Identifier: GPL-2.0 */
/* The counters that "emit" moves, each known to the last unit. */
#ifndef GRTRACE_FATES_H
#define GRTRACE_FATES_H

#include "grtrace_session.h"

/* The possible fates of an event here. */
enum fate { WRITTEN, LEVEL, TYPE, ENGINE, RING, DEVICE, WATCH, FATES };

static const char * const fates[] = {
	"written", "filtered_level", "filtered_type", "filtered_engine",
	"filtered_ring", "filtered_device", "filtered_watch",
};

/* A fixture for that. */
#define FATES_FIXTURE(name)	GRTRACE_FIXTURE(name, "", uint64_t seen[FATES];)

/*
 * Emit @text and expect that since the last time @pass events were written and
 * @fail refused by what @fate says, and nothing else.
 */
static inline void expect_counts(struct __test_metadata *_metadata, uint64_t *seen,
				 const char *text, uint64_t pass, enum fate fate, uint64_t fail)
{
	unsigned int i;

	EXPECT_EQ(0, grtrace_write("emit", text)) TH_LOG("%s", text);
	for (i = 0; i < FATES; i++) {
		uint64_t now = grtrace_stat(fates[i]);
		uint64_t expected = i == WRITTEN ? pass : i == fate ? fail : 0;

		EXPECT_EQ(expected, now - seen[i]) TH_LOG("%s after\n%s", fates[i], text);
		seen[i] = now;
	}
	EXPECT_EQ(0, grtrace_unaccounted());
}

#define EXPECT_COUNTS(text, pass, fate, fail) \
	expect_counts(_metadata, self->seen, text, pass, fate, fail)

#endif /* GRTRACE_FATES_H */
