# a busy span that is counted twice
# src/words/activity/ring_activity.cpp
s/times\.add(RingState::busy, ns);/times.add(RingState::busy, ns * executing_);/
