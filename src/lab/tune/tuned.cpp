// SPDX-License-Identifier: Apache-2.0
#include "lab/tune/tuned.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "base/figure.h"
#include "base/figure_range.h"
#include "base/files.h"
#include "base/hash.h"
#include "base/number_text.h"
#include "compile/front_matter/tunable_values.h"
#include "lab/points/points_file.h"
#include "lab/sweep_file.h"

namespace tilestep::lab {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostBytes = size_t{4} << 20;
constexpr size_t kMostRows = 20'000;
const SweepLine kColumns{"format",   "kernel",    "code",  "device_name", "sizes",
                         "tunables", "median_ms", "timed", "legal",       "day"};

bool isDay(const std::string& text) {
  if (text.size() != 10) return false;
  for (size_t i = 0; i < text.size(); ++i)
    if (i == 4 || i == 7 ? text[i] != '-' : !isDigit(text[i])) return false;
  return true;
}

/// Why the cells, in the order of kColumns, are invalid; empty if `tuned` was read from them.
std::string readCells(const SweepLine& cells, Tuned& tuned) {
  if (cells[0] != "1") return "its format is " + cells[0] + "; this program reads 1";
  const auto code = numberIn<uint64_t>(cells[2], 16);
  const auto sizes = valuesIn(cells[4]), tunables = valuesIn(cells[5]);
  const auto ms = numberIn<double>(cells[6]);
  const auto timed = numberIn<uint64_t>(cells[7]), legal = numberIn<uint64_t>(cells[8]);
  if (cells[1].empty() || cells[3].empty()) return "it names no kernel or no device";
  if (!code || cells[2].size() != 16) return "its code is not a hash";
  if (!sizes || !tunables) return "its sizes or tunables are not NAME=NUMBER NAME=NUMBER …";
  if (!ms || !kMilliseconds.holds(*ms)) return "median_ms is not a time";
  if (!timed || !legal || *timed > *legal) return "timed and legal contradict each other";
  if (!isDay(cells[9])) return "its day is not YYYY-MM-DD";
  tuned = {cells[1], *code, cells[3], *sizes, *tunables, *ms, *timed, *legal, cells[9]};
  return {};
}

bool isAccepted(const Tuned& tuned, const compile::KernelSpec& spec) {
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

Status insert(const Database& own, const Tuned& tuned) {
  return own.run("INSERT OR REPLACE INTO tuned VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)",
                 {tuned.kernel, hex64(tuned.code), tuned.device, cellOf(tuned.sizes),
                  cellOf(tuned.tunables), tuned.medianMs, static_cast<int64_t>(tuned.timed),
                  static_cast<int64_t>(tuned.legal), tuned.day});
}

Status importEarlier(const Database& own, const std::string& device) {
  const std::string name = "tuned/" + fileStemOf(device) + ".csv";
  return importOnce(own, name, {}, [&](const auto& path, const auto& text) -> Status {
    const Result<std::vector<Tuned>> all = parseTuned(path, text);
    Status taken = all ? Status() : Status(all.error());
    for (size_t i = 0; taken && i < all->size(); ++i) taken = insert(own, (*all)[i]);
    return taken;
  });
}

/// Passes each valid row to `add`. Errors: the last invalid row, or the database cannot be read.
Status readRows(const Database& own, const std::string& device,
                const std::function<void(const Tuned&)>& add) {
  std::string invalid;
  const Status read = own.run(
      "SELECT 1, kernel, code, device, sizes, tunables, median_ms, timed, legal, day FROM tuned "
      "WHERE device = ? LIMIT ?",
      {device, static_cast<int64_t>(kMostRows)}, [&](const SqlRow& row) {
        Tuned tuned;
        const std::string why = readCells(row.cells(), tuned);
        if (why.empty())
          add(tuned);
        else
          invalid = why;
      });
  if (!read || invalid.empty()) return read;
  return workError(own.file().string() + ": a row of its table \"tuned\" is ignored: " + invalid);
}

}  // namespace

Result<std::vector<Tuned>> parseTuned(const std::string& path, std::string_view text) {
  const CsvText csv = parseCsv(text);
  const SweepLine header = csv.lines.empty() ? SweepLine() : csv.lines.front();
  if (std::ranges::mismatch(kColumns, header).in1 != kColumns.end())
    return lineError(path, 1,
                     "these are not tuned values: the first line does not name their columns");
  if (csv.lines.size() > kMostRows + 1)
    return lineError(path, csv.numbers[kMostRows + 1], "there are more than 20,000 rows");
  std::vector<Tuned> all;
  for (size_t i = 1; i < csv.lines.size(); ++i) {
    const SweepLine& cells = csv.lines[i];
    const std::string why = cells.size() == header.size()
                                ? readCells(cells, all.emplace_back())
                                : "it has " + std::to_string(cells.size()) + " cells, not " +
                                      std::to_string(header.size());
    if (!why.empty()) return lineError(path, csv.numbers[i], why);
  }
  if (csv.bytes != text.size())
    return lineError(path, csv.numbers.back(), "the last line is cut off");
  return all;
}

fs::path shippedTuned(const fs::path& home) {
  return home / "assets" / "tuned";
}

std::string searchedText(const Tuned& tuned) {
  return grouped(tuned.timed) + " timed of " + grouped(tuned.legal) + " legal";
}

DeviceTuned readTuned(const Database* own, const fs::path& shipped, const std::string& device) {
  DeviceTuned known;
  const auto note = [&](const Error& error) {
    known.damage += (known.damage.empty() ? "" : ". ") + error.message;
  };
  if (own != nullptr) {
    if (const Status imported = importEarlier(*own, device); !imported) note(imported.error());
    const Status read =
        readRows(*own, device, [&](const Tuned& tuned) { known.all.push_back(tuned); });
    if (!read) note(read.error());
  }
  const fs::path path = shipped / (fileStemOf(device) + ".csv");
  std::error_code failed;
  // A link to a missing file is reported like a damaged file.
  if (shipped.empty() || !fs::exists(fs::symlink_status(path, failed))) return known;
  const Result<std::string> text = readTextFile(path, kMostBytes);
  const auto file = text ? parseTuned(path.string(), *text) : text.error();
  if (!file) note(file.error());
  if (file) known.all.insert(known.all.end(), file->begin(), file->end());
  return known;
}

DeviceTuned tunedHere(const fs::path& home, const std::string& device) {
  const fs::path state = stateFolder(), file = pointsFileIn(state);
  std::error_code failed;
  // Reading creates no database, but imports the files of earlier versions.
  const bool hasOwn =
      !state.empty() && (fs::exists(file, failed) || fs::exists(state / "tuned", failed));
  if (!hasOwn) return readTuned(nullptr, shippedTuned(home), device);
  const Result<Database> own = openPoints(file);
  DeviceTuned known = readTuned(own ? &*own : nullptr, shippedTuned(home), device);
  if (!own) known.damage = own.error().message + (known.damage.empty() ? "" : ". ") + known.damage;
  return known;
}

std::optional<Tuned> bestTuned(const compile::KernelSpec& spec, uint64_t code,
                               const compile::Bindings& sizes, const DeviceTuned& known) {
  compile::Bindings wanted = spec.sizes;
  for (const auto& [name, value] : sizes)
    if (wanted.contains(name)) wanted[name] = value;
  const Tuned* best = nullptr;
  double nearest = std::numeric_limits<double>::infinity();
  for (const Tuned& tuned : known.all) {
    if (tuned.kernel != spec.name || tuned.code != code || !isAccepted(tuned, spec)) continue;
    const double away = doublingsBetween(tuned.sizes, wanted);
    if (away >= nearest) continue;
    nearest = away;
    best = &tuned;
  }
  return best == nullptr ? std::nullopt : std::optional(*best);
}

Result<std::optional<Tuned>> keepTuned(const Database& own, const compile::KernelSpec& spec,
                                       const Tuned& tuned) {
  if (!kMilliseconds.holds(tuned.medianMs)) return workError("its time is out of range");
  if (const Status imported = importEarlier(own, tuned.device); !imported) return imported.error();
  std::optional<Tuned> older;
  const Status kept = own.write([&]() -> Status {
    // An invalid row is replaced, too.
    const Status read = readRows(own, tuned.device, [&](const Tuned& one) {
      const bool isSame =
          one.kernel == tuned.kernel && one.code == tuned.code && one.sizes == tuned.sizes;
      if (isSame && one.medianMs < tuned.medianMs && isAccepted(one, spec)) older = one;
    });
    return older ? read : insert(own, tuned);
  });
  if (!kept) return kept.error();
  return older;
}

}  // namespace tilestep::lab
