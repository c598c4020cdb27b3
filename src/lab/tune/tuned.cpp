// SPDX-License-Identifier: Apache-2.0
#include "lab/tune/tuned.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>

#include "base/figure.h"
#include "base/figure_range.h"
#include "base/files.h"
#include "base/hash.h"
#include "base/number_text.h"
#include "base/process/file_lock.h"
#include "compile/front_matter/tunable_values.h"
#include "lab/figures.h"
#include "lab/sweep_file.h"

namespace tilestep::lab {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostBytes = size_t{4} << 20, kMostRows = 20000, kMostNames = 64,
                 kLongestCell = 2048;
/// Others hold the lock for a file's reading and writing only.
constexpr std::chrono::seconds kPatience{2};
constexpr int64_t kLargestNumber = int64_t{1} << 40;
constexpr std::string_view kFormat = "1";
const SweepLine kColumns{"format",    "kernel", "code",  "device_name", "sizes", "tunables",
                         "median_ms", "timed",  "legal", "day",         "check"};

std::string checkOf(const SweepLine& cells) {
  const SweepLine checked(cells.begin(), cells.begin() + static_cast<long>(kColumns.size()) - 1);
  return hex64(fnv1a64(csvLine(checked), fnv1a64(csvLine(kColumns))));
}

/// "m=1024 n=1024 k=1024"
std::string bindingsText(const compile::Bindings& bindings) {
  std::string text;
  for (const auto& [name, value] : orderedSizes(bindings))
    text += (text.empty() ? "" : " ") + name + "=" + std::to_string(value);
  return text;
}

std::optional<double> timeIn(const std::string& text) {
  const std::optional<double> value = numberIn<double>(text);
  return value && kMilliseconds.holds(*value) ? value : std::nullopt;
}

std::optional<compile::Bindings> bindingsIn(std::string_view text) {
  compile::Bindings bindings;
  while (!text.empty()) {
    const std::string_view part = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), part.size() + 1));
    const size_t at = part.find('=');
    if (at == std::string_view::npos || at == 0 || bindings.size() >= kMostNames) return {};
    const auto value = numberIn<int64_t>(part.substr(at + 1));
    if (!value || *value > kLargestNumber || *value < -kLargestNumber) return {};
    if (!bindings.emplace(part.substr(0, at), *value).second) return {};
  }
  return bindings;
}

bool isDay(const std::string& text) {
  if (text.size() != 10) return false;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool dash = i == 4 || i == 7;
    if (dash ? text[i] != '-' : text[i] < '0' || text[i] > '9') return false;
  }
  return true;
}

/// What is wrong with the line; empty where `tuned` holds it.
std::string readLine(const SweepLine& cells, Tuned& tuned) {
  if (cells.size() != kColumns.size())
    return "it has " + std::to_string(cells.size()) + " cells and not " +
           std::to_string(kColumns.size());
  if (std::ranges::any_of(cells, [](const auto& cell) { return cell.size() > kLongestCell; }))
    return "a cell is longer than " + std::to_string(kLongestCell) + " characters";
  if (cells.back() != checkOf(cells)) return "its check does not fit: the line was changed";
  if (cells[0] != kFormat)
    return "its format is " + cells[0] + "; this program reads " + std::string(kFormat);
  const auto code = numberIn<uint64_t>(cells[2], 16);
  const auto sizes = bindingsIn(cells[4]), tunables = bindingsIn(cells[5]);
  const auto ms = timeIn(cells[6]);
  const auto timed = numberIn<uint64_t>(cells[7]), legal = numberIn<uint64_t>(cells[8]);
  if (cells[1].empty() || cells[3].empty()) return "it names no kernel or no device";
  if (!code || cells[2].size() != 16) return "its code is not a hash";
  if (!sizes || !tunables) return "its sizes or tunables are not NAME=NUMBER NAME=NUMBER …";
  if (!ms) return "median_ms is not a time";
  if (!timed || !legal || *timed > *legal) return "timed and legal contradict each other";
  if (!isDay(cells[9])) return "its day is not YYYY-MM-DD";
  tuned = {cells[1], *code, cells[3], *sizes, *tunables, *ms, *timed, *legal, cells[9]};
  return {};
}

SweepLine lineOf(const Tuned& tuned) {
  std::array<char, 32> ms{};
  const auto end = std::to_chars(ms.data(), ms.data() + ms.size(), tuned.medianMs).ptr;
  SweepLine cells{std::string(kFormat),
                  tuned.kernel,
                  hex64(tuned.code),
                  tuned.device,
                  bindingsText(tuned.sizes),
                  bindingsText(tuned.tunables),
                  std::string(ms.data(), end),
                  std::to_string(tuned.timed),
                  std::to_string(tuned.legal),
                  tuned.day,
                  ""};
  cells.back() = checkOf(cells);
  return cells;
}

/// "NVIDIA H200" to "nvidia-h200.csv".
std::string fileNameOf(const std::string& device) {
  constexpr size_t kLongest = 64;
  std::string slug;
  for (const char c : device) {
    const bool upper = c >= 'A' && c <= 'Z';
    const bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (upper || plain)
      slug += upper ? static_cast<char>(c - 'A' + 'a') : c;
    else if (!slug.empty() && slug.back() != '-')
      slug += '-';
  }
  while (!slug.empty() && slug.back() == '-') slug.pop_back();
  return (slug.empty() ? "device" : slug.substr(0, kLongest)) + ".csv";
}

