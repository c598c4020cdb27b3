// SPDX-License-Identifier: Apache-2.0
#include "simt/check/late_loads.h"

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>

#include "ptx/analysis/register_graph.h"
#include "ptx/analysis/uses.h"
#include "ptx/analysis/worklist.h"
#include "simt/check/sites.h"

namespace tilestep::simt {
namespace {

using Kind = ptx::Operand::Kind;
using ptx::Effect;
using ptx::Instruction;
using ptx::Opcode;

/// More values than conditions are made of.
constexpr size_t kMostValues = 32, kMostWriters = 32, kMostUses = 64;
/// In all searches in a function.
constexpr size_t kMostLateSteps = size_t{1} << 22;

bool isPlainLoad(const Instruction& i) {
  const bool isShared = i.space != ptx::Space::param && i.space != ptx::Space::constant &&
                        i.space != ptx::Space::local;
  return i.opcode == Opcode::ld && isShared && !countsAsFlag(i) && !i.has("nc") &&
         i.operands.front().kind == Kind::reg && i.guard.reg == ptx::kNone;
}

/// A barrier for all threads of the block.
bool meetsAll(const Instruction& i) {
  return ptx::isBlockBarrier(i) && !i.has("arrive") && i.guard.reg == ptx::kNone &&
         i.operands.size() <= (i.has("red") ? 3U : 1U);
}

/// Behind it, what other threads did before may count, or they may go by what this one did. The
/// look at a load knows of the barriers of the block and the warp since then.
bool meetsOthers(const Instruction& i, Meetings meetings) {
  if (meetsAll(i)) return meetings.parts;
  const Effect effect = ptx::effectOf(i);
  if (effect == Effect::barrier) return !i.has("warp");
  if (effect == Effect::lanes) return meetings.handsOn;
  return effect == Effect::fence || effect == Effect::atomic || effect == Effect::object ||
         i.opcode == Opcode::call || countsAsFlag(i);
}

class LateSearch {
 public:
  LateSearch(const ptx::Function& function, const ptx::ControlFlow& flow, Meetings meetings)
      : body_(function.body), flow_(flow), graph_(function), meetings_(meetings) {}

  std::optional<LateLoad> at(uint32_t load) {
    // Of several conditions the last may decide alone: `t == 0 && (a || b)`, in which the compilers
    // join a and b first.
    auto late = at(load, true);
    return late ? late : at(load, false);
  }

 private:
  /// What an instruction has put into a register. `guarded`: only where a predicate was true.
  struct Value {
    uint32_t writer, reg;
    bool guarded = false;
    bool operator==(const Value& other) const { return writer == other.writer && reg == other.reg; }
  };

  /// `joins`: the value is followed beyond `and` and `or`.
  std::optional<LateLoad> at(uint32_t load, bool joins) {
    joins_ = joins;
    isAlways_ = false;
    late_ = {};
    late_.load = load;
    chain_ = {{load, body_[load].operands.front().reg}};
    for (size_t next = 0; next < chain_.size(); ++next) {
      if (chain_.size() > kMostValues || !follow(chain_[next])) return std::nullopt;
    }
    const bool isThere = ptx::addressOf(body_[load]) != nullptr;
    if (late_.uses.empty() || !isThere) return std::nullopt;
    if (isAlways_ && !isFixed(ptx::addressOf(body_[load]))) return std::nullopt;
    if (!describe()) return std::nullopt;
    return late_;
  }

  /// Sets what becomes of each register; false: too much does.
  bool describe() {
    for (const Value& value : chain_) {
      if (std::ranges::find(late_.registers, value.reg) == late_.registers.end())
        late_.registers.push_back(value.reg);
    }
    for (const Value& value : chain_) {
      if (value.writer == late_.load) continue;
      LateLoad::Step step{value.writer, value.reg, {}, ptx::kNone, false};
      const auto condition = conditionOf(body_[value.writer]);
      if (condition && isFollowedBeyond(body_[value.writer]))
        std::tie(step.predicate, step.whereFalse) = *condition;
      for (const uint32_t reg : graph_.read[value.writer]) {
        const bool isValue = std::ranges::find(late_.registers, reg) != late_.registers.end();
        if (isValue && reg != step.predicate) step.from.push_back(reg);
      }
      late_.steps.push_back(std::move(step));
    }
    for (const uint32_t reg : late_.registers) {
      if (graph_.writers[reg].size() > kMostWriters) return false;
      for (const uint32_t writer : graph_.writers[reg]) {
        const bool isOwn = std::ranges::find(chain_, Value{writer, reg}) != chain_.end();
        if (!isOwn) late_.ends.push_back({writer, reg});
      }
    }
    return true;
  }

  [[nodiscard]] bool isInChain(const ptx::Operand& operand) const {
    return operand.kind == Kind::reg &&
           std::ranges::any_of(chain_, [&](const Value& v) { return v.reg == operand.reg; });
  }

  /// Looks at all that reads the value; false: some of it does so once the thread has met others.
  bool follow(const Value value) {
    std::set<std::pair<uint32_t, bool>> seen;  // Blocks, and whether the thread has met others.
    std::vector<std::pair<uint32_t, bool>> open;
    const ptx::Operand* address = ptx::addressOf(body_[late_.load]);
    const uint32_t addressReg = address == nullptr ? ptx::kNone : address->reg;
    const auto walk = [&](uint32_t first, uint32_t block, bool met) {
      for (uint32_t at = first; at < flow_.blocks[block].end; ++at) {
        if (steps_ == 0) return false;
        --steps_;
        const bool reads = std::ranges::find(graph_.read[at], value.reg) != graph_.read[at].end();
        if (reads && (met || !take(at, value))) return false;
        const auto& written = graph_.written[at];
        const bool ends = std::ranges::find(written, value.reg) != written.end() &&
                          body_[at].guard.reg == ptx::kNone;
        if (ends) return true;
        // Behind another run of the load, or with another address, the look would be at that one.
        const bool moves = std::ranges::find(written, addressReg) != written.end();
        met = met || at == late_.load || moves || meetsOthers(body_[at], meetings_);
      }
      for (const uint32_t next : flow_.blocks[block].successors) {
        if (seen.insert({next, met}).second) open.emplace_back(next, met);
      }
      return true;
    };
    bool goesOn = walk(value.writer + 1, flow_.blockOf[value.writer], false);
    while (goesOn && !open.empty()) {
      const auto [block, met] = open.back();
      open.pop_back();
      goesOn = walk(flow_.blocks[block].first, block, met);
    }
    return goesOn;
  }

