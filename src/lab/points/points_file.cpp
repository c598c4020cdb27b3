// SPDX-License-Identifier: Apache-2.0
#include "lab/points/points_file.h"

#include <algorithm>

#include "base/files.h"
#include "base/number_text.h"
#include "lab/figures.h"

namespace tilestep::lab {
namespace {

constexpr int kVersion = 1;
constexpr const char* kSchema = R"(
CREATE TABLE points(
  kernel TEXT NOT NULL, code TEXT NOT NULL, arch TEXT NOT NULL, compiler TEXT NOT NULL,
  device TEXT NOT NULL, launch TEXT NOT NULL, sizes_and_tunables TEXT NOT NULL,
  median_ms REAL, min_ms REAL, p10_ms REAL, p90_ms REAL, repetitions INTEGER,
  global_load_bytes INTEGER, global_store_threads INTEGER,
  global_load_requests INTEGER, global_store_requests INTEGER,
  global_load_sectors INTEGER, global_store_sectors INTEGER,
  shared_load_requests INTEGER, shared_store_requests INTEGER,
  shared_load_wavefronts INTEGER, shared_store_wavefronts INTEGER,
  reason TEXT NOT NULL, day TEXT NOT NULL, made_by TEXT NOT NULL,
  PRIMARY KEY(code, device, compiler, arch, launch, sizes_and_tunables)) STRICT, WITHOUT ROWID;
CREATE TABLE tuned(
  kernel TEXT NOT NULL, code TEXT NOT NULL, device TEXT NOT NULL, sizes TEXT NOT NULL,
  tunables TEXT NOT NULL, median_ms REAL NOT NULL, timed INTEGER NOT NULL, legal INTEGER NOT NULL,
  day TEXT NOT NULL,
  PRIMARY KEY(device, kernel, code, sizes)) STRICT, WITHOUT ROWID;
CREATE TABLE imported(mark TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
)";

}  // namespace

std::filesystem::path pointsFileIn(const std::filesystem::path& state) {
  return state / "points.db";
}

Result<Database> openPoints(const std::filesystem::path& file) {
  return Database::open(file, kVersion, kSchema);
}

Status importOnce(
    const Database& database, const std::string& name, const std::string& purpose,
    const std::function<Status(const std::string& path, const std::string& text)>& read) {
  constexpr size_t kMostBytes = size_t{32} << 20;
  const std::filesystem::path path = database.file().parent_path() / name;
  std::error_code failed;
  if (!std::filesystem::exists(std::filesystem::symlink_status(path, failed))) return {};
  const std::string mark = name + purpose;
  bool isImported = false;
  const auto look = [&] {
    return database.run("SELECT 1 FROM imported WHERE mark = ?", {mark},
                        [&](const SqlRow&) { isImported = true; });
  };
  if (const Status looked = look(); !looked || isImported) return looked;
  return database.write([&]() -> Status {
    if (const Status looked = look(); !looked || isImported) return looked;  // Another process has.
    const Result<std::string> text = readTextFile(path, kMostBytes);
    if (!text) return text.error();
    if (const Status taken = read(path.string(), *text); !taken) return taken;
    return database.run("INSERT INTO imported VALUES(?)", {mark});
  });
}

std::string fileStemOf(const std::string& device) {
  constexpr size_t kLongest = 64;
  std::string stem;
  for (const char c : device) {
    const bool isUpper = c >= 'A' && c <= 'Z';
    const bool isPlain = (c >= 'a' && c <= 'z') || isDigit(c);
    if (isUpper || isPlain)
      stem += isUpper ? static_cast<char>(c - 'A' + 'a') : c;
    else if (!stem.empty() && stem.back() != '-')
      stem += '-';
  }
  while (!stem.empty() && stem.back() == '-') stem.pop_back();
  return stem.substr(0, kLongest);
}

std::string cellOf(const compile::Bindings& values) {
  std::string text;
  for (const auto& [name, value] : orderedSizes(values))
    text += (text.empty() ? "" : " ") + name + "=" + std::to_string(value);
  return text;
}

std::optional<compile::Bindings> valuesIn(std::string_view cell) {
  constexpr size_t kMostNames = 64;
  constexpr int64_t kLargestNumber = int64_t{1} << 40;
  compile::Bindings values;
  while (!cell.empty()) {
    const std::string_view part = cell.substr(0, cell.find(' '));
    cell.remove_prefix(std::min(cell.size(), part.size() + 1));
    const size_t at = part.find('=');
    if (at == std::string_view::npos || at == 0 || values.size() >= kMostNames) return {};
    const auto value = numberIn<int64_t>(part.substr(at + 1));
    if (!value || *value > kLargestNumber || *value < -kLargestNumber) return {};
    if (!values.emplace(part.substr(0, at), *value).second) return {};
  }
  return values;
}

}  // namespace tilestep::lab
