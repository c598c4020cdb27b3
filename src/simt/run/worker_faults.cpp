// SPDX-License-Identifier: Apache-2.0
// A worker's reports of faults in the running block.
#include <bit>
#include <cstring>
#include <string_view>
#include <utility>

#include "simt/fault_text.h"
#include "simt/run/special_rows.h"
#include "simt/run/worker.h"

namespace tilestep::simt {
namespace {

/// The launch ends early after more faults than this.
constexpr uint64_t kMaxAccessFaults = 1 << 20;

const char* nameOf(AccessFault kind) {
  switch (kind) {
    case AccessFault::misaligned:
      return "misaligned";
    case AccessFault::uninitialised:
    case AccessFault::valueless:
    case AccessFault::unset:
    case AccessFault::absent:
      return "uninitialised-read";
    case AccessFault::copied:
    case AccessFault::valuelessCopy:
      return "uninitialised-copy";
    case AccessFault::outsideRow:
      return "outside-row";
    case AccessFault::input:
      return "read-only";
    default:
      return "out-of-bounds";
  }
}

}  // namespace

std::string Worker::placeText(const Fault& fault) const {
  return " (thread " + toText(fault.thread) + " of block " + toText(fault.block) +
         (fault.line == 0 ? ")." : ", line " + std::to_string(fault.line) + ").");
}

void Worker::fail(const char* kind, uint32_t source, uint32_t lane, const std::string& message) {
  Fault fault;
  fault.kind = kind;
  fault.line = setup_.program.lineOf(source);
  fault.thread = threadAt(setup_.request->launch.block, context_->warp->index * kLanes + lane);
  fault.block = now_->block;
  fault.epoch = context_->warp->epoch;
  fault.message = message + placeText(fault);
  broken_ = true;
  simt::addFault(faults_, std::move(fault));
  requestStop(setup_);
}

/// Whether the address is in an operand. On a GPU, a store to an operand succeeds, but a store to
/// constant memory or a parameter ends the launch.
bool Worker::isInput(uint64_t address) const {
  return setup_.map.regionAt(address) < setup_.request->buffers.size();
}

void Worker::addFault(const Instr& instr, uint32_t lane, AccessFault kind, uint64_t address) {
  if (kind == AccessFault::readOnly && isInput(address)) kind = AccessFault::input;
  const uint32_t line = setup_.program.lineOf(instr.source);
  const char* name = nameOf(kind);
  // Faults after which a launch continues are not limited. A loop that waits for a value that no
  // thread writes thus reaches its time limit, which is more informative.
  const bool goesOn =
      std::string_view(name).starts_with("uninitialised") || kind == AccessFault::input;
  const bool isInMemory = goesOn || kind == AccessFault::outsideRow;
  if (!isInMemory && ++accessFaults_ > kMaxAccessFaults) requestStop(setup_);
  for (Fault& known : faults_) {
    if (known.line != line || known.kind != name) continue;
    ++known.count;
    return;
  }
  Fault fault;
  fault.kind = name;
  fault.line = line;
  fault.thread = threadAt(setup_.request->launch.block, context_->warp->index * kLanes + lane);
  fault.block = now_->block;
  fault.epoch = context_->warp->epoch;
  fault.address = address;
  fault.message =
      (kind == AccessFault::outsideRow ? describeColumn(setup_, *context_, instr, lane, address)
                                       : describeAccess(setup_, instr, kind, address)) +
      placeText(fault);
  // After a fault of an access within its memory, the launch continues.
  broken_ = broken_ || !isInMemory;
  simt::addFault(faults_, std::move(fault));
}

void Worker::lookAtMembers(const Context& context, const DecodedBlock& block, uint32_t lanes) {
  if (block.row == kNoRow) return;
  const uint8_t* row = context.registers + block.row;
  for (uint32_t left = lanes; left != 0; left &= left - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(left));
    uint32_t members = 0;
    std::memcpy(&members, row + lane * sizeof members, sizeof members);
    if ((members >> lane & 1U) != 0) continue;
    Fault fault;
    fault.kind = "wrong-mask";
    fault.line = setup_.program.lineOf(block.source);
    fault.thread = threadAt(setup_.request->launch.block, context.warp->index * kLanes + lane);
    fault.block = now_->block;
    fault.epoch = context.warp->epoch;
    fault.message = "Lane " + std::to_string(lane) + " calls " +
                    std::string(ptx::toText(setup_.program.instruction(block.source).opcode)) +
                    " with the mask " + hexText(members) +
                    ", which does not include it; include every lane that makes this call, or "
                    "0xffffffff for all" +
                    placeText(fault);
    return simt::addFault(faults_, std::move(fault));
  }
}

}  // namespace tilestep::simt
