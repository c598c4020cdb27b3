// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <memory>
#include <string>

#include "base/result.h"
#include "lab/sweep_file.h"

namespace tilestep::app {

/// The CSV file of a sweep, written line by line so that nothing done is lost; none where no name
/// is given.
class CsvFile {
 public:
  /// A new file that holds the columns' names.
  static Result<CsvFile> create(const std::string& path, const lab::SweepLine& columns);
  /// Goes on with a file of which `soFar.bytes` stay; a new one where none do.
  static Result<CsvFile> goOn(const std::string& path, const lab::SweepLine& columns,
                              const lab::SweepSoFar& soFar);

  void add(const lab::SweepLine& cells);
  [[nodiscard]] bool failed() const { return failed_; }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  explicit CsvFile(std::FILE* file) : file_(file) {}
  std::unique_ptr<std::FILE, Close> file_;
  bool failed_ = false;
};

/// The text of a file; empty where there is none. Errors: it is there and cannot be read.
Result<std::string> textIfThere(const std::string& path);

}  // namespace tilestep::app
