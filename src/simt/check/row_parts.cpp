// SPDX-License-Identifier: Apache-2.0
#include "simt/check/row_parts.h"

#include <algorithm>

#include "ptx/analysis/uses.h"

namespace tilestep::simt {
namespace {

using Fact = RowParts::Fact;
using FactKind = RowParts::Kind;
using OperandKind = ptx::Operand::Kind;
using ptx::Opcode;

constexpr Fact kUnknown{FactKind::unknown};
constexpr Fact kDerived{FactKind::derived};
/// The bounds of intervals, because no row is that wide.
constexpr int64_t kFar = int64_t{1} << 40;

bool isUniformSpecial(ptx::SpecialRegister name) {
  return name >= ptx::SpecialRegister::ntidX && name <= ptx::SpecialRegister::nctaidZ &&
         !(name >= ptx::SpecialRegister::ctaidX && name <= ptx::SpecialRegister::ctaidZ);
}

int64_t clampFar(int64_t value) {
  return std::clamp(value, -kFar, kFar);
}

Fact scaled(Fact fact, int64_t by) {
  const int64_t a = clampFar(fact.least * by), b = clampFar(fact.most * by);
  fact.least = std::min(a, b);
  fact.most = std::max(a, b);
  fact.factor = clampFar(fact.factor * by);
  return fact;
}

Fact joined(const Fact& a, const Fact& b) {
  if (a == b) return a;
  Fact fact = a;
  fact.uniform = false;
  fact.sized = a.sized || b.sized;
  fact.flat = a.flat || b.flat;
  fact.least = std::min(a.least, b.least);
  fact.most = std::max(a.most, b.most);
  if (a.kind == b.kind) {
    const bool sameWidths =
        a.kind != FactKind::widths || (a.factor == b.factor && a.pure == b.pure);
    return sameWidths ? fact : kUnknown;
  }
  const auto either = [&](FactKind kind) { return a.kind == kind || b.kind == kind; };
  if (either(FactKind::derived) && !either(FactKind::rows) && !either(FactKind::unknown))
    return kDerived;
  if (either(FactKind::derived) || either(FactKind::unknown) || !either(FactKind::rows))
    return kUnknown;
  fact.kind = FactKind::rows;
  fact.factor = 0;
  // A number's constants do not change the rows.
  const Fact& rows = a.kind == FactKind::rows ? a : b;
  fact.least = std::min<int64_t>(rows.least, 0);
  fact.most = std::max<int64_t>(rows.most, 0);
  return fact;
}

}  // namespace

RowParts::RowParts(const ptx::Function& function, const ptx::RegisterGraph& graph,
                   const std::vector<std::string>& widthParameters)
    : function_(function),
      graph_(graph),
      widths_(widthParameters),
      facts_(function.registers.size()) {
  findLoops();
  // Additions in loops are ignored, so that the facts converge.
  constexpr int kMostRounds = 64;
  const bool settled = ptx::settle(facts_, kMostRounds, [&](const Facts&) {
    Facts next = results();
    markFlat(next);
    return next;
  });
  if (!settled) std::fill(facts_.begin(), facts_.end(), kUnknown);
}

/// For each register, the combination of the current facts of all instructions that write it.
RowParts::Facts RowParts::results() const {
  Facts next(facts_.size());
  std::vector<bool> seen(facts_.size(), false);
  for (uint32_t i = 0; i < function_.body.size(); ++i) {
    if (function_.body[i].opcode == Opcode::setp || graph_.written[i].empty()) continue;
    const Fact now = result(function_.body[i]);
    for (const uint32_t reg : graph_.written[i]) {
      next[reg] = seen[reg] ? joined(next[reg], now) : now;
      seen[reg] = true;
    }
  }
  return next;
}

void RowParts::findLoops() {
  ptx::Graph edges(facts_.size());
  for (uint32_t i = 0; i < function_.body.size(); ++i) {
    for (const uint32_t to : graph_.written[i]) {
      for (const ptx::Operand* from : ptx::sourcesOf(function_.body[i])) {
        if (from->kind == OperandKind::reg) edges[from->reg].push_back(to);
      }
    }
  }
  loops_ = ptx::cyclesOf(edges);
}

/// Whether the source depends on the instruction's result, as in a loop.
bool RowParts::loops(const ptx::Instruction& instruction, const ptx::Operand& source) const {
  if (source.kind != OperandKind::reg || instruction.operands.empty()) return false;
  const ptx::Operand& to = instruction.operands.front();
  return to.kind == OperandKind::reg && loops_.cyclic[to.reg] &&
         loops_.component[to.reg] == loops_.component[source.reg];
}

Fact RowParts::of(const ptx::Operand& operand, const Facts& facts) {
  Fact fact;
  if (operand.kind == OperandKind::reg) return facts[operand.reg];
  if (operand.kind == OperandKind::immediate) {
    fact.uniform = true;
    fact.least = fact.most = clampFar(static_cast<int64_t>(operand.bits));
  }
  if (operand.kind == OperandKind::special) fact.uniform = isUniformSpecial(operand.special);
  if (operand.kind == OperandKind::symbol) fact.uniform = true;
  for (const ptx::Operand& element : operand.elements) {
    const FactKind kind = of(element, facts).kind;
    if (kind == FactKind::rows || kind == FactKind::unknown) return kUnknown;
    if (kind == FactKind::widths || kind == FactKind::derived) return kDerived;
  }
  return fact;
}

Fact RowParts::parameter(const ptx::Instruction& instruction) const {
  Fact fact;
  fact.uniform = fact.sized = true;
  const std::string& name = ptx::addressOf(instruction)->name;
  if (std::find(widths_.begin(), widths_.end(), name) == widths_.end()) return fact;
  fact.kind = FactKind::widths;
  fact.factor = 1;
  fact.pure = true;
  return fact;
}

Fact RowParts::sum(Fact a, Fact b, bool looping, bool minus) const {
  if (minus) b = scaled(b, -1);
  if (a.kind == FactKind::unknown || b.kind == FactKind::unknown) return kUnknown;
  if (a.kind == FactKind::derived || b.kind == FactKind::derived) {
    return a.kind == FactKind::rows || b.kind == FactKind::rows ? kUnknown : kDerived;
  }
  const auto both = [&](FactKind x, FactKind y) {
    return (a.kind == x && b.kind == y) || (a.kind == y && b.kind == x);
  };
  Fact fact;
  fact.uniform = a.uniform && b.uniform && !looping;
  fact.sized = a.sized || b.sized;
  fact.flat = a.flat || b.flat;
  fact.least = clampFar(a.least + b.least);
  fact.most = clampFar(a.most + b.most);
  if (both(FactKind::number, FactKind::number)) {
    // A value that a loop adds repeatedly is not a constant of the sum.
    if (looping) fact.least = fact.most = 0;
    return fact;
  }
  if (looping && both(FactKind::number, FactKind::widths)) {
    fact.kind = FactKind::rows;
    fact.least = fact.most = 0;
    return fact;
  }
  if (both(FactKind::number, FactKind::widths) || both(FactKind::widths, FactKind::widths)) {
    fact.kind = FactKind::widths;
    fact.factor = clampFar(a.factor + b.factor);
    fact.pure = a.kind == b.kind && a.pure && b.pure;
    fact.least = fact.most = 0;
    if (fact.factor == 0) fact.kind = FactKind::number;
    return fact;
  }
  fact.kind = FactKind::rows;
  const Fact& rows = a.kind == FactKind::rows ? a : b;
  const Fact& other = a.kind == FactKind::rows ? b : a;
  if (other.kind == FactKind::rows) return fact;
  fact.least = rows.least;
  fact.most = rows.most;
  if (other.kind == FactKind::widths && !looping) {
    fact.least = clampFar(fact.least + std::min<int64_t>(0, other.factor));
    fact.most = clampFar(fact.most + std::max<int64_t>(0, other.factor));
  }
  return fact;
}

Fact RowParts::product(Fact a, Fact b, const ptx::Operand& left, const ptx::Operand& right) const {
  if (right.kind == OperandKind::immediate) return scaled(a, static_cast<int64_t>(right.bits));
  if (left.kind == OperandKind::immediate) return scaled(b, static_cast<int64_t>(left.bits));
  if (a.kind == FactKind::number && b.kind == FactKind::number) {
    Fact fact;
    fact.uniform = a.uniform && b.uniform;
    fact.sized = a.sized || b.sized;
    fact.flat = a.flat || b.flat || (fact.sized && !fact.uniform);
    return fact;
  }
  const bool plain = (a.kind == FactKind::derived || a.kind == FactKind::number) &&
                     (b.kind == FactKind::derived || b.kind == FactKind::number);
  if (plain) return kDerived;
  const Fact& width = a.kind == FactKind::widths ? a : b;
  const Fact& row = a.kind == FactKind::widths ? b : a;
  if (width.kind != FactKind::widths || !width.pure || row.kind != FactKind::number ||
      row.uniform) {
    return kUnknown;
  }
  Fact fact = scaled(row, width.factor);
  fact.kind = FactKind::rows;
  fact.factor = 0;
  fact.least = std::min<int64_t>(fact.least, 0);
  fact.most = std::max<int64_t>(fact.most, 0);
  return fact;
}

/// Returns nothing if widths are not followed through the instruction.
std::optional<Fact> RowParts::linear(const ptx::Instruction& i) const {
  const auto isWord = [](ptx::Type type) {
    return (ptx::bytesOf(type) == 4 || ptx::bytesOf(type) == 8) && !ptx::isFloat(type);
  };
  if (!isWord(i.type) || (i.type2 != ptx::Type::none && !isWord(i.type2))) return {};
  const auto& o = i.operands;
  std::optional<Fact> total;
  bool looping = false;
  for (size_t k = 1; k < o.size(); ++k) {
    const char term = ptx::termOf(i, k);
    if (term == '+' || term == '-') looping = looping || loops(i, o[k]);
  }
  for (size_t k = 1; k < o.size(); ++k) {
    const char term = ptx::termOf(i, k);
    if (term == '.' || (term == '-' && !total)) return {};
    Fact fact = of(o[k]);
    if (term == '*') {
      const bool isShift = ptx::termOf(i, k + 1) == '<';
      ++k;
      if (i.part == ptx::Part::hi) return {};
      if (isShift && (o[k].kind != OperandKind::immediate || o[k].bits > 40)) return {};
      fact =
          isShift ? scaled(fact, int64_t{1} << o[k].bits) : product(fact, of(o[k]), o[k - 1], o[k]);
    }
    total = total ? sum(*total, fact, looping, term == '-') : fact;
  }
  return total;
}

Fact RowParts::result(const ptx::Instruction& i) const {
  if (ptx::readsMemory(i)) {
    const bool isParameter = i.space == ptx::Space::param && ptx::addressOf(i) != nullptr;
    return isParameter ? parameter(i) : Fact{};
  }
  if (const std::optional<Fact> fact = linear(i)) return *fact;
  Fact fact;
  fact.uniform = i.opcode != Opcode::call;
  for (const ptx::Operand* operand : ptx::sourcesOf(i)) {
    const Fact source = of(*operand);
    if (source.kind == FactKind::rows || source.kind == FactKind::unknown) return kUnknown;
    if (source.kind == FactKind::widths || source.kind == FactKind::derived)
      fact.kind = FactKind::derived;
    fact.uniform = fact.uniform && source.uniform;
    fact.sized = fact.sized || source.sized;
    fact.flat = fact.flat || source.flat;
  }
  return fact;
}

/// Marks an index that is compared with the length of several rows, because it crosses rows.
void RowParts::markFlat(Facts& facts) const {
  for (const ptx::Instruction& i : function_.body) {
    if (i.opcode != Opcode::setp || i.operands.size() < 3 || ptx::isFloat(i.type)) continue;
    const size_t last = i.operands.size() - 1;
    for (const auto& [one, two] : {std::pair(last - 1, last), std::pair(last, last - 1)}) {
      const ptx::Operand& number = i.operands[one];
      const Fact bound = of(i.operands[two], facts);
      if (number.kind != OperandKind::reg || facts[number.reg].kind != FactKind::number) continue;
      const bool severalRows = bound.kind == FactKind::unknown || bound.kind == FactKind::rows ||
                               (bound.kind == FactKind::widths && bound.factor != 1);
      if (severalRows) facts[number.reg].flat = true;
    }
  }
}

}  // namespace tilestep::simt
