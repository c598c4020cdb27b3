// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// The formulas that CUDA textbooks compute by hand, so that a chart or a lesson can show them
/// beside what was counted. Source: Hwu, Kirk and El Hajj, "Programming Massively Parallel
/// Processors", chapters on memory and performance; Volkov, "Understanding Latency Hiding on GPUs",
/// 2016 (Little's law). Pure.
namespace tilestep::metrics {

/// Compute-to-global-memory-access ratio: floating-point operations for each access.
[[nodiscard]] double computeToAccessRatio(double operations, double accesses);
/// The same for each byte, with operands of `bytesPerAccess`.
[[nodiscard]] double flopPerByte(double computeToAccess, double bytesPerAccess = 4);
/// FLOP/s that memory alone allows at a ratio, with no cache.
[[nodiscard]] double memoryBound(double bytesPerSecond, double computeToAccess,
                                 double bytesPerAccess = 4);
/// Ratio at which memory no longer holds the peak back.
[[nodiscard]] double ratioForPeak(double peakFlopPerSecond, double bytesPerSecond,
                                  double bytesPerAccess = 4);

/// Global loads by lanes of P[m][n] = M[m][k] N[k][n] without tiles: one of M and one of N for
/// each product.
[[nodiscard]] uint64_t naiveLoads(uint64_t m, uint64_t n, uint64_t k);
/// With square tiles of `width`, guarded at the edges: each element of M is loaded once for each
/// column of tiles, each of N once for each row of tiles.
[[nodiscard]] uint64_t tiledLoads(uint64_t m, uint64_t n, uint64_t k, uint64_t width);
/// ceil(k / width).
[[nodiscard]] uint64_t tiledPhases(uint64_t k, uint64_t width);

/// Little's law: operations (or bytes) in flight that hide a latency at a throughput.
[[nodiscard]] double neededParallelism(double latencyCycles, double throughputPerCycle);

}  // namespace tilestep::metrics
