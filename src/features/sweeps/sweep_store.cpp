// SPDX-License-Identifier: Apache-2.0
#include "features/sweeps/sweep_store.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <utility>

#include "base/files.h"
#include "base/hash.h"
#include "lab/figures.h"

namespace tilestep::model {
namespace {

namespace fs = std::filesystem;

/// Another window holds the lock for a file's reading and writing only.
constexpr std::chrono::milliseconds kStorePatience{500};

/// "NVIDIA H200" to "nvidia-h200".
std::string slugOf(const std::string& name) {
  std::string slug;
  for (const char c : name) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    const bool upper = c >= 'A' && c <= 'Z';
    if (letter || upper)
      slug += upper ? static_cast<char>(c + 32) : c;
    else if (!slug.empty() && slug.back() != '-')
      slug += '-';
  }
  while (!slug.empty() && slug.back() == '-') slug.pop_back();
  return slug.substr(0, 64);
}

/// "NAME.damaged-1.csv", with the first unused number.
fs::path nameAside(const fs::path& path) {
  constexpr int kMost = 99;
  for (int i = 1; i < kMost; ++i) {
    fs::path aside = path;
    aside.replace_filename(path.stem().string() + ".damaged-" + std::to_string(i) + ".csv");
    std::error_code failed;
    if (!fs::exists(fs::symlink_status(aside, failed))) return aside;
  }
  return path.string() + ".damaged";
}

/// SweepSample::by begins with the compiler.
bool isCompiledBy(const SweepFileRow& row, const SweepOwner& owner) {
  const std::string& by = row.sample.by;
  return owner.compiler.empty() || by == owner.compiler || by.starts_with(owner.compiler + ", ");
}

Error cannotKeep(const fs::path& path, const std::string& why) {
  return workError("The points of sweeps are no longer kept, because " + path.string() +
                   " cannot be written: " + why +
                   ". They stay until the window closes; make room, or name another folder with "
                   "XDG_STATE_HOME.");
}

}  // namespace

std::string SweepOwner::fileName() const {
  uint64_t hash = fnv1a64(deviceName + "\n" + compiler + "\n" + arch + "\n", code);
  for (const std::string& name : names) hash = fnv1a64(name + "\n", hash);
  return kernel + "-" + hex64(hash) + "-" + slugOf(deviceName) + ".csv";
}

std::string SweepOwner::earlierFileName() const {
  return kernel + "-" + hex64(code) + "-" + slugOf(deviceName) + ".csv";
}

SweepOwner ownerOf(const SweepPlan& plan, const SweepSeries& series) {
  SweepOwner owner{series.spec->name, series.code, plan.device, plan.deviceName, {}};
  owner.compiler = plan.compiler;
  owner.arch = series.spec->arch;
  for (const auto& [name, value] : lab::orderedSizes(series.spec->sizes))
    owner.names.push_back(name);
  for (const compile::TunableSpec& tunable : series.spec->tunables)
    owner.names.push_back(tunable.name);
  return owner;
}

SweepStore::Book& SweepStore::bookOf(const SweepOwner& owner) {
  const auto [at, isNew] = books_.try_emplace(owner.fileName());
  if (isNew && !folder_.empty()) read(owner, at->second);
  return at->second;
}

fs::path SweepStore::pathOf(const SweepOwner& owner) const {
  return folder_ / owner.fileName();
}

std::optional<SweepStore::Version> SweepStore::versionOf(const fs::path& path) {
  struct stat about {};
  if (::stat(path.c_str(), &about) != 0) return std::nullopt;
  constexpr int64_t kNs = 1'000'000'000;
  return Version{about.st_dev, about.st_ino, static_cast<uint64_t>(about.st_size),
                 int64_t{about.st_mtim.tv_sec} * kNs + about.st_mtim.tv_nsec};
}

SweepStore::Rows SweepStore::read(const SweepOwner& owner, Book& book) {
  const auto isThere = [](const fs::path& path) {
    std::error_code failed;
    return fs::exists(fs::symlink_status(path, failed));
  };
  fs::path path = pathOf(owner);
  book.isWhole = false;
  book.version = versionOf(path);
  const bool isOwn = isThere(path);
  if (!isOwn) path.replace_filename(owner.earlierFileName());
  if (!isThere(path)) return {};
  std::optional<Error> damage;
  const Result<std::string> text = readTextFile(path, kMostSweepFileBytes);
  Result<SweepFile> file =
      text ? parseSweepFile(path.string(), *text) : Result<SweepFile>(text.error());
  if (!file) damage = file.error();
  const bool hasNames = file && file->names == owner.names;
  if (file && !isOwn && !hasNames) return {};  // The points of other tunables.
  const auto isHere = [&](const SweepFileRow& row) {
    return row.kernel == owner.kernel && row.code == owner.code &&
           row.deviceName == owner.deviceName &&
           std::ranges::all_of(owner.names, [&](const auto& n) { return row.values.contains(n); });
  };
  if (file && (!file->kept || !hasNames || !std::ranges::all_of(file->rows, isHere)))
    damage = requestError(path.string() + " holds the points of another kernel or device");
  if (damage) {
    const fs::path aside = nameAside(path);
    std::error_code failed;
    fs::rename(path, aside, failed);
    damage->message = "Points of an earlier sweep cannot be read: " + damage->message + ". " +
                      (failed ? "The file stays where it is; nothing is added to it."
                              : "The damaged file is kept as " + aside.string() + ".");
    trouble_.push_back(std::move(*damage));
    if (failed) folder_.clear();
    return {};
  }
  book.isWhole = isOwn && !file->cutOff;
  if (!isOwn)
    std::erase_if(file->rows, [&](const SweepFileRow& row) { return !isCompiledBy(row, owner); });
  Rows rows;
  for (SweepFileRow& row : file->rows) {
    std::string key = sweepKey(row.code, row.launch, row.values);
    if (!book.unwritten.contains(key)) book.rows.insert_or_assign(key, row);
    rows.insert_or_assign(std::move(key), std::move(row));
  }
  return rows;
}

