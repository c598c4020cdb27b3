// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compile/kernel.h"
#include "features/sums/text.h"
#include "lab/experiment.h"

/// The sums of a lab beside one another: what each of them costs for the same elements.
namespace tilestep::model {

/// How many elements are summed where the interpreter counts, and where a device measures. The
/// latter are 268 MB, so that no L2 cache holds them.
inline constexpr int64_t kCountedElements = 65'536, kTimedElements = int64_t{1} << 26;

struct SumRung {
  std::string kernel;   ///< "reduce_interleaved"
  std::string name;     ///< "reduce interleaved"
  std::string summary;  ///< What it does, from its front matter.
  std::optional<SumFigures> counts;
  std::string trouble;  ///< Why there are no counts; empty: they are there, or on their way.
  std::optional<double> seconds;
  bool isTimed = false;  ///< The device was asked; without `seconds` it has no time.
};

struct SumLadder {
  std::vector<SumRung> rungs;
  std::string device;     ///< Where it is timed: "NVIDIA H200, recorded …"; empty: nowhere.
  bool recorded = false;  ///< By a recording.
  std::optional<double> ceiling;  ///< Measured bytes per second of reading DRAM, on that device.
};
/// Bytes of the input, read once, per second.
[[nodiscard]] std::optional<double> readRateOf(const SumRung& rung);

/// Runs each kernel twice, one run after the other: for its counts in the interpreter, and for its
/// time on a device that has times.
class SumLadderRuns {
 public:
  /// Begins anew where the kernels or the device are others; true where it did. `device` is null,
  /// or has times.
  bool open(const std::vector<compile::CatalogueEntry>& kernels, const device::DeviceInfo* device);
  [[nodiscard]] const SumLadder& ladder() const { return ladder_; }
  /// The next run; nothing where all are there.
  [[nodiscard]] std::optional<lab::Experiment> wanted() const;
  /// The answer to the wanted run.
  void accept(const lab::RunResult& result);
  void acceptError(const std::string& message);

 private:
  [[nodiscard]] bool isCounting() const { return next_ < kernels_.size(); }

  SumLadder ladder_;
  std::vector<compile::CatalogueEntry> kernels_;
  std::string device_;  ///< Its id; empty: none.
  bool recorded_ = false;
  size_t next_ = 0;  ///< First the counts of all kernels, then their times.
};

}  // namespace tilestep::model
