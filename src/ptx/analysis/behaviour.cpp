// SPDX-License-Identifier: Apache-2.0
#include "ptx/analysis/behaviour.h"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>

#include "ptx/analysis/branches.h"
#include "ptx/analysis/control_flow.h"
#include "ptx/analysis/strong_components.h"
#include "ptx/analysis/uses.h"
#include "ptx/rewrite/instrument_access.h"

namespace tilestep::ptx {
namespace {

using Kind = Operand::Kind;

constexpr uint8_t kGlobalAlignment = 5, kSharedAlignment = 7, kMostPower = 7;

/// By instruction: whether a thread may run it more than once.
std::vector<bool> inLoops(const Function& function) {
  const ControlFlow flow = analyseControlFlow(function);
  std::vector<std::vector<uint32_t>> edges;
  for (const BasicBlock& block : flow.blocks) edges.push_back(block.successors);
  const std::vector<uint32_t> component = strongComponents(edges);
  std::map<uint32_t, uint32_t> size;
  for (const uint32_t c : component) ++size[c];
  std::vector<bool> loops(function.body.size());
  for (uint32_t b = 0; b < flow.blocks.size(); ++b) {
    const bool isLoop = size[component[b]] > 1 || std::ranges::find(edges[b], b) != edges[b].end();
    for (uint32_t i = flow.blocks[b].first; i < flow.blocks[b].end; ++i) loops[i] = isLoop;
  }
  return loops;
}

/// Results that follow from the operands alone.
bool isPure(const Instruction& i) {
  switch (i.opcode) {
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
    case Opcode::abs:
    case Opcode::min:
    case Opcode::max:
    case Opcode::and_:
    case Opcode::or_:
    case Opcode::xor_:
    case Opcode::not_:
    case Opcode::shl:
    case Opcode::shr:
    case Opcode::bfe:
    case Opcode::bfi:
    case Opcode::setp:
    case Opcode::selp:
      return !i.has("cc");
    default:
      return false;
  }
}

bool isThreadIndex(SpecialRegister special) {
  return special >= SpecialRegister::tidX && special <= SpecialRegister::tidZ;
}

/// A number of the lane itself.
bool isOfLane(SpecialRegister special) {
  return special == SpecialRegister::laneid ||
         (special >= SpecialRegister::lanemaskEq && special <= SpecialRegister::lanemaskGt);
}

/// Equal in the lanes of one number in all warps of a launch.
bool isLaunchs(SpecialRegister special) {
  return isOfLane(special) ||
         (special >= SpecialRegister::ntidX && special <= SpecialRegister::ntidZ) ||
         (special >= SpecialRegister::nctaidX && special <= SpecialRegister::nctaidZ) ||
         special == SpecialRegister::dynamicSmemSize || special == SpecialRegister::totalSmemSize;
}

/// Whether what the instruction counts depends on its guard.
bool isCounted(const Instruction& i) {
  return isBranch(i) || isExit(i) || isBarrier(i) || accessOf(i) || arithmeticOf(i);
}

class BehaviourFinder {
 public:
  BehaviourFinder(const Function& entry, bool ofOnePlace)
      : entry_(entry),
        ofOnePlace_(ofOnePlace),
        loops_(inLoops(entry)),
        known_(entry.registers.size(), true),
        sums_(entry.registers.size()) {}

  Behaviour find() {
    findTold();
    findKnown();
    findSums();
    Behaviour behaviour;
    behaviour.ofOnePlace = ofOnePlace_;
    forEachWrite([&](uint32_t i, uint32_t reg) {
      if (told_[reg] && !isKnown(entry_.body[i])) behaviour.told.push_back({i, reg});
    });
    for (const Instruction& i : entry_.body) {
      behaviour.open.push_back(i.guard.reg != kNone && !known_[i.guard.reg] && isCounted(i));
      const auto access = accessOf(i);
      behaviour.openSpace.push_back(access && access->space == Space::generic &&
                                    access->address->reg != kNone && !known_[access->address->reg]);
    }
    behaviour.roots = usedRoots();
    behaviour.isShort = isShort(behaviour);
    return behaviour;
  }

 private:
  struct Factor {
    uint8_t power = 0;  ///< It is a multiple of 2 to this power.
    bool isOne = true;
    bool operator==(const Factor&) const = default;
  };
  /// A value as a sum of roots, by root.
  using Sum = std::map<uint32_t, Factor>;

  template <class Visit>
  void forEachWrite(Visit visit) {
    for (uint32_t i = 0; i < entry_.body.size(); ++i) {
      for (const uint32_t reg : writtenRegisters(entry_.body[i])) visit(i, reg);
    }
  }

