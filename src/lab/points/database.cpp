// SPDX-License-Identifier: Apache-2.0
#include "lab/points/database.h"

#include <sqlite3.h>

#include "base/number_text.h"

namespace tilestep::lab {
namespace {

constexpr int kPatienceMs = 10'000;

struct Finalize {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};

int bind(sqlite3_stmt* statement, int at, const SqlValue& value) {
  if (const auto* number = std::get_if<int64_t>(&value))
    return sqlite3_bind_int64(statement, at, *number);
  if (const auto* real = std::get_if<double>(&value))
    return sqlite3_bind_double(statement, at, *real);
  if (const auto* text = std::get_if<std::string>(&value))
    return sqlite3_bind_text64(statement, at, text->data(), text->size(), SQLITE_TRANSIENT,
                               SQLITE_UTF8);
  return sqlite3_bind_null(statement, at);
}

}  // namespace

std::string SqlRow::text(int column) const {
  const int type = sqlite3_column_type(statement, column);
  if (type == SQLITE_FLOAT) return shortestText(sqlite3_column_double(statement, column));
  if (type == SQLITE_NULL || type == SQLITE_BLOB) return {};
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement, column));
  return {text, static_cast<size_t>(sqlite3_column_bytes(statement, column))};
}

std::vector<std::string> SqlRow::cells(int first) const {
  std::vector<std::string> cells;
  for (int i = first; i < sqlite3_column_count(statement); ++i) cells.push_back(text(i));
  return cells;
}

void Database::Close::operator()(sqlite3* database) const {
  sqlite3_close_v2(database);
}

Error Database::error() const {
  return workError(file_ + ": " + sqlite3_errmsg(database_.get()));
}

Result<Database> Database::open(const std::filesystem::path& file, int version,
                                const std::string& schema) {
  std::error_code failed;  // Without the folder, opening fails with the reason.
  std::filesystem::create_directories(file.parent_path(), failed);
  Database opened(file.string());
  sqlite3* handle = nullptr;
  const int outcome =
      sqlite3_open_v2(opened.file_.c_str(), &handle,
                      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nullptr);
  opened.database_.reset(handle);
  if (handle == nullptr) return workError(opened.file_ + ": out of memory");
  if (outcome != SQLITE_OK) return opened.error();
  sqlite3_busy_timeout(handle, kPatienceMs);
  sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, kMostBytes);
  // The triggers and views of a prepared file must not run functions.
  sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  int64_t found = 0;
  const auto readVersion = [&] {
    return opened.run("PRAGMA user_version", {}, [&](const SqlRow& row) {
      found = numberIn<int64_t>(row.text(0)).value_or(0);
    });
  };
  Status ready = readVersion();
  if (ready && found == 0)
    ready = opened.write([&]() -> Status {
      if (const Status read = readVersion(); !read || found != 0)
        return read;  // Another process made it.
      const std::string sql = schema + "PRAGMA user_version = " + std::to_string(version) + ";";
      found = version;
      const bool isDone = sqlite3_exec(handle, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK;
      return isDone ? Status() : Status(opened.error());
    });
  if (!ready) return ready.error();
  if (found > version)
    return requestError(
        opened.file_ + " was written by a newer version of Tilestep (its format is " +
        std::to_string(found) + ", this version reads " + std::to_string(version) + ")");
  return opened;
}

Status Database::run(const std::string& sql, const std::vector<SqlValue>& values,
                     const std::function<void(const SqlRow&)>& take) const {
  sqlite3_stmt* prepared = nullptr;
  if (sqlite3_prepare_v2(database_.get(), sql.c_str(), -1, &prepared, nullptr) != SQLITE_OK)
    return error();
  const std::unique_ptr<sqlite3_stmt, Finalize> statement(prepared);
  for (size_t i = 0; i < values.size(); ++i)
    if (bind(prepared, static_cast<int>(i) + 1, values[i]) != SQLITE_OK) return error();
  for (;;) {
    const int outcome = sqlite3_step(prepared);
    if (outcome == SQLITE_DONE) return {};
    if (outcome != SQLITE_ROW) return error();
    if (take) take(SqlRow{prepared});
  }
}

Status Database::write(const std::function<Status()>& work) const {
  if (const Status begun = run("BEGIN IMMEDIATE"); !begun) return begun;
  Status done = work();
  if (done) done = run("COMMIT");
  if (!done) (void)run("ROLLBACK");
  return done;
}

}  // namespace tilestep::lab
