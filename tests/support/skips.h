// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

/// The reasons for which a test may be skipped. A test is skipped only if something is absent; if
/// it exists and fails, the test fails. README explains each reason, and the last line of `./dev
/// test` counts them (tests/runner).
namespace tilestep::support {

struct SkipReason {
  const char* text;
};

inline constexpr SkipReason kNoGpu{"no GPU"};
inline constexpr SkipReason kNoSecondGpu{"no second GPU"};
inline constexpr SkipReason kGpuIsThere{"a GPU is there"};
inline constexpr SkipReason kNoHardwareCounters{"no hardware counters"};
inline constexpr SkipReason kNoToolkit{"no CUDA Toolkit"};
inline constexpr SkipReason kOldToolkit{"older CUDA Toolkit"};
inline constexpr SkipReason kNoNvrtc13{"no NVRTC 13"};
inline constexpr SkipReason kOtherClang{"another clang"};
inline constexpr SkipReason kNoSshServer{"no ssh server"};
inline constexpr SkipReason kNoSlurm{"no Slurm"};
inline constexpr SkipReason kNoNamespaces{"no network namespace"};
inline constexpr SkipReason kNoLandlock{"no Landlock"};
inline constexpr SkipReason kNoSeccomp{"no seccomp"};
inline constexpr SkipReason kLittleMemory{"little memory"};
inline constexpr SkipReason kNoDisplay{"no virtual display"};
inline constexpr SkipReason kNoBrowser{"no browser"};
inline constexpr SkipReason kNoPdfReader{"no PDF reader"};
inline constexpr SkipReason kNoFonts{"no fonts"};
inline constexpr SkipReason kNoPicture{"no picture kept"};
inline constexpr SkipReason kOtherPictures{"pictures of other fonts"};

/// The message of a skipped test: GTEST_SKIP() << because(kNoGpu, "what exactly is absent").
inline std::string because(SkipReason reason, const std::string& detail = {}) {
  return std::string("[reason: ") + reason.text + "] " + detail;
}

}  // namespace tilestep::support
