// SPDX-License-Identifier: Apache-2.0
#include "simt/check/row_parts.h"

#include <algorithm>

#include "ptx/analysis/strong_components.h"
#include "ptx/analysis/uses.h"

namespace tilestep::simt {
namespace {

using Fact = RowParts::Fact;
using Kind = RowParts::Kind;
using OperandKind = ptx::Operand::Kind;
using ptx::Opcode;

constexpr Fact kUnknown{Kind::unknown};
constexpr Fact kDerived{Kind::derived};
/// Intervals stop growing here; no row is that wide.
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
    const bool sameWidths = a.kind != Kind::widths || (a.factor == b.factor && a.pure == b.pure);
    return sameWidths ? fact : kUnknown;
  }
  const auto either = [&](Kind kind) { return a.kind == kind || b.kind == kind; };
  if (either(Kind::derived) && !either(Kind::rows) && !either(Kind::unknown)) return kDerived;
  if (either(Kind::derived) || either(Kind::unknown) || !either(Kind::rows)) return kUnknown;
  fact.kind = Kind::rows;
  fact.factor = 0;
  // A number's constants say nothing of its rows.
  const Fact& rows = a.kind == Kind::rows ? a : b;
  fact.least = std::min<int64_t>(rows.least, 0);
  fact.most = std::max<int64_t>(rows.most, 0);
  return fact;
}

}  // namespace

RowParts::RowParts(const ptx::Function& function, const std::vector<std::string>& widthParameters)
    : function_(function), widths_(widthParameters), facts_(function.registers.size()) {
  findLoops();
  // Facts follow from facts until they stay; what a loop adds is left out, so that they do.
  constexpr int kRounds = 64;
  for (int round = 0; round < kRounds; ++round) {
    const std::vector<Fact> before = facts_;
    oneRound(before);
    markFlat();
    if (facts_ == before) return;
  }
  std::fill(facts_.begin(), facts_.end(), kUnknown);
}

/// All from the facts of the round before.
void RowParts::oneRound(const std::vector<Fact>& before) {
  std::vector<Fact> next(facts_.size());
  std::vector<bool> seen(facts_.size(), false);
  facts_ = before;
  for (const ptx::Instruction& instruction : function_.body) {
    if (instruction.opcode == Opcode::setp) continue;
    const std::vector<uint32_t> written = ptx::writtenRegisters(instruction);
    if (written.empty()) continue;
    const Fact now = result(instruction);
    for (const uint32_t reg : written) {
      next[reg] = seen[reg] ? joined(next[reg], now) : now;
      seen[reg] = true;
    }
  }
  facts_ = std::move(next);
}

void RowParts::findLoops() {
  const size_t count = function_.registers.size();
  std::vector<std::vector<uint32_t>> edges(count);
  cyclic_.assign(count, false);
  for (const ptx::Instruction& instruction : function_.body) {
    for (const uint32_t to : ptx::writtenRegisters(instruction)) {
      for (const ptx::Operand* from : ptx::sourcesOf(instruction)) {
        if (from->kind != OperandKind::reg) continue;
        edges[from->reg].push_back(to);
        if (from->reg == to) cyclic_[to] = true;
      }
    }
  }
  component_ = ptx::strongComponents(edges);
  std::vector<uint32_t> sizes(count, 0);
  for (const uint32_t component : component_) ++sizes[component];
  for (size_t reg = 0; reg < count; ++reg) {
    if (sizes[component_[reg]] > 1) cyclic_[reg] = true;
  }
}

/// The source comes round again to the result.
bool RowParts::loops(const ptx::Instruction& instruction, const ptx::Operand& source) const {
  if (source.kind != OperandKind::reg || instruction.operands.empty()) return false;
  const ptx::Operand& to = instruction.operands.front();
  return to.kind == OperandKind::reg && cyclic_[to.reg] &&
         component_[to.reg] == component_[source.reg];
}

Fact RowParts::of(const ptx::Operand& operand) const {
  Fact fact;
  if (operand.kind == OperandKind::reg) return facts_[operand.reg];
  if (operand.kind == OperandKind::immediate) {
    fact.uniform = true;
    fact.least = fact.most = clampFar(static_cast<int64_t>(operand.bits));
  }
  if (operand.kind == OperandKind::special) fact.uniform = isUniformSpecial(operand.special);
  if (operand.kind == OperandKind::symbol) fact.uniform = true;
  for (const ptx::Operand& element : operand.elements) {
    const Kind kind = of(element).kind;
    if (kind == Kind::rows || kind == Kind::unknown) return kUnknown;
    if (kind == Kind::widths || kind == Kind::derived) return kDerived;
  }
  return fact;
}

Fact RowParts::parameter(const ptx::Instruction& instruction) const {
  Fact fact;
  fact.uniform = fact.sized = true;
  const std::string& name = ptx::addressOf(instruction)->name;
  if (std::find(widths_.begin(), widths_.end(), name) == widths_.end()) return fact;
  fact.kind = Kind::widths;
  fact.factor = 1;
  fact.pure = true;
  return fact;
}

