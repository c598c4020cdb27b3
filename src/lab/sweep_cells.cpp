// SPDX-License-Identifier: Apache-2.0
// What the cells of a sweep's file may hold.
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
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

/// Reads a line by column name; keeps the first problem.
class LineCheck {
 public:
  LineCheck(const SweepLine& columns, const SweepLine& line) : columns_(columns), line_(line) {}

  std::optional<CellProblem> run() {
    status();
    for (size_t i = 0; i < columns_.size() && !problem_; ++i)
      if (!line_[i].empty()) figure(i);
    if (!problem_) times();
    return problem_;
  }

 private:
  static constexpr size_t kLongestQuoted = 40;

  [[nodiscard]] size_t at(std::string_view name) const {
    return static_cast<size_t>(std::ranges::find(columns_, name) - columns_.begin());
  }
  [[nodiscard]] std::string cell(std::string_view name) const {
    return at(name) < line_.size() ? line_[at(name)] : std::string();
  }

  void fail(size_t column, const std::string& what) {
    if (!problem_)
      problem_ = CellProblem{
          column, columns_[column] + what + ": '" + line_[column].substr(0, kLongestQuoted) + "'"};
  }

  void status() {
    const size_t column = at("status");
    if (column == columns_.size()) return;
    const std::string& text = line_[column];
    if (text != "ok" && text != "wrong" && text != "skipped" && text != "failed")
      fail(column, " is not ok, wrong, skipped or failed");
  }

  void figure(size_t column) {
    const std::string& name = columns_[column];
    const bool isTime = std::ranges::find(kTimes, name) != kTimes.end();
    const bool isRate = std::ranges::find(kRates, name) != kRates.end();
    if (isTime || isRate) {
      const auto value = numberIn<double>(line_[column]);
      constexpr double kHighestRate = 1e12;
      const bool isIn =
          value && (isTime ? kMilliseconds.holds(*value) : *value >= 0 && *value <= kHighestRate);
      if (!isIn) return fail(column, isTime ? " is not a time" : " is not a rate");
    } else if (isCountColumn(name) && !numberIn<uint64_t>(line_[column])) {
      return fail(column, " is not a count");
    }
    if ((isTime || isRate || name == "repetitions") && cell("device") == "simt")
      fail(column, " is of simt, which gives no times");
  }

  /// Either all of a time, or nothing.
  void times() {
    const size_t first = at(kTimes.front());
    if (first == columns_.size()) return;
    if (line_[first].empty()) {
      for (const std::string_view name : kTimes)
        if (!cell(name).empty()) return fail(at(name), " has no median_ms beside it");
      if (!cell("repetitions").empty()) fail(at("repetitions"), " has no median_ms beside it");
      for (const std::string_view name : kRates)
        if (!cell(name).empty()) return fail(at(name), " has no median_ms beside it");
      return;
    }
    std::array<double, kTimes.size()> ms{};
    for (size_t i = 0; i < ms.size(); ++i) {
      const auto value = numberIn<double>(cell(kTimes[i]));
      if (!value) return fail(first, " stands without " + std::string(kTimes[i]));
      ms[i] = *value;
    }
    const auto [median, least, p10, p90] = ms;
    const auto repetitions = numberIn<uint32_t>(cell("repetitions"));
    if (p10 > median || median > p90 || least > median)
      fail(first, " contradicts the times beside it");
    else if (!repetitions || *repetitions == 0)
      fail(first, " stands without repetitions");
  }

  const SweepLine& columns_;
  const SweepLine& line_;
  std::optional<CellProblem> problem_;
};

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
  return LineCheck(columns, line).run();
}

}  // namespace tilestep::lab
