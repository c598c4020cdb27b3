// SPDX-License-Identifier: Apache-2.0
#include "lab/sweep_file.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/hash.h"
#include "lab/sweep.h"

namespace tilestep::lab {
namespace {

std::optional<int64_t> valueIn(const compile::Bindings& bindings, const std::string& name) {
  const auto at = bindings.find(name);
  return at == bindings.end() ? std::nullopt : std::optional(at->second);
}

/// The required cell for the experiment, whose source has the hash `code`; nothing where any text
/// is valid.
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

/// The first difference; empty where the line is the experiment's.
std::string difference(const SweepLine& line, const SweepLine& columns,
                       const compile::KernelSpec& spec, const Experiment& experiment,
                       uint64_t code) {
  for (size_t i = 0; i < columns.size(); ++i) {
    const auto wanted = wantedCell(columns[i], spec, experiment, code);
    if (wanted ? line[i] == *wanted : atDefault(columns[i], line[i], spec)) continue;
    if (columns[i] == "code" && wanted) return "belongs to a different version of the kernel";
    return "has " + columns[i] + " = " + line[i] + ", and this sweep has " +
           (wanted ? *wanted : "the default");
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

bool isUnchanged(const SweepLine& columns, const SweepLine& line) {
  const SweepLine checked(line.begin(), line.end() - 1);
  return hex64(fnv1a64(csvLine(checked), fnv1a64(csvLine(columns)))) == line.back();
}

Result<std::vector<SweepLine>> readSweepLines(const std::string& path, std::string_view text,
                                              const SweepLine& columns) {
  CsvText csv = parseCsv(text);
  if (csv.lines.empty()) {
    // Cut off within the first line, or another file.
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
    const std::string differs = difference(line, columns, spec, experiments[i], code);
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
