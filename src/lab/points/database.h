// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"

struct sqlite3;
struct sqlite3_stmt;

/// An SQLite file that several processes read and write at the same time. One thread for each
/// object. Errors are sentences that begin with the file's name.
namespace tilestep::lab {

/// A cell's content; std::monostate is SQL's NULL.
using SqlValue = std::variant<std::monostate, int64_t, double, std::string>;

/// A prepared statement. It must not outlive its Database.
class Statement {
 public:
  /// Starts the statement again with these values for ?1, ?2, …
  void bind(const std::vector<SqlValue>& values);
  /// Goes to the next row; false: there is none.
  Result<bool> step();
  /// A cell of the present row, from 0. Nothing where it is NULL or has another type.
  [[nodiscard]] std::optional<int64_t> integer(int column) const;
  [[nodiscard]] std::optional<double> real(int column) const;
  /// Empty where it is NULL or has another type.
  [[nodiscard]] std::string text(int column) const;

 private:
  friend class Database;
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  Statement(std::string file, sqlite3_stmt* statement)
      : file_(std::move(file)), statement_(statement) {}

  std::string file_;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  std::optional<Error> failed_;  ///< Why binding failed, for step().
};

class Database {
 public:
  /// No text or statement may be longer, in bytes.
  static constexpr int kMostBytes = 1 << 20;

  /// Opens the file. A new one gets this schema and version. Calls wait up to five seconds for
  /// other processes. Errors: it cannot be opened, is damaged, or has a newer version.
  static Result<Database> open(const std::filesystem::path& file, int version,
                               const std::string& schema);

  /// Of the file.
  [[nodiscard]] std::filesystem::path folder() const {
    return std::filesystem::path(file_).parent_path();
  }
  [[nodiscard]] const std::string& file() const { return file_; }

  /// Errors: the SQL does not fit the file's tables.
  Result<Statement> prepare(std::string_view sql) const;
  /// Runs one statement to its end.
  Status run(std::string_view sql, const std::vector<SqlValue>& values = {}) const;
  /// Runs `work` as one transaction, during which no other process writes. Nothing of it is kept
  /// where it returns an error.
  Status write(const std::function<Status()>& work) const;

 private:
  struct Close {
    void operator()(sqlite3* database) const;
  };
  explicit Database(std::string file) : file_(std::move(file)) {}
  [[nodiscard]] Error error() const;
  Status createSchema(int version, const std::string& schema) const;

  std::string file_;
  std::unique_ptr<sqlite3, Close> database_;
};

}  // namespace tilestep::lab
