// SPDX-License-Identifier: Apache-2.0
#include "gpu/interpreted_operands.h"

#include "device/parameter.h"

namespace tilestep::test {

InterpretedOperands::InterpretedOperands(const device::Job& job) {
  for (uint32_t i = 0; i < job.operands.size(); ++i) {
    const device::Operand& operand = job.operands[i];
    const bool isScalar = operand.kind == OperandKind::scalar;
    memory.push_back(isScalar ? Bytes()
                              : device::fillOperand(operand, i, job.seed, std::byte{0xa5}));
    parameters_.push_back(isScalar ? device::scalarBits(operand.type, operand.scalar)
                                   : simt::addressOf(i));
  }
}

simt::GridRequest InterpretedOperands::request(const ptx::Module& module, const Launch& launch) {
  simt::GridRequest request;
  request.module = &module;
  request.launch = launch;
  request.parameters = parameters_;
  for (Bytes& bytes : memory) addMemory(request, bytes);
  return request;
}

uint64_t addMemory(simt::GridRequest& request, Bytes& memory, const std::string& symbol) {
  const size_t number = request.buffers.size();
  request.buffers.push_back({.name = "b" + std::to_string(number),
                             .symbol = symbol,
                             .host = reinterpret_cast<uint8_t*>(memory.data()),
                             .bytes = memory.size()});
  return simt::addressOf(number);
}

void addPointer(simt::GridRequest& request, Bytes& memory) {
  request.parameters.push_back(addMemory(request, memory));
}

Result<simt::GridResult> runWell(const simt::GridRequest& request) {
  Result<simt::GridResult> ran = simt::runGrid(request, {});
  if (ran && !ran->faults.empty()) return workError(ran->faults.front().message);
  return ran;
}

}  // namespace tilestep::test
