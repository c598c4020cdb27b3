// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "features/names.h"
#include "features/sweeps/sweep_samples.h"

/// Points of sweeps as CSV: files of `tilestep sweep`, and those in which earlier versions of the
/// window kept its points. docs/sweeps.md describes them.
namespace tilestep::features {

constexpr size_t kMostSweepFileBytes = size_t{32} << 20;

/// One line of such a file.
struct SweepFileRow {
  std::string kernel, device;
  compile::Bindings values;  ///< Sizes and tunables.
  SweepSample sample;
  // Only in files of the window; otherwise empty.
  std::string deviceName;
  uint64_t code = 0, launch = 0;  ///< As in SweepPoint.
  uint64_t text = 0;              ///< lab::textHashOf, in files of `tilestep sweep`; 0: unknown.
};

struct SweepFile {
  std::vector<SweepFileRow> rows;
  bool kept = false;    ///< Written by the window.
  bool cutOff = false;  ///< The last line was incomplete and is omitted.
};

/// Checks everything. Errors, kind request, name the file, the line and the reason.
Result<SweepFile> parseSweepFile(const std::string& file, std::string_view text);

}  // namespace tilestep::features
