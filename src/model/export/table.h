// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tilestep::model {

struct Snapshot;  // model/snapshot.h

/// A view as rows of cells. Numbers have all their digits, and units are part of the column names.
struct Table {
  std::string title;  ///< One line: the content of the table and the origin of the numbers.
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;  ///< Each row is as long as `columns`.
  bool cut = false;                            ///< There were more than kMostRows rows.
};
inline constexpr size_t kMostRows = 200'000;

struct TableOptions {
  bool wholeGrid = false;  ///< Traffic of the whole grid; otherwise of this phase.
  bool companion = false;  ///< The warp and the threads are those of the companion kernel.
};

/// One kind of table, made from the snapshot alone. A table without rows means that there is
/// nothing to show yet.
struct TableKind {
  std::string_view id;    ///< Used in file names: "tiles".
  std::string_view name;  ///< Shown to users: "shared tiles and sums".
  Table (*make)(const Snapshot& now, const TableOptions& options) = nullptr;
};

/// The snapshot's table with that id; no rows if there is no such table.
[[nodiscard]] Table tableOf(std::string_view id, const Snapshot& now,
                            const TableOptions& options = {});

/// The name of that kind as shown to users; the id itself if there is no such kind.
[[nodiscard]] std::string nameOfTable(std::string_view id, const Snapshot& now);

/// The column names and the rows as CSV. The title is omitted, because not every program accepts
/// it.
[[nodiscard]] std::string csvOf(const Table& table);
/// The title, then the rows with aligned columns.
[[nodiscard]] std::string textOf(const Table& table);
/// A JSON object with "schema" 1, "view", "title", "columns", and "rows" as objects by column.
/// Cells are numbers if they have the form of a JSON number, and null if they are empty.
[[nodiscard]] std::string jsonOf(std::string_view view, const Table& table);

}  // namespace tilestep::model
