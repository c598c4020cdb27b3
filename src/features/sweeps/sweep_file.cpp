// SPDX-License-Identifier: Apache-2.0
// Formats and checks the lines of sweep files.
#include "lab/sweep_file.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "base/figure_range.h"
#include "base/hash.h"
#include "base/number_text.h"
#include "features/sweeps/sweep_store.h"

namespace tilestep::model {
namespace {

constexpr const char* kFormat = "1";
constexpr size_t kMostColumns = 160;
constexpr size_t kLongestCell = 4096;
constexpr size_t kMostRows = 200'000;
constexpr int64_t kLargestNumber = int64_t{1} << 40;

struct CountColumn {
  const char* name;
  uint64_t SweepCounts::*count;
};
constexpr std::array<CountColumn, 10> kCounts{
    {{"global_load_bytes", &SweepCounts::loadBytes},
     {"global_store_threads", &SweepCounts::storeThreads},
     {"global_load_requests", &SweepCounts::loadRequests},
     {"global_store_requests", &SweepCounts::storeRequests},
     {"global_load_sectors", &SweepCounts::loadSectors},
     {"global_store_sectors", &SweepCounts::storeSectors},
     {"shared_load_requests", &SweepCounts::sharedLoadRequests},
     {"shared_store_requests", &SweepCounts::sharedStoreRequests},
     {"shared_load_wavefronts", &SweepCounts::sharedLoadWavefronts},
     {"shared_store_wavefronts", &SweepCounts::sharedStoreWavefronts}}};
constexpr std::array<const char*, 5> kTimes{"median_ms", "min_ms", "p10_ms", "p90_ms",
                                            "repetitions"};
/// Columns of the files that the window keeps.
constexpr std::array<const char*, 6> kOwn{"format", "device_name", "code", "launch", "when", "by"};

std::string exact(double value) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return {text.data(), end};
}

lab::SweepLine headerOf(const std::vector<std::string>& names) {
  lab::SweepLine header{"kernel", "device"};
  header.insert(header.end(), names.begin(), names.end());
  header.emplace_back("status");
  for (const char* name : kTimes) header.emplace_back(name);
  for (const CountColumn& column : kCounts) header.emplace_back(column.name);
  header.emplace_back("reason");
  for (const char* name : kOwn) header.emplace_back(name);
  header.emplace_back("check");
  return header;
}

/// Checksum of the columns' names and of all cells of a line but the last, which holds it.
std::string checkOf(const lab::SweepLine& header, const lab::SweepLine& cells, size_t count) {
  const lab::SweepLine checked{cells.begin(), cells.begin() + static_cast<long>(count)};
  return hex64(fnv1a64(lab::csvLine(checked), fnv1a64(lab::csvLine(header))));
}

/// Cleans one line: control characters would break the file's lines.
std::string plain(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  return text.substr(0, kLongestCell);
}

std::optional<uint64_t> hexIn(const std::string& text) {
  return text.size() == 16 ? numberIn<uint64_t>(text, 16) : std::nullopt;
}

/// Reads lines by column name; keeps the first error.
class Reader {
 public:
  explicit Reader(std::string file) : file_(std::move(file)) {}

  Result<SweepFile> read(std::string_view text) {
    const lab::CsvText csv = lab::parseCsv(text);
    if (csv.lines.empty()) return fail("it holds no whole line");
    lab::SweepLine header = csv.lines.front();
    takeHeader(header);
    for (size_t i = 1; i < csv.lines.size() && !error_; ++i) {
      for (const std::string& cell : csv.lines[i - 1])
        line_ += static_cast<size_t>(std::ranges::count(cell, '\n'));
      ++line_;
      takeLine(csv.lines[i]);
    }
    const std::string_view rest = text.substr(csv.bytes);
    result_.cutOff = !rest.empty();
    if (!error_ && rest.find('\n') != std::string_view::npos) {
      ++line_;
      fail("a quotation mark is not closed");
    }
    if (error_) return *error_;
    return std::move(result_);
  }

 private:
  Error fail(const std::string& why) {
    if (!error_) {
      error_ = requestError(file_ + ", line " + std::to_string(line_) + ": " + why);
      error_->where = TextLocation{file_, static_cast<int>(line_), 0};
    }
    return *error_;
  }

  void takeHeader(lab::SweepLine& header) {
    dropReturn(header);
    const std::set<std::string> names(header.begin(), header.end());
    const auto status = std::ranges::find(header, "status");
    if (header.size() > kMostColumns || header.size() < 4 || header[0] != "kernel" ||
        header[1] != "device" || status == header.end())
      fail("this is not a sweep: its columns are not kernel, device, …, status, …");
    else if (names.size() != header.size() || names.contains(""))
      fail("a column's name stands twice, or is empty");
    header_ = header;
    if (error_) return;
    values_ = static_cast<size_t>(status - header.begin());
    result_.names = {header.begin() + 2, status};
    result_.kept = names.contains("format");
    if (result_.kept && header != headerOf(result_.names))
      fail("its columns are not those that the window keeps");
  }

  static void dropReturn(lab::SweepLine& line) {
    if (line.back().ends_with('\r')) line.back().pop_back();
  }

  [[nodiscard]] std::string cell(const char* name) const {
    const auto at = std::ranges::find(header_, name);
    return at == header_.end() ? std::string() : cells_[static_cast<size_t>(at - header_.begin())];
  }

