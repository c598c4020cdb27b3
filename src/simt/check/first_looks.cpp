// SPDX-License-Identifier: Apache-2.0
#include "simt/check/first_looks.h"

#include <algorithm>
#include <compare>
#include <set>
#include <string>

#include "ptx/analysis/control_flow.h"
#include "ptx/analysis/register_graph.h"
#include "ptx/analysis/uses.h"
#include "ptx/analysis/worklist.h"

namespace tilestep::simt {
namespace {

using Kind = ptx::Operand::Kind;
using ptx::Opcode;

/// True for atomic operations that are correct even if an earlier load returned an outdated value.
/// An addition is not, because it adds even if another thread has consumed the loaded value.
bool decides(const ptx::Instruction& i) {
  if (ptx::effectOf(i) != ptx::Effect::atomic) return false;
  // The stored value may be computed from the loaded value, unless it is a constant.
  const bool sets = i.has("exch") && i.operands.back().kind == Kind::immediate;
  return sets || i.has("cas") || i.has("min") || i.has("max") || i.has("and") || i.has("or");
}

bool isBarrier(const ptx::Instruction& i) {
  return ptx::effectOf(i) == ptx::Effect::barrier;
}

/// Identifies an access's bytes: accesses with equal places access the same bytes.
struct Place {
  uint32_t reg = ptx::kNone;
  std::string name;
  int64_t offset = 0;
  unsigned bytes = 0;
  auto operator<=>(const Place&) const = default;
};

class LookSearch {
 public:
  explicit LookSearch(const ptx::Function& function) : function_(function), graph_(function) {}

  std::vector<bool> run() {
    std::vector<bool> looks(function_.body.size(), false);
    std::set<Place> operations;
    for (const ptx::Instruction& i : function_.body) {
      if (decides(i)) operations.insert(placeOf(i));
    }
    if (operations.empty()) return looks;
    flow_ = ptx::analyseControlFlow(function_);
    for (uint32_t at = 0; at < function_.body.size(); ++at) {
      const ptx::Instruction& i = function_.body[at];
      looks[at] = ptx::effectOf(i) == ptx::Effect::load && operations.contains(placeOf(i)) &&
                  comesToOperation(at);
    }
    return looks;
  }

 private:
  /// The register or symbol of which `reg` is a permanent copy; null if there is none.
  [[nodiscard]] const ptx::Operand* copiedInto(uint32_t reg) const {
    if (reg == ptx::kNone || graph_.writers[reg].size() != 1) return nullptr;
    const ptx::Instruction& i = function_.body[graph_.writers[reg].front()];
    const bool copies = i.opcode == Opcode::mov || i.opcode == Opcode::cvta;
    if (!copies || i.guard.reg != ptx::kNone || i.operands.size() != 2) return nullptr;
    const ptx::Operand& from = i.operands[1];
    return from.kind == Kind::reg || from.kind == Kind::symbol ? &from : nullptr;
  }

  [[nodiscard]] Place placeOf(const ptx::Instruction& i) const {
    Place place;
    place.bytes = ptx::bytesOf(i.type) * i.vectorWidth;
    const ptx::Operand* address = ptx::addressOf(i);
    if (address == nullptr) return place;
    place.reg = address->reg;
    place.name = address->name;
    place.offset = address->offset;
    for (size_t steps = 0; steps < graph_.writers.size(); ++steps) {
      const ptx::Operand* from = copiedInto(place.reg);
      if (from == nullptr) break;
      place.reg = from->kind == Kind::reg ? from->reg : ptx::kNone;
      if (from->kind == Kind::reg) continue;
      place.name = from->name;
      place.offset += from->offset;
    }
    return place;
  }

  /// Searches from `first` to `end`, the end of the block. Returns false if the search must not
  /// continue in the following blocks. A compare-and-swap fails if the loaded value is outdated;
  /// other operations count only if the value is merely compared (`compared`).
  bool follow(uint32_t first, uint32_t end, const Place& place, bool compared, bool& found) const {
    for (uint32_t at = first; at < end; ++at) {
      const ptx::Instruction& i = function_.body[at];
      found = found || (decides(i) && (compared || i.has("cas")) && placeOf(i) == place);
      if (found || isBarrier(i)) return false;
      if (std::ranges::find(graph_.written[at], place.reg) != graph_.written[at].end())
        return false;
    }
    return true;
  }

  /// Whether the loaded value is only compared.
  [[nodiscard]] bool isOnlyCompared(uint32_t load) const {
    return std::ranges::all_of(graph_.written[load], [&](uint32_t reg) {
      return std::ranges::all_of(graph_.readers[reg], [&](uint32_t at) {
        return function_.body[at].opcode == Opcode::setp;
      });
    });
  }

  [[nodiscard]] bool comesToOperation(uint32_t load) const {
    const Place place = placeOf(function_.body[load]);
    const bool compared = isOnlyCompared(load);
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
  ptx::RegisterGraph graph_;
  ptx::ControlFlow flow_;
};

}  // namespace

std::vector<bool> firstLooks(const ptx::Function& function) {
  return LookSearch(function).run();
}

}  // namespace tilestep::simt
