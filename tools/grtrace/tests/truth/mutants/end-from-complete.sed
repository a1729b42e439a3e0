# an END taken from COMPLETE
# src/words/tracker/job_tracker.cpp
s/job\.complete_ts = ts;/&\n\t\tif (job.end_ts == Job::none)\n\t\t\tjob.end_ts = ts;/
