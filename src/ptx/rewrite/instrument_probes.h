// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "ptx/ir.h"

namespace tilestep::ptx {

/// The functions of kernels/probes/count.cu that the inserted code calls.
struct Probes {
  static constexpr std::string_view kAppendWay = "tilestep_append_way";
  static constexpr std::string_view kAppendRoot = "tilestep_append_root";
  /// A variable and an entry of kernels/probes/count.cu. The entry is not merged into kernels.
  static constexpr const char* kMultipliers = "tilestep_multipliers";
  static constexpr const char* kClassify = "tilestep_classify";

  /// The variables and functions to merge into a kernel's module. The error names a missing one.
  static Result<std::string> merged(const Module& module);
};

/// An argument of a call: a register or a number.
struct CallValue {
  std::string text;
  unsigned bits = 32;
};

/// The PTX lines that call a .func without a result.
std::vector<std::string> callLines(std::string_view name, const std::vector<CallValue>& arguments);

}  // namespace tilestep::ptx
