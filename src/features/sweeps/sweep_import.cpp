// SPDX-License-Identifier: Apache-2.0
#include "features/sweeps/sweep_import.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/number_text.h"

namespace tilestep::features {
namespace {

constexpr size_t kMostColumns = 160;
constexpr size_t kLongestCell = 4096;
constexpr size_t kMostSweepRows = 200'000;
constexpr int64_t kLargestNumber = int64_t{1} << 40;

uint64_t hashIn(const std::string& text) {
  return text.size() == 16 ? numberIn<uint64_t>(text, 16).value_or(0) : 0;
}

std::string cellOf(const lab::SweepLine& columns, const lab::SweepLine& cells,
                   std::string_view name) {
  const auto at = std::ranges::find(columns, name);
  return at == columns.end() ? std::string() : cells[static_cast<size_t>(at - columns.begin())];
}

/// Why the first line is invalid; empty if it is valid.
std::string headerProblem(const lab::SweepLine& header) {
  const std::set<std::string> names(header.begin(), header.end());
  if (header.size() > kMostColumns || header.size() < 4 || header[0] != "kernel" ||
      header[1] != "device" || !names.contains("status"))
    return "its columns are not kernel, device, …, status, …";
  if (names.size() != header.size() || names.contains(""))
    return "a column's name is empty or occurs twice";
  return {};
}

/// Reads the columns between "device" and "status". A point that did not run omits the defaults.
/// Returns why a cell is invalid.
std::string readValues(const lab::SweepLine& columns, const lab::SweepLine& cells,
                       compile::Bindings& values) {
  for (size_t i = 2; columns[i] != "status"; ++i) {
    if (cells[i].empty()) continue;
    const auto value = numberIn<int64_t>(cells[i]);
    if (!value || *value > kLargestNumber || *value < -kLargestNumber)
      return columns[i] + " is not a whole number: '" + cells[i].substr(0, 40) + "'";
    values[columns[i]] = *value;
  }
  return {};
}

/// Reads a line. Returns why it is invalid.
std::string readLine(const lab::SweepLine& columns, lab::SweepLine cells, bool isKept,
                     SweepFileRow& row) {
  if (cells.size() != columns.size())
    return "it has " + std::to_string(cells.size()) + " cells instead of " +
           std::to_string(columns.size());
  if (std::ranges::any_of(cells, [](const auto& one) { return one.size() > kLongestCell; }))
    return "a cell is longer than 4096 characters";
  // Cells of `tilestep sweep` are protected against spreadsheets.
  if (!isKept) std::ranges::transform(cells, cells.begin(), lab::spreadsheetText);
  const auto cell = [&](std::string_view name) { return cellOf(columns, cells, name); };
  row.kernel = cell("kernel");
  row.device = cell("device");
  if (row.kernel.empty()) return "it names no kernel";
  if (std::string why = readValues(columns, cells, row.values); !why.empty()) return why;
  Result<SweepSample> sample = sampleIn(columns, cells);
  if (!sample) return sample.error().message;
  row.sample = std::move(*sample);
  const uint64_t code = hashIn(cell("code"));
  (isKept ? row.code : row.text) = code;
  if (!isKept) return {};
  if (cell("format") != "1")
    return "its format is " + cell("format").substr(0, 20) + "; this program reads 1";
  row.launch = hashIn(cell("launch"));
  if (row.code == 0 || row.launch == 0) return "code or launch is not a hash";
  row.deviceName = cell("device_name");
  return {};
}

}  // namespace

Result<SweepSample> sampleIn(const lab::SweepLine& columns, const lab::SweepLine& cells) {
  if (const auto problem = lab::cellProblem(columns, cells))
    return requestError("column " + std::to_string(problem->column + 1) + ": " + problem->why);
  const auto cell = [&](std::string_view name) { return cellOf(columns, cells, name); };
  SweepSample sample;
  sample.when = cell("when");
  sample.by = cell("by");
  sample.reason = cell("reason");
  const std::string status = cell("status");
  if (status != "ok" && sample.reason.empty()) sample.reason = status;
  if (!cell("median_ms").empty()) {
    if (status == "ok") sample.reason.clear();
    const auto ms = [&](const char* name) { return numberIn<double>(cell(name)).value_or(0); };
    device::Measurement& time = sample.time.emplace();
    time.medianMs = ms("median_ms");
    time.minMs = ms("min_ms");
    time.p10Ms = ms("p10_ms");
    time.p90Ms = ms("p90_ms");
    time.repetitions = numberIn<uint32_t>(cell("repetitions")).value_or(0);
  }
  trace::Counters counts;
  size_t found = 0;
  for (const KeptCount& count : kKeptCounts) {
    const auto value = numberIn<uint64_t>(cell(count.name));
    if (value) ++found;
    count.of(counts) = value.value_or(0);
  }
  // An older row may lack counts that were added later.
  if (found == kKeptCounts.size()) sample.counts = counts;
  return sample;
}

Result<SweepFile> parseSweepFile(const std::string& file, std::string_view text) {
  const lab::CsvText csv = lab::parseCsv(text);
  if (csv.lines.empty()) return lab::lineError(file, 1, "it has no complete line");
  const lab::SweepLine& columns = csv.lines.front();
  if (const std::string why = headerProblem(columns); !why.empty())
    return lab::lineError(file, 1, why);
  if (csv.lines.size() > kMostSweepRows + 1)
    return lab::lineError(file, csv.numbers[kMostSweepRows + 1],
                          "there are more than 200,000 points");
  SweepFile result;
  result.kept = std::ranges::find(columns, "format") != columns.end();
  for (size_t i = 1; i < csv.lines.size(); ++i) {
    SweepFileRow row;
    const std::string why = readLine(columns, csv.lines[i], result.kept, row);
    if (!why.empty()) return lab::lineError(file, csv.numbers[i], why);
    result.rows.push_back(std::move(row));
  }
  const std::string_view rest = text.substr(csv.bytes);
  result.cutOff = !rest.empty();
  if (rest.find('\n') != std::string_view::npos)
    return lab::lineError(file, csv.numbers.back(), "a quotation mark is not closed");
  return result;
}

}  // namespace tilestep::features
