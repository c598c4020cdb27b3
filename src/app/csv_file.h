// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/process/file_lock.h"
#include "base/result.h"
#include "lab/sweep_file.h"

namespace tilestep::app {

/// The CSV file of a sweep, written line by line so that nothing is lost. There is no file if no
/// name is given.
class CsvFile {
 public:
  /// Creates a new file with a header line.
  static Result<CsvFile> create(const std::string& path, const lab::SweepLine& columns);
  /// Continues after `lines` of a file with contents `text`. Drops the rest, such as an incomplete
  /// last line.
  static Result<CsvFile> goOn(const std::string& path, const lab::SweepLine& columns,
                              const std::vector<lab::SweepLine>& lines, std::string_view text);

  void add(const lab::SweepLine& cells);
  /// Rewrites the file if one of its lines has changed. A reader never sees a partial file.
  void replace(const std::vector<lab::SweepLine>& lines);
  /// The reason for a failed write, such as a full disk. Nothing is written after that.
  [[nodiscard]] const Status& written() const { return written_; }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  CsvFile(std::string path, lab::SweepLine columns)
      : path_(std::move(path)), columns_(std::move(columns)) {}
  /// O_TRUNC or O_APPEND.
  Status open(int mode);
  [[nodiscard]] std::string textOf(const std::vector<lab::SweepLine>& lines) const;

  std::string path_;
  lab::SweepLine columns_;
  std::unique_ptr<std::FILE, Close> file_;
  Status written_;
};

/// Treatment of the file given by --csv.
struct CsvWish {
  std::string path;     ///< Empty: none.
  bool resume = false;  ///< Continue it.
  bool force = false;   ///< Overwrite an existing one.
};
/// Checks these options without writing anything. Errors: the file exists and neither --resume nor
/// --force was given; one of them was given without a file; the path is a folder, pipe or socket.
Status checkCsv(const CsvWish& wish);

/// Locks the file against any other sweep or grading for the lifetime of the lock, then checks the
/// options again, because the file may exist by then. Prints a note on standard error if the file
/// system does not support locks. Errors: those of checkCsv(); another process, which is named, is
/// writing the file.
Result<FileLock> claimCsv(const CsvWish& wish);

}  // namespace tilestep::app
