// SPDX-License-Identifier: Apache-2.0
#include "ptx/rewrite/own_returns.h"

#include <algorithm>
#include <utility>

#include "ptx/analysis/branches.h"
#include "ptx/analysis/graph.h"
#include "ptx/analysis/uses.h"
#include "ptx/analysis/worklist.h"

namespace tilestep::ptx {
namespace {

uint32_t targetOf(const Function& function, const Instruction& branch) {
  return std::min(branch.operands.back().target, static_cast<uint32_t>(function.body.size()));
}

/// Whether a thread may wait for other threads there. A called function may wait, too.
bool waits(const Instruction& i) {
  const Effect effect = effectOf(i);
  return effect == Effect::barrier || effect == Effect::call || joinsLanes(i);
}

/// For each instruction and for the end: whether `from` holds there or at an instruction reachable
/// from there along the edges.
template <class From>
std::vector<bool> leadsTo(const Graph& edges, From from) {
  std::vector<uint32_t> starts;
  for (uint32_t i = 0; i < edges.size(); ++i) {
    if (from(i)) starts.push_back(i);
  }
  const Graph back = reversed(edges);
  return reach(
      edges.size(), starts, [&](uint32_t i) -> const auto& { return back[i]; });
}

/// For each instruction and the end: whether a path leads to an instruction that may wait.
std::vector<bool> mayWait(const Function& function) {
  const auto size = static_cast<uint32_t>(function.body.size());
  Graph edges(size + 1);
  for (uint32_t i = 0; i < size; ++i) {
    const Instruction& instruction = function.body[i];
    const bool always = !isGuarded(instruction) && (isBranch(instruction) || isExit(instruction));
    if (!always) edges[i].push_back(i + 1);
    if (isBranch(instruction)) edges[i].push_back(targetOf(function, instruction));
  }
  return leadsTo(edges, [&](uint32_t i) { return i < size && waits(function.body[i]); });
}

/// Rewrites one kernel.
class ReturnCopier {
 public:
  explicit ReturnCopier(Function& function)
      : function_(function), chosen_(leavesOthersWaiting(function)) {}

  void run() {
    if (std::find(chosen_.begin(), chosen_.end(), true) == chosen_.end()) return;
    body_ = std::exchange(function_.body, {});
    std::vector<uint32_t> places;                    // The new index of each original instruction.
    std::vector<std::pair<uint32_t, uint32_t>> own;  // Branches and their new targets.
    for (uint32_t i = 0; i < body_.size(); ++i) {
      places.push_back(size());
      function_.body.push_back(body_[i]);
      if (chosen_[i]) addReturn(i, own);
    }
    places.push_back(size());
    moveTargets(function_, places);
    for (const auto& [branch, target] : own) aim(branch, target);
    std::stable_sort(function_.labels.begin(), function_.labels.end(),
                     [](const Label& a, const Label& b) { return a.at < b.at; });
  }

 private:
  [[nodiscard]] uint32_t size() const { return static_cast<uint32_t>(function_.body.size()); }

  /// Adds, after a branch, copies of the return to which it leads and of the branches in between.
  void addReturn(uint32_t index, std::vector<std::pair<uint32_t, uint32_t>>& own) {
    const uint32_t branch = size() - 1, end = static_cast<uint32_t>(body_.size());
    uint32_t at = targetOf(index);
    std::vector<uint32_t> passed;
    for (; at < end && !isExit(body_[at]); at = targetOf(at)) passed.push_back(at);
    if (at >= end) return;  // It leads to the function's end instead of a return.
    Guard& guard = function_.body[branch].guard;
    guard.negated = guard.negated != (guard.reg != kNone);
    const bool isGuarded = ptx::isGuarded(function_.body[branch]);
    for (const uint32_t between : passed) {
      own.emplace_back(size(), size() + 1);
      function_.body.push_back(body_[between]);
    }
    function_.body.push_back(body_[at]);
    own.emplace_back(branch, isGuarded ? size() : branch + 1);
  }
  [[nodiscard]] uint32_t targetOf(uint32_t index) const {
    return std::min(body_[index].operands.back().target, static_cast<uint32_t>(body_.size()));
  }

  /// Gives a branch a new label at `target`.
  void aim(uint32_t branch, uint32_t target) {
    Operand& operand = function_.body[branch].operands.back();
    operand.target = target;
    operand.name = "$tstep_own" + std::to_string(labels_++);
    function_.labels.push_back({operand.name, target});
  }

  Function& function_;
  const std::vector<bool> chosen_;
  std::vector<Instruction> body_;  ///< The original body.
  uint32_t labels_ = 0;
};

}  // namespace

std::vector<bool> onlyReturns(const Function& function) {
  const auto size = static_cast<uint32_t>(function.body.size());
  Graph edges(size + 1);
  for (uint32_t i = 0; i < size; ++i) {
    const Instruction& instruction = function.body[i];
    if (isBranch(instruction) && !isGuarded(instruction))
      edges[i].push_back(targetOf(function, instruction));
  }
  return leadsTo(edges, [&](uint32_t i) {
    return i == size || (isExit(function.body[i]) && !isGuarded(function.body[i]));
  });
}

std::vector<bool> leavesOthersWaiting(const Function& function) {
  const std::vector<bool> returns = onlyReturns(function), may = mayWait(function);
  std::vector<bool> chosen(function.body.size(), false);
  for (uint32_t i = 0; i < function.body.size(); ++i) {
    const Instruction& branch = function.body[i];
    if (!isBranch(branch) || !returns[targetOf(function, branch)]) continue;
    if (isGuarded(branch)) {
      chosen[i] = may[i + 1];
    } else if (i > 0 && isBranch(function.body[i - 1]) && isGuarded(function.body[i - 1])) {
      // The conditional branch before this branch skips it.
      chosen[i] = may[targetOf(function, function.body[i - 1])];
    }
  }
  return chosen;
}

Module withOwnReturns(Module module) {
  for (Function& function : module.functions) {
    if (function.isEntry) ReturnCopier(function).run();
  }
  return module;
}

}  // namespace tilestep::ptx
