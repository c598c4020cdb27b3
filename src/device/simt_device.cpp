// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <new>
#include <optional>
#include <thread>

#include "base/process/memory_limit.h"
#include "device/device.h"
#include "device/simt_memory.h"
#include "device/stop.h"
#include "ptx/text/symbols.h"
#include "simt/grid.h"
#include "simt/run/memory_need.h"

namespace tilestep::device {
namespace {

using Clock = std::chrono::steady_clock;

/// A job's operands may use this part of the process's memory. Comparing a product with its
/// reference needs about twice as much in addition, because the reference is in float64.
uint64_t memoryForOperands() {
  constexpr uint64_t kParts = 3;
  return memoryLimit().bytes / kParts;
}

DeviceInfo describe() {
  DeviceInfo info;
  info.id = "simt";
  info.name = "SIMT interpreter";
  info.limits.device = info.name;
  info.limits.threadsPerBlock = 1024;
  info.limits.sharedBytesPerBlock = 49152;
  info.limits.sharedBytesPerBlockOptIn = 232448;  // As on the H200.
  info.limits.memoryBytes = memoryForOperands();
  return info;
}

void addFaults(const std::vector<simt::Fault>& from, Outcome& outcome) {
  for (const simt::Fault& fault : from) {
    outcome.faults.push_back({fault.kind,
                              {fault.line, fault.thread, fault.block},
                              fault.address,
                              fault.count,
                              fault.message,
                              fault.epoch});
  }
}

void addHazards(const std::vector<simt::Hazard>& from, std::vector<Hazard>& to) {
  for (const simt::Hazard& hazard : from) {
    const auto site = [](const simt::HazardSite& at) {
      return AccessSite{at.line, at.thread, at.block};
    };
    to.push_back({hazard.kind, hazard.space, site(hazard.first), site(hazard.second), hazard.epoch,
                  hazard.count, hazard.message, hazard.place});
  }
}

void addPrinted(std::vector<simt::Printed> from, bool all, Outcome& outcome) {
  for (simt::Printed& printed : from) {
    if (outcome.printed.size() == simt::kMostPrinted) all = false;
    if (!all && outcome.printed.size() == simt::kMostPrinted) break;
    outcome.printed.push_back(
        {{printed.line, printed.thread, printed.block}, std::move(printed.text)});
  }
  outcome.printedAll = outcome.printedAll && all;
}

void addCounters(const trace::GridCounters& from, std::optional<trace::GridCounters>& to) {
  if (!to) {
    to = from;
    return;
  }
  to->total += from.total;
  to->epochsTruncated = to->epochsTruncated || from.epochsTruncated;
  if (to->epochs.size() < from.epochs.size()) to->epochs.resize(from.epochs.size());
  for (size_t i = 0; i < from.epochs.size(); ++i) to->epochs[i] += from.epochs[i];
}

class SimtDevice : public Device {
 public:
  explicit SimtDevice(unsigned threads)
      : info_(describe()),
        threads_(threads != 0 ? threads : std::max(1U, std::thread::hardware_concurrency())) {}

  [[nodiscard]] const DeviceInfo& info() const override { return info_; }

  [[nodiscard]] HostMemory hostMemory(const Job& job) const override;

  Result<Outcome> run(const Job& job, const Cancelled& cancelled) override {
    const auto start = Clock::now();
    try {
      Result<Outcome> outcome = launchAll(job, cancelled);
      if (outcome) {
        outcome->wallSeconds = std::chrono::duration<double>(Clock::now() - start).count();
      }
      return outcome;
    } catch (const std::bad_alloc&) {
      return workError("The run needs more memory than its limit; make the sizes smaller.");
    }
  }

 private:
  Result<Outcome> launchAll(const Job& job, const Cancelled& cancelled) const;
  [[nodiscard]] simt::GridRequest requestOf(const Job& job, const SimtMemory& memory,
                                            const Stop& stop) const;