  void takeLine(lab::SweepLine cells) {
    dropReturn(cells);
    if (cells.size() != header_.size())
      return static_cast<void>(fail("it has " + std::to_string(cells.size()) + " cells, not " +
                                    std::to_string(header_.size())));
    if (result_.rows.size() >= kMostRows)
      return static_cast<void>(fail("there are more than 200,000 points"));
    if (std::ranges::any_of(cells, [](const auto& c) { return c.size() > kLongestCell; }))
      return static_cast<void>(fail("a cell is longer than 4096 characters"));
    if (result_.kept && checkOf(header_, cells, cells.size() - 1) != cells.back())
      return static_cast<void>(fail("its check does not fit: the line was changed"));
    // The command line's texts are guarded against spreadsheets.
    if (!result_.kept) std::ranges::transform(cells, cells.begin(), lab::spreadsheetText);
    if (const auto problem = lab::cellProblem(header_, cells))
      return static_cast<void>(
          fail("column " + std::to_string(problem->column + 1) + ": " + problem->why));
    cells_ = std::move(cells);
    SweepFileRow row;
    row.kernel = cells_[0];
    row.device = cells_[1];
    if (row.kernel.empty()) fail("it names no kernel");
    takeValues(row);
    takeStatus(row.sample);
    takeTime(row.sample);
    takeCounts(row.sample);
    if (result_.kept)
      takeOwn(row);
    else
      row.text = hexIn(cell("code")).value_or(0);
    if (!error_) result_.rows.push_back(std::move(row));
  }

  void takeValues(SweepFileRow& row) {
    for (size_t i = 2; i < values_; ++i) {
      if (cells_[i].empty()) continue;  // A point that did not run omits its defaults.
      const auto value = numberIn<int64_t>(cells_[i]);
      if (!value || *value > kLargestNumber || *value < -kLargestNumber)
        fail(header_[i] + " is not a whole number: '" + cells_[i].substr(0, 40) + "'");
      else
        row.values[header_[i]] = *value;
    }
  }

  void takeStatus(SweepSample& sample) {
    const std::string status = cells_[values_];
    sample.reason = cell("reason");
    if (status != "ok" && sample.reason.empty()) sample.reason = status;
    if (status == "ok" && !sample.reason.empty() && cell("median_ms").empty()) return;
    if (status == "ok") sample.reason.clear();
  }

  void takeTime(SweepSample& sample) {
    if (cell("median_ms").empty()) return;
    const auto ms = [&](size_t i) { return numberIn<double>(cell(kTimes[i])).value_or(0); };
    const auto repetitions = numberIn<uint32_t>(cell("repetitions")).value_or(0);
    sample.time = SweepTime{ms(0), ms(1), ms(2), ms(3), repetitions};
  }

  void takeCounts(SweepSample& sample) {
    SweepCounts counts;
    size_t found = 0;
    for (const CountColumn& column : kCounts) {
      const std::string text = cell(column.name);
      if (text.empty()) continue;
      const auto value = numberIn<uint64_t>(text);
      if (!value) return static_cast<void>(fail(std::string(column.name) + " is not a count"));
      counts.*column.count = *value;
      ++found;
    }
    if (found == kCounts.size())
      sample.counts = counts;
    else if (found > 0)
      fail("some of its counts are missing");
  }

  void takeOwn(SweepFileRow& row) {
    if (cell("format") != kFormat)
      return static_cast<void>(fail("its format is " + cell("format").substr(0, 20) +
                                    "; this program reads " + kFormat));
    const auto code = hexIn(cell("code")), launch = hexIn(cell("launch"));
    if (!code || !launch) return static_cast<void>(fail("code or launch is not a hash"));
    row.code = *code;
    row.launch = *launch;
    row.deviceName = cell("device_name");
    row.sample.when = cell("when");
    row.sample.by = cell("by");
  }

  std::string file_;
  size_t line_ = 1;
  lab::SweepLine header_, cells_;
  size_t values_ = 0;  ///< Index of the column "status"; sizes and tunables come before it.
  SweepFile result_;
  std::optional<Error> error_;
};

}  // namespace

std::string sweepFileHeader(const std::vector<std::string>& names) {
  return lab::csvLine(headerOf(names));
}

std::string sweepFileLine(const std::vector<std::string>& names, const SweepFileRow& row) {
  const SweepSample& sample = row.sample;
  lab::SweepLine cells{plain(row.kernel), plain(row.device)};
  for (const std::string& name : names) cells.push_back(std::to_string(row.values.at(name)));
  cells.emplace_back(sample.reason.empty() ? "ok" : "failed");
  if (sample.time) {
    const SweepTime& time = *sample.time;
    for (const double ms : {time.medianMs, time.minMs, time.p10Ms, time.p90Ms})
      cells.push_back(exact(ms));
    cells.push_back(std::to_string(time.repetitions));
  } else {
    cells.resize(cells.size() + kTimes.size());
  }
  for (const CountColumn& column : kCounts)
    cells.push_back(sample.counts ? std::to_string(*sample.counts.*column.count) : "");
  cells.push_back(plain(sample.reason));
  for (const std::string& own : {std::string(kFormat), plain(row.deviceName), hex64(row.code),
                                 hex64(row.launch), plain(sample.when), plain(sample.by)})
    cells.push_back(own);
  cells.push_back(checkOf(headerOf(names), cells, cells.size()));
  return lab::csvLine(cells);
}

Result<SweepFile> parseSweepFile(const std::string& file, std::string_view text) {
  return Reader(file).read(text);
}

}  // namespace tilestep::model
