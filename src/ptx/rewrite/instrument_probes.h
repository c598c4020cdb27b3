// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "ptx/ir.h"

namespace tilestep::ptx {

/// The functions of kernels/probes/count.cu that inserted code calls.
struct Probes {
  static constexpr std::string_view kLookGlobal = "tilestep_look_global";
  static constexpr std::string_view kFirstInWavefront = "tilestep_first_in_wavefront";
  static constexpr std::string_view kFewestWavefronts = "tilestep_fewest_wavefronts";
  static constexpr std::string_view kKnownGlobal = "tilestep_known_global";
  static constexpr std::string_view kKnownShared = "tilestep_known_shared";
  static constexpr std::string_view kEmit = "tilestep_emit";
  static constexpr std::string_view kFinish = "tilestep_finish";
  static constexpr std::string_view kLapGlobal = "tilestep_lap_global";
  static constexpr std::string_view kLapShared = "tilestep_lap_shared";
  static constexpr std::string_view kLapEnd = "tilestep_lap_end";

  /// The text to merge: the table's variable and the functions. An Error names a missing one.
  static Result<std::string> merged(const Module& module);
};

/// A register or number that a call passes or returns, with its width in bits.
struct CallValue {
  std::string text;
  unsigned bits = 32;
};

/// The lines that call a .func; `result` (32 bits) is empty if it returns nothing.
std::vector<std::string> callLines(std::string_view name, const std::vector<CallValue>& arguments,
                                   const std::string& result = "");

}  // namespace tilestep::ptx
