// SPDX-License-Identifier: Apache-2.0
#include "ptx/analysis/lane_moves.h"

#include <algorithm>
#include <map>
#include <string>

#include "ptx/analysis/control_flow.h"
#include "ptx/analysis/liveness.h"
#include "ptx/analysis/strong_components.h"
#include "ptx/analysis/uses.h"

namespace tilestep::ptx {
namespace {

using Kind = Operand::Kind;

/// What is known of a value: own + shared, where `own` names the part that the thread keeps.
struct Value {
  enum class State : uint8_t { unseen, known, any };
  State state = State::unseen;
  uint32_t own = 0;      ///< 0: none, so the value is the same in all lanes.
  bool changes = false;  ///< The shared part may change over time.
  uint32_t name = 0;     ///< Names the whole value if it never changes.
  bool operator==(const Value&) const = default;

  [[nodiscard]] bool isAny() const { return state == State::any; }
  [[nodiscard]] bool isShared() const { return state == State::known && own == 0; }
  [[nodiscard]] bool isConstant() const { return state == State::known && !changes; }
};

constexpr Value kAny{Value::State::any, 0, false, 0};

/// Numbers for expressions: the same for the same parts.
class Names {
 public:
  uint32_t of(const std::string& expression) {
    return numbers_.try_emplace(expression, static_cast<uint32_t>(numbers_.size()) + 1)
        .first->second;
  }

 private:
  std::map<std::string, uint32_t> numbers_;
};

std::string join(const std::string& head, uint32_t a, uint32_t b) {
  return head + " " + std::to_string(a) + " " + std::to_string(b);
}

bool isThreadsOwn(SpecialRegister special) {
  switch (special) {
    case SpecialRegister::tidX:
    case SpecialRegister::tidY:
    case SpecialRegister::tidZ:
    case SpecialRegister::laneid:
    case SpecialRegister::lanemaskEq:
    case SpecialRegister::lanemaskLt:
    case SpecialRegister::lanemaskLe:
    case SpecialRegister::lanemaskGt:
    case SpecialRegister::lanemaskGe:
      return true;
    default:
      return false;
  }
}

bool isLaunchs(SpecialRegister special) {
  return (special >= SpecialRegister::ntidX && special <= SpecialRegister::nctaidZ) ||
         special == SpecialRegister::dynamicSmemSize;
}

/// Results that follow from the operands alone.
bool isPure(Opcode opcode) {
  switch (opcode) {
    case Opcode::mov:
    case Opcode::cvta:
    case Opcode::cvt:
    case Opcode::add:
    case Opcode::sub:
    case Opcode::mul:
    case Opcode::mad:
    case Opcode::div:
    case Opcode::rem:
    case Opcode::neg:
    case Opcode::and_:
    case Opcode::or_:
    case Opcode::xor_:
    case Opcode::not_:
    case Opcode::shl:
    case Opcode::shr:
    case Opcode::setp:
    case Opcode::selp:
    case Opcode::abs:
    case Opcode::min:
    case Opcode::max:
    case Opcode::bfe:
    case Opcode::bfi:
      return true;
    default:
      return false;
  }
}

/// Works out values until nothing changes; they only ever become less known.
class Solver {
 public:
  explicit Solver(const Function& function)
      : function_(function),
        flow_(analyseControlFlow(function)),
        live_(function, flow_),
        values_(function.registers.size()),
        isForced_(function.registers.size(), false) {
    collect();
    findLoops();
  }

  void solve() {
    bool changed = true;
    while (changed) {
      changed = false;
      for (uint32_t reg = 0; reg < values_.size(); ++reg) {
        if (definitions_[reg].empty() || values_[reg].isAny()) continue;
        const Value next = merged(reg);
        changed |= next != values_[reg];
        values_[reg] = next;
      }
      changed |= splitAtBranches();
    }
  }

  [[nodiscard]] bool inStep(uint32_t reg) const {
    return values_[reg].state == Value::State::known;
  }
  [[nodiscard]] uint32_t ownPart(uint32_t reg) const { return values_[reg].own; }

 private:
  using Bits = std::vector<bool>;

  void collect() {
    definitions_.resize(function_.registers.size());
    for (uint32_t i = 0; i < function_.body.size(); ++i) {
      for (const uint32_t reg : writtenRegisters(function_.body[i])) definitions_[reg].push_back(i);
    }
  }

  void findLoops() {
    std::vector<std::vector<uint32_t>> edges;
    for (const BasicBlock& block : flow_.blocks) edges.push_back(block.successors);
    const std::vector<uint32_t> component = strongComponents(edges);
    std::vector<uint32_t> size(flow_.blocks.size(), 0);
    for (const uint32_t c : component) ++size[c];
    inLoop_.resize(flow_.blocks.size());
    for (uint32_t b = 0; b < flow_.blocks.size(); ++b) {
      const auto& next = edges[b];
      inLoop_[b] = size[component[b]] > 1 || std::find(next.begin(), next.end(), b) != next.end();
    }
  }

