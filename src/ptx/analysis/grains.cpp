// SPDX-License-Identifier: Apache-2.0
#include "ptx/analysis/grains.h"

#include <algorithm>
#include <bit>

#include "ptx/analysis/uses.h"

namespace tilestep::ptx {
namespace {

using Kind = Operand::Kind;

/// The most that is told apart; arithmetic modulo 2^32 keeps it.
constexpr uint32_t kMost = 32;

uint32_t capped(uint64_t grain) {
  return static_cast<uint32_t>(std::min<uint64_t>(grain, kMost));
}

uint32_t zeros(uint64_t value) {
  return value == 0 ? kMost : capped(static_cast<uint64_t>(std::countr_zero(value)));
}

/// What is known of a value: its grain and the power of two that divides it.
struct Known {
  uint32_t grain = 0, factor = 0;
  [[nodiscard]] bool neverChanges() const { return grain == kMost; }
};

bool staysForAThread(SpecialRegister special) {
  const bool isIndex = special >= SpecialRegister::tidX && special <= SpecialRegister::nctaidZ;
  return isIndex || special == SpecialRegister::laneid;
}

class Reader {
 public:
  Reader(const std::vector<uint32_t>& grain, const std::vector<uint32_t>& factor)
      : grain_(grain), factor_(factor) {}

  [[nodiscard]] Known operand(const Operand& operand) const {
    switch (operand.kind) {
      case Kind::reg:
        return operand.negated ? Known{} : Known{grain_[operand.reg], factor_[operand.reg]};
      case Kind::immediate:
        return {kMost, zeros(operand.bits)};
      case Kind::symbol:
        return {kMost, 0};
      case Kind::special:
        return {staysForAThread(operand.special) ? kMost : 0, 0};
      default:
        return {};
    }
  }

  [[nodiscard]] Known result(const Instruction& i) const {
    if (i.guard.reg != kNone || i.operands.size() < 2 || i.operands[0].kind != Kind::reg) return {};
    const bool isParameter =
        i.opcode == Opcode::ld && i.space == Space::param && i.operands[1].reg == kNone;
    if (isParameter) return {kMost, 0};
    if (isFloat(i.type)) return {};
    const Known a = operand(i.operands[1]);
    switch (i.opcode) {
      case Opcode::mov:
      case Opcode::cvta:
        return i.operands.size() == 2 ? a : Known{};
      case Opcode::cvt:
        return isFloat(i.type2) || bytesOf(i.type) < 4 || bytesOf(i.type2) < 4 ? Known{} : a;
      case Opcode::add:
      case Opcode::sub:
        return sum(a, operand(i.operands[2]));
      case Opcode::shl:
        return shifted(a, i.operands[2]);
      case Opcode::mul:
        return i.part == Part::hi ? Known{} : product(a, operand(i.operands[2]));
      case Opcode::mad:
        if (i.part == Part::hi) return {};
        return sum(product(a, operand(i.operands[2])), operand(i.operands[3]));
      default:
        return followsFromOperands(i.opcode) && neverChange(i) ? Known{kMost, 0} : Known{};
    }
  }

 private:
  static bool followsFromOperands(Opcode opcode) {
    switch (opcode) {
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
      case Opcode::shr:
        return true;
      default:
        return false;
    }
  }

  [[nodiscard]] bool neverChange(const Instruction& i) const {
    const std::vector<const Operand*> sources = sourcesOf(i);
    return std::all_of(sources.begin(), sources.end(),
                       [&](const Operand* source) { return operand(*source).neverChanges(); });
  }

  static Known sum(const Known& a, const Known& b) {
    return {std::min(a.grain, b.grain), std::min(a.factor, b.factor)};
  }

  static Known shifted(const Known& a, const Operand& by) {
    if (by.kind != Kind::immediate) return {};
    const uint64_t bits = std::min<uint64_t>(by.bits, kMost);
    return {capped(a.grain + bits), capped(a.factor + bits)};
  }

  static Known product(const Known& a, const Known& b) {
    const uint32_t factor = capped(uint64_t{a.factor} + b.factor);
    if (a.neverChanges() && b.neverChanges()) return {kMost, factor};
    if (a.neverChanges()) return {capped(uint64_t{b.grain} + a.factor), factor};
    if (b.neverChanges()) return {capped(uint64_t{a.grain} + b.factor), factor};
    return {0, factor};
  }

  const std::vector<uint32_t>& grain_;
  const std::vector<uint32_t>& factor_;
};

/// r = r + s or r = r - s: the operand s.
const Operand* stepOf(const Instruction& i, uint32_t reg) {
  const bool isSum = i.opcode == Opcode::add || i.opcode == Opcode::sub;
  if (!isSum || i.guard.reg != kNone || i.operands.size() != 3 || isFloat(i.type)) return nullptr;
  const auto isSelf = [&](const Operand& o) { return o.kind == Kind::reg && o.reg == reg; };
  if (isSelf(i.operands[1])) return &i.operands[2];
  return i.opcode == Opcode::add && isSelf(i.operands[2]) ? &i.operands[1] : nullptr;
}

}  // namespace

// From the best that could be, downward until nothing changes.
Grains::Grains(const Function& function)
    : grain_(function.registers.size(), kMost), factor_(function.registers.size(), kMost) {
  std::vector<std::vector<uint32_t>> definitions(function.registers.size());
  for (uint32_t i = 0; i < function.body.size(); ++i) {
    for (const uint32_t reg : writtenRegisters(function.body[i])) definitions[reg].push_back(i);
  }
  std::vector<uint32_t> grain, factor;
  do {
    grain = grain_;
    factor = factor_;
    step(function, definitions);
  } while (grain != grain_ || factor != factor_);
}

void Grains::step(const Function& function, const std::vector<std::vector<uint32_t>>& definitions) {
  const Reader reader(grain_, factor_);
  for (uint32_t reg = 0; reg < grain_.size(); ++reg) {
    Known all{kMost, kMost};
    uint32_t beginnings = 0;
    for (const uint32_t place : definitions[reg]) {
      const Instruction& instruction = function.body[place];
      const Known value = reader.result(instruction);
      all.factor = std::min(all.factor, value.factor);
      if (const Operand* by = stepOf(instruction, reg)) {
        all.grain = std::min(all.grain, reader.operand(*by).factor);
      } else {
        all.grain = std::min(all.grain, value.grain);
        ++beginnings;
      }
    }
    // Two beginnings may lie any distance apart.
    if (beginnings != 1) all.grain = 0;
    grain_[reg] = std::min(grain_[reg], all.grain);
    factor_[reg] = std::min(factor_[reg], all.factor);
  }
}

}  // namespace tilestep::ptx
