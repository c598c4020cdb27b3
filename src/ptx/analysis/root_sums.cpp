// SPDX-License-Identifier: Apache-2.0
#include "ptx/analysis/root_sums.h"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <utility>

#include "ptx/analysis/counted.h"
#include "ptx/analysis/root_groups.h"

namespace tilestep::ptx {
namespace {

using Kind = Operand::Kind;

/// The most roots in a sum. A value with more becomes a root itself.
constexpr size_t kMostRoots = 64;
constexpr uint8_t kGlobalAlignment = 5, kSharedAlignment = 7, kMostPower = 7;

/// Whether the type is a single 32-bit or 64-bit integer, which is assumed not to wrap around in an
/// address. Packed halves are two numbers.
bool isWord(Type type) {
  switch (type) {
    case Type::b32:
    case Type::b64:
    case Type::u32:
    case Type::u64:
    case Type::s32:
    case Type::s64:
      return true;
    default:
      return false;
  }
}

/// The exponent of the largest power of two that divides a constant factor.
uint8_t powerOf(const Operand& factor, bool isShift) {
  if (factor.kind != Kind::immediate) return 0;
  const uint64_t power = isShift ? factor.bits : uint64_t(std::countr_zero(factor.bits));
  return static_cast<uint8_t>(std::min<uint64_t>(power, kMostPower));
}

class RootSums {
 public:
  RootSums(const Function& entry, const ControlFlow& flow, const RegisterGraph& graph,
           const KnownValues& values)
      : entry_(entry),
        flow_(flow),
        graph_(graph),
        values_(values),
        cycle_(cyclesOf(graph.edges([&](uint32_t i) { return flow.isInLoop(i); })).component),
        sums_(entry.registers.size()) {
    graph.solve([&](uint32_t i) {
      bool changed = false;
      for (const uint32_t reg : graph.written[i]) {
        if (!values.isKnown(reg)) changed |= merge(sums_[reg], sumOf(i, reg), {});
      }
      return changed;
    });
    findGroups();
  }

  [[nodiscard]] std::vector<Behaviour::Root> ofAddresses() const {
    std::map<uint32_t, uint8_t> used;  // For each root, its alignment.
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
    std::map<uint32_t, uint8_t> ofGroup;
    for (const auto& [root, alignment] : used) {
      uint8_t& most = ofGroup[roots_[root].group];
      most = std::max(most, alignment);
    }
    std::vector<Behaviour::Root> roots;
    for (const auto& [root, alignment] : used) {
      roots.push_back(roots_[root]);
      roots.back().alignment = ofGroup[roots_[root].group];
    }
    std::ranges::sort(roots, {}, [](const auto& r) { return std::pair(r.instruction, r.reg); });
    return roots;
  }

 private:
  struct Factor {
    uint8_t power = 0;  ///< The factor is a multiple of 2^power.
    bool isOne = true;
    bool operator==(const Factor&) const = default;
  };
  using Sum = std::map<uint32_t, Factor>;  ///< The factor of each root.

  static bool merge(Sum& to, const Sum& from, Factor by) {
    bool changed = false;
    for (const auto& [root, factor] : from) {
      const Factor product{
          static_cast<uint8_t>(std::min<unsigned>(factor.power + by.power, kMostPower)),
          factor.isOne && by.isOne};
      const auto [at, isNew] = to.try_emplace(root, product);
      const Factor both{std::min(product.power, at->second.power),
                        product.isOne && at->second.isOne};
      changed |= isNew || both != at->second;
      at->second = both;
    }
    return changed;
  }

  /// The sum that the instruction writes to the register.
  Sum sumOf(uint32_t instruction, uint32_t reg) {
    if (values_.makesKnown(instruction)) return {};
    if (flow_.isInLoop(instruction)) {
      auto sum = linear(entry_.body[instruction], reg);
      if (sum && sum->size() <= kMostRoots) return *sum;
    }
    return {{rootAt(instruction, reg), {}}};
  }

  uint32_t rootAt(uint32_t instruction, uint32_t reg) {
    const auto next = static_cast<uint32_t>(roots_.size());
    const auto [at, isNew] = rootOf_.try_emplace({instruction, reg}, next);
    const bool repeats = flow_.isInLoop(instruction);
    if (isNew) roots_.push_back({instruction, reg, repeats, false, 0, next});
    return at->second;
  }

  /// Groups the roots. If several instructions write a value, each lane may hold any of the
  /// results, which are its alternatives. Registers that depend on each other in loops are one
  /// value; steps by known amounts are not alternatives.
  void findGroups() {
    RootUses uses;
    std::map<uint32_t, std::vector<RootTerms>> written;
    for (uint32_t reg = 0; reg < sums_.size(); ++reg) {
      if (values_.isKnown(reg)) continue;
      for (const uint32_t i : graph_.writers[reg]) {
        if (!isStep(i, reg)) written[cycle_[reg]].push_back(termsOf(sumOf(i, reg)));
        addAdditions(i, reg, uses);
      }
    }
    for (auto& [value, sums] : written) {
      if (sums.size() > 1) uses.alternatives.push_back(std::move(sums));
    }
    std::vector<bool> exact;
    for (const Behaviour::Root& root : roots_) exact.push_back(root.exact);
    const RootGroups groups = groupRoots(std::move(exact), uses);
    for (uint32_t root = 0; root < roots_.size(); ++root) {
      roots_[root].exact = groups.exact[root];
      roots_[root].group = groups.exact[root] ? root : groups.groupOf[root];
    }
  }

  static RootTerms termsOf(const Sum& sum) {
    RootTerms terms;
    for (const auto& [root, factor] : sum) terms[root] = factor.isOne;
    return terms;
  }

