// SPDX-License-Identifier: Apache-2.0
#include "gpu/placed_run.h"

#include <algorithm>

#include "device/cuda/execution.h"
#include "device/parameter.h"

namespace tilestep::test {
namespace {

constexpr uint64_t kGuardBytes = 4096;
constexpr std::byte kGuard{0xff};  ///< Four of these bytes are a NaN.

/// A buffer in the middle of its guards.
struct Slot {
  cuda::Memory memory;
  std::vector<std::byte> image;  ///< Guards and content before the launch.
  uint64_t at = 0;               ///< The offset of the content.
  cuda::DevicePointer address = 0;
  uint64_t scalar = 0;
};

Result<Slot> place(const cuda::ContextPtr& context, const device::Job& job, uint32_t index,
                   uint32_t shift) {
  const device::Operand& operand = job.operands[index];
  Slot slot;
  if (operand.kind == OperandKind::scalar) {
    slot.scalar = device::scalarBits(operand.type, operand.scalar);
    return slot;
  }
  slot.at = kGuardBytes + shift;
  slot.image.assign(slot.at + operand.bytes() + kGuardBytes, kGuard);
  const auto content = device::fillOperand(operand, index, job.seed, kGuard);
  std::copy(content.begin(), content.end(), slot.image.begin() + static_cast<ptrdiff_t>(slot.at));
  Result<cuda::Memory> memory = cuda::allocate(context, slot.image.size(), operand.name);
  if (!memory) return memory.error();
  slot.memory = std::move(*memory);
  slot.address = slot.memory.get() + slot.at;
  const Status copied = cuda::copyToGpu(*context, slot.memory.get(), slot.image.data(),
                                        slot.image.size(), operand.name);
  if (!copied) return copied.error();
  return slot;
}

Status launch(const cuda::ContextPtr& context, const Code& code, const device::Job& job,
              std::vector<Slot>& slots) {
  std::vector<void*> parameters;
  for (size_t i = 0; i < slots.size(); ++i) {
    const bool isScalar = job.operands[i].kind == OperandKind::scalar;
    parameters.push_back(isScalar ? static_cast<void*>(&slots[i].scalar) : &slots[i].address);
  }
  constexpr double kTimeoutSeconds = 60;
  const device::Cancelled never;
  const Launch& first = job.launches.front();
  Result<cuda::Execution> execution =
      cuda::Execution::start(context, kTimeoutSeconds, never, first.entry);
  if (!execution) return execution.error();
  const Status launched = context->check(
      context->api().launchKernel(
          code.function, first.grid.x, first.grid.y, first.grid.z, first.block.x, first.block.y,
          first.block.z, first.dynamicSharedBytes, execution->stream(), parameters.data(), nullptr),
      "Launching " + first.entry);
  return launched ? execution->finish() : launched;
}

/// Reports the first changed byte of [from, to).
void addSpoilt(const std::string& what, const std::vector<std::byte>& before,
               const std::vector<std::byte>& after, uint64_t from, uint64_t to,
               std::vector<std::string>& spoilt) {
  for (uint64_t i = from; i < to; ++i) {
    if (before[i] == after[i]) continue;
    spoilt.push_back(what + " changed, first at byte " + std::to_string(i - from) + " of " +
                     std::to_string(to - from));
    return;
  }
}

}  // namespace

Result<Code> loadCode(const cuda::ContextPtr& context, const device::Job& job) {
  Result<cuda::LoadedModule> module = cuda::loadModule(context, job.ptx);
  if (!module) return module.error();
  Code code{std::move(*module), nullptr};
  const Launch& first = job.launches.front();
  Result<cuda::FunctionHandle> function = cuda::findFunction(*context, code.module, first.entry);
  if (!function) return function.error();
  code.function = *function;
  if (first.dynamicSharedBytes == 0) return code;
  const Status asked = context->check(
      context->api().funcSetAttribute(*function, cuda::FunctionAttribute::maxDynamicSharedBytes,
                                      static_cast<int>(first.dynamicSharedBytes)),
      "Asking for shared memory");
  if (!asked) return asked.error();
  return code;
}

Result<Placed> runPlaced(const cuda::ContextPtr& context, const Code& code, const device::Job& job,
                         const std::vector<uint32_t>& shifts) {
  std::vector<Slot> slots;
  size_t buffers = 0;
  for (uint32_t i = 0; i < job.operands.size(); ++i) {
    const bool isBuffer = job.operands[i].kind == OperandKind::buffer;
    Result<Slot> slot = place(context, job, i, isBuffer ? shifts[buffers++] : 0);
    if (!slot) return slot.error();
    slots.push_back(std::move(*slot));
  }
  if (Status done = launch(context, code, job, slots); !done) return done.error();
  Placed placed;
  placed.outputs.resize(slots.size());
  for (size_t i = 0; i < slots.size(); ++i) {
    const Slot& slot = slots[i];
    const device::Operand& operand = job.operands[i];
    if (operand.kind == OperandKind::scalar) continue;
    std::vector<std::byte> after(slot.image.size());
    const Status copied = context->check(
        context->api().memcpyDtoH(after.data(), slot.memory.get(), after.size()), "Copying back");
    if (!copied) return copied.error();
    const uint64_t end = slot.at + operand.bytes();
    addSpoilt("what lies before " + operand.name, slot.image, after, 0, slot.at, placed.spoilt);
    addSpoilt("what lies behind " + operand.name, slot.image, after, end, after.size(),
              placed.spoilt);
    if (operand.direction == Direction::in) {
      addSpoilt(operand.name, slot.image, after, slot.at, end, placed.spoilt);
    } else {
      placed.outputs[i].assign(after.begin() + static_cast<ptrdiff_t>(slot.at),
                               after.begin() + static_cast<ptrdiff_t>(end));
    }
  }
  return placed;
}

}  // namespace tilestep::test
