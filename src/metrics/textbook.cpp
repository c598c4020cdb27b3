// SPDX-License-Identifier: Apache-2.0
#include "metrics/textbook.h"

#include "base/dim3.h"

namespace tilestep::metrics {

double computeToAccessRatio(double operations, double accesses) {
  return operations / accesses;
}

double flopPerByte(double computeToAccess, double bytesPerAccess) {
  return computeToAccess / bytesPerAccess;
}

double memoryBound(double bytesPerSecond, double computeToAccess, double bytesPerAccess) {
  return bytesPerSecond * flopPerByte(computeToAccess, bytesPerAccess);
}

double ratioForPeak(double peakFlopPerSecond, double bytesPerSecond, double bytesPerAccess) {
  return peakFlopPerSecond / bytesPerSecond * bytesPerAccess;
}

uint64_t naiveLoads(uint64_t m, uint64_t n, uint64_t k) {
  return 2 * m * n * k;
}

uint64_t tiledLoads(uint64_t m, uint64_t n, uint64_t k, uint64_t width) {
  return m * k * ceilDiv(n, width) + k * n * ceilDiv(m, width);
}

uint64_t tiledPhases(uint64_t k, uint64_t width) {
  return ceilDiv(k, width);
}

double neededParallelism(double latencyCycles, double throughputPerCycle) {
  return latencyCycles * throughputPerCycle;
}

}  // namespace tilestep::metrics
