// SPDX-License-Identifier: Apache-2.0
#include "model/export/table.h"

#include <algorithm>
#include <array>

#include "lab/sweep_file.h"
#include "model/export/table_parts.h"
#include "model/snapshot.h"

namespace tilestep::model {
namespace {

using Row = std::vector<std::string>;

/// Number of code points; every character here is one column wide.
size_t widthOf(const std::string& text) {
  return static_cast<size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string lineOf(const Row& cells, const std::vector<size_t>& widths) {
  std::string line;
  for (size_t i = 0; i < cells.size(); ++i)
    line += cells[i] + std::string(widths[i] - widthOf(cells[i]) + 2, ' ');
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

}  // namespace

Table tableOf(std::string_view id, const Snapshot& now, const TableOptions& options) {
  const auto at = std::ranges::find(now.tables, id, &TableKind::id);
  return at == now.tables.end() ? Table() : at->make(now, options);
}

std::string nameOfTable(std::string_view id, const Snapshot& now) {
  const auto at = std::ranges::find(now.tables, id, &TableKind::id);
  return std::string(at == now.tables.end() ? id : at->name);
}

std::string csvOf(const Table& table) {
  std::string text = lab::csvLine(table.columns);
  for (const Row& row : table.rows) text += lab::csvLine(row);
  return text;
}

std::string textOf(const Table& table) {
  std::vector<size_t> widths(table.columns.size());
  const auto widen = [&](const Row& row) {
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], widthOf(row[i]));
  };
  widen(table.columns);
  for (const Row& row : table.rows) widen(row);
  std::string text = table.title + "\n\n" + lineOf(table.columns, widths);
  for (const Row& row : table.rows) text += lineOf(row, widths);
  if (table.cut) text += "… and more rows than the " + std::to_string(kMostRows) + " shown.\n";
  return text;
}

}  // namespace tilestep::model
