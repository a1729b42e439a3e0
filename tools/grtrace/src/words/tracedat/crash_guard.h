// SPDX-License-Identifier: GPL-2.0
//
// CrashGuard: one sentence instead of a crash of libtracecmd, which its versions up to 1.3 at
// least have where a file is cut off or damaged.
#pragma once

#include <string>

namespace grtrace {

// While one exists, a crash prints its sentence and ends the program with exit code 1.
class CrashGuard {
public:
	explicit CrashGuard(const std::string &sentence);
	~CrashGuard();
	CrashGuard(const CrashGuard &) = delete;
	CrashGuard &operator=(const CrashGuard &) = delete;

	// The library called back: a crash is one of grtrace until that ends.
	class Pause {
	public:
		Pause();
		~Pause();
		Pause(const Pause &) = delete;
		Pause &operator=(const Pause &) = delete;
	};
};

} // namespace grtrace
