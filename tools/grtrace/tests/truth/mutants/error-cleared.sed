# an error code that is cleared by a later one of 0
# src/read/jobs/job_tracker.cpp
s/if (!slots_\[slot\]\.job\.error)/if (true)/
