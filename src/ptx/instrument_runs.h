// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "ptx/instrument.h"

namespace tilestep::ptx {

/// The table's columns, made as instructions ask for them.
class ColumnList {
 public:
  uint32_t indexOf(const CountColumn& column);
  [[nodiscard]] const std::vector<CountColumn>& all() const { return columns_; }

 private:
  std::vector<CountColumn> columns_;
};

/// The functions that write counts out, one for each set of columns.
class RunFunctions {
 public:
  /// Of one epoch: (epoch, counts).
  std::string epochOf(const std::set<uint32_t>& columns);
  /// Of a run, if one is under way, and the beginning of another with this epoch: (the run's local
  /// memory, the epoch that was due or 0, period, epoch, counts).
  std::string runOf(const std::set<uint32_t>& columns);
  /// Their text; needs Probes::merged before it.
  [[nodiscard]] std::string text() const;

 private:
  std::map<std::set<uint32_t>, std::string> epochs_, runs_;
};

}  // namespace tilestep::ptx
