// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "features/names.h"
#include "features/sweeps/sweep_samples.h"
#include "lab/sweep_file.h"

/// Reads CSV files of `tilestep sweep`, and those in which earlier versions of the window kept
/// points. docs/sweeps.md describes them.
namespace tilestep::features {

constexpr size_t kMostSweepFileBytes = size_t{32} << 20;

/// One line of such a file.
struct SweepFileRow {
  std::string kernel, device;
  compile::Bindings values;  ///< Sizes and tunables.
  SweepSample sample;
  // Empty unless the window wrote the file.
  std::string deviceName;
  uint64_t code = 0, launch = 0;  ///< As in SweepPoint.
  /// lab::textHashOf, in files of `tilestep sweep`; 0 if unknown.
  uint64_t text = 0;
};

struct SweepFile {
  std::vector<SweepFileRow> rows;
  bool kept = false;    ///< Written by the window.
  bool cutOff = false;  ///< The last line was incomplete and is omitted.
};

/// The sample in the cells of these columns, one each; other columns are ignored. Errors, kind
/// request: a cell is invalid (lab::cellProblem), or some of the counts are missing.
Result<SweepSample> sampleIn(const lab::SweepLine& columns, const lab::SweepLine& cells);

/// Checks everything. Errors, kind request, name the file, the line and the reason.
Result<SweepFile> parseSweepFile(const std::string& file, std::string_view text);

}  // namespace tilestep::features
