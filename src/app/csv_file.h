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
  /// A new file that holds the columns' names.
  static Result<CsvFile> create(const std::string& path, const lab::SweepLine& columns);
  /// Continues after `lines` of a file that holds `text`. Whatever follows them, such as a last
  /// line that was cut off, is dropped.
  static Result<CsvFile> goOn(const std::string& path, const lab::SweepLine& columns,
                              const std::vector<lab::SweepLine>& lines, std::string_view text);

  void add(const lab::SweepLine& cells);
  /// Rewrites the file if one of its lines has changed. A reader never sees a partial file.
  void replace(const std::vector<lab::SweepLine>& lines);
  /// Why something could not be written, such as a full disk. Nothing is written after that.
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

/// How to treat the file that --csv names.
struct CsvWish {
  std::string path;     ///< Empty: none.
  bool resume = false;  ///< Continue it.
  bool force = false;   ///< Overwrite an existing one.
};
/// Checks these options without writing anything. Errors: the file exists and neither --resume nor
/// --force was given; one of them was given without a file; a folder, pipe or socket is named.
Status checkCsv(const CsvWish& wish);

/// Keeps every other sweep or grading away from the file as long as the lock lives, then checks the
/// options once more, because the file may be there by now. Says so on standard error where the
/// file system has no locks. Errors: those of checkCsv(); another process writes the file, which is
/// named.
Result<FileLock> claimCsv(const CsvWish& wish);

}  // namespace tilestep::app
