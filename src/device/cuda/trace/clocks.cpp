// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/trace/clocks.h"

#include <algorithm>

#include "device/cuda/measure/measure.h"

namespace tilestep::cuda {
namespace {

using ptx::ClockTable;

constexpr int kTickValues = 256;
/// The records of more warps would need more than 256 MiB.
constexpr uint64_t kMostWarps = (uint64_t{256} << 20) / sizeof(ClockTable::Record);
/// Registers are allocated to a warp in units of 256, which is 8 per lane.
constexpr uint32_t kRegisterUnit = 8;

uint64_t warpsOf(const ClockShape& shape) {
  return uint64_t{shape.blocks} * shape.warpsPerBlock;
}

uint64_t cellsOf(const ClockShape& shape) {
  return uint64_t{shape.rows()} * shape.barriers;
}

uint32_t mostBarriers(const std::vector<ClockTable::Record>& records) {
  uint32_t most = 0;
  for (const ClockTable::Record& record : records) most = std::max(most, record.barriers);
  return most;
}

}  // namespace

Status timelineAllowed(const device::Job& job) {
  if (job.launches.empty()) return requestError("The kernel has no launch to time.");
  const Launch& first = job.launches.front();
  const auto same = std::count_if(job.launches.begin(), job.launches.end(),
                                  [&](const Launch& l) { return l.entry == first.entry; });
  if (same > 1) {
    return requestError("There is no timeline of " + first.entry + ": it is launched " +
                        std::to_string(same) + " times, but a timeline shows one launch.");
  }
  const uint64_t blocks = first.grid.count();
  if (blocks > trace::Timeline::kMaxBlocks ||
      blocks * ceilDiv(first.block.count(), 32) > kMostWarps) {
    return requestError("There is no timeline of " + std::to_string(blocks) +
                        " blocks: the limits are " + std::to_string(trace::Timeline::kMaxBlocks) +
                        " blocks and " + std::to_string(kMostWarps) +
                        " warps; choose smaller sizes.");
  }
  return {};
}

Result<uint64_t> measureTick(Execution& execution, const std::string& ptx) {
  const ContextPtr& context = execution.context();
  const Api& api = context->api();
  Result<LoadedModule> module = loadModule(context, ptx);
  if (!module) return module.error();
  Result<FunctionHandle> function = findFunction(*context, *module, "tilestep_tick");
  if (!function) return function.error();
  std::vector<uint64_t> values(kTickValues);
  Result<Memory> memory = allocate(context, values.size() * 8, "the clock's values");
  if (!memory) return memory.error();
  DevicePointer address = memory->get();
  int count = kTickValues;
  void* parameters[] = {&address, &count};
  if (Status s = execution.note(
          api.launchKernel(*function, 1, 1, 1, 1, 1, 1, 0, execution.stream(), parameters, nullptr),
          "Watching the GPU's clock");
      !s) {
    return s.error();
  }
  if (Status s = execution.finish(); !s) return s.error();
  if (Status s = context->check(api.memcpyDtoH(values.data(), address, values.size() * 8),
                                "Reading the GPU's clock");
      !s) {
    return s.error();
  }
  return commonStep(values);
}

Result<ClockProgram> ClockProgram::load(const ContextPtr& context, const device::Job& job,
                                        const device::DeviceInfo& info, const Program& plain) {
  if (Status s = timelineAllowed(job); !s) return s.error();
  if (!job.module) return workError("A timeline needs the kernel's module.");
  const Launch& launch = job.launches.front();
  const auto bound = static_cast<uint32_t>(ceilDiv(plain.registers(), kRegisterUnit));
  Result<std::string> made =
      ptx::instrumentClocks(*job.module, launch, std::max(bound, 2U) * kRegisterUnit);
  if (!made) return made.error();
  ClockProgram clocks;
  clocks.context_ = context;
  clocks.info_ = info;
  clocks.plainRegisters_ = plain.registers();
  Result<Program> program = Program::load(context, *made, job.launches, info);
  if (!program) {
    return workError("The clock-reading version of the kernel did not load. " +
                     program.error().message);
  }
  clocks.program_ = std::move(*program);
  size_t bytes = 0;
  if (Status s = context->check(
          context->api().moduleGetGlobal(&clocks.header_, &bytes, clocks.program_.module().get(),
                                         ClockTable::kSymbol),
          "Looking for the table of clocks");
      !s) {
    return s.error();
  }
  const auto blocks = static_cast<uint32_t>(launch.grid.count());
  const auto warps = static_cast<uint32_t>(ceilDiv(launch.block.count(), 32));
  // Begins without rows, because the number of barriers is still unknown.
  if (Status s = clocks.resize(ClockShape{blocks, warps, 0, 0}); !s) return s.error();
  return clocks;
}

Status ClockProgram::resize(const ClockShape& shape) {
  shape_ = shape;
  Result<Memory> records =
      allocate(context_, warpsOf(shape) * sizeof(ClockTable::Record), "the clocks of warps");
  if (!records) return records.error();
  Result<Memory> cells = allocate(context_, cellsOf(shape) * 8, "the clocks of epochs");
  if (!cells) return cells.error();
  records_ = std::move(*records);
  cells_ = std::move(*cells);
  const ClockTable::Header header{
      records_.get(), cells_.get(),   static_cast<uint32_t>(cellsOf(shape)),
      shape.barriers, shape.rowShift, 0};
  return copyToGpu(*context_, header_, &header, sizeof header, "Setting the table of clocks");
}

Status ClockProgram::clear(StreamHandle stream) {
  const auto zero = [&](DevicePointer at, uint64_t bytes) {
    if (bytes == 0) return Status();
    return context_->check(context_->api().memsetD8Async(at, 0, bytes, stream),
                           "Clearing the table of clocks");
  };
  if (Status s = zero(records_.get(), warpsOf(shape_) * sizeof(ClockTable::Record)); !s) return s;
  return zero(cells_.get(), cellsOf(shape_) * 8);
}

Status ClockProgram::launchOnce(Execution& execution, Operands& operands) {
  if (Status s = clear(execution.stream()); !s) return s;
  // Copying the inputs leaves them in the caches, as in the runs of a measurement.
  if (Status s = operands.prepare(execution.stream(), kFirstPoison); !s) return s;
  std::vector<void*> parameters = operands.parameters();
  if (Status s = program_.launch(execution.stream(), parameters); !s) return s;
  return execution.finish();
}

Result<std::vector<ClockTable::Record>> ClockProgram::readRecords() const {
  std::vector<ClockTable::Record> records(warpsOf(shape_));
  if (Status s =
          context_->check(context_->api().memcpyDtoH(records.data(), records_.get(),
                                                     records.size() * sizeof(ClockTable::Record)),
                          "Reading the clocks of warps");
      !s) {
    return s.error();
  }
  return records;
}

Result<trace::Timeline> ClockProgram::run(Execution& execution, Operands& operands,
                                          MeasureTools& tools, double plainMedianMs,
                                          uint64_t tickNs) {
  if (Status s = launchOnce(execution, operands); !s) return s.error();
  Result<std::vector<ClockTable::Record>> records = readRecords();
  if (!records) return records.error();
  if (Status s = execution.checkCancelled(); !s) return s.error();
  const auto shape = ClockShape::of(shape_.blocks, shape_.warpsPerBlock, mostBarriers(*records));
  if (Status s = resize(shape); !s) return s.error();
  if (Status s = clear(execution.stream()); !s) return s.error();
  const Result<device::Measurement> timed =
      measure(execution, program_, operands, info_, tools, false);
  if (!timed) return timed.error();
  if (Status s = launchOnce(execution, operands); !s) return s.error();
  records = readRecords();
  if (!records) return records.error();
  std::vector<uint64_t> cells(cellsOf(shape));
  if (Status s =
          context_->check(context_->api().memcpyDtoH(cells.data(), cells_.get(), cells.size() * 8),
                          "Reading the clocks of epochs");
      !s) {
    return s.error();
  }
  Result<trace::Timeline> timeline =
      decodeClocks(*records, cells, shape_, info_.multiprocessors, tickNs);
  if (!timeline) return timeline.error();
  timeline->device = info_.id;
  timeline->maxWarps = info_.threadsPerMultiprocessor / 32;
  timeline->price = plainMedianMs > 0 ? timed->medianMs / plainMedianMs : 0;
  timeline->registers = program_.registers();
  timeline->plainRegisters = plainRegisters_;
  if (Status s = timeline->check(); !s) return s.error();
  return timeline;
}

}  // namespace tilestep::cuda
