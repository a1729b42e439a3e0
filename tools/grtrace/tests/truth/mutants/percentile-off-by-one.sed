# an off-by-one in a percentile
# src/words/data/histogram.cpp
s/wanted = (sums\.count \* permille + 999) \/ 1000;/wanted = (sums.count * permille + 999) \/ 1000 + 1;/
