# an error code that is cleared by a later one of 0
# src/words/tracker/early_errors.cpp
s/if (!job\.error)/if (true)/
