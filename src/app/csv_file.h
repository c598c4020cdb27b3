// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/process/file_lock.h"
#include "base/result.h"
#include "lab/sweep_file.h"

namespace tilestep::app {

/// Treatment of the file given by --csv.
struct CsvWish {
  std::string path;     ///< Empty if there is no file.
  bool resume = false;  ///< Continue it.
  bool force = false;   ///< Overwrite an existing file.
};
/// Checks these options without writing anything. Errors: the file exists and neither --resume nor
/// --force was given; one of them was given without a file; the path is a folder, pipe or socket.
Status checkCsv(const CsvWish& wish);

/// The lines of a sweep, also written to its CSV file, if it has one, as they arrive.
class CsvFile {
 public:
  /// Checks the lines of the file to be continued, and may remove some.
  using Check = std::function<Status(std::vector<lab::SweepLine>& lines)>;
  /// Reads the lines of the file to be continued, without an incomplete last line; no lines for a
  /// new file. Writes nothing.
  static Result<CsvFile> read(const CsvWish& wish, const lab::SweepLine& columns,
                              const Check& check);
  /// Opens the file for writing. A new one gets its header line; one to be continued is rewritten
  /// if read() omitted lines. Call it once, before put() and add().
  Status begin();

  [[nodiscard]] const std::vector<lab::SweepLine>& lines() const { return lines_; }
  /// Writes a line in place of line `index`, or after the last line. The file is rewritten if a
  /// line changes; a reader never sees a partial file.
  void put(size_t index, lab::SweepLine line);
  void add(lab::SweepLine line) { put(lines_.size(), std::move(line)); }
  /// The reason for a failed write, such as a full disk. Nothing is written after that.
  [[nodiscard]] const Status& written() const { return written_; }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  CsvFile(std::string path, lab::SweepLine columns)
      : path_(std::move(path)), columns_(std::move(columns)) {}
  /// `mode` is O_TRUNC or O_APPEND.
  Status open(int mode);
  [[nodiscard]] std::string text() const;
  void append(const lab::SweepLine& line);
  void rewrite();

  std::string path_;
  lab::SweepLine columns_;
  std::vector<lab::SweepLine> lines_;
  std::string found_;  ///< The file's content when it was read.
  std::unique_ptr<std::FILE, Close> file_;
  Status written_;
};

/// Locks the file against any other sweep or grading for the lifetime of the lock, then checks the
/// options again, because the file may exist by then. Prints a note on standard error if the file
/// system does not support locks. Errors: those of checkCsv(); another process, which is named, is
/// writing the file.
Result<FileLock> claimCsv(const CsvWish& wish);

}  // namespace tilestep::app
