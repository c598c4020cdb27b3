// SPDX-License-Identifier: Apache-2.0
#include "simt/run/memory_need.h"

#include <algorithm>

#include "base/dim3.h"
#include "simt/run/worker.h"
#include "trace/counters.h"

namespace tilestep::simt {
namespace {

uint64_t warpsOf(const GridRequest& request) {
  return ceilDiv(request.launch.block.count(), kLanes);
}

uint64_t shadowBytes(uint64_t bytes, const Scrutiny& scrutiny) {
  if (!scrutiny.written) return 0;
  const uint64_t granules = (bytes >> scrutiny.granuleShift) + 1;
  const uint64_t kinds = 1 + (scrutiny.read ? 2 : 0) + (scrutiny.atomic ? 2 : 0);
  return granules * kinds * sizeof(Mark);
}

uint64_t checkerBytes(const Setup& setup, uint64_t warps) {
  const uint64_t lanes = warps * kLanes;
  const uint64_t times = lanes * kLanes + warps * warps + 18 * warps;
  return shadowBytes(setup.sharedBytes,
                     {true, true, setup.checks.shared.atomic, setup.checks.shared.granuleShift}) +
         setup.sharedBytes + lanes * setup.program.bytesOfThread() + times * sizeof(uint64_t) +
         lanes * sizeof(SyncGraph::Bounds);
}

/// The bytes of a resident block (Worker::furnish).
uint64_t blockBytes(const GridRequest& request, const Setup& setup) {
  const uint64_t warps = warpsOf(request);
  const Program& program = setup.program;
  const uint64_t ofWarp = program.registerBytes + sizeof(Warp) + pathsOf(program) * sizeof(Path);
  return warps * ofWarp + setup.sharedBytes + (warps * kLanes + 1) * (program.bytesOfThread() + 1) +
         (request.check ? checkerBytes(setup, warps) : 0);
}

/// The number of resident blocks that GridRequest::order requests.
uint64_t mostResidentOf(uint64_t order) {
  return 1 + order / 2 % 3;
}

}  // namespace

unsigned threadsFor(const GridRequest& request) {
  if (request.trace && request.trace->onlyThisBlock) return 1;
  const uint64_t blocks = std::max<uint64_t>(request.launch.grid.count(), 1);
  return static_cast<unsigned>(std::clamp<uint64_t>(request.threads, 1, blocks));
}

Residency residencyFor(const GridRequest& request, const Setup& setup) {
  const uint64_t shared = uint64_t{setup.sharedBytes} * (request.check ? 12 : 1);
  const uint64_t ofWarp =
      setup.program.registerBytes + kLanes * uint64_t{setup.program.bytesOfThread()};
  const Residency most =
      residencyOf(request.launch, setup.sharedBytes, warpsOf(request) * ofWarp + shared);
  if (request.order < kFewResident || request.launch.cooperative) return most;
  return {std::min(most.blocks, mostResidentOf(request.order)),
          "the small GPU that this order simulates"};
}

uint64_t mostInterleaved(const GridRequest& request) {
  constexpr uint64_t kFew = 16;
  return std::max<uint64_t>(kFew, 2 * threadsFor(request));
}

uint64_t mostUnderWay(const GridRequest& request, const Setup& setup) {
  if (setup.mayWait) return residencyFor(request, setup).blocks;
  return setup.interleaves ? mostInterleaved(request) : 0;
}

MemoryNeed memoryNeed(const GridRequest& request) {
  Setup setup;
  if (!prepare(request, setup) || !setup.program.refused.empty()) return {};
  MemoryNeed need;
  for (size_t i = 0; request.check && i < setup.regions.size(); ++i)
    need.checkers += shadowBytes(setup.regions[i].bytes, setup.checks.regions[i]);
  for (const OwnVariable& variable : setup.variables)
    need.blocks += setup.regions[variable.region].bytes;
  if (setup.heap.memory() != nullptr) need.blocks += DeviceHeap::kBytes;
  if (setup.heap.written() != nullptr) need.checkers += 2 * DeviceHeap::kBytes;
  const uint64_t threads = threadsFor(request);
  const uint64_t aside = std::min(mostUnderWay(request, setup), request.launch.grid.count());
  // Each host thread has memory for one running block and one spare block.
  need.blocks += (2 * threads + aside) * blockBytes(request, setup);
  need.blocks += threads * (setup.program.memos + 1) * sizeof(AddressPattern);
  if (request.counters) need.blocks += threads * trace::GridCounters::kMaxEpochs * sizeof(Counts);
  return need;
}

}  // namespace tilestep::simt
