// SPDX-License-Identifier: Apache-2.0
#include "grade/hand_marks.h"

#include <algorithm>
#include <utility>

#include "base/number_text.h"
#include "grade/results_csv.h"
#include "lab/sweep_file.h"

namespace tilestep::grade {
namespace {

/// Nobody gives more, not even for the best kernel.
constexpr double kMost = 1e6;

/// As a person writes it, or a spreadsheet with the comma of its language: " +2,5".
std::optional<double> marksIn(std::string cell) {
  std::erase(cell, ' ');
  std::ranges::replace(cell, ',', '.');
  const std::optional<double> marks =
      numberIn<double>(cell.starts_with('+') ? cell.substr(1) : cell);
  return marks && *marks >= 0 && *marks <= kMost ? marks : std::nullopt;  // Not NaN either.
}

bool isHeader(const lab::SweepLine& line) {
  return line.size() > 1 && line[0] == "id" && line[1] == "marks";
}

}  // namespace

Result<HandMarks> HandMarks::read(const std::string& path, std::string_view text) {
  HandMarks read;
  const lab::CsvText csv = lab::parseCsv(text);
  for (size_t i = 0; i < csv.lines.size(); ++i) {
    const lab::SweepLine& line = csv.lines[i];
    if (i == 0 && isHeader(line)) continue;
    const bool isEmpty = std::ranges::all_of(line, &std::string::empty);
    if (isEmpty) continue;
    const std::optional<double> marks =
        line.size() == 2 || line.size() == 3 ? marksIn(line[1]) : std::nullopt;
    const std::string id = lab::spreadsheetText(line[0]);
    if (!marks || id.empty())
      return requestError(path + ": line " + std::to_string(i + 1) +
                          " is not an id with its marks, such as \"ada,2.5\"");
    if (!read.marks_.try_emplace(id, Mark{*marks, line.size() == 3 ? hashIn(line[2]) : ""}).second)
      return requestError(path + " has two lines of the id " + id + "; keep one of them");
  }
  if (csv.bytes != text.size())
    return requestError(path + " ends within a line, or a quote in it is not closed");
  return read;
}

std::optional<double> HandMarks::of(const Grade& grade) const {
  const auto at = marks_.find(grade.id);
  if (at == marks_.end() || areForAnother(grade)) return std::nullopt;
  return at->second.marks;
}

bool HandMarks::areForAnother(const Grade& grade) const {
  const auto at = marks_.find(grade.id);
  return at != marks_.end() && !at->second.hash.empty() && !grade.hash.empty() &&
         at->second.hash != grade.hash;
}

}  // namespace tilestep::grade
