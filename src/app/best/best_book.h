// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
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
    compile::KernelSpec spec;
    uint64_t code = 0;
    std::string deviceName;
  };
  /// Without a path nothing is written. Errors: the file to be continued belongs to another search.
  static Result<BestBook> open(const CsvWish& wish, Owner owner);

  /// The line about one step of a candidate; null if there is none. The steps, in order: `plan`
  /// (dropped before compiling), `load` (dropped after it), `brief` and `full` (timed), `check`
  /// (compared with float64).
  [[nodiscard]] const lab::SweepLine* find(const std::string& stage, const compile::Bindings& sizes,
                                           const compile::Bindings& tunables) const;
  [[nodiscard]] lab::SweepLine cellsOf(const std::string& stage, const lab::SweepRow& row) const;
  /// Remembers and writes a line that cellsOf made.
  void add(const lab::SweepLine& line);

  [[nodiscard]] const std::vector<std::string>& columns() const { return columns_; }
  [[nodiscard]] std::string cell(const lab::SweepLine& line, const std::string& column) const;
  /// The outcome of the run that a line describes.
  [[nodiscard]] lab::TuneAnswer answerOf(const lab::SweepLine& line) const;
  /// An error if the file is incomplete.
  [[nodiscard]] Status written() const { return file_ ? file_->written() : Status(); }

 private:
  explicit BestBook(Owner owner);
  Result<std::vector<lab::SweepLine>> read(const std::string& path, std::string_view text) const;
  [[nodiscard]] std::string keyOf(const lab::SweepLine& line) const;

  Owner owner_;
  std::vector<std::string> columns_, names_;  ///< `names_`: the names of sizes and tunables.
  std::map<std::string, lab::SweepLine> lines_;
  std::optional<CsvFile> file_;
};

}  // namespace tilestep::app
