// SPDX-License-Identifier: Apache-2.0
#include "features/sweeps/sweep_import.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "base/figure_range.h"
#include "base/number_text.h"
#include "lab/sweep_file.h"

namespace tilestep::features {
namespace {

constexpr size_t kMostColumns = 160;
constexpr size_t kLongestCell = 4096;
constexpr size_t kMostSweepRows = 200'000;
constexpr int64_t kLargestNumber = int64_t{1} << 40;

uint64_t hashIn(const std::string& text) {
  return text.size() == 16 ? numberIn<uint64_t>(text, 16).value_or(0) : 0;
}

/// Reads lines by column name. Its functions return the reason why a line is invalid; empty: it is
/// valid.
class SweepReader {
 public:
  explicit SweepReader(lab::SweepLine header) : header_(std::move(header)) {}

  std::string readHeader(SweepFile& file) {
    const std::set<std::string> names(header_.begin(), header_.end());
    const auto status = std::ranges::find(header_, "status");
    if (header_.size() > kMostColumns || header_.size() < 4 || header_[0] != "kernel" ||
        header_[1] != "device" || status == header_.end())
      return "its columns are not kernel, device, …, status, …";
    if (names.size() != header_.size() || names.contains(""))
      return "a column's name is empty or occurs twice";
    names_ = {header_.begin() + 2, status};
    file.kept = names.contains("format");
    return {};
  }

  std::string readLine(lab::SweepLine cells, const SweepFile& file, SweepFileRow& row) {
    if (cells.size() != header_.size())
      return "it has " + std::to_string(cells.size()) + " cells instead of " +
             std::to_string(header_.size());
    if (std::ranges::any_of(cells, [](const auto& one) { return one.size() > kLongestCell; }))
      return "a cell is longer than 4096 characters";
    // Cells of `tilestep sweep` are protected against spreadsheets.
    if (!file.kept) std::ranges::transform(cells, cells.begin(), lab::spreadsheetText);
    if (const auto problem = lab::cellProblem(header_, cells))
      return "column " + std::to_string(problem->column + 1) + ": " + problem->why;
    cells_ = std::move(cells);
    row.kernel = cell("kernel");
    row.device = cell("device");
    if (row.kernel.empty()) return "it names no kernel";
    if (std::string why = readValues(row.values); !why.empty()) return why;
    readStatus(row.sample);
    readTime(row.sample);
    if (std::string why = readCounts(row.sample); !why.empty()) return why;
    if (file.kept) return readOwn(row);
    row.text = hashIn(cell("code"));
    return {};
  }

 private:
  [[nodiscard]] std::string cell(const std::string& name) const {
    const auto at = std::ranges::find(header_, name);
    return at == header_.end() ? std::string() : cells_[static_cast<size_t>(at - header_.begin())];
  }

  /// A point that did not run omits the defaults.
  [[nodiscard]] std::string readValues(compile::Bindings& values) const {
    for (size_t i = 0; i < names_.size(); ++i) {
      const std::string& text = cells_[i + 2];
      if (text.empty()) continue;
      const auto value = numberIn<int64_t>(text);
      if (!value || *value > kLargestNumber || *value < -kLargestNumber)
        return names_[i] + " is not a whole number: '" + text.substr(0, 40) + "'";
      values[names_[i]] = *value;
    }
    return {};
  }

  void readStatus(SweepSample& sample) const {
    const std::string status = cell("status");
    sample.reason = cell("reason");
    if (status != "ok" && sample.reason.empty()) sample.reason = status;
    if (status == "ok" && !cell("median_ms").empty()) sample.reason.clear();
  }

  /// Has been checked by lab::cellProblem.
  void readTime(SweepSample& sample) const {
    if (cell("median_ms").empty()) return;
    const auto ms = [&](const char* name) { return numberIn<double>(cell(name)).value_or(0); };
    device::Measurement& time = sample.time.emplace();
    time.medianMs = ms("median_ms");
    time.minMs = ms("min_ms");
    time.p10Ms = ms("p10_ms");
    time.p90Ms = ms("p90_ms");
    time.repetitions = numberIn<uint32_t>(cell("repetitions")).value_or(0);
  }

  [[nodiscard]] std::string readCounts(SweepSample& sample) const {
    trace::Counters counts;
    size_t found = 0;
    for (const KeptCount& count : kKeptCounts) {
      const std::string text = cell(count.name);
      if (text.empty()) continue;
      count.of(counts) = numberIn<uint64_t>(text).value_or(0);  // Checked by lab::cellProblem.
      ++found;
    }
    if (found == kKeptCounts.size()) sample.counts = counts;
    return found == kKeptCounts.size() || found == 0 ? "" : "some of its counts are missing";
  }

  [[nodiscard]] std::string readOwn(SweepFileRow& row) const {
    if (cell("format") != "1")
      return "its format is " + cell("format").substr(0, 20) + "; this program reads 1";
    row.code = hashIn(cell("code"));
    row.launch = hashIn(cell("launch"));
    if (row.code == 0 || row.launch == 0) return "code or launch is not a hash";
    row.deviceName = cell("device_name");
    row.sample.when = cell("when");
    row.sample.by = cell("by");
    return {};
  }

  lab::SweepLine header_, cells_;
  std::vector<std::string> names_;  ///< Of sizes and tunables.
};

}  // namespace

Result<SweepFile> parseSweepFile(const std::string& file, std::string_view text) {
  const lab::CsvText csv = lab::parseCsv(text);
  size_t line = 1;
  const auto fail = [&](const std::string& why) {
    Error error = requestError(file + ", line " + std::to_string(line) + ": " + why);
    error.where = TextLocation{file, static_cast<int>(line), 0};
    return error;
  };
  if (csv.lines.empty()) return fail("it has no complete line");
  SweepFile result;
  SweepReader reader(csv.lines.front());
  if (const std::string why = reader.readHeader(result); !why.empty()) return fail(why);
  for (size_t i = 1; i < csv.lines.size(); ++i) {
    for (const std::string& cell : csv.lines[i - 1])
      line += static_cast<size_t>(std::ranges::count(cell, '\n'));
    ++line;
    SweepFileRow row;
    if (const std::string why = reader.readLine(csv.lines[i], result, row); !why.empty())
      return fail(why);
    if (result.rows.size() >= kMostSweepRows) return fail("there are more than 200,000 points");
    result.rows.push_back(std::move(row));
  }
  const std::string_view rest = text.substr(csv.bytes);
  result.cutOff = !rest.empty();
  ++line;
  if (rest.find('\n') != std::string_view::npos) return fail("a quotation mark is not closed");
  return result;
}

}  // namespace tilestep::features