  [[nodiscard]] bool isLinear(uint32_t instruction, uint32_t reg) const {
    const auto sum = linear(entry_.body[instruction], reg);
    return sum && sum->size() <= kMostRoots;
  }

  /// Whether the instruction only changes a loop-carried value by a known amount.
  [[nodiscard]] bool isStep(uint32_t instruction, uint32_t reg) const {
    if (!flow_.isInLoop(instruction)) return false;
    const bool continues = std::ranges::any_of(graph_.read[instruction], [&](uint32_t read) {
      return !values_.isKnown(read) && cycle_[read] == cycle_[reg];
    });
    return continues && isLinear(instruction, reg);
  }

  void addAdditions(uint32_t instruction, uint32_t reg, RootUses& uses) const {
    if (!flow_.isInLoop(instruction) || !isLinear(instruction, reg)) return;
    const std::vector<uint32_t>& read = graph_.read[instruction];
    for (size_t a = 0; a < read.size(); ++a) {
      for (size_t b = a + 1; b < read.size(); ++b)
        uses.additions.emplace_back(termsOf(sums_[read[a]]), termsOf(sums_[read[b]]));
    }
  }

  /// The result as a sum of the operands' roots. Nullopt if it is not such a sum, or if a factor
  /// may differ between lanes or over time.
  [[nodiscard]] std::optional<Sum> linear(const Instruction& i, uint32_t to) const {
    const bool isOpen = i.guard.reg != kNone && !values_.isKnown(i.guard.reg);
    const auto& o = i.operands;
    if (isOpen || o.size() < 2 || o[0].kind != Kind::reg || i.has("cc") || i.sat) return {};
    if (!isWord(i.type) || i.part == Part::hi) return {};
    if (!std::ranges::all_of(o, [&](const Operand& each) { return isInteger(each); })) return {};
    if (stepsByRoots(i, to)) return {};
    Sum sum;
    for (size_t k = 1; k < o.size(); ++k) {
      if (!addTerm(sum, i, k, to)) return {};
    }
    return sum;
  }

  [[nodiscard]] bool addTerm(Sum& sum, const Instruction& i, size_t operand, uint32_t to) const {
    const Operand& o = i.operands[operand];
    const auto isFactor = [&](size_t k) { return termOf(i, k) == '*' || termOf(i, k) == '<'; };
    switch (termOf(i, operand)) {
      case '=':
      case '@':
      case '+':
        return add(sum, o, {});
      case '~':
        return isWord(i.type2) && add(sum, o, {});
      case '-':
        return values_.isKnown(o);
      case '*':
      case '<':
        // A product is added when its second factor is reached.
        if (!isFactor(operand - 1)) return true;
        return addProduct(sum, i.operands[operand - 1], o, termOf(i, operand) == '<', to);
      default:
        return false;
    }
  }

  [[nodiscard]] bool isInteger(const Operand& o) const {
    if (o.kind != Kind::reg) return o.kind != Kind::vector && o.kind != Kind::pair;
    return isWord(entry_.registers[o.reg].type);
  }

  [[nodiscard]] bool isInCycle(const Operand& o, uint32_t reg) const {
    return o.kind == Kind::reg && cycle_[o.reg] == cycle_[reg];
  }

  /// Whether the instruction adds roots to a running sum, which lanes may do unequally often.
  [[nodiscard]] bool stepsByRoots(const Instruction& i, uint32_t to) const {
    const std::vector<uint32_t> reads = readRegisters(i);
    const auto isRunning = [&](uint32_t reg) {
      return !values_.isKnown(reg) && cycle_[reg] == cycle_[to];
    };
    const auto isStep = [&](uint32_t reg) {
      return !values_.isKnown(reg) && cycle_[reg] != cycle_[to];
    };
    return std::ranges::any_of(reads, isRunning) &&
           (std::ranges::any_of(reads, isStep) || std::ranges::count_if(reads, isRunning) > 1);
  }

  /// Adds `by` times the operand to the sum. False if the operand is not a number. If a root was
  /// already in the sum, its factor is no longer 1.
  [[nodiscard]] bool add(Sum& sum, const Operand& o, Factor by) const {
    if (values_.isKnown(o)) return true;
    if (o.kind != Kind::reg) return false;
    const Sum before = sum;
    merge(sum, sums_[o.reg], by);
    for (const auto& [root, factor] : sums_[o.reg]) {
      if (before.contains(root)) sum.at(root).isOne = false;
    }
    return true;
  }

  [[nodiscard]] bool addProduct(Sum& sum, const Operand& a, const Operand& b, bool isShift,
                                uint32_t to) const {
    if (values_.isKnown(a) && values_.isKnown(b)) return true;
    if (isInCycle(a, to) || isInCycle(b, to)) return false;
    if (values_.isConstant(b)) return add(sum, a, {powerOf(b, isShift), false});
    return !isShift && values_.isConstant(a) && add(sum, b, {powerOf(a, false), false});
  }

  const Function& entry_;
  const ControlFlow& flow_;
  const RegisterGraph& graph_;
  const KnownValues& values_;
  std::vector<uint32_t> cycle_;  ///< For each register, its cycle: registers of one cycle depend on
                                 ///< each other in loops.
  std::vector<Sum> sums_;        ///< For each register; empty if it is known.
  std::vector<Behaviour::Root> roots_;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> rootOf_;  ///< By instruction and register.
};

}  // namespace

std::vector<Behaviour::Root> rootsOfAddresses(const Function& entry, const ControlFlow& flow,
                                              const RegisterGraph& graph,
                                              const KnownValues& values) {
  return RootSums(entry, flow, graph, values).ofAddresses();
}

}  // namespace tilestep::ptx