  DeviceInfo info_;
  unsigned threads_;
};

simt::GridRequest SimtDevice::requestOf(const Job& job, const SimtMemory& memory,
                                        const Stop& stop) const {
  simt::GridRequest request;
  request.module = job.module.get();
  request.assembled = &job.assembled;
  memory.describe(request);
  request.counters = job.counters;
  request.check = job.check;
  request.sharedArrays = job.sharedArrays;
  request.order = job.order;
  request.threads = job.blocksInTurn ? 1 : threads_;
  request.timeoutSeconds = stop.limitSeconds();
  request.mostInstructions = job.mostInstructions;
  request.progress = job.progress;
  return request;
}

/// Launches run one after the other, so the one that needs the most memory counts.
HostMemory SimtDevice::hostMemory(const Job& job) const {
  const std::unique_ptr<SimtMemory> described = simtMemoryOf(job);
  HostMemory memory;
  simt::GridRequest request = requestOf(job, *described, Stop());
  memory.operands = described->need().memory;
  memory.checkers = described->need().marks;
  if (job.traceBlock) memory.trace = kTraceCopies * job.traceBytes;
  simt::MemoryNeed most;
  for (const Launch& launch : job.launches) {
    request.launch = launch;
    const simt::MemoryNeed need = simt::memoryNeed(request);
    most.checkers = std::max(most.checkers, need.checkers);
    most.blocks = std::max(most.blocks, need.blocks);
  }
  memory.checkers += most.checkers;
  memory.interpreter = most.blocks;
  return memory;
}

/// Runs the launches one after the other on the same operands. The trace is the first launch's.
Result<Outcome> SimtDevice::launchAll(const Job& job, const Cancelled& cancelled) const {
  const Stop stop(cancelled, job.timeoutSeconds, job.spentSeconds);
  const std::unique_ptr<SimtMemory> memory = simtMemoryOf(job);
  if (!memory->fill(stop)) return stop.why("filling the operands");
  Outcome outcome;
  std::vector<simt::Hazard> hazards;
  simt::GridRequest request = requestOf(job, *memory, stop);
  // Variables keep their values until the module is unloaded.
  std::vector<std::vector<uint8_t>> variables;
  request.variables = &variables;
  const size_t launches = job.blockAlone ? 1 : job.launches.size();
  for (size_t i = 0; i < std::min(launches, job.launches.size()) && outcome.faults.empty(); ++i) {
    request.launch = job.launches[i];
    request.spentSeconds = stop.spentSeconds();
    request.trace.reset();
    if (job.traceBlock && i == 0) {
      request.trace = simt::TraceOptions{
          *job.traceBlock, job.traceBytes,   job.tracedBlockOnly || job.blockAlone,
          job.blockAlone,  job.sharedArrays, memory->views()};
    }
    Result<simt::GridResult> grid = simt::runGrid(request, cancelled);
    if (!grid) return grid.error();
    addFaults(grid->faults, outcome);
    addPrinted(std::move(grid->printed), grid->printedAll, outcome);
    simt::addHazards(hazards, grid->hazards);
    if (grid->counters) addCounters(*grid->counters, outcome.counters);
    outcome.branches.merge(grid->branches);
    if (grid->trace) {
      outcome.trace = std::make_shared<const trace::BlockTrace>(std::move(*grid->trace));
      outcome.traceFrom = info_.id;
    }
    outcome.sharedBytes = std::max(outcome.sharedBytes, grid->sharedBytes);
    outcome.localBytes = std::max(outcome.localBytes.value_or(0), grid->localBytes);
  }
  if (job.timeline) {
    outcome.timelineNote =
        "The interpreter gives no times, so there is no timeline; use a GPU (--device cuda:0).";
  }
  if (job.timings) {
    outcome.timingsNote =
        "The interpreter gives no times, so the launch was not timed; use a GPU (--device cuda:0).";
  }
  if (job.check) {
    if (!job.blockAlone) outcome.unwritten = memory->unwritten(stop);
    if (stop.wasCancelled()) return stop.why("looking for unwritten outputs");
    addHazards(hazards, outcome.hazards.emplace());
  }
  if (job.outputs) outcome.outputs = memory->takeOutputs();
  return outcome;
}

}  // namespace

std::unique_ptr<Device> openSimt(unsigned threads) {
  return std::make_unique<SimtDevice>(threads);
}

}  // namespace tilestep::device
