// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "app/csv_file.h"
#include "lab/sweep.h"
#include "lab/tune/tuner.h"

namespace tilestep::app {

/// The steps of a search for the best tunables, one line each. They are also written to the CSV
/// file, if there is one, so that a resumed search repeats nothing.
class BestBook {
 public:
  /// The kernel and device that the lines belong to. Lines of other code or another device are not
  /// continued.
  struct Owner {
    const compile::KernelSpec& spec;
    uint64_t code = 0;
    std::string deviceName;
  };
  /// Without a path nothing is written. Errors: the file to be continued belongs to another search.
  static Result<BestBook> open(const CsvWish& wish, const Owner& owner);

  /// The line about one step of a candidate; null if there is none. The steps, in order: `plan`
  /// (dropped before compiling), `load` (dropped after it), `brief` and `full` (timed), `check`
  /// (compared with float64).
  [[nodiscard]] const lab::SweepLine* find(const std::string& stage, const compile::Bindings& sizes,
                                           const compile::Bindings& tunables) const;
  /// Remembers and writes the line about a step.
  void add(const std::string& stage, const lab::SweepRow& row);

  [[nodiscard]] const std::vector<std::string>& columns() const { return columns_; }
  [[nodiscard]] std::string cell(const lab::SweepLine& line, const std::string& column) const;
  /// The outcome of the run that a line describes.
  [[nodiscard]] lab::TuneAnswer answerOf(const lab::SweepLine& line) const;
  [[nodiscard]] const CsvFile& file() const { return file_; }

 private:
  BestBook(CsvFile file, std::vector<std::string> columns, lab::SweepLine same)
      : file_(std::move(file)), columns_(std::move(columns)), same_(std::move(same)) {}
  [[nodiscard]] std::string keyOf(const lab::SweepLine& line) const;

  CsvFile file_;
  std::vector<std::string> columns_;
  lab::SweepLine same_;             ///< The cells that all lines share; empty in other columns.
  std::vector<std::string> names_;  ///< The names of sizes and tunables.
  std::map<std::string, size_t> indices_;  ///< Of the file's lines, by keyOf().
};

}  // namespace tilestep::app
