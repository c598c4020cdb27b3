// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ptx/ir.h"
#include "simt/grid.h"

namespace tilestep::bench {

/// P = M N of two square matrices, ready for the interpreter: compute_75 PTX that NVRTC 13.0 made
/// of kernels/matmul_tiled.cu (TILE_WIDTH 16) or kernels/matmul_naive.cu. Stays where it was made.
struct Product {
  Product(const char* kernel, uint32_t size);
  Product(const Product&) = delete;
  Product& operator=(const Product&) = delete;

  /// Of one run.
  [[nodiscard]] uint64_t threadInstructions();

  ptx::Module module;
  std::vector<float> m, n, p;
  simt::GridRequest request;
};
constexpr const char* kTiled = "matmul_tiled";
constexpr const char* kNaive = "matmul_naive";

/// The text that it is made of.
[[nodiscard]] std::string productPtx(const char* kernel);

/// The same arithmetic without a machine of any kind: the textbook's three loops, one sum after
/// the other (as in the table of docs/measurements/interpreter.md).
void nativeSums(const float* m, const float* n, float* p, uint32_t size);
/// The same sums a row of P at a time, which a compiler turns into vectors.
void nativeRows(const float* m, const float* n, float* p, uint32_t size);
/// Whether this processor has what the two were compiled for.
[[nodiscard]] bool nativeRuns();

}  // namespace tilestep::bench
