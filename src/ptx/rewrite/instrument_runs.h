// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "ptx/rewrite/instrument.h"
#include "ptx/rewrite/instrument_plan.h"

namespace tilestep::ptx {

/// The table's columns, created as instructions need them.
class ColumnList {
 public:
  uint32_t indexOf(const CountColumn& column);
  [[nodiscard]] const std::vector<CountColumn>& all() const { return columns_; }

 private:
  std::vector<CountColumn> columns_;
};

/// The functions that write counts out, one for each decoding of words.
class RunFunctions {
 public:
  /// The function that writes one epoch: (epoch, words).
  std::string epochOf(const CountDecoding& decoding);
  /// The function that writes the current run, if there is one, and starts another with this epoch:
  /// (the run's local memory, the epoch that was due or 0, period, epoch, words). The local memory
  /// holds the run's first epoch and its words.
  std::string runOf(const CountDecoding& decoding);
  /// Adds loops that are counted by laps; `text` is the output of LapWriter.
  void addLaps(uint32_t loops, const std::string& text) {
    laps_ += loops;
    lapText_ += text;
  }
  [[nodiscard]] uint32_t laps() const { return laps_; }
  /// The text of the functions; Probes::merged must precede it.
  [[nodiscard]] std::string text() const;

 private:
  std::map<CountDecoding, std::string> epochs_, runs_;
  uint32_t laps_ = 0;
  std::string lapText_;
};

}  // namespace tilestep::ptx
