// SPDX-License-Identifier: Apache-2.0
#include "ptx/analysis/feeds.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "ptx/analysis/register_graph.h"
#include "ptx/analysis/uses.h"

namespace tilestep::ptx {
namespace {

using Indices = std::vector<uint32_t>;

void appendPlainRegisters(const Operand& operand, Indices& registers) {
  if (operand.kind == Operand::Kind::reg) registers.push_back(operand.reg);
  for (const Operand& element : operand.elements) appendPlainRegisters(element, registers);
}

/// The registers that the instruction reads, except those in addresses.
Indices sourceRegisters(const Instruction& instruction) {
  Indices registers;
  for (const Operand* source : sourcesOf(instruction)) appendPlainRegisters(*source, registers);
  return registers;
}

class Feeds {
 public:
  explicit Feeds(const Function& function) : function_(function), graph_(function) {}

  /// The loads whose values may reach `registers`.
  [[nodiscard]] std::set<uint32_t> loadsReaching(const Indices& registers,
                                                 bool throughProducts) const {
    std::set<uint32_t> loads;
    const auto sourcesOf = [&](uint32_t reg) {
      Indices sources;
      for (const uint32_t writer : graph_.writers[reg]) {
        const Instruction& instruction = function_.body[writer];
        if (instruction.opcode == Opcode::ld && instruction.space != Space::param)
          loads.insert(writer);
        const bool product = throughProducts && isProduct(instruction);
        if (copiesSource(instruction) || product)
          std::ranges::copy(sourceRegisters(instruction), std::back_inserter(sources));
      }
      return sources;
    };
    reach(graph_.writers.size(), registers, sourcesOf);
    return loads;
  }

 private:
  const Function& function_;
  const RegisterGraph graph_;
};

}  // namespace

std::vector<std::pair<uint32_t, uint32_t>> feeds(const Function& function) {
  const Feeds from(function);
  std::vector<std::pair<uint32_t, uint32_t>> pairs;
  for (uint32_t i = 0; i < function.body.size(); ++i) {
    const Instruction& instruction = function.body[i];
    const bool stores = instruction.opcode == Opcode::st;
    const bool sums = isSum(instruction) && instruction.type != Type::pred;
    if (!stores && !sums) continue;
    for (const uint32_t load : from.loadsReaching(sourceRegisters(instruction), !stores)) {
      pairs.emplace_back(i, load);
    }
  }
  return pairs;
}

}  // namespace tilestep::ptx