Fact RowParts::sum(const ptx::Instruction&, Fact a, Fact b, bool looping, bool minus) const {
  if (minus) b = scaled(b, -1);
  if (a.kind == Kind::unknown || b.kind == Kind::unknown) return kUnknown;
  if (a.kind == Kind::derived || b.kind == Kind::derived) {
    return a.kind == Kind::rows || b.kind == Kind::rows ? kUnknown : kDerived;
  }
  const auto both = [&](Kind x, Kind y) {
    return (a.kind == x && b.kind == y) || (a.kind == y && b.kind == x);
  };
  Fact fact;
  fact.uniform = a.uniform && b.uniform && !looping;
  fact.sized = a.sized || b.sized;
  fact.flat = a.flat || b.flat;
  fact.least = clampFar(a.least + b.least);
  fact.most = clampFar(a.most + b.most);
  if (both(Kind::number, Kind::number)) {
    // What a loop adds is no constant of the sum.
    if (looping) fact.least = fact.most = 0;
    return fact;
  }
  if (looping && both(Kind::number, Kind::widths)) {
    fact.kind = Kind::rows;
    fact.least = fact.most = 0;
    return fact;
  }
  if (both(Kind::number, Kind::widths) || both(Kind::widths, Kind::widths)) {
    fact.kind = Kind::widths;
    fact.factor = clampFar(a.factor + b.factor);
    fact.pure = a.kind == b.kind && a.pure && b.pure;
    fact.least = fact.most = 0;
    if (fact.factor == 0) fact.kind = Kind::number;
    return fact;
  }
  fact.kind = Kind::rows;
  const Fact& rows = a.kind == Kind::rows ? a : b;
  const Fact& other = a.kind == Kind::rows ? b : a;
  if (other.kind == Kind::rows) return fact;
  fact.least = rows.least;
  fact.most = rows.most;
  if (other.kind == Kind::widths && !looping) {
    fact.least = clampFar(fact.least + std::min<int64_t>(0, other.factor));
    fact.most = clampFar(fact.most + std::max<int64_t>(0, other.factor));
  }
  return fact;
}

Fact RowParts::product(Fact a, Fact b, const ptx::Operand& left, const ptx::Operand& right) const {
  if (right.kind == OperandKind::immediate) return scaled(a, static_cast<int64_t>(right.bits));
  if (left.kind == OperandKind::immediate) return scaled(b, static_cast<int64_t>(left.bits));
  if (a.kind == Kind::number && b.kind == Kind::number) {
    Fact fact;
    fact.uniform = a.uniform && b.uniform;
    fact.sized = a.sized || b.sized;
    fact.flat = a.flat || b.flat || (fact.sized && !fact.uniform);
    return fact;
  }
  const bool plain = (a.kind == Kind::derived || a.kind == Kind::number) &&
                     (b.kind == Kind::derived || b.kind == Kind::number);
  if (plain) return kDerived;
  const Fact& width = a.kind == Kind::widths ? a : b;
  const Fact& row = a.kind == Kind::widths ? b : a;
  if (width.kind != Kind::widths || !width.pure || row.kind != Kind::number || row.uniform) {
    return kUnknown;
  }
  Fact fact = scaled(row, width.factor);
  fact.kind = Kind::rows;
  fact.factor = 0;
  fact.least = std::min<int64_t>(fact.least, 0);
  fact.most = std::max<int64_t>(fact.most, 0);
  return fact;
}

Fact RowParts::result(const ptx::Instruction& i) const {
  const auto& o = i.operands;
  const auto isWord = [](ptx::Type type) {
    return (ptx::bytesOf(type) == 4 || ptx::bytesOf(type) == 8) && !ptx::isFloat(type);
  };
  const bool integer = isWord(i.type) && (i.type2 == ptx::Type::none || isWord(i.type2));
  if (ptx::readsMemory(i)) {
    const bool isParameter = i.space == ptx::Space::param && ptx::addressOf(i) != nullptr;
    return isParameter ? parameter(i) : Fact{};
  }
  if (integer && o.size() > 1) {
    switch (i.opcode) {
      case Opcode::mov:
      case Opcode::cvta:
      case Opcode::cvt:
        return of(o[1]);
      case Opcode::add:
      case Opcode::sub:
        return sum(i, of(o[1]), of(o[2]), loops(i, o[1]) || loops(i, o[2]),
                   i.opcode == Opcode::sub);
      case Opcode::mul:
        if (i.part == ptx::Part::hi) break;
        return product(of(o[1]), of(o[2]), o[1], o[2]);
      case Opcode::mad:
        if (i.part == ptx::Part::hi) break;
        return sum(i, product(of(o[1]), of(o[2]), o[1], o[2]), of(o[3]), loops(i, o[3]), false);
      case Opcode::shl:
        if (o[2].kind != OperandKind::immediate || o[2].bits > 40) break;
        return scaled(of(o[1]), int64_t{1} << o[2].bits);
      default:
        break;
    }
  }
  Fact fact;
  fact.uniform = i.opcode != Opcode::call;
  for (const ptx::Operand* operand : ptx::sourcesOf(i)) {
    const Fact source = of(*operand);
    if (source.kind == Kind::rows || source.kind == Kind::unknown) return kUnknown;
    if (source.kind == Kind::widths || source.kind == Kind::derived) fact.kind = Kind::derived;
    fact.uniform = fact.uniform && source.uniform;
    fact.sized = fact.sized || source.sized;
    fact.flat = fact.flat || source.flat;
  }
  return fact;
}

/// What is compared with several rows' length runs through rows.
void RowParts::markFlat() {
  for (const ptx::Instruction& i : function_.body) {
    if (i.opcode != Opcode::setp || i.operands.size() < 3 || ptx::isFloat(i.type)) continue;
    const size_t last = i.operands.size() - 1;
    for (const auto& [one, two] : {std::pair(last - 1, last), std::pair(last, last - 1)}) {
      const ptx::Operand& number = i.operands[one];
      const Fact bound = of(i.operands[two]);
      if (number.kind != OperandKind::reg || facts_[number.reg].kind != Kind::number) continue;
      const bool severalRows = bound.kind == Kind::unknown || bound.kind == Kind::rows ||
                               (bound.kind == Kind::widths && bound.factor != 1);
      if (severalRows) facts_[number.reg].flat = true;
    }
  }
}

}  // namespace tilestep::simt
