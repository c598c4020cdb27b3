// SPDX-License-Identifier: Apache-2.0
#include "lab/sweep_file.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/hash.h"
#include "compile/front_matter/tunable_values.h"
#include "lab/sweep.h"

namespace tilestep::lab {
namespace {

/// The required cells of a point, whose source has the hash `code`; empty if any cell is valid.
SweepLine requiredCells(const SweepLine& columns, const compile::KernelSpec& spec,
                        const Experiment& experiment, uint64_t code) {
  SweepRow row;
  row.kernel = sweptName(experiment.source, spec);
  const bool isNamed = experiment.device == "simt" || experiment.device.starts_with("cuda:");
  if (isNamed) row.device = experiment.device;
  row.sizes = experiment.sizes;
  row.sizes.insert(spec.sizes.begin(), spec.sizes.end());
  row.tunables = experiment.tunables;
  row.tunables.merge(compile::defaultTunables(spec));
  row.checked = experiment.check;
  row.seed = experiment.seed;
  row.code = code;
  SweepLine cells = sweepCells(columns, row);
  for (size_t i = 0; i < columns.size(); ++i)
    if (columns[i] == "status") cells[i].clear();
  return cells;
}

/// The first difference; empty if the line is the experiment's. In lines of points that did not
/// run, sizes and tunables that the sweep does not name are empty.
std::string difference(const SweepLine& line, const SweepLine& columns, const SweepLine& required,
                       const Experiment& experiment) {
  for (size_t i = 0; i < columns.size(); ++i) {
    const std::string& column = columns[i];
    const bool isNamed = experiment.sizes.contains(column) || experiment.tunables.contains(column);
    if (required[i].empty() || line[i] == required[i] || (line[i].empty() && !isNamed)) continue;
    if (column == "code") return "belongs to a different version of the kernel";
    return "has " + column + " = " + line[i] + ", and this sweep has " + required[i];
  }
  return {};
}

/// A point that did not run has no figures.
std::optional<CellProblem> figureProblem(const SweepLine& columns, const SweepLine& line) {
  const auto status = static_cast<size_t>(std::ranges::find(columns, "status") - columns.begin());
  if (status == columns.size() || line[status] == "ok" || line[status] == "wrong")
    return std::nullopt;
  for (size_t i = status + 1; i < columns.size() && columns[i] != "reason"; ++i)
    if (!line[i].empty()) return CellProblem{i, columns[i] + " of a point that did not run"};
  return std::nullopt;
}

Error invalidRow(const std::string& path, const std::string& where, const CellProblem& problem) {
  return requestError(path + ", " + where + ", column " + std::to_string(problem.column + 1) +
                      ": " + problem.why +
                      "; not a valid sweep row; fix it, or overwrite the file with --force");
}

}  // namespace

Error otherSweep(const std::string& path, const std::string& why) {
  return requestError(path + " holds another sweep: " + why +
                      "; name another file, or overwrite this one with --force");
}

std::string csvLine(const SweepLine& cells) {
  std::string line;
  for (size_t i = 0; i < cells.size(); ++i) {
    if (i > 0) line += ',';
    if (cells[i].find_first_of(",;\"\r\n") == std::string::npos) {
      line += cells[i];
      continue;
    }
    line += '"';
    for (const char c : cells[i]) line += c == '"' ? "\"\"" : std::string(1, c);
    line += '"';
  }
  return line + "\n";
}

CsvText parseCsv(std::string_view text) {
  CsvText csv;
  SweepLine line{""};
  bool quoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool doubled = quoted && text.substr(i, 2) == "\"\"";
    if (doubled) {
      line.back() += text[++i];
    } else if (c == '"') {
      quoted = !quoted;
    } else if (!quoted && text.substr(i, 2) == "\r\n") {
      continue;  // Spreadsheets end lines with CR LF.
    } else if (quoted || (c != ',' && c != '\n')) {
      line.back() += c;
    } else if (c == ',') {
      line.emplace_back();
    } else {
      csv.lines.push_back(std::exchange(line, {""}));
      csv.bytes = i + 1;
    }
  }
  return csv;
}

Result<std::vector<SweepLine>> readSweepLines(const std::string& path, std::string_view text,
                                              const SweepLine& columns) {
  CsvText csv = parseCsv(text);
  if (csv.lines.empty()) {
    // Truncated within the first line, or a different file.
    if (csvLine(columns).starts_with(text)) return csv.lines;
    return otherSweep(path, "its first line is not this sweep's");
  }
  if (csv.lines.front() != columns) return otherSweep(path, "its columns differ");
  size_t number = 1;
  for (size_t i = 1; i < csv.lines.size(); ++i) {
    for (const std::string& cell : csv.lines[i - 1])  // Cells may have line breaks.
      number += static_cast<size_t>(std::ranges::count(cell, '\n'));
    ++number;
    SweepLine& line = csv.lines[i];
    if (line.size() != columns.size())
      return otherSweep(path, "its point " + std::to_string(i) + " has " +
                                  std::to_string(line.size()) + " cells, not " +
                                  std::to_string(columns.size()));
    std::ranges::transform(line, line.begin(), spreadsheetText);
    if (const auto problem = cellProblem(columns, line))
      return invalidRow(path, "line " + std::to_string(number), *problem);
  }
  csv.lines.erase(csv.lines.begin());
  return std::move(csv.lines);
}

Result<SweepSoFar> readSweep(const std::string& path, std::string_view text,
                             const SweepLine& columns, const compile::KernelSpec& spec,
                             const std::vector<Experiment>& experiments) {
  Result<std::vector<SweepLine>> lines = readSweepLines(path, text, columns);
  if (!lines) return lines.error();
  if (lines->size() > experiments.size())
    return otherSweep(path, "it has " + std::to_string(lines->size()) + " points, this one " +
                                std::to_string(experiments.size()));
  const uint64_t code = experiments.empty() ? 0 : textHashOf(experiments.front().source);
  const auto status = static_cast<size_t>(std::ranges::find(columns, "status") - columns.begin());
  SweepSoFar soFar;
  for (size_t i = 0; i < lines->size(); ++i) {
    const SweepLine& line = (*lines)[i];
    const std::string differs = difference(
        line, columns, requiredCells(columns, spec, experiments[i], code), experiments[i]);
    if (!differs.empty())
      return otherSweep(path, "its point " + std::to_string(i + 1) + " " + differs);
    if (const auto problem = figureProblem(columns, line))
      return invalidRow(path, "point " + std::to_string(i + 1), *problem);
    if (status < columns.size() && line[status] == "failed") soFar.failed.push_back(i);
  }
  soFar.lines = std::move(*lines);
  return soFar;
}

}  // namespace tilestep::lab
