// SPDX-License-Identifier: Apache-2.0
#include "features/sweeps/sweep_store.h"

#include <chrono>
#include <cstdint>
#include <utility>

#include "base/hash.h"
#include "base/number_text.h"
#include "base/printable.h"
#include "features/sweeps/sweep_import.h"
#include "lab/points/points_file.h"

namespace tilestep::features {
namespace {

constexpr size_t kLongestKeptText = 4096;
constexpr int kKeyColumns = 7, kTimeColumns = 5;

/// The names, in CSV files, of the columns of the table "points" after its key.
lab::SweepLine sampleColumns() {
  lab::SweepLine columns{"median_ms", "min_ms", "p10_ms", "p90_ms", "repetitions"};
  for (const KeptCount& count : kKeptCounts) columns.emplace_back(count.name);
  columns.insert(columns.end(), {"reason", "when", "by"});
  return columns;
}

// The parameters are numbered as keyOf() lists the columns.
const char* const kOfOwner =
    " FROM points WHERE code = ?2 AND arch = ?3 AND compiler = ?4 AND device = ?5";
const char* const kOfPoint = " AND launch = ?6 AND sizes_and_tunables = ?7";

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

/// The sample of a row of all columns.
Result<SweepSample> sampleOf(const lab::SqlRow& row) {
  lab::SweepLine cells = row.cells(kKeyColumns);
  const lab::SweepLine columns = sampleColumns();
  if (cells.size() != columns.size()) return workError("it has the wrong number of columns");
  for (std::string& cell : cells) cell = printableLine(cell.substr(0, kLongestKeptText));
  return sampleIn(columns, cells);
}

/// Writes the row of a point, which replaces an older one.
Status writeRow(const lab::Database& file, std::vector<lab::SqlValue> row, SweepSample sample) {
  const auto& time = sample.time;
  if (time)
    row.insert(row.end(), {time->medianMs, time->minMs, time->p10Ms, time->p90Ms,
                           static_cast<int64_t>(time->repetitions)});
  row.resize(kKeyColumns + kTimeColumns);
  for (const KeptCount& kept : kKeptCounts) {
    row.emplace_back();
    if (sample.counts) row.back() = static_cast<int64_t>(kept.of(*sample.counts));
  }
  row.insert(row.end(), {sample.reason, sample.when, sample.by});
  std::string places = "?";
  for (size_t i = 1; i < row.size(); ++i) places += ", ?";
  return file.run("INSERT OR REPLACE INTO points VALUES(" + places + ")", row);
}

/// Merges the sample with the one in the file, which another window may have written.
Status mergeRow(const lab::Database& file, const std::vector<lab::SqlValue>& key,
                const SweepSample& sample) {
  SweepSample both = sample;
  const Status read =
      file.run(std::string("SELECT *") + kOfOwner + kOfPoint, key, [&](const lab::SqlRow& row) {
        if (const auto known = sampleOf(row)) both = merged(*known, sample);
      });
  return read ? writeRow(file, key, std::move(both)) : read;
}

/// `by` begins with the compiler, unless the point failed.
bool isCompiledBy(const SweepFileRow& row, const SweepOwner& owner) {
  const std::string& by = row.sample.by;
  return owner.compiler.empty() || by.empty() || by == owner.compiler ||
         by.starts_with(owner.compiler + ", ");
}

/// Imports the points of an earlier version's file, which is named by the kernel's code; later
/// lines of a point replace earlier ones.
Status importEarlier(const lab::Database& file, const SweepOwner& owner) {
  const std::string name = "sweeps/" + owner.kernel + "-" + hex64(owner.code) + "-" +
                           lab::fileStemOf(owner.device) + ".csv";
  const std::string purpose = " " + owner.compiler + " " + owner.arch;
  return lab::importOnce(file, name, purpose, [&](const auto& path, const auto& text) -> Status {
    const Result<SweepFile> earlier = parseSweepFile(path, text);
    if (!earlier) return earlier.error();
    for (const SweepFileRow& row : earlier->rows) {
      if (!earlier->kept || row.kernel != owner.kernel || row.code != owner.code ||
          row.deviceName != owner.device || !isCompiledBy(row, owner))
        continue;
      const Status written = writeRow(file, keyOf(owner, row.launch, row.values), row.sample);
      if (!written) return written;
    }
    return {};
  });
}

}  // namespace

SweepOwner ownerOf(const SweepPlan& plan, const SweepSeries& series) {
  return {series.spec->name, series.code, plan.deviceName, plan.compiler, series.spec->arch};
}

SweepStore::Read SweepStore::readFrom(const lab::Database* file, const SweepOwner& owner) {
  Read read;
  if (file == nullptr) return read;
  if (const Status imported = importEarlier(*file, owner); !imported)
    read.trouble.push_back(imported.error());
  const Status rows = file->run(
      std::string("SELECT *") + kOfOwner + " LIMIT 200000", keyOf(owner),
      [&](const lab::SqlRow& row) {
        const auto launch = numberIn<uint64_t>(row.text(kKeyColumns - 2), 16);
        const auto values = lab::valuesIn(row.text(kKeyColumns - 1));
        Result<SweepSample> sample = sampleOf(row);
        if (launch && values && sample)
          read.samples.insert_or_assign(sweepKey(owner.code, *launch, *values), std::move(*sample));
        else if (read.trouble.empty())
          read.trouble.push_back(workError(
              file->file().string() + ": a point of " + owner.kernel + " is not used: " +
              (sample ? "its launch, sizes or tunables are invalid" : sample.error().message)));
      });
  if (!rows) read.trouble.push_back(rows.error());
  return read;
}

SweepStore::Book& SweepStore::bookOf(const SweepOwner& owner) {
  using namespace std::chrono_literals;
  const auto [at, isNew] = books_.try_emplace(owner);
  Book& book = at->second;
  if (isNew && points_ != nullptr && points_->isKept())
    book.coming =
        points_->ask<Read>([owner](const lab::Database* file) { return readFrom(file, owner); });
  if (!book.coming.valid() || book.coming.wait_for(0s) != std::future_status::ready) return book;
  Read read = book.coming.get();
  book.samples.merge(read.samples);  // Samples that were added since are newer.
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
    for (const auto& key : keys)
      if (done) done = file.run(std::string("DELETE") + kOfOwner + kOfPoint, key);
    return done;
  });
}

std::vector<Error> SweepStore::takeTrouble() {
  return std::exchange(trouble_, {});
}

}  // namespace tilestep::features
