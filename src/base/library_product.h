// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace tilestep {

/// Products that NVIDIA's cuBLAS makes, by the names that stand in a kernel's place: P = M · N of
/// any m, n, k, row-major, in f32. They are references to measure against; a library shows no
/// source, no PTX and no steps.
inline constexpr std::string_view kCublasFp32 = "cublas:fp32";  ///< Pedantic mode.
inline constexpr std::string_view kCublasFp32Default = "cublas:fp32-default";
inline constexpr std::string_view kCublasTf32 = "cublas:tf32";  ///< Tensor cores; 10-bit factors.
inline constexpr std::string_view kLibraryPrefix = "cublas:";
inline constexpr std::array<std::string_view, 3> kLibraryProducts{kCublasFp32, kCublasFp32Default,
                                                                  kCublasTf32};
/// One for each precision: what the window compares kernels with.
inline constexpr std::array<std::string_view, 2> kComparedProducts{kCublasFp32, kCublasTf32};

[[nodiscard]] constexpr bool isLibraryProduct(std::string_view name) {
  return std::ranges::find(kLibraryProducts, name) != kLibraryProducts.end();
}

/// How people read it, with the mode in which the library multiplies: "cuBLAS, pedantic FP32".
[[nodiscard]] constexpr std::string_view libraryTitle(std::string_view name) {
  if (name == kCublasFp32) return "cuBLAS, pedantic FP32";
  if (name == kCublasFp32Default) return "cuBLAS, default FP32";
  return name == kCublasTf32 ? "cuBLAS, TF32" : name;
}

/// The mode alone: "pedantic FP32"; empty of what is no library's product.
[[nodiscard]] constexpr std::string_view libraryMode(std::string_view name) {
  if (!isLibraryProduct(name)) return {};
  const std::string_view title = libraryTitle(name);
  return title.substr(title.find(", ") + 2);
}
static_assert(libraryMode(kCublasFp32) == "pedantic FP32");

}  // namespace tilestep
