// SPDX-License-Identifier: Apache-2.0
#include "lab/sweep_file.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "compile/front_matter/tunable_values.h"
#include "lab/sweep.h"

namespace tilestep::lab {
namespace {

size_t indexOf(const SweepLine& columns, std::string_view name) {
  return static_cast<size_t>(std::ranges::find(columns, name) - columns.begin());
}

/// The cells that the point's line must have, whatever its outcome. If the point did not run, the
/// line omits sizes and tunables that the sweep does not name.
SweepLine requiredCells(const SweepLine& columns, const SweepLine& line,
                        const compile::KernelSpec& spec, const Experiment& experiment) {
  SweepRow row = rowOf(sweptName(experiment.source, spec), experiment, workError(""));
  const bool isNamed = row.device == "simt" || row.device.starts_with("cuda:");
  if (!isNamed) row.device.clear();
  row.sizes.insert(spec.sizes.begin(), spec.sizes.end());
  row.tunables.merge(compile::defaultTunables(spec));
  SweepLine cells = sweepCells(columns, row);
  cells[indexOf(columns, "status")].clear();
  for (size_t i = 0; i < columns.size(); ++i)
    if (line[i].empty() && !experiment.sizes.contains(columns[i]) &&
        !experiment.tunables.contains(columns[i]))
      cells[i].clear();
  return cells;
}

/// A point that did not run has no figures.
std::optional<CellProblem> figureProblem(const SweepLine& columns, const SweepLine& line) {
  const size_t status = indexOf(columns, "status");
  if (line[status] == "ok" || line[status] == "wrong") return std::nullopt;
  for (size_t i = status + 1; i < columns.size() && columns[i] != "reason"; ++i)
    if (!line[i].empty()) return CellProblem{i, columns[i] + " of a point that did not run"};
  return std::nullopt;
}

Error invalidRow(const std::string& path, const std::string& where, const CellProblem& problem) {
  return requestError(path + ", " + where + ", column " + std::to_string(problem.column + 1) +
                      ": " + problem.why +
                      "; not a valid sweep row; fix it, or overwrite the file with --force");
}

Error otherSweep(const std::string& path, const std::string& why) {
  return requestError(path + " holds another sweep: " + why +
                      "; name another file, or overwrite this one with --force");
}

std::string pointName(size_t index) {
  return "point " + std::to_string(index + 1);
}

}  // namespace

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
  CsvText csv{{}, {1}, 0};
  SweepLine line{""};
  bool quoted = false;
  size_t number = 1;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\n') ++number;
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
      csv.numbers.push_back(number);
      csv.bytes = i + 1;
    }
  }
  return csv;
}

Error lineError(const std::string& file, size_t number, const std::string& why) {
  Error error = requestError(file + ", line " + std::to_string(number) + ": " + why);
  error.where = TextLocation{file, static_cast<int>(number), 0};
  return error;
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
  for (size_t i = 1; i < csv.lines.size(); ++i) {
    SweepLine& line = csv.lines[i];
    if (line.size() != columns.size())
      return otherSweep(path, "its " + pointName(i - 1) + " has " + std::to_string(line.size()) +
                                  " cells, not " + std::to_string(columns.size()));
    std::ranges::transform(line, line.begin(), spreadsheetText);
    if (const auto problem = cellProblem(columns, line))
      return invalidRow(path, "line " + std::to_string(csv.numbers[i]), *problem);
  }
  csv.lines.erase(csv.lines.begin());
  return std::move(csv.lines);
}

Status checkLine(const std::string& path, size_t index, const SweepLine& columns,
                 const SweepLine& line, const SweepLine& required) {
  for (size_t i = 0; i < columns.size(); ++i) {
    if (required[i].empty() || line[i] == required[i]) continue;
    return otherSweep(path,
                      "its " + pointName(index) +
                          (columns[i] == "code" ? " belongs to a different version of the kernel"
                                                : " has " + columns[i] + " = " + line[i] +
                                                      ", and this sweep has " + required[i]));
  }
  return {};
}

Status checkSweep(const std::string& path, const SweepLine& columns,
                  const std::vector<SweepLine>& lines, const compile::KernelSpec& spec,
                  const std::vector<Experiment>& experiments) {
  if (lines.size() > experiments.size())
    return otherSweep(path, "it has " + std::to_string(lines.size()) + " points, this one " +
                                std::to_string(experiments.size()));
  for (size_t i = 0; i < lines.size(); ++i) {
    const Status same = checkLine(path, i, columns, lines[i],
                                  requiredCells(columns, lines[i], spec, experiments[i]));
    if (!same) return same;
    if (const auto problem = figureProblem(columns, lines[i]))
      return invalidRow(path, pointName(i), *problem);
  }
  return {};
}

}  // namespace tilestep::lab
