// SPDX-License-Identifier: GPL-2.0
#include "lib/run/run_user.h"

#include "lib/text/words_of.h"

#include <fmt/format.h>
#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <utility>

namespace grtrace {

namespace {

const struct passwd *find_entry(const std::string &name)
{
	uint64_t number = 0;
	const struct passwd *entry = getpwnam(name.c_str());

	return !entry && parse_id(name, UINT32_MAX - 1, number) ?
		       getpwuid(static_cast<uid_t>(number)) :
		       entry;
}

std::vector<gid_t> groups_of(const struct passwd &entry)
{
	int count = 64;
	std::vector<gid_t> groups(static_cast<size_t>(count));

	// With too little room it sets count to what it needs.
	while (getgrouplist(entry.pw_name, entry.pw_gid, groups.data(), &count) < 0)
		groups.resize(static_cast<size_t>(count));
	groups.resize(static_cast<size_t>(count));
	return groups;
}

// Where the user's session has its sockets: sudo removes the variable.
std::string runtime_directory(uid_t uid)
{
	std::string path = fmt::format("/run/user/{}", uid);
	struct stat info;

	return stat(path.c_str(), &info) || info.st_uid != uid ? "" : path;
}

// The caller's, with what names the user replaced.
std::vector<std::string> environment_of(const struct passwd &entry)
{
	const std::pair<std::string, std::string> own[] = {
		{"HOME", entry.pw_dir},
		{"USER", entry.pw_name},
		{"LOGNAME", entry.pw_name},
		{"SHELL", entry.pw_shell},
		{"XDG_RUNTIME_DIR", runtime_directory(entry.pw_uid)},
	};
	std::vector<std::string> environment;

	for (char **at = environ; *at; at++) {
		const std::string_view line = *at;
		const std::string_view name = line.substr(0, line.find('='));

		if (!name.starts_with("SUDO_") && name != "PKEXEC_UID" && name != "DOAS_USER" &&
		    std::ranges::none_of(own, [&](const auto &one) { return one.first == name; }))
			environment.emplace_back(line);
	}
	for (const auto &[name, value] : own)
		if (!value.empty())
			environment.push_back(name + "=" + value);
	return environment;
}

} // namespace

// Not by the library's functions: they would change all threads of the parent's memory.
int RunUser::become() const
{
	if (geteuid() != 0)
		return 0; // it is that user already
	if (syscall(SYS_setgroups, groups.size(), groups.data()) ||
	    syscall(SYS_setresgid, gid, gid, gid) || syscall(SYS_setresuid, uid, uid, uid))
		return errno;
	return 0;
}

Status find_run_user(const std::string &name, RunUser *user)
{
	const struct passwd *entry = find_entry(name);

	if (!entry)
		return Status::error("there is no user '{}' to run the command as; name one with "
				     "--user",
				     name);
	if (geteuid() != 0 && geteuid() != entry->pw_uid)
		return Status::error("only root may run the command as {}: try sudo", name);
	user->uid = entry->pw_uid;
	user->gid = entry->pw_gid;
	user->groups = groups_of(*entry);
	user->environment = environment_of(*entry);
	return Status();
}

std::string calling_user()
{
	if (geteuid() == 0)
		for (const char *name : {"SUDO_UID", "PKEXEC_UID", "DOAS_USER"})
			if (const char *user = getenv(name))
				return user;
	return "";
}

const RunUser *careful_user()
{
	static RunUser user;
	const std::string caller = calling_user();

	if (geteuid() != 0 || !find_run_user(caller.empty() ? "nobody" : caller, &user).ok())
		return nullptr;
	return &user;
}

void give_to_caller(int fd)
{
	const std::string user = calling_user();

	if (const struct passwd *entry = user.empty() ? nullptr : find_entry(user))
		(void)!fchown(fd, entry->pw_uid, entry->pw_gid);
}

} // namespace grtrace