  [[nodiscard]] bool isShort(const Behaviour& behaviour) const {
    size_t bits = behaviour.told.size();
    for (uint32_t i = 0; i < entry_.body.size(); ++i) {
      const size_t here = (behaviour.open[i] ? 1 : 0) + (behaviour.openSpace[i] ? 2 : 0);
      if (here > 0 && loops_[i]) return false;
      bits += here;
    }
    return bits < 32 && std::ranges::none_of(behaviour.roots, &Behaviour::Root::repeats);
  }

  // ---- Predicates to tell ----

  /// Goes back from the guards in loops to predicates that are only computed outside of loops.
  void findTold() {
    const size_t size = entry_.registers.size();
    std::vector<bool> inside(size), decides(size);
    forEachWrite([&](uint32_t i, uint32_t reg) { inside[reg] = inside[reg] || loops_[i]; });
    for (uint32_t i = 0; i < entry_.body.size(); ++i) {
      const Instruction& instruction = entry_.body[i];
      if (loops_[i] && instruction.guard.reg != kNone && isCounted(instruction))
        decides[instruction.guard.reg] = true;
    }
    for (bool changed = true; changed;) {
      changed = false;
      forEachWrite([&](uint32_t i, uint32_t reg) {
        if (!decides[reg] || !loops_[i]) return;
        for (const uint32_t read : readRegisters(entry_.body[i])) {
          changed |= !decides[read];
          decides[read] = true;
        }
      });
    }
    told_.resize(size);
    for (uint32_t reg = 0; reg < size; ++reg)
      told_[reg] = decides[reg] && !inside[reg] && entry_.registers[reg].type == Type::pred;
  }

  // ---- Known values ----

  /// Begins with all registers as known and takes back those that are not.
  void findKnown() {
    for (bool changed = true; changed;) {
      changed = false;
      forEachWrite([&](uint32_t i, uint32_t reg) {
        if (!known_[reg] || told_[reg] || isKnown(entry_.body[i])) return;
        known_[reg] = false;
        changed = true;
      });
    }
  }

  [[nodiscard]] bool isKnown(const Instruction& i) const {
    if (!isPure(i) && !loadsForLaunch(i)) return false;
    return std::ranges::all_of(readRegisters(i), [&](uint32_t reg) { return known_[reg]; }) &&
           std::ranges::all_of(i.operands, [&](const Operand& o) { return isSame(o); });
  }

  /// A parameter of the entry, or constant memory, which no kernel writes.
  [[nodiscard]] bool loadsForLaunch(const Instruction& i) const {
    if (i.opcode != Opcode::ld) return false;
    if (i.space == Space::constant) return true;
    const Operand* address = addressOf(i);
    return i.space == Space::param && address != nullptr &&
           std::ranges::any_of(entry_.parameters,
                               [&](const Parameter& p) { return p.name == address->name; });
  }

  [[nodiscard]] bool isSame(const Operand& operand) const {
    if (!std::ranges::all_of(operand.elements, [&](const Operand& e) { return isSame(e); }))
      return false;
    if (operand.kind != Kind::special) return true;
    return isLaunchs(operand.special) || (ofOnePlace_ && isThreadIndex(operand.special));
  }

  // ---- Sums of roots ----

  void findSums() {
    findConstants();
    findCycles();
    for (bool changed = true; changed;) {
      changed = false;
      forEachWrite([&](uint32_t i, uint32_t reg) {
        if (known_[reg]) return;
        changed |= merge(sums_[reg], sumOf(i, reg), 0, true);
      });
    }
    findAlternatives();
  }

  /// Registers that one instruction outside of all loops computes from the launch alone, so that
  /// they are the same in all lanes at all times.
  void findConstants() {
    std::vector<uint32_t> writes(known_.size());
    forEachWrite([&](uint32_t, uint32_t reg) { ++writes[reg]; });
    constant_.assign(known_.size(), false);
    for (bool changed = true; changed;) {
      changed = false;
      forEachWrite([&](uint32_t i, uint32_t reg) {
        const Instruction& instruction = entry_.body[i];
        const bool isConstant =
            !constant_[reg] && writes[reg] == 1 && !loops_[i] && isKnown(instruction) &&
            std::ranges::all_of(readRegisters(instruction),
                                [&](uint32_t read) { return constant_[read]; }) &&
            std::ranges::none_of(instruction.operands, [](const Operand& o) {
              return o.kind == Kind::special && (isThreadIndex(o.special) || isOfLane(o.special));
            });
        if (!isConstant) return;
        constant_[reg] = changed = true;
      });
    }
  }

  /// Registers that depend on themselves by way of loops.
  void findCycles() {
    std::vector<std::vector<uint32_t>> edges(known_.size());
    forEachWrite([&](uint32_t i, uint32_t reg) {
      if (!loops_[i]) return;
      for (const uint32_t read : readRegisters(entry_.body[i])) edges[read].push_back(reg);
    });
    cycle_ = strongComponents(edges);
  }