  /// Looks at an instruction that reads a value of the chain; false: it comes before the load.
  bool take(uint32_t at, const Value& value) {
    const uint32_t reg = value.reg;
    const Instruction& i = body_[at];
    if (at < late_.load) return false;
    const bool isComputed = ptx::effectOf(i) == Effect::none && i.guard.reg == ptx::kNone;
    const auto condition = isComputed ? conditionOf(i) : std::nullopt;
    if (!isComputed || (condition && !isFollowedBeyond(i))) {
      isAlways_ = isAlways_ || (!condition && !value.guarded);
      LateLoad::Use use;
      use.at = at;
      use.from = reg;
      if (condition) std::tie(use.predicate, use.whereFalse) = *condition;
      use.asGuard = i.guard.reg == reg;
      if (std::ranges::find(late_.uses, use) == late_.uses.end()) late_.uses.push_back(use);
      return late_.uses.size() <= kMostUses;
    }
    const bool guarded = value.guarded || condition.has_value();
    for (const uint32_t to : graph_.written[at]) {
      const Value next{at, to, guarded};
      if (std::ranges::find(chain_, next) == chain_.end()) chain_.push_back(next);
    }
    return true;
  }

  /// Whether the value is followed beyond the condition under which the instruction takes it.
  [[nodiscard]] bool isFollowedBeyond(const Instruction& i) const {
    return joins_ && i.opcode != Opcode::selp;
  }

  /// The predicate under which the instruction takes what is in the chain, and whether it has to be
  /// false; none: it always does.
  [[nodiscard]] std::optional<std::pair<uint32_t, bool>> conditionOf(const Instruction& i) const {
    const auto by = [&](const ptx::Operand& predicate,
                        bool whereFalse) -> std::optional<std::pair<uint32_t, bool>> {
      if (predicate.kind != Kind::reg || isInChain(predicate)) return std::nullopt;
      return std::pair(predicate.reg, whereFalse != predicate.negated);
    };
    const auto& o = i.operands;
    if (i.opcode == Opcode::selp && o.size() == 4 && !isInChain(o[3])) {
      if (isInChain(o[1]) && isInChain(o[2])) return std::nullopt;
      return by(o[3], isInChain(o[2]));
    }
    const bool isAnd = i.opcode == Opcode::and_, isOr = i.opcode == Opcode::or_;
    if ((isAnd || isOr) && i.type == ptx::Type::pred && o.size() == 3)
      return by(isInChain(o[1]) ? o[2] : o[1], isOr);
    const bool combines = i.opcode == Opcode::setp && o.size() == 4 && !isInChain(o[3]);
    if (combines && i.boolOp == ptx::BoolOp::bitAnd) return by(o[3], false);
    if (combines && i.boolOp == ptx::BoolOp::bitOr) return by(o[3], true);
    return std::nullopt;
  }

  /// Whether it is the address of a variable, and a constant from there.
  [[nodiscard]] bool isFixed(const ptx::Operand* address) const {
    if (address == nullptr || address->reg == ptx::kNone) return address != nullptr;
    const auto& writers = graph_.writers[address->reg];
    if (writers.size() != 1) return false;
    const Instruction& i = body_[writers.front()];
    const bool copies = i.opcode == Opcode::mov || i.opcode == Opcode::cvta;
    if (!copies || i.guard.reg != ptx::kNone || i.operands.size() != 2) return false;
    const ptx::Operand& from = i.operands[1];
    return from.kind == Kind::symbol || (from.kind == Kind::reg && isFixed(&from));
  }

  const std::vector<Instruction>& body_;
  const ptx::ControlFlow& flow_;
  ptx::RegisterGraph graph_;
  LateLoad late_;
  std::vector<Value> chain_;  ///< What follows from the load's value.
  Meetings meetings_;
  bool joins_ = false;             ///< Values are followed beyond `and` and `or`.
  bool isAlways_ = false;          ///< Some use takes the value in all lanes.
  size_t steps_ = kMostLateSteps;  ///< How many instructions may still be looked at.
};

}  // namespace

Meetings meetingsIn(const ptx::Function& function) {
  Meetings found;
  for (const Instruction& i : function.body) {
    found.parts = found.parts || (ptx::isBlockBarrier(i) && !meetsAll(i));
    found.handsOn = found.handsOn || ptx::effectOf(i) == Effect::fence || releases(i);
  }
  return found;
}

std::vector<LateLoad> lateLoads(const ptx::Function& function, const ptx::ControlFlow& flow,
                                Meetings meetings) {
  std::vector<LateLoad> found;
  if (std::ranges::none_of(function.body, isPlainLoad)) return found;
  LateSearch search(function, flow, meetings);
  for (uint32_t i = 0; i < function.body.size(); ++i) {
    if (!isPlainLoad(function.body[i])) continue;
    if (auto late = search.at(i)) found.push_back(std::move(*late));
  }
  return found;
}

}  // namespace tilestep::simt
