# a lost record that is not counted
# src/read/capture/losses.cpp
s/thousands(stats\.lost()),/thousands(stats.lost() - 1),/
