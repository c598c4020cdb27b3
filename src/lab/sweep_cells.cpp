// SPDX-License-Identifier: Apache-2.0
// Checks the cells of a sweep's file.
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/figure_range.h"
#include "base/number_text.h"
#include "lab/figures.h"
#include "lab/sweep_file.h"

namespace tilestep::lab {
namespace {

constexpr std::array<std::string_view, 4> kTimes{"median_ms", "min_ms", "p10_ms", "p90_ms"};
constexpr std::array<std::string_view, 2> kRates{"gflops", "asked_bandwidth_gbs"};

bool isCountColumn(const std::string& name) {
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> names{"repetitions", "registers", "shared_bytes"};
    for (const trace::CounterField& field : trace::counterFields()) names.emplace_back(field.name);
    return names;
  }();
  return std::ranges::find(kNames, name) != kNames.end();
}

bool isRate(const std::string& name) {
  return std::ranges::find(kRates, name) != kRates.end();
}

/// Whether the column holds a time, a rate or the repetitions of a timed run.
bool isOfTime(const std::string& name) {
  return name == "repetitions" || isRate(name) || std::ranges::find(kTimes, name) != kTimes.end();
}

/// Why the cell, which is not empty, is invalid on its own; empty: it is valid.
std::string problemOf(const std::string& name, const std::string& cell) {
  constexpr double kHighestRate = 1e12;
  if (name == "status")
    return cell == "ok" || cell == "wrong" || cell == "skipped" || cell == "failed"
               ? ""
               : " is not ok, wrong, skipped or failed";
  if (isCountColumn(name)) return numberIn<uint64_t>(cell) ? "" : " is not a count";
  if (!isOfTime(name)) return {};
  const auto value = numberIn<double>(cell);
  if (isRate(name)) return value && *value >= 0 && *value <= kHighestRate ? "" : " is not a rate";
  return value && kMilliseconds.holds(*value) ? "" : " is not a time";
}

/// Why the times of a line with a median are invalid; empty: they are valid.
std::string problemOfTimes(const std::map<std::string_view, std::string_view>& cells) {
  std::array<double, kTimes.size()> ms{};
  for (size_t i = 0; i < ms.size(); ++i) {
    const auto at = cells.find(kTimes[i]);
    const auto value = at == cells.end() ? std::nullopt : numberIn<double>(at->second);
    if (!value) return " has no " + std::string(kTimes[i]) + " in its row";
    ms[i] = *value;
  }
  const auto [median, least, p10, p90] = ms;
  if (p10 > median || median > p90 || least > median) return " contradicts the times in its row";
  const auto at = cells.find("repetitions");
  const auto repetitions = at == cells.end() ? std::nullopt : numberIn<uint32_t>(at->second);
  return repetitions && *repetitions > 0 ? "" : " has no repetitions in its row";
}

}  // namespace

std::string spreadsheetCell(const std::string& text) {
  constexpr std::string_view kActs = "=+-@\t\r'";
  if (text.empty() || kActs.find(text.front()) == std::string_view::npos) return text;
  const auto number = numberIn<double>(text);
  return number && std::isfinite(*number) ? text : "'" + text;
}

std::string spreadsheetText(const std::string& cell) {
  return cell.starts_with('\'') ? cell.substr(1) : cell;
}

std::string sweepLineText(const SweepLine& cells) {
  SweepLine written;
  std::ranges::transform(cells, std::back_inserter(written), spreadsheetCell);
  return csvLine(written);
}

std::optional<CellProblem> cellProblem(const SweepLine& columns, const SweepLine& line) {
  constexpr size_t kLongestQuoted = 40;
  std::optional<CellProblem> problem;
  const auto check = [&](size_t column, const std::string& why) {
    if (!problem && !why.empty())
      problem = CellProblem{
          column, columns[column] + why + ": '" + line[column].substr(0, kLongestQuoted) + "'"};
  };
  std::map<std::string_view, std::string_view> cells;  // Only the non-empty ones.
  for (size_t i = 0; i < columns.size(); ++i) {
    if (columns[i] == "status" || !line[i].empty()) check(i, problemOf(columns[i], line[i]));
    if (!line[i].empty()) cells.emplace(columns[i], line[i]);
  }
  const auto device = cells.find("device");
  const bool isSimt = device != cells.end() && device->second == "simt";
  const bool isTimed = cells.contains("median_ms");
  for (size_t i = 0; i < columns.size(); ++i) {
    if (line[i].empty() || !isOfTime(columns[i])) continue;
    check(i, isSimt                      ? " is of simt, which gives no times"
             : !isTimed                  ? " has no median_ms in its row"
             : columns[i] == "median_ms" ? problemOfTimes(cells)
                                         : "");
  }
  return problem;
}

}  // namespace tilestep::lab
