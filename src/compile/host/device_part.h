// SPDX-License-Identifier: Apache-2.0
#pragma once

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
  struct Lines {
    int first = 0, last = 0;  ///< From 1.
  };
  /// What else was left out though it names no library of the host: constants whose value comes
  /// from a call, what is made of variables that were left out, and structures that only the host
  /// uses.
  std::vector<Lines> hosts;
};

/// Leaves out what a compiler of device code alone cannot take: functions that are neither
/// __global__, __device__ nor constexpr, variables that may change, types and constants that use
/// the host's libraries (std::, cuda…, FILE, …), constants whose value comes from a call of
/// anything but a constexpr function, structures that nothing mentions which is still there,
/// `using namespace std`, and #include of anything but device headers. Declarations of the device,
/// types, templates, constants, macros and every other directive stay. A text that shows no host
/// code (no such #include, no main, no <<<, no call of the runtime) stays as it is, unless
/// `always`: macros may make kernels of what looks like the host's. Of one whose brackets do not
/// match only those #include are left out: the compiler says what is wrong with it. Never fails;
/// time is linear in the text.
[[nodiscard]] DevicePart devicePart(std::string_view text, bool always = false);

/// Whether device code may include it: a header of the device, or one of the standard library that
/// only gives types and constants. Its name has only letters, digits and `_./-`, and does not
/// climb.
[[nodiscard]] bool isIncludable(std::string_view header);

/// Whether `#include <header>` brings in device code of the CUDA Toolkit: "mma.h".
[[nodiscard]] bool isDeviceHeader(std::string_view header);

}  // namespace tilestep::compile
