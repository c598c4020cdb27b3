// SPDX-License-Identifier: Apache-2.0
#include "grade/results_csv.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "base/number_text.h"
#include "grade/reports.h"
#include "lab/judge/criterion.h"
#include "lab/sweep_file.h"

namespace tilestep::grade {
namespace {

/// The largest rounding error of marksText().
constexpr double kRounding = 1e-3;

lab::SweepLine columnsOf(const std::vector<Row>& rows) {
  lab::SweepLine columns{"id", "verdict"};
  for (const Row& row : rows) {
    columns.push_back(row.name);
    columns.push_back(row.name + "_of");
  }
  columns.insert(columns.end(), {"marks", "of", "reason", "file", "hash", "seed", "rules",
                                 "version", "seconds", "by_hand", "total"});
  return columns;
}

/// Reads marks from 0 to `most`; absent for an empty cell. Returns false if the cell is invalid.
bool readMarks(const std::string& cell, double most, std::optional<double>& marks) {
  if (cell.empty()) return true;
  marks = numberIn<double>(cell);
  if (marks && std::abs(*marks - most) <= kRounding) marks = most;  // Thirds were rounded.
  return marks && *marks >= 0 && *marks <= most;                    // Rejects NaN.
}

constexpr std::string_view kHashPrefix = "0x";

/// Absent if toCsv() cannot have written the line.
std::optional<Record> recordIn(const lab::SweepLine& line, const std::vector<Row>& rows) {
  if (line.size() != columnsOf(rows).size()) return std::nullopt;
  Record kept;
  kept.grade.id = lab::spreadsheetText(line[0]);
  const std::optional<Verdict> verdict = verdictNamed(line[1]);
  if (!verdict) return std::nullopt;
  kept.grade.verdict = *verdict;
  size_t at = 2;
  for (const Row& row : rows) {
    kept.grade.rows.push_back(row);
    if (!readMarks(line[at], row.of, kept.grade.rows.back().marks)) return std::nullopt;
    const std::optional<double> of = numberIn<double>(line[at + 1]);
    if (!of || !(std::abs(*of - row.of) <= kRounding)) return std::nullopt;
    at += 2;
  }
  at += 2;  // The sums follow from the rows.
  kept.grade.reason = lab::spreadsheetText(line[at]);
  kept.grade.file = lab::spreadsheetText(line[at + 1]);
  kept.grade.hash = hashIn(line[at + 2]);
  const std::optional<uint64_t> seed = numberIn<uint64_t>(line[at + 3]);
  if (!seed) return std::nullopt;
  kept.seed = *seed;
  kept.rules = hashIn(line[at + 4]);
  kept.version = line[at + 5];
  kept.grade.seconds = numberIn<double>(line[at + 6]).value_or(0);
  if (!readMarks(line[at + 7], kMostByHand, kept.grade.byHand)) return std::nullopt;
  return kept;
}

/// Whether the sum and the total match the other cells.
bool hasItsSums(const Grade& grade, const std::string& sum, const std::string& total) {
  const double rounding = kRounding * static_cast<double>(grade.rows.size() + 1);
  const auto holds = [&](const std::string& cell, const std::optional<double>& marks) {
    const std::optional<double> held = numberIn<double>(cell);
    return marks ? held && std::abs(*held - *marks) <= rounding : cell.empty();
  };
  return holds(sum, grade.judgedMarks()) && holds(total, grade.total());
}

}  // namespace

std::string hashCell(const std::string& hash) {
  return hash.empty() ? hash : std::string(kHashPrefix) + hash;
}

std::string hashIn(const std::string& cell) {
  return cell.starts_with(kHashPrefix) ? cell.substr(kHashPrefix.size()) : cell;
}

std::vector<Row> rowsOf(const Rules& rules) {
  std::vector<Row> rows;
  for (size_t i = 0; i < lab::kCriteria; ++i)
    rows.push_back({lab::nameOf(static_cast<lab::Criterion>(i)), std::nullopt, rules.marks[i], {}});
  for (const CountRule& rule : rules.counts)
    rows.push_back({rule.counter, std::nullopt, rule.marks, {}});
  return rows;
}

std::string toCsv(std::vector<Record> records, const std::vector<Row>& rows) {
  std::ranges::stable_sort(records, {}, [](const Record& record) { return record.grade.id; });
  std::string text = lab::csvLine(columnsOf(rows));
  for (const Record& record : records) {
    const Grade& grade = record.grade;
    lab::SweepLine line{lab::spreadsheetCell(grade.id), nameOf(grade.verdict)};
    for (const Row& asked : rows) {
      const auto row = std::ranges::find(grade.rows, asked.name, &Row::name);
      const bool has = row != grade.rows.end() && row->marks;
      line.push_back(has ? marksText(*row->marks) : "");
      line.push_back(marksText(asked.of));
    }
    const std::optional<double> judged = grade.judgedMarks(), total = grade.total();
    line.push_back(judged ? marksText(*judged) : "");
    line.push_back(marksText(grade.of()));
    line.insert(line.end(),
                {lab::spreadsheetCell(grade.reason), lab::spreadsheetCell(grade.file),
                 hashCell(grade.hash), std::to_string(record.seed), hashCell(record.rules),
                 record.version, marksText(grade.seconds),
                 grade.byHand ? marksText(*grade.byHand) : "", total ? marksText(*total) : ""});
    text += lab::csvLine(line);
  }
  return text;
}

Result<std::vector<Record>> readCsv(const std::string& path, std::string_view text,
                                    const std::vector<Row>& rows) {
  const lab::CsvText csv = lab::parseCsv(text);
  if (text.starts_with("id;"))
    return requestError(path + " has semicolons between its cells; save it with commas");
  // Without this check, grades after an unclosed quote would be lost silently.
  if (csv.bytes != text.size())
    return requestError(path +
                        " ends within a line, or has an unclosed quote; fix it, or grade all "
                        "again with --force");
  const lab::SweepLine columns = columnsOf(rows);
  const size_t sumAt = 2 + 2 * rows.size();
  if (csv.lines.empty() || csv.lines.front() != columns)
    return requestError(path +
                        " contains no grades with these rows of marks; name another file, or grade "
                        "all again with --force");
  std::vector<Record> kept;
  std::set<std::string> ids;
  for (size_t i = 1; i < csv.lines.size(); ++i) {
    std::optional<Record> grade = recordIn(csv.lines[i], rows);
    const std::string line = path + ": line " + std::to_string(i + 1);
    if (!grade)
      return requestError(line + " is not a valid grade; fix it, or grade all again with --force");
    if (!hasItsSums(grade->grade, csv.lines[i][sumAt], csv.lines[i].back()))
      return requestError(line + ": the marks of " + grade->grade.id +
                          " were changed; undo that, and name a file with your own marks with "
                          "--by-hand");
    if (!ids.insert(grade->grade.id).second)
      return requestError(path + " has two lines with the id " + grade->grade.id +
                          "; keep one of them");
    kept.push_back(std::move(*grade));
  }
  return kept;
}

}  // namespace tilestep::grade
