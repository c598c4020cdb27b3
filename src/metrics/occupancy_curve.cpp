// SPDX-License-Identifier: Apache-2.0
#include "metrics/occupancy_curve.h"

#include <algorithm>

#include "base/dim3.h"
#include "base/figure.h"

namespace tilestep::metrics {
namespace {

/// Evaluates x from `first` to `last` in steps of `step`, and keeps the points at which the value
/// changes, and the last point.
template <class Set>
std::vector<CurvePoint> curve(const Multiprocessor& device, BlockNeeds block, uint64_t first,
                              uint64_t last, uint64_t step, Set set) {
  std::vector<CurvePoint> points;
  const auto add = [&](uint64_t x, bool always) {
    set(block, static_cast<uint32_t>(x));
    const uint32_t warps = residentWarps(device, block);
    if (always || points.empty() || points.back().warps != warps) points.push_back({x, warps});
  };
  for (uint64_t x = first; x < last; x += step) add(x, false);
  add(last, true);
  return points;
}

std::string ofThem(uint64_t count, const char* one) {
  return grouped(count) + " " + one + (count == 1 ? "" : "s");
}

std::string whyThreads(const Occupancy& now, const ResourceLimit& limit) {
  const uint64_t warps = limit.takenPerBlock / kWarpLanes;
  const uint64_t left = now.warpsMax - now.warps;
  return "threads: a block takes " + ofThem(warps, "whole warp") + ", and " + grouped(left) +
         " of " + grouped(now.warpsMax) + " are left";
}

std::string whyRegisters(const Multiprocessor& device, const BlockNeeds& block,
                         const ResourceLimit& limit) {
  std::string text = "registers: a block takes " + grouped(limit.takenPerBlock) + " of " +
                     grouped(limit.available);
  if (device.major == 1) return text + ", so " + ofThem(limit.blocks, "block") + " fit";
  return text + " (" + ofThem(ceilDiv(block.threads, kWarpLanes), "warp") + " of " +
         grouped(allocatedRegisters(device, block)) +
         ", each from one of the multiprocessor's partitions), so " +
         ofThem(limit.blocks, "block") + " fit";
}

std::string whyOne(const Multiprocessor& device, const BlockNeeds& block, const Occupancy& now,
                   const ResourceLimit& limit) {
  if (limit.name == "threads") return whyThreads(now, limit);
  if (limit.name == "registers") return whyRegisters(device, block, limit);
  if (limit.name == "blocks") {
    return "blocks: a multiprocessor holds " + grouped(limit.available) +
           " at most, however small they are";
  }
  const uint64_t left = limit.available - now.blocks * limit.takenPerBlock;
  return "shared memory: a block takes " + grouped(limit.takenPerBlock) + " B, and " +
         grouped(left) + " of " + grouped(limit.available) + " B are left";
}

}  // namespace

std::vector<CurvePoint> overThreads(const Multiprocessor& device, BlockNeeds block) {
  const uint64_t most = device.threadsPerBlock != 0 ? device.threadsPerBlock : 1024;
  return curve(device, block, 1, most, 1,
               [](BlockNeeds& needs, uint32_t threads) { needs.threads = threads; });
}

std::vector<CurvePoint> overRegisters(const Multiprocessor& device, BlockNeeds block) {
  return curve(device, block, 1, maxRegistersPerThread(device), 1,
               [](BlockNeeds& needs, uint32_t count) { needs.registersPerThread = count; });
}

std::vector<CurvePoint> overSharedBytes(const Multiprocessor& device, BlockNeeds block) {
  const uint64_t most =
      device.sharedBytesPerBlock != 0 ? device.sharedBytesPerBlock : device.sharedBytes;
  if (most == 0) return {};
  const auto set = [](BlockNeeds& needs, uint32_t bytes) { needs.sharedBytes = bytes; };
  // The value is constant within an allocation unit, so one byte of each unit is evaluated.
  block.sharedBytes = 0;
  const uint64_t none = allocatedSharedBytes(device, block);
  for (block.sharedBytes = 1; allocatedSharedBytes(device, block) == none;) ++block.sharedBytes;
  const uint64_t first = block.sharedBytes;
  block.sharedBytes = 0;
  std::vector<CurvePoint> points{{0, residentWarps(device, block)}};
  for (const CurvePoint& point : curve(device, block, first, most, sharedUnit(device), set)) {
    if (point.warps != points.back().warps || point.x == most) points.push_back(point);
  }
  return points;
}

std::string whyNotMore(const Multiprocessor& device, const BlockNeeds& block,
                       const Occupancy& occupancy) {
  if (!occupancy.refusal.empty()) return occupancy.refusal;
  std::string text;
  for (const ResourceLimit& limit : occupancy.limits) {
    if (limit.blocks != occupancy.blocks) continue;
    text += (text.empty() ? "" : "; ") + whyOne(device, block, occupancy, limit);
  }
  return text;
}

std::string whyNotTextbook(const Multiprocessor& device, const BlockNeeds& block,
                           const ResourceLimit& limit) {
  if (limit.blocks == limit.textbookBlocks) return {};
  if (limit.name == "threads") {
    return ofThem(limit.askedPerBlock, "thread") + " take " +
           ofThem(limit.takenPerBlock / kWarpLanes, "whole warp") + ", as " +
           grouped(limit.takenPerBlock) + " do";
  }
  if (limit.name == "registers") {
    const std::string unit = grouped(registerUnit(device));
    return device.major == 1 ? "registers are allocated per block, in units of " + unit +
                                   ", for an even number of warps"
                             : "registers are allocated per warp, in units of " + unit +
                                   ", and all registers of a warp come from one partition";
  }
  std::string text = "shared memory is allocated in units of " + grouped(sharedUnit(device)) + " B";
  if (device.sharedBytesReservedPerBlock > 0) {
    text += ", and " + grouped(device.sharedBytesReservedPerBlock) + " B per block are reserved";
  }
  if (device.major == 1 && block.argumentBytes > 0) {
    text += ", and also holds the launch's arguments";
  }
  return text;
}

}  // namespace tilestep::metrics
