// SPDX-License-Identifier: Apache-2.0
#include "lab/run/memory_need.h"

#include <algorithm>
#include <thread>
#include <utility>
#include <vector>

#include "base/process/memory_size.h"
#include "device/fill.h"
#include "lab/expected.h"

namespace tilestep::lab {
namespace {

using compile::Plan;
using compile::ResolvedOperand;

constexpr uint64_t kDouble = sizeof(double);

bool isOutput(const ResolvedOperand& operand) {
  return operand.spec.kind != OperandKind::scalar && operand.spec.direction != Direction::in;
}

/// The elements of the first `most` input or output buffers.
uint64_t elementsOf(const Plan& plan, bool inputs, size_t most) {
  uint64_t elements = 0;
  for (const ResolvedOperand& operand : plan.operands) {
    const Direction other = inputs ? Direction::out : Direction::in;
    if (operand.spec.kind != OperandKind::buffer || operand.spec.direction == other) continue;
    if (most-- == 0) break;
    elements += operand.elements;
  }
  return elements;
}

/// The bytes that lab/reference.h needs: inputs and output as doubles, which are filled in pieces.
uint64_t referenceBytes(const std::string& reference, const Plan& plan) {
  if (reference.empty()) return 0;
  const bool one = reference == "transpose" || reference.starts_with("block_");
  const uint64_t inputs = elementsOf(plan, true, one ? 1 : 2), outputs = elementsOf(plan, false, 1);
  const uint64_t compared = device::kPieceBytes + kDouble * (inputs + outputs);
  // lab/expected.h recomputes outputs that are small and wrong.
  const bool isSmall = static_cast<double>(outputs) <= kMostExpectedWork &&
                       static_cast<double>(inputs) <= 2 * kMostExpectedWork;
  return std::max(compared, isSmall ? 3 * kDouble * (inputs + outputs) : 0);
}

/// The bytes that lab/formula.h needs: the inputs that an `expect` names, and their sums if it uses
/// them.
uint64_t formulaBytes(const Plan& plan, const std::string& expect) {
  uint64_t bytes = 0;
  for (const ResolvedOperand& operand : plan.operands) {
    const std::string& name = operand.spec.name;
    if (!compile::isInput(operand.spec) || expect.find(name) == std::string::npos) continue;
    bytes += kDouble * operand.elements;
    if (expect.find(name + ".sum") != std::string::npos) bytes += kDouble * operand.elements;
  }
  return bytes;
}

uint64_t checkBytes(const compile::KernelSpec& spec, const Plan& plan) {
  uint64_t bytes = referenceBytes(spec.reference, plan), small = 0;
  for (const ResolvedOperand& operand : plan.operands) {
    if (operand.spec.expect.empty()) continue;
    bytes = std::max(bytes, device::kPieceBytes + formulaBytes(plan, operand.spec.expect));
    if (static_cast<double>(operand.elements) <= kMostExpectedWork)
      small += 3 * kDouble * operand.elements;
  }
  return bytes + small;
}

/// "operands 1.2 GiB, checkers 800 MiB"
std::string partsText(const MemoryNeed& need) {
  const bool isChecking = need.most() > need.job.total();
  const std::vector<std::pair<const char*, uint64_t>> parts =
      isChecking
          ? std::vector<std::pair<const char*, uint64_t>>{{"outputs", need.outputs},
                                                          {"comparing them", need.check},
                                                          {"trace", need.job.trace}}
          : std::vector<std::pair<const char*, uint64_t>>{{"operands", need.job.operands},
                                                          {"checkers", need.job.checkers},
                                                          {"interpreter", need.job.interpreter},
                                                          {"trace", need.job.trace}};
  std::string text;
  for (const auto& [name, bytes] : parts)
    if (bytes != 0) text += (text.empty() ? "" : ", ") + (name + (" " + memorySizeText(bytes)));
  return text;
}

}  // namespace

uint64_t MemoryNeed::most() const {
  return std::max(job.total(), outputs + job.trace + check);
}

MemoryNeed memoryNeed(const compile::KernelSpec& spec, const Plan& plan, const device::Job& job,
                      const device::Device& device) {
  MemoryNeed need;
  need.job = device.hostMemory(job);
  if (!job.outputs) return need;
  for (const ResolvedOperand& operand : plan.operands)
    if (isOutput(operand)) need.outputs += operand.elements * bytesOf(operand.spec.type);
  if (job.check) need.check = checkBytes(spec, plan);
  return need;
}

Status fitIntoMemory(uint64_t limitBytes, const compile::KernelSpec& spec, const Plan& plan,
                     const device::Device& device, device::Job& job) {
  constexpr uint64_t kLeastTrace = uint64_t{1} << 20;
  MemoryNeed need = memoryNeed(spec, plan, job, device);
  if (job.traceBlock && need.most() > limitBytes) {
    const uint64_t rest = need.most() - need.job.trace;
    const uint64_t room = limitBytes > rest ? (limitBytes - rest) / device::kTraceCopies : 0;
    job.traceBytes = std::min<uint64_t>(job.traceBytes, std::max(room, kLeastTrace));
    need = memoryNeed(spec, plan, job, device);
  }
  if (need.most() <= limitBytes) return {};
  return requestError(spec.name + " needs " + memorySizeText(need.most()) +
                      " of memory at these sizes (" + partsText(need) + "), but only " +
                      memorySizeText(limitBytes) +
                      " are allowed; make the sizes smaller, or allow more with --memory");
}

std::string whyNotTraced(const device::Job& job, const device::Device& interpreter,
                         uint64_t limitBytes) {
  if (limitBytes == 0) return {};
  const uint64_t need = interpreter.hostMemory(job).total();
  if (need <= limitBytes) return {};
  return "The interpreter needs " + memorySizeText(need) +
         " of memory to trace the block, but only " + memorySizeText(limitBytes) +
         " are allowed; allow more with --memory.";
}

uint64_t uncountedBytes(unsigned interpreterThreads) {
  constexpr uint64_t kSmall = uint64_t{192} << 20, kStack = uint64_t{8} << 20;
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  return kSmall + kStack * std::max(cores, interpreterThreads);
}

}  // namespace tilestep::lab
