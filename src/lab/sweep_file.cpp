// SPDX-License-Identifier: Apache-2.0
#include "lab/sweep_file.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/hash.h"
#include "lab/sweep.h"

namespace tilestep::lab {
namespace {

Error otherSweep(const std::string& path, const std::string& why) {
  return requestError(path + " holds another sweep: " + why +
                      "; name another file, or overwrite this one with --force");
}

std::optional<int64_t> valueIn(const compile::Bindings& bindings, const std::string& name) {
  const auto at = bindings.find(name);
  return at == bindings.end() ? std::nullopt : std::optional(at->second);
}

/// What the column must hold for the experiment, whose source has the hash `code`; nothing where
/// any text will do.
std::optional<std::string> wantedCell(const std::string& column, const compile::KernelSpec& spec,
                                      const Experiment& experiment, uint64_t code) {
  if (column == "kernel") return sweptName(experiment.source, spec);
  if (column == "device") {
    const bool named = experiment.device == "simt" || experiment.device.starts_with("cuda:");
    return named ? std::optional(experiment.device) : std::nullopt;
  }
  auto value = valueIn(experiment.sizes, column);
  if (!value) value = valueIn(experiment.tunables, column);
  if (value) return std::to_string(*value);
  if (column == "checked") return experiment.check ? "yes" : "no";
  if (column == "seed") return std::to_string(experiment.seed);
  if (column == "code") return hex64(code);
  return std::nullopt;
}

/// Sizes and tunables that the sweep leaves at their defaults: a line of a point that did not run
/// leaves them empty.
bool atDefault(const std::string& column, const std::string& cell,
               const compile::KernelSpec& spec) {
  const auto size = spec.sizes.find(column);
  if (size != spec.sizes.end()) return cell.empty() || cell == std::to_string(size->second);
  const auto tunable = std::ranges::find(spec.tunables, column, &compile::TunableSpec::name);
  return tunable == spec.tunables.end() || cell.empty() ||
         cell == std::to_string(tunable->defaultValue);
}

/// What differs; empty where the line is the experiment's.
std::string difference(const SweepLine& line, const SweepLine& columns,
                       const compile::KernelSpec& spec, const Experiment& experiment,
                       uint64_t code) {
  if (line.size() != columns.size()) {
    return "has " + std::to_string(line.size()) + " cells and not " +
           std::to_string(columns.size());
  }
  for (size_t i = 0; i < columns.size(); ++i) {
    const auto wanted = wantedCell(columns[i], spec, experiment, code);
    if (wanted ? line[i] == *wanted : atDefault(columns[i], line[i], spec)) continue;
    if (columns[i] == "code" && wanted) return "is of another text of the kernel";
    return "is of " + columns[i] + " = " + line[i] +
           (wanted ? " where this one has " + *wanted : " where this one has the default");
  }
  return {};
}

/// Where each line begins in the file, from 1: a cell may hold line breaks.
std::vector<size_t> lineNumbers(const std::vector<SweepLine>& lines) {
  std::vector<size_t> numbers;
  size_t number = 1;
  for (const SweepLine& line : lines) {
    numbers.push_back(number++);
    for (const std::string& cell : line)
      number += static_cast<size_t>(std::ranges::count(cell, '\n'));
  }
  return numbers;
}

/// Also of a point that did not run, which has no figures.
std::optional<CellProblem> problemOf(const SweepLine& columns, const SweepLine& line) {
  if (auto problem = cellProblem(columns, line)) return problem;
  const auto status = static_cast<size_t>(std::ranges::find(columns, "status") - columns.begin());
  if (status == columns.size() || line[status] == "ok" || line[status] == "wrong")
    return std::nullopt;
  for (size_t i = status + 1; i < columns.size() && columns[i] != "reason"; ++i)
    if (!line[i].empty()) return CellProblem{i, columns[i] + " is of a point that did not run"};
  return std::nullopt;
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
      continue;  // As spreadsheets end their lines.
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

Result<SweepSoFar> readSweep(const std::string& path, std::string_view text,
                             const SweepLine& columns, const compile::KernelSpec& spec,
                             const std::vector<Experiment>& experiments) {
  CsvText csv = parseCsv(text);
  const std::string header = csvLine(columns);
  if (csv.lines.empty()) {
    // Cut off within the first line, or another file.
    if (header.starts_with(text)) return SweepSoFar{};
    return otherSweep(path, "its first line is not this sweep's");
  }
  if (csv.lines.front() != columns) return otherSweep(path, "its columns differ");
  const std::vector<size_t> numbers = lineNumbers(csv.lines);
  csv.lines.erase(csv.lines.begin());
  for (SweepLine& line : csv.lines) std::ranges::transform(line, line.begin(), spreadsheetText);
  if (csv.lines.size() > experiments.size()) {
    return otherSweep(path, "it has " + std::to_string(csv.lines.size()) + " points, this one " +
                                std::to_string(experiments.size()));
  }
  const uint64_t code = experiments.empty() ? 0 : textHashOf(experiments.front().source);
  for (size_t i = 0; i < csv.lines.size(); ++i) {
    const std::string differs = difference(csv.lines[i], columns, spec, experiments[i], code);
    if (!differs.empty()) {
      return otherSweep(path, "its point " + std::to_string(i + 1) + " " + differs);
    }
    if (const auto problem = problemOf(columns, csv.lines[i])) {
      return requestError(path + ", line " + std::to_string(numbers[i + 1]) + ", column " +
                          std::to_string(problem->column + 1) + ": " + problem->why +
                          "; no sweep writes that: mend it, or overwrite the file with --force");
    }
  }
  SweepSoFar soFar{std::move(csv.lines), {}};
  const auto status = static_cast<size_t>(std::ranges::find(columns, "status") - columns.begin());
  for (size_t i = 0; i < soFar.lines.size() && status < columns.size(); ++i)
    if (soFar.lines[i][status] == "failed") soFar.failed.push_back(i);
  return soFar;
}

}  // namespace tilestep::lab
