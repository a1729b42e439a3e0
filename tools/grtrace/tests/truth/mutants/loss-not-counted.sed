# a lost record that is not counted
# src/losses.cpp
s/thousands(stats\.lost()),/thousands(stats.lost() - 1),/
