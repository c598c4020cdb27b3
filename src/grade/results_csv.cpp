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

lab::SweepLine columnsOf(const std::vector<std::string>& rows) {
  lab::SweepLine columns{"id", "verdict"};
  for (const std::string& row : rows) {
    columns.push_back(row);
    columns.push_back(row + "_of");
  }
  columns.insert(columns.end(),
                 {"marks", "of", "reason", "file", "hash", "seed", "rules", "version", "seconds"});
  return columns;
}

/// The marks of a row; a cell that is empty was not judged. False: neither.
bool readMarks(const std::string& marks, const std::string& of, Row& row) {
  const std::optional<double> most = numberIn<double>(of);
  if (!most || !std::isfinite(*most) || *most < 0) return false;
  row.of = *most;
  if (marks.empty()) return true;
  row.marks = numberIn<double>(marks);
  return row.marks && *row.marks >= 0 && *row.marks <= row.of;  // Not NaN either.
}

/// Nothing where the line is not one that toCsv writes.
std::optional<Record> recordIn(const lab::SweepLine& line, const std::vector<std::string>& rows) {
  if (line.size() != columnsOf(rows).size()) return std::nullopt;
  Record kept;
  kept.grade.id = lab::spreadsheetText(line[0]);
  const std::optional<Verdict> verdict = verdictNamed(line[1]);
  if (!verdict) return std::nullopt;
  kept.grade.verdict = *verdict;
  size_t at = 2;
  for (const std::string& name : rows) {
    Row row{name, std::nullopt, 0, {}};
    if (!readMarks(line[at], line[at + 1], row)) return std::nullopt;
    kept.grade.rows.push_back(std::move(row));
    at += 2;
  }
  at += 2;  // The sums follow from the rows.
  kept.grade.reason = lab::spreadsheetText(line[at]);
  kept.grade.file = lab::spreadsheetText(line[at + 1]);
  kept.grade.hash = line[at + 2];
  const std::optional<uint64_t> seed = numberIn<uint64_t>(line[at + 3]);
  if (!seed) return std::nullopt;
  kept.seed = *seed;
  kept.rules = line[at + 4];
  kept.version = line[at + 5];
  kept.grade.seconds = numberIn<double>(line[at + 6]).value_or(0);
  return kept;
}

}  // namespace

std::vector<std::string> rowNames(const Rules& rules) {
  std::vector<std::string> names = lab::criterionNames();
  for (const CountRule& rule : rules.counts) names.push_back(rule.counter);
  return names;
}

std::string toCsv(std::vector<Record> records, const std::vector<std::string>& rows) {
  std::ranges::stable_sort(records, {}, [](const Record& record) { return record.grade.id; });
  std::string text = lab::csvLine(columnsOf(rows));
  for (const Record& record : records) {
    const Grade& grade = record.grade;
    lab::SweepLine line{lab::spreadsheetCell(grade.id), nameOf(grade.verdict)};
    for (const std::string& name : rows) {
      const auto row = std::ranges::find(grade.rows, name, &Row::name);
      const bool has = row != grade.rows.end();
      line.push_back(has && row->marks ? marksText(*row->marks) : "");
      line.push_back(has ? marksText(row->of) : "0");
    }
    const bool known = grade.wholeMarks() && !grade.rows.empty();
    line.push_back(known ? marksText(grade.marks()) : "");
    line.push_back(marksText(grade.of()));
    line.insert(line.end(), {lab::spreadsheetCell(grade.reason), lab::spreadsheetCell(grade.file),
                             grade.hash, std::to_string(record.seed), record.rules, record.version,
                             marksText(grade.seconds)});
    text += lab::csvLine(line);
  }
  return text;
}

Result<std::vector<Record>> readCsv(const std::string& path, std::string_view text,
                                    const std::vector<std::string>& rows) {
  const lab::CsvText csv = lab::parseCsv(text);
  if (text.starts_with("id;"))
    return requestError(path + " has semicolons between its cells; save it with commas");
  // Grades behind a quote that is not closed would be lost without a word.
  if (csv.bytes != text.size())
    return requestError(path +
                        " ends within a line, or a quote in it is not closed; mend it, or grade "
                        "all anew with --force");
  if (csv.lines.empty() || csv.lines.front() != columnsOf(rows))
    return requestError(path +
                        " holds no grades with these rows of marks; name another file, or grade "
                        "all anew with --force");
  std::vector<Record> kept;
  std::set<std::string> ids;
  for (size_t i = 1; i < csv.lines.size(); ++i) {
    std::optional<Record> grade = recordIn(csv.lines[i], rows);
    if (!grade)
      return requestError(path + ": line " + std::to_string(i + 1) +
                          " is not one of a grade; mend it, or grade all anew with --force");
    if (!ids.insert(grade->grade.id).second)
      return requestError(path + " has two lines of the id " + grade->grade.id +
                          "; keep one of them");
    kept.push_back(std::move(*grade));
  }
  return kept;
}

}  // namespace tilestep::grade
