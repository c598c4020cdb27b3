// SPDX-License-Identifier: Apache-2.0
#include "ptx/analysis/register_graph.h"

#include "ptx/analysis/uses.h"

namespace tilestep::ptx {
namespace {

/// For each register, the instructions whose list contains it.
Graph byRegister(const Graph& lists, size_t registers) {
  Graph instructions(registers);
  for (uint32_t i = 0; i < lists.size(); ++i) {
    for (const uint32_t reg : lists[i]) instructions[reg].push_back(i);
  }
  return instructions;
}

}  // namespace

RegisterGraph::RegisterGraph(const Function& function) {
  for (const Instruction& instruction : function.body) {
    written.push_back(writtenRegisters(instruction));
    read.push_back(readRegisters(instruction));
  }
  writers = byRegister(written, function.registers.size());
  readers = byRegister(read, function.registers.size());
}

}  // namespace tilestep::ptx
