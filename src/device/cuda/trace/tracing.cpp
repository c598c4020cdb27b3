// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/trace/tracing.h"

#include <algorithm>
#include <functional>

#include "device/cuda/measure/registers_like.h"

namespace tilestep::cuda {
namespace {

using ptx::TraceLog;

/// A log is usually smaller than the recording made from it, but branches make it longer, and
/// threads may log unequal amounts.
constexpr uint64_t kLogBytesPerRecordedByte = 2;
/// A device with less memory than this for logs does not trace.
constexpr uint64_t kLeastLogBytes = uint64_t{4} << 20;
constexpr uint64_t kLeastRoom = 1024, kMostRoom = 1U << 24;

constexpr int kPlainRuns = 5;
constexpr int kTracedRuns = 3;
constexpr double kSlowMs = 50;
constexpr double kLeastMs = 0.0005;  // the resolution of the driver's events

uint32_t roomIn(const TraceLog& log, uint64_t bytes) {
  const uint64_t room = bytes / (TraceLog::kStride * log.warps());
  return static_cast<uint32_t>(std::clamp(room, kLeastRoom, kMostRoom));
}

bool isInGrid(const Dim3& block, const Dim3& grid) {
  return block.x < grid.x && block.y < grid.y && block.z < grid.z;
}

/// The median time of single runs; of fewer runs if one is slow.
Result<double> medianMs(Execution& execution, Operands& operands, int runs,
                        const std::function<Status()>& launch) {
  const Api& api = execution.context()->api();
  Result<Event> start = makeEvent(execution.context());
  if (!start) return start.error();
  Result<Event> stop = makeEvent(execution.context());
  if (!stop) return stop.error();
  std::vector<double> samples;
  for (int i = 0; i < runs; ++i) {
    if (Status s = operands.restoreInout(execution.stream()); !s) return s.error();
    Status s = execution.note(api.eventRecord(start->get(), execution.stream()), "cuEventRecord");
    if (s) s = launch();
    if (s) s = execution.note(api.eventRecord(stop->get(), execution.stream()), "cuEventRecord");
    if (s) s = execution.finish();
    if (!s) return s.error();
    float ms = 0;
    s = execution.note(api.eventElapsedTime(&ms, start->get(), stop->get()),
                       "Reading the GPU's clock");
    if (!s) return s.error();
    samples.push_back(static_cast<double>(ms));
    if (samples.back() > kSlowMs) break;
  }
  std::sort(samples.begin(), samples.end());
  return samples[samples.size() / 2];
}

}  // namespace

Result<TracingProgram> TracingProgram::load(const ContextPtr& context, const device::Job& job,
                                            const device::DeviceInfo& info, const Program& plain) {
  if (!job.module || job.launches.empty() || !job.traceBlock) {
    return workError("There is nothing to trace.");
  }
  const Launch& launch = job.launches.front();
  if (!isInGrid(*job.traceBlock, launch.grid)) {
    return requestError("The block to trace is not in the grid.");
  }
  Result<ptx::Tracing> made =
      ptx::instrumentTrace(*job.module, launch, registersLike(plain.registers()));
  if (!made) return made.error();
  TracingProgram tracing;
  tracing.context_ = context;
  tracing.job_ = &job;
  tracing.device_ = info.id;
  tracing.log_ = std::move(made->log);
  Result<Program> program = Program::load(context, made->ptx, {launch}, info);
  if (!program) {
    return workError("The tracing version of the kernel did not load. " + program.error().message);
  }
  tracing.program_ = std::move(*program);
  for (uint64_t bytes = job.traceBytes * kLogBytesPerRecordedByte;;) {
    tracing.room_ = roomIn(tracing.log_, bytes);
    Result<Memory> memory = allocate(context, tracing.log_.bytes(tracing.room_), "the trace's log");
    if (memory) {
      tracing.memory_ = std::move(*memory);
      return tracing;
    }
    bytes /= 4;
    if (bytes < kLeastLogBytes) return memory.error();
  }
}

Status TracingProgram::launch(StreamHandle stream, Operands& operands) {
  Dim3 block = *job_->traceBlock;
  DevicePointer log = memory_.get();
  std::vector<void*> parameters = operands.parameters();
  for (void* own :
       {static_cast<void*>(&block.x), static_cast<void*>(&block.y), static_cast<void*>(&block.z),
        static_cast<void*>(&room_), static_cast<void*>(&log)}) {
    parameters.push_back(own);
  }
  return program_.launchFirst(stream, parameters);
}

// The end marker of a thread that never ends keeps the value set here, which is impossible in a
// log. The logs are cleared as well, because a warp's log is copied back in one piece, including
// words that its shorter lanes did not write.
Status TracingProgram::run(Execution& execution, Operands& operands) {
  const Api& api = context_->api();
  if (Status s = context_->check(
          api.memsetD8Async(memory_.get(), 0, log_.bytes(room_), execution.stream()),
          "Clearing the trace's log");
      !s) {
    return s;
  }
  if (Status s = launch(execution.stream(), operands); !s) return s;
  return execution.finish();
}

Status TracingProgram::copy(void* to, uint64_t offset, uint64_t bytes) const {
  if (bytes == 0) return {};
  return context_->check(context_->api().memcpyDtoH(to, memory_.get() + offset, bytes),
                         "Reading the trace's log");
}

// Copies each warp's logs only up to the length of the longest one.
Result<ThreadLogs> TracingProgram::fetch() const {
  ThreadLogs logs;
  logs.room = room_;
  logs.addresses.resize(log_.addressCount());
  if (Status s = copy(logs.addresses.data(), 0, logs.addresses.size() * 8); !s) return s.error();
  logs.wanted.resize(log_.threads);
  if (Status s = copy(logs.wanted.data(), log_.endsAt(), uint64_t{log_.threads} * 8); !s) {
    return s.error();
  }
  for (uint32_t thread = 0; thread < log_.threads; ++thread) {
    const uint64_t bytes = logs.wanted[thread] - (memory_.get() + log_.startOf(thread, room_));
    // A thread without an end marker appears far below its start.
    if (bytes % TraceLog::kStride != 0 || bytes >> 56 != 0) {
      return workError("The log of thread " + std::to_string(thread) +
                       " of the traced block is incomplete.");
    }
    logs.wanted[thread] = bytes / TraceLog::kStride;
  }
  logs.words.resize(log_.warps());
  for (uint32_t warp = 0; warp < log_.warps(); ++warp) {
    const auto first = logs.wanted.begin() + warp * TraceLog::kLanes;
    const uint64_t longest = *std::max_element(
        first, first + std::min(TraceLog::kLanes, log_.threads - warp * TraceLog::kLanes));
    logs.words[warp].resize(std::min<uint64_t>(longest, room_) * TraceLog::kLanes);
    if (Status s = copy(logs.words[warp].data(), log_.startOf(warp * TraceLog::kLanes, room_),
                        logs.words[warp].size() * 4);
        !s) {
      return s.error();
    }
  }
  return logs;
}

Result<trace::BlockTrace> TracingProgram::read(const Operands& operands) const {
  Result<ThreadLogs> logs = fetch();
  if (!logs) return logs.error();
  TracedLaunch traced;
  traced.module = job_->module.get();
  traced.launch = job_->launches.front();
  traced.entry = job_->module->find(traced.launch.entry);
  traced.sharedArrays = job_->sharedArrays;
  traced.block = *job_->traceBlock;
  traced.traceBytes = job_->traceBytes;
  traced.device = device_;
  for (size_t i = 0; i < job_->operands.size(); ++i) {
    const device::Operand& operand = job_->operands[i];
    const auto variable =
        std::find_if(traced.module->variables.begin(), traced.module->variables.end(),
                     [&](const ptx::Variable& v) { return v.name == operand.name; });
    const bool isGlobal =
        operand.kind == OperandKind::buffer ||
        (operand.kind == OperandKind::symbol && variable != traced.module->variables.end() &&
         variable->space == ptx::Space::global);
    if (!isGlobal) continue;
    traced.operands.push_back({operands.addressOf(i), operand.bytes(), static_cast<int16_t>(i)});
  }
  return recordingOf(traced, log_, *logs);
}

Result<double> TracingProgram::price(Execution& execution, const Program& plain,
                                     Operands& operands) {
  const StreamHandle stream = execution.stream();
  std::vector<void*> parameters = operands.parameters();
  const Result<double> traced =
      medianMs(execution, operands, kTracedRuns, [&] { return launch(stream, operands); });
  if (!traced) return traced;
  const Result<double> untraced = medianMs(execution, operands, kPlainRuns,
                                           [&] { return plain.launchFirst(stream, parameters); });
  if (!untraced) return untraced;
  return *traced / std::max(*untraced, kLeastMs);
}

}  // namespace tilestep::cuda
