// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "features/sweeps/sweep_samples.h"

/// Points of sweeps as CSV files: what the window keeps between runs, and what `tilestep sweep`
/// writes. docs/sweeps.md describes them.
namespace tilestep::model {

constexpr size_t kMostSweepFileBytes = size_t{32} << 20;

/// One line of such a file.
struct SweepFileRow {
  std::string kernel, device;
  compile::Bindings values;  ///< Sizes and tunables.
  SweepSample sample;
  // Of files that the window keeps; else empty.
  std::string deviceName;
  uint64_t code = 0, launch = 0;  ///< As SweepPoint has them.
  bool operator==(const SweepFileRow&) const = default;
};

struct SweepFile {
  std::vector<SweepFileRow> rows;
  bool kept = false;    ///< The window wrote it: every line has a check.
  bool cutOff = false;  ///< Its last line was not whole, and is left out.
};

/// The columns' names of a file of the window's, for these sizes and tunables.
[[nodiscard]] std::string sweepFileHeader(const std::vector<std::string>& names);
[[nodiscard]] std::string sweepFileLine(const std::vector<std::string>& names,
                                        const SweepFileRow& row);

/// Checks everything. Errors, kind request: the file, the line and the reason.
Result<SweepFile> parseSweepFile(const std::string& file, std::string_view text);

/// The kernel and device whose points lie in one file.
struct SweepOwner {
  std::string kernel;  ///< KernelSpec::name
  uint64_t code = 0;
  std::string device, deviceName;
  std::vector<std::string> names;  ///< Of sizes and tunables.
  /// "matmul_tiled-0123456789abcdef-nvidia-h200.csv"
  [[nodiscard]] std::string fileName() const;
};
[[nodiscard]] SweepOwner ownerOf(const SweepPlan& plan, const SweepSeries& series);

/// Keeps samples by owner and point, in memory and in a folder. One thread.
class SweepStore {
 public:
  /// An empty folder: nothing is kept on disk.
  explicit SweepStore(std::filesystem::path folder = {}) : folder_(std::move(folder)) {}

  /// Null where nothing is known of it. Reads the owner's file when first asked.
  [[nodiscard]] const SweepSample* find(const SweepOwner& owner, const std::string& key);
  /// Merges into what is known, and writes a line. The first Error of writing ends it for good: all
  /// stays in memory.
  Status put(const SweepOwner& owner, const SweepPoint& point, const SweepSample& sample);
  /// Forgets these points.
  Status drop(const SweepOwner& owner, const std::vector<std::string>& keys);

  /// What could not be read since the last call: a damaged file was set aside under another name.
  [[nodiscard]] std::vector<Error> takeTrouble();

 private:
  struct Book {
    std::map<std::string, SweepFileRow> rows;  ///< By SweepPoint::key.
    bool fresh = true;                         ///< No file yet, or one to be written anew.
  };
  Book& bookOf(const SweepOwner& owner);
  void read(const SweepOwner& owner, Book& book);
  Status write(const SweepOwner& owner, Book& book, const std::string& added);

  std::filesystem::path folder_;
  std::map<std::string, Book> books_;  ///< By file name.
  std::vector<Error> trouble_;
};

}  // namespace tilestep::model
