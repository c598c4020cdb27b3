// SPDX-License-Identifier: Apache-2.0
#include "lab/run/interpreter_trace.h"

#include <algorithm>
#include <string>
#include <utility>

#include "lab/run/memory_need.h"

namespace tilestep::lab {
namespace {

std::string blockText(const Dim3& block) {
  return "(" + std::to_string(block.x) + ", " + std::to_string(block.y) + ", " +
         std::to_string(block.z) + ")";
}

}  // namespace

Status addTrace(DevicePool& pool, device::Job job, const device::Stop& stop, uint64_t memoryBytes,
                device::Outcome& outcome) {
  job.spentSeconds = stop.spentSeconds();
  job.counters = job.measure = job.check = job.outputs = job.blockAlone = false;
  job.timeline = job.timings = job.hardware = false;
  job.progress = nullptr;
  job.tracedBlockOnly = true;
  job.probes = nullptr;
  Result<device::Device*> simt = pool.open("simt");
  if (!simt) return simt.error();
  if (std::string why = whyNotTraced(job, **simt, memoryBytes); !why.empty()) {
    outcome.traceNote = std::move(why);
    return {};
  }
  Result<device::Outcome> traced = (*simt)->run(job, stop.cancelled());
  if (!traced) return traced.error();
  outcome.trace = std::move(traced->trace);
  outcome.traceFrom = (*simt)->info().id;
  outcome.faults.insert(outcome.faults.end(), traced->faults.begin(), traced->faults.end());
  return {};
}

Status traceWhatFailed(DevicePool& pool, device::Job job, const device::Stop& stop,
                       uint64_t memoryBytes, device::Outcome& outcome) {
  job.spentSeconds = stop.spentSeconds();
  const auto fault = std::ranges::find_if(outcome.faults, device::endsLaunch);
  const bool isEmpty = job.traceBlock && outcome.trace && outcome.trace->size() == 0;
  if (!isEmpty || fault == outcome.faults.end() || job.launches.size() > 1) return {};
  const Dim3 wanted = std::exchange(*job.traceBlock, fault->at.block);
  if (wanted == fault->at.block) return {};
  job.counters = job.outputs = false;
  job.progress = nullptr;
  job.tracedBlockOnly = true;
  Result<device::Device*> simt = pool.open("simt");
  if (!simt) return simt.error();
  if (!whyNotTraced(job, **simt, memoryBytes).empty()) return {};
  Result<device::Outcome> traced = (*simt)->run(job, stop.cancelled());
  if (!traced) return traced.error();
  outcome.trace = std::move(traced->trace);
  outcome.traceNote = "block " + blockText(wanted) +
                      " did not begin, because the launch was stopped in block " +
                      blockText(fault->at.block) + ", which is traced instead";
  return {};
}

}  // namespace tilestep::lab