  // ---- Values ----

  Value merged(uint32_t reg) {
    if (isForced_[reg]) return kAny;
    const std::vector<uint32_t>& places = definitions_[reg];
    Value all;
    for (const uint32_t place : places) {
      const Value one = resultOf(place, reg);
      if (one.state == Value::State::unseen) continue;
      if (one.isAny()) all = kAny;
      if (all.isAny()) break;
      if (all.state == Value::State::unseen) {
        all = one;
      } else if (all.own != one.own) {
        all = kAny;
      } else if (all != one) {
        all = {Value::State::known, one.own, true, 0};
      }
    }
    // Written once and never again: a thread keeps it, whatever it is.
    const bool isKept = places.size() == 1 && !inLoop_[flow_.blockOf[places[0]]];
    if (!isKept || all.state == Value::State::unseen) return all;
    const uint32_t name = names_.of("register " + std::to_string(reg));
    return {Value::State::known, all.isShared() ? 0 : name, false, name};
  }

  Value shared(const std::string& expression) {
    return {Value::State::known, 0, false, names_.of(expression)};
  }

  Value operandValue(const Operand& operand) {
    switch (operand.kind) {
      case Kind::reg:
        if (operand.negated || definitions_[operand.reg].empty()) return kAny;
        return values_[operand.reg];
      case Kind::immediate:
        return shared("number " + std::to_string(operand.bits));
      case Kind::symbol:
        return shared("symbol " + operand.name + " " + std::to_string(operand.offset));
      case Kind::special: {
        const std::string name(toText(operand.special));
        if (isLaunchs(operand.special)) return shared(name);
        if (!isThreadsOwn(operand.special)) return kAny;
        return {Value::State::known, names_.of(name), false, names_.of(name)};
      }
      default:
        return kAny;
    }
  }

  Value resultOf(uint32_t index, uint32_t reg) {
    const Instruction& instruction = function_.body[index];
    const std::vector<Operand>& operands = instruction.operands;
    const bool isSimple = instruction.guard.reg == kNone && !operands.empty() &&
                          operands[0].kind == Kind::reg && operands[0].reg == reg;
    if (!isSimple) return kAny;
    if (instruction.opcode == Opcode::ld && instruction.space == Space::param &&
        operands.size() == 2 && operands[1].kind == Kind::address && operands[1].reg == kNone) {
      return shared("parameter " + operands[1].name + " " + std::to_string(operands[1].offset) +
                    " " + std::string(toText(instruction.type)));
    }
    if (!isPure(instruction.opcode)) return kAny;
    std::vector<Value> from;
    for (const Operand* source : sourcesOf(instruction)) {
      from.push_back(operandValue(*source));
      if (from.back().isAny()) return kAny;
    }
    for (const Value& value : from) {
      if (value.state == Value::State::unseen) return {};
    }
    return combined(instruction, from);
  }

  Value combined(const Instruction& instruction, const std::vector<Value>& from) {
    const bool isConstant =
        std::all_of(from.begin(), from.end(), [](const Value& v) { return v.isConstant(); });
    const bool isShared =
        std::all_of(from.begin(), from.end(), [](const Value& v) { return v.isShared(); });
    if (!isConstant)
      return isShared ? Value{Value::State::known, 0, true, 0} : linear(instruction, from);
    std::string expression(toText(instruction.opcode));
    for (const std::string& suffix : instruction.suffixes) expression += "." + suffix;
    for (const Value& value : from) expression += " " + std::to_string(value.name);
    const uint32_t name = names_.of(expression);
    if (isShared) return {Value::State::known, 0, false, name};
    const Value sum = linear(instruction, from);
    return {Value::State::known, sum.isAny() ? name : sum.own, false, name};
  }

  // What keeps a value a sum of the thread's own part and a shared one.
  Value linear(const Instruction& instruction, const std::vector<Value>& from) {
    if (isFloat(instruction.type) || bytesOf(instruction.type) < 4) return kAny;
    switch (instruction.opcode) {
      case Opcode::mov:
      case Opcode::cvta:
        return from[0];
      case Opcode::cvt:
        return bytesOf(instruction.type2) >= 4 && !isFloat(instruction.type2) ? from[0] : kAny;
      case Opcode::add:
        return sum(from[0], from[1], "add");
      case Opcode::sub:
        return sum(from[0], from[1], "sub");
      case Opcode::shl:
        return scaled(from[0], from[1], "shl");
      case Opcode::mul:
        return product(instruction, from);
      case Opcode::mad: {
        const Value scaled = product(instruction, from);
        return scaled.isAny() ? kAny : sum(scaled, from[2], "add");
      }
      default:
        return kAny;
    }
  }

