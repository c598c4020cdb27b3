// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/result.h"

struct sqlite3;
struct sqlite3_stmt;

namespace tilestep::lab {

/// The value of a cell; std::monostate is SQL's NULL.
using SqlValue = std::variant<std::monostate, int64_t, double, std::string>;

/// A row of a query. Columns are numbered from 0. A cell that is NULL or has a different type is
/// returned as nothing, or as an empty text.
struct SqlRow {
  sqlite3_stmt* statement;
  [[nodiscard]] std::optional<int64_t> integer(int column) const;
  [[nodiscard]] std::optional<double> real(int column) const;
  [[nodiscard]] std::string text(int column) const;
};

/// An SQLite file that several processes may read and write at the same time. Each object is for
/// one thread. Errors begin with the file's name.
class Database {
 public:
  static constexpr int kMostBytes = 1 << 20;  ///< For a text or a statement.

  /// Opens the file; a new one gets this schema and version. Calls wait up to ten seconds for other
  /// processes. Errors: it cannot be opened, is damaged, or has a newer version.
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
