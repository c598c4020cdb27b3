// SPDX-License-Identifier: Apache-2.0
#include "lab/devices/what_if.h"

#include "lab/figures.h"

namespace tilestep::lab {
namespace {

void addBounds(WhatIf& there, const RunResult& result) {
  if (!result.counters || result.plan.operations <= 0) return;
  if (!there.peakFlopPerSecond || !there.dramBytesPerSecond || !there.refusal().empty()) return;
  metrics::RooflineWork work;
  work.operations = result.plan.operations;
  work.compulsoryBytes = compulsoryBytesOf(result.plan);
  for (const auto& point : metrics::rooflinePoints(result.counters->total, work)) {
    const bool ofDram = point.level == metrics::Level::lanes || point.level == metrics::Level::dram;
    if (!ofDram) continue;  // No data sheet has bandwidths for L1 and L2.
    const double intensity = point.intensity.value;
    there.bounds.push_back(
        {point.level, point.hollow, intensity,
         metrics::attainable(intensity, *there.peakFlopPerSecond, *there.dramBytesPerSecond),
         intensity < *there.ridgeFlopPerByte});
  }
}

}  // namespace

Registers registersOf(const RunResult& result, uint32_t assumed) {
  if (assumed > 0) return {Registers::From::assumed, assumed};
  if (result.registers) return {Registers::From::machineCode, *result.registers};
  return {};
}

std::string toText(Registers::From from) {
  switch (from) {
    case Registers::From::unknown:
      return "unknown";
    case Registers::From::machineCode:
      return "machine code";
    case Registers::From::assumed:
      return "assumed";
  }
  return {};
}

WhatIf whatIf(const DeviceFile& device, const RunResult& result, uint32_t assumedRegisters) {
  WhatIf there;
  there.id = device.id;
  there.name = device.name;
  there.computeCapability = device.computeCapability;
  there.peakFlopPerSecond = device.fp32FlopPerSecond;
  there.dramBytesPerSecond = device.dramBytesPerSecond;
  if (there.peakFlopPerSecond && there.dramBytesPerSecond) {
    there.ridgeFlopPerByte =
        metrics::ridgePoint(*there.peakFlopPerSecond, *there.dramBytesPerSecond);
  }
  there.registers = registersOf(result, assumedRegisters);
  there.needs = needsOf(result.plan, result.sharedBytes, there.registers.count);
  if (device.multiprocessor.threads > 0 && !result.plan.launches.empty()) {
    there.occupancy = metrics::occupancy(device.multiprocessor, there.needs);
  }
  addBounds(there, result);
  return there;
}

}  // namespace tilestep::lab
