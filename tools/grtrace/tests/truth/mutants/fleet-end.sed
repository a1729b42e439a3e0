# an end on the wall clock that is the COMPLETE's
# src/words/export/fleet_table.cpp
s/"end_ts, wall clock", wall_cell<&Job::end_ts>/"end_ts, wall clock", wall_cell<\&Job::complete_ts>/