  static bool merge(Sum& to, const Sum& from, uint8_t power, bool isPlain) {
    bool changed = false;
    for (const auto& [root, factor] : from) {
      const Factor product{
          static_cast<uint8_t>(std::min<unsigned>(factor.power + power, kMostPower)),
          factor.isOne && isPlain};
      const auto [at, isNew] = to.try_emplace(root, product);
      const Factor both{std::min(product.power, at->second.power),
                        product.isOne && at->second.isOne};
      changed |= isNew || both != at->second;
      at->second = both;
    }
    return changed;
  }

  /// What a write puts into a register.
  Sum sumOf(uint32_t index, uint32_t reg) {
    if (isKnown(entry_.body[index])) return {};
    if (loops_[index]) {
      if (auto sum = linear(entry_.body[index], reg)) return *sum;
    }
    return {{rootAt(index, reg), {0, true}}};
  }

  uint32_t rootAt(uint32_t instruction, uint32_t reg) {
    const auto next = static_cast<uint32_t>(roots_.size());
    const auto [at, isNew] = rootOf_.try_emplace({instruction, reg}, next);
    const bool repeats = loops_[instruction];
    if (isNew) roots_.push_back({instruction, reg, repeats, repeats, 0});
    return at->second;
  }

  /// Lanes may take one alternative each where a register is written in several places. Unless all
  /// of them give it the same roots with a factor of 1, the distance between lanes is not that of
  /// one root, and so these roots must be exact.
  void findAlternatives() {
    std::vector<std::vector<Sum>> sums(known_.size());
    forEachWrite([&](uint32_t i, uint32_t reg) { sums[reg].push_back(sumOf(i, reg)); });
    for (uint32_t reg = 0; reg < sums.size(); ++reg) {
      if (known_[reg] || sums[reg].size() < 2) continue;
      const auto isAlike = [&](const Sum& sum) {
        return std::ranges::all_of(sum, [](const auto& term) { return term.second.isOne; }) &&
               std::ranges::equal(sum, sums[reg].front(), {}, &Sum::value_type::first,
                                  &Sum::value_type::first);
      };
      if (std::ranges::all_of(sums[reg], isAlike)) continue;
      for (const auto& [root, factor] : sums_[reg]) roots_[root].exact = true;
    }
  }

  /// Nothing where the result is no sum of the operands' roots with factors that are the same in
  /// all lanes at all times.
  [[nodiscard]] std::optional<Sum> linear(const Instruction& i, uint32_t to) const {
    const bool isOpen = i.guard.reg != kNone && !known_[i.guard.reg];
    const auto& o = i.operands;
    if (isOpen || o.empty() || o[0].kind != Kind::reg || i.has("cc") || i.sat) return {};
    if (isFloat(i.type) || bytesOf(i.type) < 4 || i.type == Type::pred) return {};
    if (!std::ranges::all_of(o, [&](const Operand& each) { return isInteger(each); })) return {};
    if (stepsByRoots(i, to)) return {};
    Sum sum;
    bool isSum = false;
    switch (i.opcode) {
      case Opcode::mov:
      case Opcode::cvta:
        isSum = o.size() == 2 && add(sum, o[1], 0, true);
        break;
      case Opcode::neg:
        isSum = o.size() == 2 && !isInCycle(o[1], to) && add(sum, o[1], 0, false);
        break;
      case Opcode::cvt:
        isSum = !isFloat(i.type2) && bytesOf(i.type2) >= 4 && add(sum, o[1], 0, true);
        break;
      case Opcode::add:
        isSum = add(sum, o[1], 0, true) && add(sum, o[2], 0, true);
        break;
      case Opcode::sub:
        isSum = !isInCycle(o[2], to) && add(sum, o[1], 0, true) && add(sum, o[2], 0, false);
        break;
      case Opcode::shl:
        isSum = addProduct(sum, o[1], o[2], true, to);
        break;
      case Opcode::mul:
        isSum = i.part != Part::hi && addProduct(sum, o[1], o[2], false, to);
        break;
      case Opcode::mad:
        isSum =
            i.part != Part::hi && addProduct(sum, o[1], o[2], false, to) && add(sum, o[3], 0, true);
        break;
      default:
        break;
    }
    return isSum ? std::optional(sum) : std::nullopt;
  }

  [[nodiscard]] bool isInteger(const Operand& o) const {
    if (o.kind != Kind::reg) return o.kind != Kind::vector && o.kind != Kind::pair;
    const Type type = entry_.registers[o.reg].type;
    return !isFloat(type) && type != Type::pred && bytesOf(type) >= 4;
  }

  [[nodiscard]] bool isInCycle(const Operand& o, uint32_t reg) const {
    return o.kind == Kind::reg && cycle_[o.reg] == cycle_[reg];
  }

