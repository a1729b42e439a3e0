# a weight that is ignored
# src/words/report/group_table.cpp
s/total += known ? duration \* weight : 0;/total += known ? duration : 0;/
