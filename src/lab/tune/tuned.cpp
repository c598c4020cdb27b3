// SPDX-License-Identifier: Apache-2.0
#include "lab/tune/tuned.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "base/figure.h"
#include "base/files.h"
#include "base/hash.h"
#include "base/number_text.h"
#include "compile/front_matter/tunable_values.h"
#include "lab/points/points_file.h"
#include "lab/run/device_check.h"
#include "lab/sweep_file.h"

namespace tilestep::lab {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostBytes = size_t{4} << 20, kMostRows = 20000;
const SweepLine kColumns{"format",   "kernel",    "code",  "device_name", "sizes",
                         "tunables", "median_ms", "timed", "legal",       "day"};

/// Why the choice is invalid; empty: it is valid.
std::string problemOf(const Tuned& tuned) {
  if (tuned.kernel.empty() || tuned.device.empty()) return "it names no kernel or no device";
  if (!kMilliseconds.holds(tuned.medianMs)) return "median_ms is not a time";
  if (tuned.timed > tuned.legal) return "timed and legal contradict each other";
  if (!isDay(tuned.day)) return "its day is not YYYY-MM-DD";
  return {};
}

/// Why the line is invalid; empty where `tuned` holds it.
std::string readCells(const SweepLine& cells, Tuned& tuned) {
  if (cells[0] != "1") return "its format is " + cells[0] + "; this program reads 1";
  const auto code = numberIn<uint64_t>(cells[2], 16);
  const auto sizes = valuesIn(cells[4]), tunables = valuesIn(cells[5]);
  const auto ms = numberIn<double>(cells[6]);
  const auto timed = numberIn<uint64_t>(cells[7]), legal = numberIn<uint64_t>(cells[8]);
  if (!code || cells[2].size() != 16) return "its code is not a hash";
  if (!sizes || !tunables) return "its sizes or tunables are not NAME=NUMBER NAME=NUMBER …";
  if (!ms) return "median_ms is not a time";
  if (!timed || !legal) return "timed or legal is not a count";
  tuned = {cells[1], *code, cells[3], *sizes, *tunables, *ms, *timed, *legal, cells[9]};
  return problemOf(tuned);
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

/// Nothing where there is no such file.
Result<std::vector<Tuned>> readFile(const fs::path& path) {
  std::error_code failed;
  if (!fs::exists(fs::symlink_status(path, failed))) return std::vector<Tuned>{};
  const Result<std::string> text = readTextFile(path, kMostBytes);
  return text ? parseTuned(path.string(), *text) : text.error();
}

Status importEarlier(const Database& own, const std::string& device) {
  const std::string name = "tuned/" + fileStemOf(device) + ".csv";
  const fs::path path = own.folder() / name;
  return importOnce(own, name, path, [&]() -> Status {
    const Result<std::vector<Tuned>> all = readFile(path);
    Status taken = all ? Status() : Status(all.error());
    for (size_t i = 0; taken && i < all->size(); ++i) taken = insert(own, (*all)[i]);
    return taken;
  });
}

/// `add` gets each valid row. Errors: the last invalid row, or the database cannot be read.
Status readRows(const Database& own, const std::string& device,
                const std::function<void(const Tuned&)>& add) {
  Result<Statement> query = own.prepare(
      "SELECT kernel, code, sizes, tunables, median_ms, timed, legal, day FROM tuned "
      "WHERE device = ? LIMIT 20000");
  if (!query) return query.error();
  query->bind({device});
  Status read;
  for (;;) {
    const Result<bool> row = query->step();
    if (!row) return row.error();
    if (!*row) return read;
    const auto count = [&](int column) {
      return static_cast<uint64_t>(std::max<int64_t>(query->integer(column).value_or(0), 0));
    };
    // Values that cannot be read are left empty, and belong to no kernel.
    const Tuned tuned{query->text(0),
                      numberIn<uint64_t>(query->text(1), 16).value_or(0),
                      device,
                      valuesIn(query->text(2)).value_or(compile::Bindings{}),
                      valuesIn(query->text(3)).value_or(compile::Bindings{}),
                      query->real(4).value_or(0),
                      count(5),
                      count(6),
                      query->text(7)};
    const std::string why = problemOf(tuned);
    if (why.empty())
      add(tuned);
    else
      read = workError(own.file() + ": a row of the table tuned is not used: " + why);
  }
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
  SweepLine columns = csv.lines.empty() ? SweepLine{} : csv.lines.front();
  const bool isChecked = !columns.empty() && columns.back() == "check";
  if (isChecked) columns.pop_back();
  if (columns != kColumns)
    return fail("these are not tuned values: the first line does not name their columns");
  std::vector<Tuned> all;
  for (size_t i = 1; i < csv.lines.size(); ++i) {
    line = i + 1;
    SweepLine cells = csv.lines[i];
    if (cells.size() != csv.lines.front().size())
      return fail("it has " + std::to_string(cells.size()) + " cells, not " +
                  std::to_string(csv.lines.front().size()));
    if (isChecked && !isUnchanged(csv.lines.front(), cells))
      return fail("its check does not fit: the line was changed");
    Tuned tuned;
    if (const std::string why = readCells(cells, tuned); !why.empty()) return fail(why);
    if (all.size() >= kMostRows)
      return fail("there are more than " + grouped(kMostRows) + " lines");
    all.push_back(std::move(tuned));
  }
  line = csv.lines.size() + 1;
  if (csv.bytes != text.size()) return fail("the last line is cut off");
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
  if (shipped.empty()) return known;
  const Result<std::vector<Tuned>> file = readFile(shipped / (fileStemOf(device) + ".csv"));
  if (!file) note(file.error());
  if (file) known.all.insert(known.all.end(), file->begin(), file->end());
  return known;
}

DeviceTuned tunedHere(const fs::path& home, const std::string& device) {
  const fs::path state = stateFolder(), file = pointsFileIn(state);
  std::error_code failed;
  // Reading creates no file, but imports those of earlier versions.
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
  if (const std::string why = problemOf(tuned); !why.empty()) return workError(why);
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
