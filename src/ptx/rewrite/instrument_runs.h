// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "ptx/rewrite/instrument.h"
#include "ptx/rewrite/instrument_plan.h"

namespace tilestep::ptx {

/// The table's columns, made as instructions ask for them.
class ColumnList {
 public:
  uint32_t indexOf(const CountColumn& column);
  [[nodiscard]] const std::vector<CountColumn>& all() const { return columns_; }

 private:
  std::vector<CountColumn> columns_;
};

/// The functions that write counts out, one for each way in which words hold them.
class RunFunctions {
 public:
  /// Of one epoch: (epoch, words).
  std::string epochOf(const CountDecoding& decoding);
  /// Of a run, if one is under way, and the beginning of another with this epoch: (the run's local
  /// memory, the epoch that was due or 0, period, epoch, words). The local memory holds the run's
  /// first epoch and its words.
  std::string runOf(const CountDecoding& decoding);
  /// Takes up a loop that has laps: `text` is what LapWriter gave for it.
  void addLaps(uint32_t loops, const std::string& text) {
    laps_ += loops;
    lapText_ += text;
  }
  [[nodiscard]] uint32_t laps() const { return laps_; }
  /// Their text; needs Probes::merged before it.
  [[nodiscard]] std::string text() const;

 private:
  std::map<CountDecoding, std::string> epochs_, runs_;
  uint32_t laps_ = 0;
  std::string lapText_;
};

}  // namespace tilestep::ptx
