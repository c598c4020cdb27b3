// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace tilestep::compile {

/// A CUDA C++ text without its host code.
struct DevicePart {
  /// As long as the original, line by line: what was left out is blanks.
  std::string text;
  struct LeftOut {
    std::string name;
    int line = 0;
  };
  std::vector<LeftOut> functions;  ///< Host functions that are no longer there.
  /// Names of constants that were left out because the compiler found fault with them.
  std::set<std::string> values;
};

/// What tells that a text has host code, besides the text itself.
struct HostSigns {
  /// The compiler has found some. Macros may make kernels of what looks like the host's, so a text
  /// that shows none is first compiled as it is.
  bool isProgram = false;
  std::set<int> wrongLines;  ///< From 1; with which the compiler has found fault.
};

/// Leaves out what a compiler of device code alone cannot take: functions that are neither
/// __global__, __device__ nor constexpr, variables that may change, types and constants that use
/// the host's libraries (std::, cuda…, FILE, …), `using namespace std`, and #include of anything
/// but device headers. Where a line of a constant is wrong, it leaves the constant out as well, and
/// likewise types that the remaining text does not mention. Declarations of the device, templates,
/// macros and every other directive stay.
///
/// Where neither the text (by such a #include, main, <<< or a call of the runtime) nor `signs` tell
/// of host code, it leaves out only wrong constants and types with a call in them, or with a name
/// of the host's. Of a text whose brackets do not match only those #include are left out: the
/// compiler says what is wrong with it. Never fails; time is linear in the text but for sorting.
[[nodiscard]] DevicePart devicePart(std::string_view text, const HostSigns& signs = {});

/// Whether the text shows host code: an #include of the host, main, <<< or a call of the runtime.
[[nodiscard]] bool isProgram(std::string_view text);

}  // namespace tilestep::compile
