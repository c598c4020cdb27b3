// SPDX-License-Identifier: Apache-2.0
#include "simt/decode/liveness.h"

#include "ptx/analysis/liveness.h"

namespace tilestep::simt {
namespace {

std::vector<uint32_t> numbersOf(const ptx::Liveness::Bits& live) {
  std::vector<uint32_t> registers;
  for (uint32_t r = 0; r < live.size(); ++r) {
    if (live[r]) registers.push_back(r);
  }
  return registers;
}

}  // namespace

std::vector<uint32_t> readBeforeWritten(const ptx::Function& function,
                                        const ptx::ControlFlow& flow) {
  if (flow.blocks.empty()) return {};
  return numbersOf(ptx::Liveness(function, flow).atStart(0));
}

std::map<uint32_t, std::vector<uint32_t>> liveBehindCalls(const ptx::Function& function,
                                                          const ptx::ControlFlow& flow) {
  std::map<uint32_t, std::vector<uint32_t>> behind;
  const ptx::Liveness liveness(function, flow);
  for (uint32_t i = 0; i < function.body.size(); ++i) {
    if (function.body[i].opcode == ptx::Opcode::call) behind[i] = numbersOf(liveness.after(i));
  }
  return behind;
}

}  // namespace tilestep::simt
