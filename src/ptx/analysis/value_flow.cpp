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

/// The operands through which a running value passes, by opcode.
struct Passage {
  Step step = Step::copy;
  std::vector<size_t> operands;
};

Passage passageOf(Opcode opcode) {
  switch (opcode) {
    case Opcode::mov:
      return {Step::copy, {1}};
    case Opcode::selp:
      return {Step::copy, {1, 2}};
    case Opcode::add:
      return {Step::add, {1, 2}};
    case Opcode::sub:
      return {Step::add, {1}};
    case Opcode::fma:
    case Opcode::mad:
    case Opcode::dp4a:
    case Opcode::dp2a:
      return {Step::multiplyAdd, {3}};
    default:
      return {};
  }
}

bool derives(const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::mov:
    case Opcode::selp:
      return true;
    case Opcode::add:
    case Opcode::sub:
    case Opcode::mul:
    case Opcode::div:
    case Opcode::fma:
    case Opcode::neg:
    case Opcode::min:
    case Opcode::max:
    case Opcode::cvt:
      return isFloat(instruction.type) || isFloat(instruction.type2);
    default:
      return false;
  }
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
    if (derives(instruction)) addDerivation(index, sets);
  }

  void addFlow(uint32_t index, const Sets& sets) {
    const Instruction& instruction = function_.body[index];
    const Passage passage = passageOf(instruction.opcode);
    ValueFlow flow{index, passage.step, definitions_.firstOf(index), {}, 0, 0};
    for (const size_t operand : passage.operands) {
      if (operand >= instruction.operands.size()) continue;
      Sources sources = sourcesOf(instruction.operands[operand], sets);
      if (!sources.empty()) flow.from.push_back(std::move(sources));
    }
    if (!flow.from.empty()) flows_.carried.push_back(std::move(flow));
  }

  /// mma: each element of d is the element of c in the same place and products.
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
