// SPDX-License-Identifier: GPL-2.0
#include "words/export/sqlite_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/files/create_file.h"
#include "lib/files/fd.h"
#include "lib/text/utf8_text.h"
#include "words/export/interruption.h"

namespace grtrace {

SqliteFile::~SqliteFile()
{
	discard();
}

void SqliteFile::discard()
{
	if (!db_)
		return;
	sqlite3_close_v2(db_);
	db_ = nullptr;
	unlink(part_.c_str());
}

void SqliteFile::note_error()
{
	const int code = sqlite3_system_errno(db_);

	if (!error_.empty())
		return;
	error_ = sqlite3_errmsg(db_);
	if (code)
		error_ += fmt::format(" ({})", strerror(code));
}

Status SqliteFile::create(const std::string &path)
{
	struct stat there;
	const bool is_there = !::stat(path.c_str(), &there);

	if (is_there && !S_ISREG(there.st_mode))
		return Status::error(
			"{}: is not a regular file: a database can only be written to one", path);
	target_ = path;
	part_ = fmt::format("{}.{}.part", path, ::getpid());
	// A process of this number may have left one behind.
	unlink(part_.c_str());
	// The library would follow a link that another program puts there meanwhile.
	const Fd part(::open(part_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
			     usual_mode));
	if (!part.is_open())
		return Status::error("{}: cannot create: {}", path, strerror(errno));
	if (is_there)
		keep_mode(part.get(), there);

	const int got = sqlite3_open_v2(part_.c_str(), &db_, SQLITE_OPEN_READWRITE, nullptr);
	// An index of a long capture takes longer than one likes to wait.
	sqlite3_progress_handler(
		db_, 100000, [](void *) { return int(interruption() != 0); }, nullptr);
	if (got == SQLITE_OK)
		run("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;PRAGMA locking_mode = "
		    "EXCLUSIVE; PRAGMA temp_store = FILE;PRAGMA cache_size = -16384; BEGIN");
	else
		note_error();
	if (!failed())
		return {};

	Status status = Status::error("{}: cannot create: {}", path, error_);
	discard();
	return status;
}

void SqliteFile::run(const std::string &sql)
{
	if (!failed() && sqlite3_exec(db_, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
		note_error();
}

Status SqliteFile::close()
{
	if (!db_)
		return {};
	run("COMMIT");
	// Statements still hold it, but it is written.
	if (sqlite3_close_v2(db_) != SQLITE_OK)
		note_error();
	db_ = nullptr;
	if (!failed() && rename(part_.c_str(), target_.c_str()))
		error_ = strerror(errno);
	if (!failed())
		return {};
	unlink(part_.c_str());
	return Status::error("{}: cannot write: {}: make room, or write elsewhere with -o", target_,
			     error_);
}

static std::string insert_text(const char *table, int columns)
{
	std::string text = fmt::format("INSERT INTO {} VALUES (?", table);

	for (int i = 1; i < columns; i++)
		text += ",?";
	return text + ")";
}

SqliteInsert::SqliteInsert(SqliteFile &file, const char *table, int columns) : file_(file)
{
	if (!file.failed() && sqlite3_prepare_v2(file.db_, insert_text(table, columns).c_str(), -1,
						 &statement_, nullptr) != SQLITE_OK)
		file.note_error();
}

SqliteInsert::~SqliteInsert()
{
	sqlite3_finalize(statement_);
}

void SqliteInsert::bind(std::nullptr_t)
{
	sqlite3_bind_null(statement_, next_++);
}

void SqliteInsert::bind_number(int64_t value)
{
	sqlite3_bind_int64(statement_, next_++, value);
}

void SqliteInsert::bind(std::string_view value)
{
	const std::string clean = utf8_text(value);

	sqlite3_bind_text(statement_, next_++, clean.data(), static_cast<int>(clean.size()),
			  SQLITE_TRANSIENT);
}

int64_t SqliteInsert::row()
{
	next_ = 1;
	if (file_.failed())
		return 0;
	if (sqlite3_step(statement_) != SQLITE_DONE)
		file_.note_error();
	sqlite3_reset(statement_);
	return sqlite3_last_insert_rowid(file_.db_);
}

} // namespace grtrace
