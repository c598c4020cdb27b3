// SPDX-License-Identifier: Apache-2.0
#include "grade/hand_marks.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <utility>

#include "base/files.h"
#include "base/number_text.h"
#include "base/printable.h"
#include "grade/reports.h"
#include "grade/results_csv.h"
#include "lab/sweep_file.h"

namespace tilestep::grade {
namespace {

/// Marks as a person types them, also with a decimal comma: " +2,5".
std::optional<double> marksIn(std::string cell) {
  std::erase(cell, ' ');
  std::ranges::replace(cell, ',', '.');
  const std::optional<double> marks =
      numberIn<double>(cell.starts_with('+') ? cell.substr(1) : cell);
  return marks && *marks >= 0 && *marks <= kMostByHand ? marks : std::nullopt;  // Rejects NaN.
}

/// A hash as in marks.csv; empty for an empty cell. Absent if the cell is invalid.
std::optional<std::string> fileHashIn(const std::string& cell) {
  constexpr size_t kDigits = 16;
  const std::string hash = hashIn(cell);
  const bool isHash =
      hash.size() == kDigits && hash.find_first_not_of("0123456789abcdef") == std::string::npos;
  return hash.empty() || isHash ? std::optional(hash) : std::nullopt;
}

bool isHeader(const lab::SweepLine& line) {
  const auto is = [](std::string cell, std::string_view name) {
    std::ranges::transform(cell, cell.begin(), [](unsigned char c) { return std::tolower(c); });
    return cell == name;
  };
  return line.size() > 1 && is(line[0], "id") && is(line[1], "marks");
}

}  // namespace

Result<HandMarks> HandMarks::open(const std::string& path,
                                  const std::vector<Submission>& submissions) {
  if (path.empty()) return HandMarks();
  const Result<std::string> text = readTextFile(path);
  if (!text) return text.error();
  Result<HandMarks> marks = read(path, *text);
  if (!marks) return marks;
  for (const auto& [id, mark] : marks->byId())
    if (std::ranges::find(submissions, id, &Submission::id) == submissions.end())
      return requestError(path + " marks " + printableLine(id) +
                          ", and no submission has this id; spreadsheets write 0012345 as 12345");
  return marks;
}

Result<HandMarks> HandMarks::read(const std::string& path, std::string_view text) {
  HandMarks read;
  // The last line may have no newline.
  const std::string whole = std::string(text) + (text.ends_with('\n') ? "" : "\n");
  const lab::CsvText csv = lab::parseCsv(whole);
  for (size_t i = 0; i < csv.lines.size(); ++i) {
    const lab::SweepLine& line = csv.lines[i];
    if (i == 0 && isHeader(line)) continue;
    const bool isEmpty = std::ranges::all_of(line, &std::string::empty);
    if (isEmpty) continue;
    const std::optional<double> marks =
        line.size() == 2 || line.size() == 3 ? marksIn(line[1]) : std::nullopt;
    const std::string id = lab::spreadsheetText(line[0]);
    if (!marks || id.empty())
      return requestError(
          path + ": line " + std::to_string(i + 1) +
          " is not an id with its marks, such as \"ada,2.5\"; cells are separated by "
          "commas, decimals by a point");
    const std::optional<std::string> hash =
        line.size() == 3 ? fileHashIn(line[2]) : std::optional<std::string>("");
    if (!hash)
      return requestError(path + ": line " + std::to_string(i + 1) + ": \"" +
                          printableLine(line[2]) +
                          "\" is not a file's hash, such as 0x1f8b4c02a97d3e60; marks with a "
                          "comma need quotes or a point");
    if (!read.marks_.try_emplace(id, Mark{*marks, *hash}).second)
      return requestError(path + " has two lines with the id " + id + "; keep one of them");
  }
  if (csv.bytes != whole.size()) return requestError(path + ": a quote in it is not closed");
  return read;
}

std::optional<double> HandMarks::of(const Grade& grade) const {
  const auto at = marks_.find(grade.id);
  if (at == marks_.end() || areForAnother(grade)) return std::nullopt;
  return at->second.marks;
}

std::string HandMarks::remark(const Grade& grade) const {
  if (areForAnother(grade))
    return "the marks by hand of " + grade.id + " are for another file and do not count";
  if (grade.byHand && *grade.byHand > grade.of())
    return grade.id + " has " + marksText(*grade.byHand) + " marks by hand, of " +
           marksText(grade.of());
  return {};
}

bool HandMarks::areForAnother(const Grade& grade) const {
  const auto at = marks_.find(grade.id);
  return at != marks_.end() && !at->second.hash.empty() && at->second.hash != grade.hash;
}

}  // namespace tilestep::grade
