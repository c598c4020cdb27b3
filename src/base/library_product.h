// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace tilestep {

/// Matrix products that NVIDIA's cuBLAS computes: P = M · N for any m, n, k, row-major, in f32.
/// Their names can be used in place of a kernel's name. They are references for measurements; they
/// have no source, no PTX and no steps.
inline constexpr std::string_view kCublasFp32 = "cublas:fp32";  ///< Pedantic mode.
inline constexpr std::string_view kCublasFp32Default = "cublas:fp32-default";
inline constexpr std::string_view kCublasTf32 = "cublas:tf32";  ///< Tensor cores; 10-bit mantissas.
inline constexpr std::string_view kLibraryPrefix = "cublas:";
inline constexpr std::array<std::string_view, 3> kLibraryProducts{kCublasFp32, kCublasFp32Default,
                                                                  kCublasTf32};
/// The products with which the window compares kernels, one for each precision.
inline constexpr std::array<std::string_view, 2> kComparedProducts{kCublasFp32, kCublasTf32};

[[nodiscard]] constexpr bool isLibraryProduct(std::string_view name) {
  return std::ranges::find(kLibraryProducts, name) != kLibraryProducts.end();
}

/// The product's title, with the mode in which the library multiplies: "cuBLAS, pedantic FP32".
[[nodiscard]] constexpr std::string_view libraryTitle(std::string_view name) {
  if (name == kCublasFp32) return "cuBLAS, pedantic FP32";
  if (name == kCublasFp32Default) return "cuBLAS, default FP32";
  return name == kCublasTf32 ? "cuBLAS, TF32" : name;
}

/// The mode alone: "pedantic FP32". Empty if `name` is not a library product.
[[nodiscard]] constexpr std::string_view libraryMode(std::string_view name) {
  if (!isLibraryProduct(name)) return {};
  const std::string_view title = libraryTitle(name);
  return title.substr(title.find(", ") + 2);
}
static_assert(libraryMode(kCublasFp32) == "pedantic FP32");

}  // namespace tilestep