  /// A running sum to which roots are added: the lanes may have added them different numbers of
  /// times.
  [[nodiscard]] bool stepsByRoots(const Instruction& i, uint32_t to) const {
    const std::vector<uint32_t> reads = readRegisters(i);
    const auto isRunning = [&](uint32_t reg) { return !known_[reg] && cycle_[reg] == cycle_[to]; };
    const auto isStep = [&](uint32_t reg) { return !known_[reg] && cycle_[reg] != cycle_[to]; };
    return std::ranges::any_of(reads, isRunning) &&
           (std::ranges::any_of(reads, isStep) || std::ranges::count_if(reads, isRunning) > 1);
  }

  [[nodiscard]] bool isKnownOperand(const Operand& o) const {
    if (o.kind == Kind::reg) return known_[o.reg];
    return o.kind == Kind::immediate || o.kind == Kind::symbol ||
           (o.kind == Kind::special && isSame(o));
  }
  [[nodiscard]] bool isConstantOperand(const Operand& o) const {
    return o.kind == Kind::immediate || (o.kind == Kind::reg && constant_[o.reg]);
  }

  /// Adds a power of two times an operand; false for what is no number.
  bool add(Sum& sum, const Operand& o, uint8_t power, bool isPlain) const {
    if (isKnownOperand(o)) return true;
    if (o.kind != Kind::reg) return false;
    merge(sum, sums_[o.reg], power, isPlain);
    return true;
  }

  bool addProduct(Sum& sum, const Operand& a, const Operand& b, bool isShift, uint32_t to) const {
    if (isKnownOperand(a) && isKnownOperand(b)) return true;
    if (isInCycle(a, to) || isInCycle(b, to)) return false;
    if (isConstantOperand(b)) return add(sum, a, powerOf(b, isShift), false);
    return !isShift && isConstantOperand(a) && add(sum, b, powerOf(a, false), false);
  }

  /// The power of two that a known factor is a multiple of.
  static uint8_t powerOf(const Operand& factor, bool isShift) {
    if (factor.kind != Kind::immediate) return 0;
    const uint64_t power = isShift ? factor.bits : uint64_t(std::countr_zero(factor.bits));
    return static_cast<uint8_t>(std::min<uint64_t>(power, kMostPower));
  }

  // ---- Roots that addresses depend on ----

  [[nodiscard]] std::vector<Behaviour::Root> usedRoots() const {
    std::map<uint32_t, uint8_t> used;  // By root: the alignment it needs.
    for (const Instruction& i : entry_.body) {
      const auto access = accessOf(i);
      if (!access || access->address->reg == kNone) continue;
      const uint8_t needed = access->space == Space::global ? kGlobalAlignment : kSharedAlignment;
      for (const auto& [root, factor] : sums_[access->address->reg]) {
        uint8_t& most = used[root];
        const int left = needed - factor.power;
        most = std::max(most, static_cast<uint8_t>(std::max(left, 0)));
      }
    }
    std::vector<Behaviour::Root> roots;
    for (const auto& [root, alignment] : used) {
      roots.push_back(roots_[root]);
      roots.back().alignment = alignment;
    }
    std::ranges::sort(roots, {}, [](const auto& r) { return std::pair(r.instruction, r.reg); });
    return roots;
  }

  const Function& entry_;
  const bool ofOnePlace_;
  const std::vector<bool> loops_;
  std::vector<bool> told_;  ///< By register, as are the next two.
  std::vector<bool> known_;
  std::vector<bool> constant_;
  std::vector<uint32_t> cycle_;  ///< Registers of one number depend on each other.
  std::vector<Sum> sums_;
  std::vector<Behaviour::Root> roots_;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> rootOf_;
};

/// How often code is inserted into loops.
size_t costOf(const Function& entry, const Behaviour& behaviour) {
  const std::vector<bool> loops = inLoops(entry);
  auto cost =
      static_cast<size_t>(std::ranges::count_if(behaviour.roots, &Behaviour::Root::repeats));
  for (uint32_t i = 0; i < entry.body.size(); ++i) {
    if (loops[i] && (behaviour.open[i] || behaviour.openSpace[i])) ++cost;
  }
  return cost;
}

}  // namespace

Behaviour behaviourOf(const Function& entry) {
  Behaviour anywhere = BehaviourFinder(entry, false).find();
  const size_t cost = costOf(entry, anywhere);
  if (cost == 0) return anywhere;
  // What follows from the thread's index alone need not be told in every iteration.
  Behaviour ofOnePlace = BehaviourFinder(entry, true).find();
  return costOf(entry, ofOnePlace) < cost ? ofOnePlace : anywhere;
}

}  // namespace tilestep::ptx