const SweepSample* SweepStore::find(const SweepOwner& owner, const std::string& key) {
  const Book& book = bookOf(owner);
  const auto at = book.rows.find(key);
  return at == book.rows.end() ? nullptr : &at->second.sample;
}

Result<FileLock> SweepStore::lock(const SweepOwner& owner, Book& book) {
  if (folder_.empty()) return FileLock();
  const fs::path path = pathOf(owner);
  std::error_code failed;
  fs::create_directories(folder_, failed);
  Result<FileLock> lock = FileLock::take(path, kStorePatience);
  if (!lock) {
    return workError("Points of sweeps are not kept yet: " + lock.error().message +
                     ". They are written with the next one.");
  }
  if (!lock->note().empty() && !std::exchange(isNoteSaid_, true))
    trouble_.push_back(workError(lock->note() + "."));
  const fs::file_status there = fs::status(path, failed);
  if (fs::is_fifo(there)) {  // Opening it would wait for a reader.
    folder_.clear();
    return cannotKeep(path, "it is a pipe");
  }
  const bool isFile = !fs::exists(there) || fs::is_regular_file(there);
  if (isFile && versionOf(path) != book.version) read(owner, book);
  return lock;
}

Status SweepStore::put(const SweepOwner& owner, const SweepPoint& point,
                       const SweepSample& sample) {
  Book& book = bookOf(owner);
  const Result<FileLock> held = lock(owner, book);
  const auto [at, isNew] = book.rows.try_emplace(point.key);
  SweepFileRow& row = at->second;
  row.sample = isNew ? sample : merged(row.sample, sample);
  row.kernel = owner.kernel;
  row.device = owner.device;
  row.deviceName = owner.deviceName;
  row.values = valuesOf(point);
  row.code = owner.code;
  row.launch = point.launch;
  book.unwritten.insert(point.key);
  return held ? write(owner, book) : Status(held.error());
}

Status SweepStore::drop(const SweepOwner& owner, const std::vector<std::string>& keys) {
  Book& book = bookOf(owner);
  const Result<FileLock> held = lock(owner, book);
  if (!held) return held.error();
  size_t dropped = 0;
  for (const std::string& key : keys) {
    dropped += book.rows.erase(key);
    book.unwritten.erase(key);
  }
  if (dropped == 0 || folder_.empty()) return {};
  // Of what this window knows, another one may have removed points, and they stay removed.
  Book there;
  Rows rows = read(owner, there);
  for (const std::string& key : keys) rows.erase(key);
  for (const std::string& key : book.unwritten) rows.insert_or_assign(key, book.rows.at(key));
  return rewrite(owner, book, rows);
}

Status SweepStore::write(const SweepOwner& owner, Book& book) {
  if (folder_.empty()) return {};
  const fs::path path = pathOf(owner);
  if (!book.isWhole) return rewrite(owner, book, book.rows);
  errno = 0;
  std::ofstream file(path, std::ios::app | std::ios::binary);
  for (const std::string& key : book.unwritten)
    file << sweepFileLine(owner.names, book.rows.at(key));
  file << std::flush;
  if (!file) {
    folder_.clear();
    return cannotKeep(path, errno != 0 ? std::strerror(errno) : "unknown");
  }
  book.unwritten.clear();
  book.version = versionOf(path);
  return {};
}

Status SweepStore::rewrite(const SweepOwner& owner, Book& book, const Rows& rows) {
  if (folder_.empty()) return {};
  const fs::path path = pathOf(owner);
  std::string text = sweepFileHeader(owner.names);
  for (const auto& [key, row] : rows) text += sweepFileLine(owner.names, row);
  if (const Status written = writeFileAtomically(path, text); !written) {
    folder_.clear();
    return cannotKeep(path, written.error().message);
  }
  book.unwritten.clear();
  book.version = versionOf(path);
  book.isWhole = true;
  return {};
}

std::vector<Error> SweepStore::takeTrouble() {
  return std::exchange(trouble_, {});
}

}  // namespace tilestep::model
