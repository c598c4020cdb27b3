// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "base/result.h"

struct sqlite3;
struct sqlite3_stmt;

namespace tilestep::lab {

/// The value of a cell; std::monostate is SQL's NULL.
using SqlValue = std::variant<std::monostate, int64_t, double, std::string>;

/// A row of a query.
struct SqlRow {
  sqlite3_stmt* statement;
  /// The cell as a CSV file has it; NULL and blobs are empty. `column` counts from 0.
  [[nodiscard]] std::string text(int column) const;
  /// All cells from this column on.
  [[nodiscard]] std::vector<std::string> cells(int first = 0) const;
};

/// An SQLite file that several processes may read and write at the same time. Each object is for
/// one thread. Errors begin with the file's name.
class Database {
 public:
  static constexpr int kMostBytes = 1 << 20;  ///< Of a text or a statement.

  /// Opens the file; a new file gets this schema and version. Calls wait up to ten seconds for
  /// other processes. Errors: the file cannot be opened, is damaged, or has a newer version.
  static Result<Database> open(const std::filesystem::path& file, int version,
                               const std::string& schema);

  [[nodiscard]] std::filesystem::path file() const { return file_; }
  /// Runs one statement with these values for ?1, ?2, …; `take` gets each of its rows.
  Status run(const std::string& sql, const std::vector<SqlValue>& values = {},
             const std::function<void(const SqlRow&)>& take = {}) const;
  /// Runs `work` as one transaction, during which no other process writes. It is rolled back if
  /// `work` returns an error.
  Status write(const std::function<Status()>& work) const;

 private:
  struct Close {
    void operator()(sqlite3* database) const;
  };
  explicit Database(std::string file) : file_(std::move(file)) {}
  [[nodiscard]] Error error() const;

  std::string file_;
  std::unique_ptr<sqlite3, Close> database_;
};

}  // namespace tilestep::lab
