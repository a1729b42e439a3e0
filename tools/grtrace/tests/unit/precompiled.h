// SPDX-License-Identifier: GPL-2.0
//
// What costs most of a unit test's compilation, compiled once for all of them. Nothing of
// ours is here: a change of it would have each test made anew. A test includes what it
// uses all the same.
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
