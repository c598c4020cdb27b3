// SPDX-License-Identifier: Apache-2.0
// Values that the host did not intend: equal bytes instead of numbers, and zeros, with which even a
// wrong kernel seems correct.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <set>

#include "program/findings/findings.h"
#include "program/findings/touches.h"
#include "program/findings/words.h"

namespace tilestep::program {
namespace {

std::string floatText(uint32_t bits) {
  float value = 0;
  std::memcpy(&value, &bits, sizeof value);
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", static_cast<double>(value));
  return text;
}

/// The largest element, in bytes, that launches read or write in the memory.
uint32_t widestElement(const ProgramRun& run, const MemoryRecord& memory) {
  uint32_t bytes = 0;
  for (const LaunchRecord& launch : run.launches)
    for (const LineCost& cost : launch.costs)
      if (cost.memory == memory.address) bytes = std::max(bytes, cost.elementBytes);
  return bytes;
}

}  // namespace

std::vector<Finding> filledNumbers(const ProgramRun& run) {
  std::vector<Finding> findings;
  // Some values are set on purpose: numbers of large equal bytes (0x3f, 0x7f), and -1.
  constexpr uint8_t kMostLikelyNumber = 32;
  for (const Work& work : run.works) {
    if (work.kind != WorkKind::fill || work.uses.plainWrites.empty()) continue;
    const MemoryRecord* const memory = memoryAt(run, work.uses.plainWrites.front().begin);
    if (work.byte == 0 || work.byte > kMostLikelyNumber || memory == nullptr) continue;
    if (widestElement(run, *memory) != 4) continue;
    const uint32_t number = work.byte * 0x01010101U;
    findings.push_back({"memset-bytes", Severity::remark, work.place,
                        "cudaMemset sets each byte, so 4-byte numbers in " + memory->name +
                            " become " + std::to_string(number) + " (as float " +
                            floatText(number) + "), not " + std::to_string(work.byte) +
                            "; set them in a kernel, or copy them from the host"});
  }
  return findings;
}

std::vector<Finding> atomicsOnFloats(const ProgramRun& run) {
  std::vector<Finding> findings;
  std::set<uint32_t> told;
  for (const LaunchRecord& launch : run.launches) {
    const uint32_t line = launch.floatAtomicLine;
    if (line == 0 || !told.insert(line).second) continue;
    findings.push_back(
        {"integer-atomic-on-floats",
         Severity::remark,
         {launch.place.file, line},
         launch.kernel + " takes an integer minimum or maximum of words that look like floats, "
                         "some of them negative: read as integers, negative floats are in the "
                         "reverse order, so the result is wrong. Use atomicCAS on floats, or first "
                         "map the bits to integers in the same order"});
  }
  return findings;
}

std::vector<Finding> zerosAlone(const ProgramRun& run) {
  const Work* back = nullptr;
  size_t inputs = 0;
  for (const Work& work : run.works) {
    if (!work.fromHost && !work.toHost) continue;
    if (!work.isZero) return {};
    if (work.fromHost) ++inputs;
    if (work.toHost) back = &work;
  }
  if (inputs == 0 || back == nullptr || !allLaunchesEnded(run) || run.launches.empty()) return {};
  return {{"check-cannot-fail", Severity::remark, back->place,
           "The host copies only zeros to the device and only zeros back, so comparing them cannot "
           "fail. Use other inputs"}};
}

}  // namespace tilestep::program
