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
  static constexpr std::string_view kAppendWay = "tilestep_append_way";
  static constexpr std::string_view kAppendRoot = "tilestep_append_root";
  /// The variable, and the entry that is in no kernel.
  static constexpr const char* kMultipliers = "tilestep_multipliers";
  static constexpr const char* kClassify = "tilestep_classify";

  /// The text to merge: the variable and the functions. An Error names a missing one.
  static Result<std::string> merged(const Module& module);
};

/// A register or number that a call passes, with its width in bits.
struct CallValue {
  std::string text;
  unsigned bits = 32;
};

/// The lines that call a .func without a result.
std::vector<std::string> callLines(std::string_view name, const std::vector<CallValue>& arguments);

}  // namespace tilestep::ptx
