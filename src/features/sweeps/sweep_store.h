// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/process/file_lock.h"
#include "base/result.h"
#include "features/sweeps/sweep_samples.h"

/// Points of sweeps as CSV files: those that the window keeps between runs, and those that
/// `tilestep sweep` writes. docs/sweeps.md describes them.
namespace tilestep::model {

constexpr size_t kMostSweepFileBytes = size_t{32} << 20;

/// One line of such a file.
struct SweepFileRow {
  std::string kernel, device;
  compile::Bindings values;  ///< Sizes and tunables.
  SweepSample sample;
  // Only in files that the window keeps; otherwise empty.
  std::string deviceName;
  uint64_t code = 0, launch = 0;  ///< As in SweepPoint.
  uint64_t text = 0;  ///< lab::textHashOf, in files of `tilestep sweep`; 0: the file does not say.
  bool operator==(const SweepFileRow&) const = default;
};

struct SweepFile {
  std::vector<std::string> names;  ///< Columns of sizes and tunables.
  std::vector<SweepFileRow> rows;
  bool kept = false;    ///< Written by the window: every line has a check.
  bool cutOff = false;  ///< The last line was incomplete and is left out.
};

/// The header of a file that the window keeps, for these sizes and tunables.
[[nodiscard]] std::string sweepFileHeader(const std::vector<std::string>& names);
[[nodiscard]] std::string sweepFileLine(const std::vector<std::string>& names,
                                        const SweepFileRow& row);

/// Checks everything. Errors, kind request, name the file, the line and the reason.
Result<SweepFile> parseSweepFile(const std::string& file, std::string_view text);

/// What the points of one file have in common.
struct SweepOwner {
  std::string kernel;  ///< KernelSpec::name
  uint64_t code = 0;
  std::string device, deviceName;
  std::vector<std::string> names;  ///< Names of sizes and tunables.
  /// "nvrtc 13.0"; empty: not known. Compilers make other accesses of one text.
  std::string compiler = {};
  std::string arch = {};  ///< KernelSpec::arch
  /// "matmul_tiled-0123456789abcdef-nvidia-h200.csv", where the number follows from all of these.
  /// A kernel whose front matter gains a tunable has a new file, as has another compiler.
  [[nodiscard]] std::string fileName() const;
  /// The same with the number of the code alone: what earlier versions called a file of any names.
  [[nodiscard]] std::string earlierFileName() const;
};
[[nodiscard]] SweepOwner ownerOf(const SweepPlan& plan, const SweepSeries& series);

/// Keeps samples by owner and point, in memory and in a folder. Several windows may share the
/// folder: each adds to what the others have written, and removes no other points than those that
/// it is told to. For one thread.
class SweepStore {
 public:
  /// An empty folder: nothing is kept on disk.
  explicit SweepStore(std::filesystem::path folder = {}) : folder_(std::move(folder)) {}

  /// Null where nothing is known about the point. Reads the owner's file on first use, or, where
  /// there is none, the file of an earlier version, which stays as it is.
  [[nodiscard]] const SweepSample* find(const SweepOwner& owner, const std::string& key);
  /// Merges the sample into the known ones, and writes a line. If another window keeps the file
  /// locked for half a second, that is an error, and the line is written with the next one. After
  /// the first write error nothing more is written, and everything stays in memory.
  Status put(const SweepOwner& owner, const SweepPoint& point, const SweepSample& sample);
  /// Removes these points. Errors as those of put().
  Status drop(const SweepOwner& owner, const std::vector<std::string>& keys);

  /// Read errors since the last call. A damaged file is renamed and set aside.
  [[nodiscard]] std::vector<Error> takeTrouble();

 private:
  using Rows = std::map<std::string, SweepFileRow>;  ///< By SweepPoint::key.
  /// Differs whenever a file's content does.
  struct Version {
    uint64_t folder = 0, file = 0, bytes = 0;
    int64_t changedNs = 0;
    bool operator==(const Version&) const = default;
  };
  struct Book {
    Rows rows;
    std::set<std::string> unwritten;  ///< Keys of rows that the file does not have yet.
    std::optional<Version> version;   ///< Of the file, when it was read or written last.
    bool isWhole = false;             ///< The file is there, and its last line is complete.
  };
  Book& bookOf(const SweepOwner& owner);
  [[nodiscard]] std::filesystem::path pathOf(const SweepOwner& owner) const;
  static std::optional<Version> versionOf(const std::filesystem::path& path);
  /// Takes the lock of the owner's file, and what others have written into it since it was read.
  Result<FileLock> lock(const SweepOwner& owner, Book& book);
  /// What the file holds; it becomes part of the book, too.
  Rows read(const SweepOwner& owner, Book& book);
  Status write(const SweepOwner& owner, Book& book);
  Status rewrite(const SweepOwner& owner, Book& book, const Rows& rows);

  std::filesystem::path folder_;
  std::map<std::string, Book> books_;  ///< By file name.
  std::vector<Error> trouble_;
  bool isNoteSaid_ = false;
};

}  // namespace tilestep::model
