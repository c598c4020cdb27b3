// SPDX-License-Identifier: Apache-2.0
#include "lab/product_reference.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>
#include <thread>
#include <vector>

#include "base/dim3.h"
#include "base/process/threads.h"

namespace tilestep::lab {
namespace {

/// kRows rows share one pass over b. The sums of kColumns columns stay in the L1 cache.
constexpr uint64_t kRows = 4;
constexpr uint64_t kColumns = 256;

struct Sums {
  std::array<std::array<double, kColumns>, kRows> product{}, magnitude{};
};

/// Adds a[row][0..k) * b[0..k)[left..left+width) for `rows` rows, `step` apart.
void accumulate(const ProductShape& shape, std::span<const double> a, std::span<const double> b,
                uint64_t firstRow, uint64_t rows, uint64_t step, uint64_t left, uint64_t width,
                Sums& sums) {
  for (uint64_t i = 0; i < shape.k; ++i) {
    const double* bRow = b.data() + i * shape.n + left;
    for (uint64_t r = 0; r < rows; ++r) {
      const double factor = a[(firstRow + r * step) * shape.k + i];
      double* product = sums.product[r].data();
      double* magnitude = sums.magnitude[r].data();
      for (uint64_t column = 0; column < width; ++column) {
        const double term = factor * bRow[column];
        product[column] += term;
        magnitude[column] += std::fabs(term);
      }
    }
  }
}

double worstOf(const Sums& sums, std::span<const double> out, const ProductShape& shape,
               uint64_t firstRow, uint64_t rows, uint64_t step, uint64_t left, uint64_t width) {
  double worst = 0;
  for (uint64_t r = 0; r < rows; ++r) {
    for (uint64_t column = 0; column < width; ++column) {
      const double value = out[(firstRow + r * step) * shape.n + left + column];
      const double right = sums.product[r][column];
      if (value == right) continue;
      const double error = std::fabs(value - right) / sums.magnitude[r][column];
      // A comparison with NaN is false, so NaN counts as an infinite error.
      worst = error <= std::numeric_limits<double>::max() ? std::max(worst, error)
                                                          : std::numeric_limits<double>::infinity();
    }
  }
  return worst;
}

/// The error of one tile: `rows` rows, `step` apart, and kColumns columns.
double tileError(const ProductShape& shape, std::span<const double> a, std::span<const double> b,
                 std::span<const double> out, uint64_t firstRow, uint64_t rows, uint64_t step,
                 uint64_t left) {
  const uint64_t width = std::min(kColumns, shape.n - left);
  Sums sums;
  accumulate(shape, a, b, firstRow, rows, step, left, width, sums);
  return worstOf(sums, out, shape, firstRow, rows, step, left, width);
}

}  // namespace

uint64_t rowStep(const ProductShape& shape, double mostProducts) {
  const double products =
      static_cast<double>(shape.m) * static_cast<double>(shape.n) * static_cast<double>(shape.k);
  if (products <= mostProducts) return 1;
  const auto step = static_cast<uint64_t>(std::ceil(products / mostProducts));
  return std::min(step | 1, std::max<uint64_t>(shape.m, 1));
}

std::optional<double> productError(const ProductShape& shape, std::span<const double> a,
                                   std::span<const double> b, std::span<const double> out,
                                   uint64_t step, const device::Cancelled& cancelled) {
  const uint64_t rows = ceilDiv(shape.m, step);
  const uint64_t across = ceilDiv(shape.n, kColumns);
  const uint64_t tiles = ceilDiv(rows, kRows) * across;
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  const auto workers = static_cast<unsigned>(std::min<uint64_t>(cores, tiles));
  std::vector<double> worst(workers, 0);
  std::atomic<uint64_t> next{0};
  std::atomic<bool> stop{false};
  onThreads(workers, [&](unsigned worker) {
    for (uint64_t tile = next++; tile < tiles && !stop; tile = next++) {
      // Only the calling thread polls, because the callback need not be thread-safe.
      if (worker == 0 && cancelled && cancelled()) stop = true;
      const uint64_t first = tile / across * kRows, count = std::min(kRows, rows - first);
      worst[worker] = std::max(worst[worker], tileError(shape, a, b, out, first * step, count, step,
                                                        tile % across * kColumns));
    }
  });
  if (stop) return std::nullopt;
  return worst.empty() ? 0 : *std::max_element(worst.begin(), worst.end());
}

}  // namespace tilestep::lab
