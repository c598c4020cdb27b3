// SPDX-License-Identifier: Apache-2.0
#include "simt/check/first_looks.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "ptx/analysis/control_flow.h"
#include "ptx/analysis/uses.h"
#include "ptx/analysis/worklist.h"

namespace tilestep::simt {
namespace {

using Kind = ptx::Operand::Kind;
using ptx::Opcode;

/// Atomic operations that do the right thing whatever an earlier look gave. An addition adds,
/// though another thread has long used up what the look had seen.
bool decides(const ptx::Instruction& i) {
  if (ptx::effectOf(i) != ptx::Effect::atomic) return false;
  // The value that an exchange puts there may be computed from the look.
  const bool sets = i.has("exch") && i.operands.back().kind == Kind::immediate;
  return sets || i.has("cas") || i.has("min") || i.has("max") || i.has("and") || i.has("or");
}

bool isBarrier(const ptx::Instruction& i) {
  return ptx::effectOf(i) == ptx::Effect::barrier;
}

/// Two accesses with equal places are of the same bytes.
struct Place {
  uint32_t reg = ptx::kNone;
  std::string name;
  int64_t offset = 0;
  unsigned bytes = 0;
  bool operator<(const Place& other) const {
    return std::tie(reg, name, offset, bytes) <
           std::tie(other.reg, other.name, other.offset, other.bytes);
  }
};

class LookSearch {
 public:
  explicit LookSearch(const ptx::Function& function)
      : function_(function),
        copyOf_(function.registers.size(), ptx::kNone),
        symbolOf_(function.registers.size(), nullptr),
        definitions_(function.registers.size(), 0) {
    for (const ptx::Instruction& i : function.body) {
      for (const uint32_t reg : ptx::writtenRegisters(i)) {
        ++definitions_[reg];
        const bool copies = i.opcode == Opcode::mov || i.opcode == Opcode::cvta;
        const bool plain = copies && i.guard.reg == ptx::kNone && i.operands.size() == 2 &&
                           i.operands[1].kind == Kind::reg;
        copyOf_[reg] = plain ? i.operands[1].reg : ptx::kNone;
        const bool names = copies && i.guard.reg == ptx::kNone && i.operands.size() == 2 &&
                           i.operands[1].kind == Kind::symbol;
        symbolOf_[reg] = names ? &i.operands[1] : nullptr;
      }
    }
  }

  std::vector<bool> run() {
    std::vector<bool> looks(function_.body.size(), false);
    std::map<Place, bool> operations;
    for (const ptx::Instruction& i : function_.body) {
      if (decides(i)) operations[placeOf(i)] = true;
    }
    if (operations.empty()) return looks;
    flow_ = ptx::analyseControlFlow(function_);
    for (uint32_t at = 0; at < function_.body.size(); ++at) {
      const ptx::Instruction& i = function_.body[at];
      if (ptx::effectOf(i) != ptx::Effect::load || operations.count(placeOf(i)) == 0) continue;
      looks[at] = comesToOperation(at);
    }
    return looks;
  }

 private:
  /// The register that this one is a copy of for good.
  [[nodiscard]] uint32_t rootOf(uint32_t reg) const {
    for (size_t steps = 0; steps < copyOf_.size(); ++steps) {
      if (reg == ptx::kNone || definitions_[reg] != 1 || copyOf_[reg] == ptx::kNone) return reg;
      reg = copyOf_[reg];
    }
    return reg;
  }

  [[nodiscard]] Place placeOf(const ptx::Instruction& i) const {
    Place place;
    place.bytes = ptx::bytesOf(i.type) * i.vectorWidth;
    const ptx::Operand* address = ptx::addressOf(i);
    if (address == nullptr) return place;
    place.reg = address->reg == ptx::kNone ? ptx::kNone : rootOf(address->reg);
    place.name = address->name;
    place.offset = address->offset;
    if (place.reg == ptx::kNone || definitions_[place.reg] != 1) return place;
    if (const ptx::Operand* symbol = symbolOf_[place.reg]) {
      place.reg = ptx::kNone;
      place.name = symbol->name;
      place.offset += symbol->offset;
    }
    return place;
  }

  /// Follows the instructions from `first` to the end of their block; false: the search ends here.
  /// `compared`: the value is only compared, so that other operations than a compare-and-swap,
  /// which fails where the value is an old one, may follow.
  bool follow(uint32_t first, uint32_t end, const Place& place, bool compared, bool& found) const {
    for (uint32_t at = first; at < end; ++at) {
      const ptx::Instruction& i = function_.body[at];
      if (decides(i) && (compared || i.has("cas"))) {
        const Place other = placeOf(i);
        found = found || (!(place < other) && !(other < place));
      }
      if (found || isBarrier(i)) return false;
      const std::vector<uint32_t> written = ptx::writtenRegisters(i);
      if (std::find(written.begin(), written.end(), place.reg) != written.end()) return false;
    }
    return true;
  }

  /// Whether nothing else is done with what the load gives.
  [[nodiscard]] bool isOnlyCompared(const ptx::Instruction& load) const {
    const std::vector<uint32_t> values = ptx::writtenRegisters(load);
    return std::ranges::all_of(function_.body, [&](const ptx::Instruction& i) {
      if (i.opcode == Opcode::setp) return true;
      const std::vector<uint32_t> read = ptx::readRegisters(i);
      return std::ranges::none_of(
          read, [&](uint32_t reg) { return std::ranges::find(values, reg) != values.end(); });
    });
  }

  [[nodiscard]] bool comesToOperation(uint32_t load) const {
    const Place place = placeOf(function_.body[load]);
    const bool compared = isOnlyCompared(function_.body[load]);
    bool found = false;
    const auto behind = [&](uint32_t first, uint32_t block) {
      const bool goesOn = follow(first, flow_.blocks[block].end, place, compared, found);
      return goesOn ? flow_.blocks[block].successors : std::vector<uint32_t>{};
    };
    ptx::reach(flow_.blocks.size(), behind(load, flow_.blockOf[load]),
               [&](uint32_t block) { return behind(flow_.blocks[block].first, block); });
    return found;
  }

  const ptx::Function& function_;
  std::vector<uint32_t> copyOf_;               ///< By register: what its last definition copies.
  std::vector<const ptx::Operand*> symbolOf_;  ///< By register: the symbol that it then is.
  std::vector<uint32_t> definitions_;          ///< By register: how many there are.
  ptx::ControlFlow flow_;
};

}  // namespace

std::vector<bool> firstLooks(const ptx::Function& function) {
  return LookSearch(function).run();
}

}  // namespace tilestep::simt
