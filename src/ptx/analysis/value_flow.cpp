// SPDX-License-Identifier: Apache-2.0
#include "ptx/analysis/value_flow.h"

#include "ptx/analysis/uses.h"

namespace tilestep::ptx {
namespace {

using Kind = Operand::Kind;
using Step = ValueFlow::Step;
using Sets = Definitions::Sets;

Sources sourcesOf(const Operand& operand, const Sets& sets) {
  return operand.kind == Kind::reg && !operand.negated ? sets[operand.reg] : Sources{};
}

bool isSink(const Instruction& instruction) {
  const Effect effect = effectOf(instruction);
  if (effect != Effect::store && effect != Effect::atomic) return false;
  const bool isGlobal = instruction.space == Space::global || instruction.space == Space::generic;
  return isGlobal || (instruction.space == Space::shared && isFloat(instruction.type));
}

class Collector {
 public:
  Collector(const Function& function, const Definitions& definitions)
      : function_(function), definitions_(definitions) {}

  ValueFlows run() {
    definitions_.walk([this](uint32_t i, const Sets& sets) { add(i, sets); });
    return std::move(flows_);
  }

 private:
  void add(uint32_t index, const Sets& sets) {
    const Instruction& instruction = function_.body[index];
    if (isSink(instruction)) addSink(index, sets);
    if (instruction.opcode == Opcode::mma) addMatrix(index, sets);
    const bool definesOne = definitions_.firstOf(index + 1) - definitions_.firstOf(index) == 1;
    const bool isScalar =
        !instruction.operands.empty() && instruction.operands[0].kind == Kind::reg;
    if (!definesOne || !isScalar) return;
    addFlow(index, sets);
    if (standsForSum(instruction)) addDerivation(index, sets);
  }

  /// Adds a flow from the operands that may hold a running value.
  void addFlow(uint32_t index, const Sets& sets) {
    const Instruction& instruction = function_.body[index];
    const bool copies = copiesSource(instruction);
    const Step added = termOf(instruction, 1) == '+' ? Step::add : Step::multiplyAdd;
    ValueFlow flow{index, copies ? Step::copy : added, definitions_.firstOf(index), {}, 0, 0};
    bool beginsSum = false;
    for (size_t operand = 1; operand < instruction.operands.size(); ++operand) {
      if (termOf(instruction, operand) != (copies ? '=' : '+')) continue;
      Sources sources = sourcesOf(instruction.operands[operand], sets);
      if (!sources.empty()) flow.from.push_back(std::move(sources));
      beginsSum = !copies && added == Step::multiplyAdd &&
                  instruction.operands[operand].kind == Kind::immediate;
    }
    if (!flow.from.empty() || beginsSum) flows_.carried.push_back(std::move(flow));
  }

  /// In an mma, each element of d is the sum of the same element of c and products.
  void addMatrix(uint32_t index, const Sets& sets) {
    const Instruction& instruction = function_.body[index];
    if (instruction.operands.size() < 4) return;
    const std::vector<Operand>& to = instruction.operands[0].elements;
    const std::vector<Operand>& from = instruction.operands[3].elements;
    const auto count = static_cast<uint32_t>(to.size());
    uint32_t definition = definitions_.firstOf(index);
    for (uint32_t i = 0; i < count && i < from.size(); ++i) {
      if (to[i].kind != Kind::reg) continue;
      ValueFlow flow{index, Step::multiplyAdd, definition++, {}, count, i};
      if (Sources sources = sourcesOf(from[i], sets); !sources.empty()) {
        flow.from.push_back(std::move(sources));
        flows_.carried.push_back(std::move(flow));
      }
    }
  }

  void addDerivation(uint32_t index, const Sets& sets) {
    Derivation derivation{definitions_.firstOf(index), {}};
    for (const Operand* operand : sourcesOf(function_.body[index])) {
      const Sources sources = sourcesOf(*operand, sets);
      derivation.from.insert(derivation.from.end(), sources.begin(), sources.end());
    }
    flows_.derived.push_back(std::move(derivation));
  }

  void addSink(uint32_t index, const Sets& sets) {
    const Instruction& instruction = function_.body[index];
    ValueSink sink{index, false, {}};
    sink.isGlobalStore =
        effectOf(instruction) == Effect::store && instruction.space != Space::shared;
    for (const Operand* operand : sourcesOf(instruction)) {
      if (operand->kind == Kind::address) continue;
      if (operand->kind != Kind::vector) {
        sink.elements.push_back(sourcesOf(*operand, sets));
        continue;
      }
      for (const Operand& element : operand->elements) {
        sink.elements.push_back(sourcesOf(element, sets));
      }
    }
    flows_.sinks.push_back(std::move(sink));
  }

  const Function& function_;
  const Definitions& definitions_;
  ValueFlows flows_;
};

}  // namespace

ValueFlows collectValueFlows(const Function& function, const Definitions& definitions) {
  return Collector(function, definitions).run();
}

}  // namespace tilestep::ptx
