// SPDX-License-Identifier: Apache-2.0
#include "base/text_table.h"

#include <algorithm>

#include "base/printable.h"

namespace tilestep {
namespace {

/// The number of code points. Every character in our tables is one column wide.
size_t widthOf(const std::string& text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  }));
}

/// Includes percentages, and the dash for a missing number.
bool isNumber(const std::string& text) {
  if (text == "–") return true;
  return !text.empty() && text.find_first_not_of("0123456789.,-+e %") == std::string::npos &&
         text.find_first_of("0123456789") != std::string::npos;
}

}  // namespace

TextTable::TextTable(std::vector<std::string> header) : hasHeader_(!header.empty()) {
  if (hasHeader_) rows_.push_back(std::move(header));
}

void TextTable::add(std::vector<std::string> cells) {
  for (std::string& cell : cells) cell = printableLine(cell);
  rows_.push_back(std::move(cells));
}

std::string TextTable::text(const std::string& indent) const {
  std::vector<size_t> widths;
  std::vector<bool> right;
  for (size_t r = 0; r < rows_.size(); ++r) {
    for (size_t c = 0; c < rows_[r].size(); ++c) {
      if (c >= widths.size()) {
        widths.push_back(0);
        right.push_back(true);
      }
      widths[c] = std::max(widths[c], widthOf(rows_[r][c]));
      const bool judged = !(r == 0 && hasHeader_) && !rows_[r][c].empty();
      if (judged && !isNumber(rows_[r][c])) right[c] = false;
    }
  }
  std::string text;
  for (const auto& row : rows_) {
    std::string line = indent;
    for (size_t c = 0; c < row.size(); ++c) {
      const std::string padding(widths[c] - widthOf(row[c]), ' ');
      line += (c > 0 ? "  " : "") + (right[c] ? padding + row[c] : row[c] + padding);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace tilestep
