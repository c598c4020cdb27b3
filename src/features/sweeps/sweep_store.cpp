// SPDX-License-Identifier: Apache-2.0
#include "features/sweeps/sweep_store.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <utility>

#include "base/files.h"
#include "base/hash.h"
#include "base/number_text.h"
#include "base/printable.h"
#include "features/sweeps/sweep_file.h"
#include "lab/figures.h"
#include "lab/points/points_file.h"
#include "lab/run/device_check.h"

namespace tilestep::model {
namespace {

namespace fs = std::filesystem;

constexpr size_t kLongestKeptText = 4096;
constexpr size_t kMostKeptPoints = 200'000;
constexpr int kTimeColumns = 5;

/// The columns of the table "points" after its key.
std::string sampleColumns() {
  std::string columns = "median_ms, min_ms, p10_ms, p90_ms, repetitions";
  for (const KeptCount& count : kKeptCounts) columns += std::string(", ") + count.name;
  return columns + ", reason, day, made_by";
}

// The parameters are numbered as keyOf() lists the columns.
const char* const kIsOwners = " WHERE code = ?2 AND arch = ?3 AND compiler = ?4 AND device = ?5";
const char* const kIsPoint = " AND launch = ?6 AND sizes_and_tunables = ?7";

/// The key columns: of the owner, and of a point.
std::vector<lab::SqlValue> keyOf(const SweepOwner& owner) {
  return {owner.kernel, hex64(owner.code), owner.arch, owner.compiler, owner.device};
}
std::vector<lab::SqlValue> keyOf(const SweepOwner& owner, uint64_t launch,
                                 const compile::Bindings& values) {
  std::vector<lab::SqlValue> key = keyOf(owner);
  key.emplace_back(hex64(launch));
  key.emplace_back(lab::cellOf(values));
  return key;
}

/// A row's sample, whose columns begin at `first`. An Error where no run gives such figures.
Result<SweepSample> sampleIn(const lab::Statement& row, int first) {
  SweepSample sample;
  if (const auto median = row.real(first)) {
    device::Measurement& time = sample.time.emplace();
    time.medianMs = *median;
    time.minMs = row.real(first + 1).value_or(0);
    time.p10Ms = row.real(first + 2).value_or(0);
    time.p90Ms = row.real(first + 3).value_or(0);
    const int64_t repetitions = row.integer(first + 4).value_or(0);
    if (repetitions <= std::numeric_limits<uint32_t>::max())
      time.repetitions = static_cast<uint32_t>(std::max<int64_t>(repetitions, 0));
    if (const Status valid = lab::checkMeasurement(time); !valid) return valid.error();
  }
  int column = first + kTimeColumns;
  trace::Counters counts;
  size_t counted = 0;
  for (const KeptCount& kept : kKeptCounts) {
    const std::optional<int64_t> count = row.integer(column++);
    if (count && *count < 0) return workError(std::string(kept.name) + " is below 0");
    kept.of(counts) = static_cast<uint64_t>(count.value_or(0));
    counted += count ? 1 : 0;
  }
  if (counted == kKeptCounts.size()) sample.counts = counts;
  const auto text = [&] { return printableLine(row.text(column++).substr(0, kLongestKeptText)); };
  sample.reason = text();
  sample.when = text();
  sample.by = text();
  return sample;
}

/// Writes a row in place of the point's own.
Status writeRow(const lab::Database& file, std::vector<lab::SqlValue> row, SweepSample sample) {
  if (const auto& time = sample.time)
    row.insert(row.end(), {time->medianMs, time->minMs, time->p10Ms, time->p90Ms,
                           static_cast<int64_t>(time->repetitions)});
  else
    row.resize(row.size() + kTimeColumns);
  for (const KeptCount& kept : kKeptCounts)
    row.push_back(sample.counts ? lab::SqlValue(static_cast<int64_t>(kept.of(*sample.counts)))
                                : lab::SqlValue());
  row.insert(row.end(), {sample.reason, sample.when, sample.by});
  std::string places;
  for (size_t i = 0; i < row.size(); ++i) places += places.empty() ? "?" : ", ?";
  return file.run("INSERT OR REPLACE INTO points VALUES(" + places + ")", row);
}

/// Merges the sample with the file's, which another window may have written.
Status mergeRow(const lab::Database& file, const std::vector<lab::SqlValue>& key,
                const SweepSample& sample) {
  Result<lab::Statement> query =
      file.prepare("SELECT " + sampleColumns() + " FROM points" + kIsOwners + kIsPoint);
  if (!query) return query.error();
  query->bind(key);
  const Result<bool> found = query->step();
  if (!found) return found.error();
  const Result<SweepSample> known =
      *found ? sampleIn(*query, 0) : Result<SweepSample>(SweepSample());
  return writeRow(file, key, known ? merged(*known, sample) : sample);
}

/// `by` begins with the compiler, unless the point failed.
bool isCompiledBy(const SweepFileRow& row, const SweepOwner& owner) {
  const std::string& by = row.sample.by;
  return owner.compiler.empty() || by.empty() || by == owner.compiler ||
         by.starts_with(owner.compiler + ", ");
}

/// Takes over the points of an earlier version's file; later lines of a point replace earlier ones.
Status importEarlier(const lab::Database& file, const SweepOwner& owner, const fs::path& path) {
  const Result<std::string> text = readTextFile(path, kMostSweepFileBytes);
  if (!text) return text.error();
  const Result<SweepFile> earlier = parseSweepFile(path.string(), *text);
  if (!earlier) return earlier.error();
  for (const SweepFileRow& row : earlier->rows) {
    if (!earlier->kept || earlier->names != owner.names || row.kernel != owner.kernel ||
        row.code != owner.code || row.deviceName != owner.device || !isCompiledBy(row, owner))
      continue;
    const Status written = writeRow(file, keyOf(owner, row.launch, row.values), row.sample);
    if (!written) return written;
  }
  return {};
}

}  // namespace

std::string SweepOwner::earlierFile() const {
  uint64_t hash = fnv1a64(device + "\n" + compiler + "\n" + arch + "\n", code);
  for (const std::string& name : names) hash = fnv1a64(name + "\n", hash);
  return "sweeps/" + kernel + "-" + hex64(hash) + "-" + lab::fileStemOf(device) + ".csv";
}

std::string SweepOwner::earliestFile() const {
  return "sweeps/" + kernel + "-" + hex64(code) + "-" + lab::fileStemOf(device) + ".csv";
}

SweepOwner ownerOf(const SweepPlan& plan, const SweepSeries& series) {
  SweepOwner owner{series.spec->name, series.code, plan.deviceName, {}};
  owner.compiler = plan.compiler;
  owner.arch = series.spec->arch;
  for (const auto& [name, value] : lab::orderedSizes(series.spec->sizes))
    owner.names.push_back(name);
  for (const compile::TunableSpec& tunable : series.spec->tunables)
    owner.names.push_back(tunable.name);
  return owner;
}

SweepStore::Read SweepStore::readFrom(const lab::Database* file, const SweepOwner& owner) {
  Read read;
  if (file == nullptr) return read;
  std::error_code failed;
  fs::path earlier = file->folder() / owner.earlierFile();
  if (!fs::exists(earlier, failed)) earlier = file->folder() / owner.earliestFile();
  const Status imported = lab::importOnce(*file, owner.earlierFile(), earlier, [&] {
    return importEarlier(*file, owner, earlier);
  });
  if (!imported) read.trouble.push_back(imported.error());
  Result<lab::Statement> query = file->prepare("SELECT launch, sizes_and_tunables, " +
                                               sampleColumns() + " FROM points" + kIsOwners);
  if (query) query->bind(keyOf(owner));
  Result<bool> row = query ? query->step() : query.error();
  while (row && *row && read.samples.size() < kMostKeptPoints) {
    const auto launch = numberIn<uint64_t>(query->text(0), 16);
    const auto values = lab::valuesIn(query->text(1));
    Result<SweepSample> sample = sampleIn(*query, 2);
    if (launch && values && sample)
      read.samples.insert_or_assign(sweepKey(owner.code, *launch, *values), std::move(*sample));
    else if (read.trouble.empty())
      read.trouble.push_back(workError(
          file->file() + ": a point of " + owner.kernel + " is not used: " +
          (sample ? "its launch, sizes or tunables are invalid" : sample.error().message)));
    row = query->step();
  }
  if (!row) read.trouble.push_back(row.error());
  return read;
}

SweepStore::Book& SweepStore::bookOf(const SweepOwner& owner) {
  using namespace std::chrono_literals;
  const auto [at, isNew] = books_.try_emplace(owner.earlierFile());
  Book& book = at->second;
  if (isNew && points_ != nullptr && points_->isKept())
    book.coming =
        points_->ask<Read>([owner](const lab::Database* file) { return readFrom(file, owner); });
  if (!book.coming.valid() || book.coming.wait_for(0s) != std::future_status::ready) return book;
  Read read = book.coming.get();
  book.samples.merge(read.samples);  // Samples that were put meanwhile are newer.
  trouble_.insert(trouble_.end(), read.trouble.begin(), read.trouble.end());
  ++version_;
  return book;
}

const SweepSample* SweepStore::find(const SweepOwner& owner, const std::string& key) {
  const Book& book = bookOf(owner);
  const auto at = book.samples.find(key);
  return at == book.samples.end() ? nullptr : &at->second;
}

void SweepStore::put(const SweepOwner& owner, const SweepPoint& point, const SweepSample& sample) {
  const auto [at, isNew] = bookOf(owner).samples.try_emplace(point.key, sample);
  if (!isNew) at->second = merged(at->second, sample);
  if (points_ == nullptr) return;
  points_->write([key = keyOf(owner, point.launch, valuesOf(point)),
                  sample](const lab::Database& file) { return mergeRow(file, key, sample); });
}

void SweepStore::drop(const SweepOwner& owner, const std::vector<SweepPoint>& points) {
  std::vector<std::vector<lab::SqlValue>> keys;
  for (const SweepPoint& point : points) {
    bookOf(owner).samples.erase(point.key);
    keys.push_back(keyOf(owner, point.launch, valuesOf(point)));
  }
  if (points_ == nullptr) return;
  points_->write([keys = std::move(keys)](const lab::Database& file) -> Status {
    Status done;
    for (const std::vector<lab::SqlValue>& key : keys)
      if (done) done = file.run(std::string("DELETE FROM points") + kIsOwners + kIsPoint, key);
    return done;
  });
}

std::vector<Error> SweepStore::takeTrouble() {
  return std::exchange(trouble_, {});
}

}  // namespace tilestep::model
