// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

namespace tilestep {

/// Products that NVIDIA's cuBLAS makes, by the names that stand in a kernel's place: P = M · N of
/// any m, n, k, row-major, in f32. They are references to measure against; a library shows no
/// source, no PTX and no steps.
inline constexpr std::string_view kCublasFp32 = "cublas:fp32";  ///< As IEEE says (pedantic mode).
inline constexpr std::string_view kCublasTf32 = "cublas:tf32";  ///< Tensor cores; 10-bit factors.
inline constexpr std::string_view kLibraryPrefix = "cublas:";
inline constexpr std::array<std::string_view, 2> kLibraryProducts{kCublasFp32, kCublasTf32};

[[nodiscard]] constexpr bool isLibraryProduct(std::string_view name) {
  return name == kCublasFp32 || name == kCublasTf32;
}

}  // namespace tilestep
