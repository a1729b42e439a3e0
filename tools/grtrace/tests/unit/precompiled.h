// SPDX-License-Identifier: GPL-2.0
//
// The headers that cost most of a unit test's compilation, compiled once for all of
// them. No header of ours is here: each test would be compiled again after its changes. A
// test still includes what it uses.
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
