// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tilestep::model {

struct Snapshot;  // model/snapshot.h

/// A view as rows of cells. Numbers are written with all their digits, units stand in the columns'
/// names.
struct Table {
  std::string title;  ///< One line that says of what, and where the numbers come from.
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;  ///< Each as long as `columns`.
  bool cut = false;                            ///< There were more rows than kMostRows.
};
inline constexpr size_t kMostRows = 200'000;

struct TableOptions {
  bool wholeGrid = false;  ///< Traffic of the whole grid; else of this phase.
  bool companion = false;  ///< The warp and the threads of the kernel beside this one.
};

/// One kind of table: made from the snapshot alone. No rows: there is nothing to show yet.
struct TableKind {
  std::string_view id;    ///< "tiles": for file names.
  std::string_view name;  ///< "shared tiles and sums": as a person reads it.
  Table (*make)(const Snapshot& now, const TableOptions& options) = nullptr;
};

/// The table of that id among the snapshot's; no rows where there is none such.
[[nodiscard]] Table tableOf(std::string_view id, const Snapshot& now,
                            const TableOptions& options = {});

/// The name of that kind as a person reads it; the id itself where there is none such.
[[nodiscard]] std::string nameOfTable(std::string_view id, const Snapshot& now);

/// The columns' names and the rows; the title is left table, so that every program reads it.
[[nodiscard]] std::string csvOf(const Table& table);
/// The title, then columns that stand below each other.
[[nodiscard]] std::string textOf(const Table& table);
/// An object: "schema" 1, "view", "title", "columns", and "rows" as objects by column, whose cells
/// are numbers where they read as such, and null where they are empty.
[[nodiscard]] std::string jsonOf(std::string_view view, const Table& table);

}  // namespace tilestep::model