  Value product(const Instruction& instruction, const std::vector<Value>& from) {
    if (instruction.part == Part::hi) return kAny;
    const bool isSecond = from[1].isShared() && from[1].isConstant();
    return isSecond ? scaled(from[0], from[1], "mul") : scaled(from[1], from[0], "mul");
  }

  Value sum(const Value& a, const Value& b, const std::string& how) {
    uint32_t own = a.own;
    if (b.own != 0) own = names_.of(join("own " + how, a.own, b.own));
    if (a.own == 0 && how == "add") own = b.own;
    return {Value::State::known, own, true, 0};
  }

  Value scaled(const Value& value, const Value& by, const std::string& how) {
    if (!by.isShared() || !by.isConstant()) return kAny;
    const uint32_t own = value.own == 0 ? 0 : names_.of(join("own " + how, value.own, by.name));
    return {Value::State::known, own, value.changes, 0};
  }

  // ---- Branches that lanes may take apart ----

  [[nodiscard]] Bits reachedFrom(uint32_t block, uint32_t stop) const {
    Bits reached(flow_.blocks.size(), false);
    std::vector<uint32_t> open{block};
    while (!open.empty()) {
      const uint32_t b = open.back();
      open.pop_back();
      if (b == stop || reached[b]) continue;
      reached[b] = true;
      open.insert(open.end(), flow_.blocks[b].successors.begin(), flow_.blocks[b].successors.end());
    }
    return reached;
  }

  bool splitAtBranches() {
    bool changed = false;
    for (uint32_t b = 0; b < flow_.blocks.size(); ++b) {
      const uint32_t last = flow_.blocks[b].end - 1;
      const Instruction& branch = function_.body[last];
      const bool isConditional = flow_.blocks[b].successors.size() > 1;
      if (!isConditional) continue;
      const bool isTogether = branch.guard.reg != kNone && branch.opcode == Opcode::bra &&
                              !definitions_[branch.guard.reg].empty() &&
                              (values_[branch.guard.reg].state == Value::State::unseen ||
                               values_[branch.guard.reg].isShared());
      if (!isTogether) changed |= split(b, flow_.reconvergence[last]);
    }
    return changed;
  }

  // Lanes that went different ways, or round a loop a different number of times, meet with
  // different values of what was written on the way.
  bool split(uint32_t block, uint32_t meeting) {
    const uint32_t stop =
        meeting < flow_.blockOf.size() ? flow_.blockOf[meeting] : static_cast<uint32_t>(kNone);
    Bits region(flow_.blocks.size(), false), joins(flow_.blocks.size(), false);
    for (const uint32_t next : flow_.blocks[block].successors) {
      const Bits reached = reachedFrom(next, stop);
      for (size_t b = 0; b < region.size(); ++b) {
        if (reached[b] && region[b]) joins[b] = true;
        if (reached[b]) region[b] = true;
      }
    }
    if (stop != kNone) joins[stop] = true;
    bool changed = false;
    for (uint32_t reg = 0; reg < values_.size(); ++reg) {
      if (isForced_[reg] || !isWrittenIn(reg, region) || !isLiveAtAny(reg, joins)) continue;
      changed = isForced_[reg] = true;
    }
    return changed;
  }

  [[nodiscard]] bool isWrittenIn(uint32_t reg, const Bits& region) const {
    return std::any_of(definitions_[reg].begin(), definitions_[reg].end(),
                       [&](uint32_t i) { return region[flow_.blockOf[i]]; });
  }

  [[nodiscard]] bool isLiveAtAny(uint32_t reg, const Bits& blocks) const {
    for (size_t b = 0; b < blocks.size(); ++b) {
      if (blocks[b] && live_.atStart(static_cast<uint32_t>(b))[reg]) return true;
    }
    return false;
  }

  const Function& function_;
  ControlFlow flow_;
  Liveness live_;
  Names names_;
  std::vector<Value> values_;                       ///< By register.
  std::vector<bool> isForced_;                      ///< By register: lanes may differ in it.
  std::vector<bool> inLoop_;                        ///< By block.
  std::vector<std::vector<uint32_t>> definitions_;  ///< By register: instructions.
};

}  // namespace

LaneMoves::LaneMoves(const Function& function)
    : inStep_(function.registers.size(), false), own_(function.registers.size(), 0) {
  if (function.body.empty()) return;
  Solver solver(function);
  solver.solve();
  for (uint32_t reg = 0; reg < inStep_.size(); ++reg) {
    inStep_[reg] = solver.inStep(reg);
    own_[reg] = solver.ownPart(reg);
  }
}

}  // namespace tilestep::ptx