/// Nothing where there is no such file.
Result<std::vector<Tuned>> readFile(const fs::path& path) {
  std::error_code failed;
  if (!fs::exists(fs::symlink_status(path, failed))) return std::vector<Tuned>{};
  const Result<std::string> text = readTextFile(path, kMostBytes);
  auto all = text ? parseTuned(path.string(), *text) : text.error();
  if (all) return all;
  Error error = all.error();
  error.message += "; the file is neither used nor written to until it is mended or removed";
  return error;
}

bool isAlike(const Tuned& a, const Tuned& b) {
  return a.kernel == b.kernel && a.code == b.code && a.device == b.device && a.sizes == b.sizes;
}

bool isOf(const Tuned& tuned, const compile::KernelSpec& spec) {
  if (tuned.tunables.size() != spec.tunables.size() || tuned.sizes.size() != spec.sizes.size())
    return false;
  const auto fits = [&](const compile::TunableSpec& tunable) {
    const auto at = tuned.tunables.find(tunable.name);
    return at != tuned.tunables.end() && takes(tunable, at->second);
  };
  return std::ranges::all_of(spec.tunables, fits) &&
         std::ranges::all_of(tuned.sizes,
                             [&](const auto& size) { return spec.sizes.contains(size.first); });
}

double doublingsBetween(const compile::Bindings& a, const compile::Bindings& b) {
  double sum = 0;
  for (const auto& [name, value] : a) {
    const auto other = static_cast<double>(std::max<int64_t>(b.at(name), 1));
    sum += std::abs(std::log2(static_cast<double>(std::max<int64_t>(value, 1)) / other));
  }
  return sum;
}

}  // namespace

Result<std::vector<Tuned>> parseTuned(const std::string& path, std::string_view text) {
  size_t line = 1;
  const auto fail = [&](const std::string& why) {
    Error error = requestError(path + ", line " + std::to_string(line) + ": " + why);
    error.where = TextLocation{path, static_cast<int>(line), 0};
    return error;
  };
  const CsvText csv = parseCsv(text);
  if (csv.lines.empty() || csv.lines.front() != kColumns)
    return fail("these are not tuned values: the first line does not name their columns");
  std::vector<Tuned> all;
  for (size_t i = 1; i < csv.lines.size(); ++i) {
    line = i + 1;
    Tuned tuned;
    if (const std::string why = readLine(csv.lines[i], tuned); !why.empty()) return fail(why);
    if (all.size() >= kMostRows)
      return fail("there are more than " + grouped(kMostRows) + " lines");
    all.push_back(std::move(tuned));
  }
  line = csv.lines.size() + 1;
  if (csv.bytes != text.size()) return fail("the last line is cut off");
  return all;
}

std::string tunedText(const std::vector<Tuned>& all) {
  std::string text = csvLine(kColumns);
  for (const Tuned& tuned : all) text += csvLine(lineOf(tuned));
  return text;
}

std::vector<fs::path> tunedFolders(const fs::path& home) {
  std::vector<fs::path> folders;
  if (const fs::path state = stateFolder(); !state.empty()) folders.push_back(state / "tuned");
  folders.push_back(home / "assets" / "tuned");
  return folders;
}

std::string searchedText(const Tuned& tuned) {
  return grouped(tuned.timed) + " timed of " + grouped(tuned.legal) + " legal";
}

KnownTuned tunedFor(const compile::KernelSpec& spec, uint64_t code, const std::string& deviceName,
                    const compile::Bindings& sizes, const std::vector<fs::path>& folders) {
  compile::Bindings wanted = spec.sizes;
  for (const auto& [name, value] : sizes) {
    if (wanted.contains(name)) wanted[name] = value;
  }
  KnownTuned known;
  double nearest = std::numeric_limits<double>::infinity();
  for (const fs::path& folder : folders) {
    Result<std::vector<Tuned>> read = readFile(folder / fileNameOf(deviceName));
    if (!read) {
      known.damage += (known.damage.empty() ? "" : ". ") + read.error().message;
      continue;
    }
    for (Tuned& tuned : *read) {
      const bool same =
          tuned.kernel == spec.name && tuned.code == code && tuned.device == deviceName;
      if (!same || !isOf(tuned, spec)) continue;
      const double away = doublingsBetween(tuned.sizes, wanted);
      if (away >= nearest) continue;
      nearest = away;
      known.best = std::move(tuned);
    }
  }
  return known;
}

Result<KeptTuned> keepTuned(const fs::path& folder, const compile::KernelSpec& spec,
                            const Tuned& tuned) {
  const fs::path path = folder / fileNameOf(tuned.device);
  std::error_code failure;
  fs::create_directories(folder, failure);  // The lock lies in it.
  const Result<FileLock> lock = FileLock::take(path, kPatience);
  if (!lock) return lock.error();
  Result<std::vector<Tuned>> known = readFile(path);
  if (!known) return known.error();
  for (const Tuned& one : *known) {
    if (isAlike(one, tuned) && isOf(one, spec) && one.medianMs < tuned.medianMs)
      return KeptTuned{one, lock->note()};
  }
  std::erase_if(*known, [&](const Tuned& one) { return isAlike(one, tuned); });
  known->push_back(tuned);
  const std::string text = tunedText(*known);
  // What no reader would take would make the whole file useless.
  if (known->size() > kMostRows || text.size() > kMostBytes) {
    return requestError(path.string() + " would have " + grouped(known->size()) + " lines in " +
                        grouped(text.size()) + " bytes; at most " + grouped(kMostRows) + " in " +
                        grouped(kMostBytes) + " are read: remove the file, or lines of it");
  }
  if (const auto one = parseTuned(path.string(), tunedText({tuned})); !one) return one.error();
  const Status written = writeFileAtomically(path, text);
  if (!written) return written.error();
  return KeptTuned{std::nullopt, lock->note()};
}

}  // namespace tilestep::lab
