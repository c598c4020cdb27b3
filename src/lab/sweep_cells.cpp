// SPDX-License-Identifier: Apache-2.0
// Checks the cells of a sweep's file.
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <string>
#include <string_view>

#include "base/figure_range.h"
#include "base/number_text.h"
#include "lab/sweep.h"

namespace tilestep::lab {
namespace {

constexpr std::array<std::string_view, 4> kTimes{"min_ms", "p10_ms", "median_ms", "p90_ms"};
constexpr std::array<std::string_view, 2> kRates{"gflops", "asked_bandwidth_gbs"};

bool isCount(const std::string& name) {
  constexpr std::array<std::string_view, 4> kOthers{"repetitions", "registers", "local_bytes",
                                                    "shared_bytes"};
  return std::ranges::find(kOthers, name) != kOthers.end() ||
         std::ranges::find(trace::counterFields(), name, &trace::CounterField::name) !=
             trace::counterFields().end();
}

bool isTime(const std::string& name) {
  return std::ranges::find(kTimes, name) != kTimes.end();
}

bool isRate(const std::string& name) {
  return std::ranges::find(kRates, name) != kRates.end();
}

/// Why the cell, which is not empty, is invalid on its own; empty if it is valid.
std::string problemOf(const std::string& name, const std::string& cell) {
  constexpr double kHighestRate = 1e12;
  if (name == "status" && std::ranges::find(kSweepStatus, cell) == kSweepStatus.end())
    return " is not ok, wrong, skipped or failed";
  if (isCount(name) && !numberIn<uint64_t>(cell)) return " is not a count";
  if (!isTime(name) && !isRate(name)) return {};
  const auto value = numberIn<double>(cell);
  if (isRate(name)) return value && *value >= 0 && *value <= kHighestRate ? "" : " is not a rate";
  return value && kMilliseconds.holds(*value) ? "" : " is not a time";
}

/// Why the times of a line with a median are invalid; empty if they are valid.
std::string problemOfTimes(const std::map<std::string_view, std::string_view>& cells) {
  std::array<double, kTimes.size()> ms{};
  for (size_t i = 0; i < ms.size(); ++i) {
    const auto at = cells.find(kTimes[i]);
    if (at == cells.end()) return " has no " + std::string(kTimes[i]) + " in its row";
    ms[i] = numberIn<double>(at->second).value_or(0);
  }
  const auto [least, p10, median, p90] = ms;
  if (least > p10 || p10 > median || median > p90) return " contradicts the times in its row";
  const auto at = cells.find("repetitions");
  const auto repetitions = at == cells.end() ? std::nullopt : numberIn<uint32_t>(at->second);
  return repetitions.value_or(0) > 0 ? "" : " has no repetitions in its row";
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
    const std::string& name = columns[i];
    if (line[i].empty() || !(isTime(name) || isRate(name) || name == "repetitions")) continue;
    check(i, isSimt                ? " is not measured by simt"
             : !isTimed            ? " has no median_ms in its row"
             : name == "median_ms" ? problemOfTimes(cells)
                                   : "");
  }
  return problem;
}

}  // namespace tilestep::lab
