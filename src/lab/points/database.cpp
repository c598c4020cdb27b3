// SPDX-License-Identifier: Apache-2.0
#include "lab/points/database.h"

#include <sqlite3.h>

#include <utility>

namespace tilestep::lab {
namespace {

constexpr int kPatienceMs = 5000;

Error errorOf(const std::string& file, sqlite3* database) {
  return workError(file + ": " + sqlite3_errmsg(database));
}

int bindTo(sqlite3_stmt* statement, int at, const SqlValue& value) {
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

void Statement::Finalize::operator()(sqlite3_stmt* statement) const {
  sqlite3_finalize(statement);
}

void Statement::bind(const std::vector<SqlValue>& values) {
  sqlite3_stmt* statement = statement_.get();
  sqlite3_reset(statement);
  failed_.reset();
  for (size_t i = 0; i < values.size() && !failed_; ++i)
    if (bindTo(statement, static_cast<int>(i) + 1, values[i]) != SQLITE_OK)
      failed_ = errorOf(file_, sqlite3_db_handle(statement));
}

Result<bool> Statement::step() {
  if (failed_) return *failed_;
  const int outcome = sqlite3_step(statement_.get());
  if (outcome == SQLITE_ROW) return true;
  const Result<bool> ended =
      outcome == SQLITE_DONE ? Result<bool>(false)
                             : Result<bool>(errorOf(file_, sqlite3_db_handle(statement_.get())));
  sqlite3_reset(statement_.get());
  return ended;
}

std::optional<int64_t> Statement::integer(int column) const {
  if (sqlite3_column_type(statement_.get(), column) != SQLITE_INTEGER) return std::nullopt;
  return sqlite3_column_int64(statement_.get(), column);
}

std::optional<double> Statement::real(int column) const {
  const int type = sqlite3_column_type(statement_.get(), column);
  if (type != SQLITE_FLOAT && type != SQLITE_INTEGER) return std::nullopt;
  return sqlite3_column_double(statement_.get(), column);
}

std::string Statement::text(int column) const {
  if (sqlite3_column_type(statement_.get(), column) != SQLITE_TEXT) return {};
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), column));
  return {text, static_cast<size_t>(sqlite3_column_bytes(statement_.get(), column))};
}

void Database::Close::operator()(sqlite3* database) const {
  sqlite3_close_v2(database);
}

Error Database::error() const {
  return errorOf(file_, database_.get());
}

Result<Database> Database::open(const std::filesystem::path& file, int version,
                                const std::string& schema) {
  std::error_code failed;  // If there is no folder, opening says why.
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
  // A file that somebody prepared must not run functions by its own triggers and views.
  sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  if (const Status made = opened.createSchema(version, schema); !made) return made.error();
  return opened;
}

Status Database::createSchema(int version, const std::string& schema) const {
  const auto found = [this]() -> Result<int64_t> {
    Result<Statement> query = prepare("PRAGMA user_version");
    if (!query) return query.error();
    if (const Result<bool> row = query->step(); !row) return row.error();
    return query->integer(0).value_or(0);
  };
  const auto create = [&]() -> Status {
    const Result<int64_t> has = found();  // Another process may have created it by now.
    if (!has) return has.error();
    if (*has != 0) return {};
    const std::string sql = schema + "PRAGMA user_version = " + std::to_string(version) + ";";
    const bool done =
        sqlite3_exec(database_.get(), sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK;
    return done ? Status() : Status(error());
  };
  Result<int64_t> has = found();
  if (has && *has == 0) {
    if (const Status created = write(create); !created) return created;
    has = found();
  }
  if (!has) return has.error();
  if (*has > version)
    return requestError(file_ + " was written by a newer version of Tilestep (its format is " +
                        std::to_string(*has) + ", this version reads " + std::to_string(version) +
                        ")");
  return {};
}

Result<Statement> Database::prepare(std::string_view sql) const {
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(database_.get(), sql.data(), static_cast<int>(sql.size()), &statement,
                         nullptr) != SQLITE_OK)
    return error();
  return Statement(file_, statement);
}

Status Database::run(std::string_view sql, const std::vector<SqlValue>& values) const {
  Result<Statement> statement = prepare(sql);
  if (!statement) return statement.error();
  statement->bind(values);
  Result<bool> row = statement->step();
  while (row && *row) row = statement->step();
  return row ? Status() : Status(row.error());
}

Status Database::write(const std::function<Status()>& work) const {
  if (const Status begun = run("BEGIN IMMEDIATE"); !begun) return begun;
  Status done = work();
  if (done) done = run("COMMIT");
  if (!done) (void)run("ROLLBACK");
  return done;
}

}  // namespace tilestep::lab
