// SPDX-License-Identifier: Apache-2.0
#include "ptx/analysis/control_flow.h"

#include <utility>

#include "ptx/analysis/branches.h"
#include "ptx/analysis/uses.h"
#include "ptx/analysis/worklist.h"

namespace tilestep::ptx {
namespace {

/// Whether it is a branch to one or to one of several targets.
bool isJump(const Instruction& i) {
  return isBranch(i) || i.opcode == Opcode::brx;
}

bool isConditional(const Instruction& i) {
  return i.opcode == Opcode::brx || (isBranch(i) && isGuarded(i));
}

bool leaves(const Instruction& i) {
  return !isGuarded(i) && isExit(i);
}

bool stops(const Instruction& i) {
  return leaves(i) || (!isGuarded(i) && i.opcode == Opcode::trap);
}

bool fallsThrough(const Instruction& i) {
  return !stops(i) && (!isJump(i) || isGuarded(i));
}

template <class Visit>
void forEachTarget(const Function& function, const Instruction& instruction, Visit visit) {
  if (instruction.opcode == Opcode::bra) visit(instruction.operands[0].target);
  if (instruction.opcode != Opcode::brx) return;
  for (const uint32_t target : branchTable(function, instruction).targets) visit(target);
}

void cutBlocks(const Function& function, ControlFlow& flow) {
  const auto count = static_cast<uint32_t>(function.body.size());
  std::vector<bool> starts(count + 1, false);
  starts[0] = true;
  for (uint32_t i = 0; i < count; ++i) {
    const Instruction& instruction = function.body[i];
    forEachTarget(function, instruction, [&](uint32_t target) { starts[target] = true; });
    if (isJump(instruction) || stops(instruction)) starts[i + 1] = true;
  }
  flow.blockOf.resize(count);
  for (uint32_t i = 0; i < count; ++i) {
    if (starts[i]) flow.blocks.push_back({i, i, {}, {}});
    flow.blocks.back().end = i + 1;
    flow.blockOf[i] = static_cast<uint32_t>(flow.blocks.size() - 1);
  }
}

/// The function's end is an additional node, numbered blocks.size(); edges to it stay in `exits`
/// alone.
class PostDominators {
 public:
  PostDominators(const Function& function, ControlFlow& flow)
      : function_(function),
        body_(function.body),
        flow_(flow),
        end_(static_cast<uint32_t>(flow.blocks.size())) {
    latest_.assign(end_ + 1, kNone);
    predecessors_.resize(end_ + 1);
    successors_.resize(end_ + 1);
    for (uint32_t block = 0; block < end_; ++block) connect(block);
  }

  /// By block: the immediate post-dominator, end_ for the function's end.
  std::vector<uint32_t> compute() {
    number();
    dominator_.assign(end_ + 1, kNone);
    dominator_[end_] = end_;
    sweep(order_.size(), [&](uint32_t at) { return improve(order_[at]); });
    return dominator_;
  }

 private:
  /// All edges of one node are added before those of the next one.
  void addEdge(uint32_t from, uint32_t to) {
    if (std::exchange(latest_[to], from) == from) return;
    successors_[from].push_back(to);
    predecessors_[to].push_back(from);
  }

  uint32_t nodeAt(uint32_t instruction) const {
    return instruction < body_.size() ? flow_.blockOf[instruction] : end_;
  }

  void connect(uint32_t block) {
    const Instruction& last = body_[flow_.blocks[block].end - 1];
    if (fallsThrough(last)) addEdge(block, nodeAt(flow_.blocks[block].end));
    forEachTarget(function_, last, [&](uint32_t target) { addEdge(block, nodeAt(target)); });
    if (leaves(last)) addEdge(block, end_);
    for (const uint32_t successor : successors_[block]) {
      if (successor == end_) continue;
      flow_.blocks[block].successors.push_back(successor);
      flow_.blocks[successor].predecessors.push_back(block);
    }
  }

  /// Numbers the nodes from the end backward, first those that reach it. Then each last block that
  /// does not reach it gets an edge to the end, so that endless code has post-dominators of its
  /// own; nodes numbered before it ignore such an edge.
  void number() {
    rank_.assign(end_ + 1, kNone);
    seen_.assign(end_ + 1, false);
    visitFrom(end_);
    settled_ = order_.size();
    for (uint32_t block = end_; block-- > 0;) {
      if (rank_[block] != kNone) continue;
      addEdge(block, end_);
      visitFrom(block);
    }
    order_.erase(order_.begin());
  }

  /// Reverse postorder over predecessors, appended to order_.
  void visitFrom(uint32_t root) {
    std::vector<uint32_t> finished;
    appendPostorder(predecessors_, root, seen_, finished);
    for (auto node = finished.rbegin(); node != finished.rend(); ++node) {
      rank_[*node] = static_cast<uint32_t>(order_.size());
      order_.push_back(*node);
    }
  }

  /// Whether the edge counts for the node: nodes that reach the end ignore successors that do not.
  [[nodiscard]] bool counts(uint32_t node, uint32_t successor) const {
    return rank_[node] >= settled_ || rank_[successor] < settled_;
  }

  bool improve(uint32_t node) {
    uint32_t best = kNone;
    for (const uint32_t successor : successors_[node]) {
      if (!counts(node, successor) || dominator_[successor] == kNone) continue;
      best = best == kNone ? successor : meet(best, successor);
    }
    if (best == dominator_[node]) return false;
    dominator_[node] = best;
    return true;
  }

  [[nodiscard]] uint32_t meet(uint32_t a, uint32_t b) const {
    while (a != b) {
      while (rank_[a] > rank_[b]) a = dominator_[a];
      while (rank_[b] > rank_[a]) b = dominator_[b];
    }
    return a;
  }

  const Function& function_;
  const std::vector<Instruction>& body_;
  ControlFlow& flow_;
  uint32_t end_;
  std::vector<uint32_t> latest_;  ///< By node: the source of the last edge added to it.
  Graph predecessors_, successors_;
  std::vector<uint32_t> order_;
  std::vector<uint32_t> rank_;
  Bits seen_;
  size_t settled_ = 0;  ///< Ranks below this reach the end.
  std::vector<uint32_t> dominator_;
};

}  // namespace

ControlFlow analyseControlFlow(const Function& function) {
  ControlFlow flow;
  const auto count = static_cast<uint32_t>(function.body.size());
  flow.reconvergence.assign(count, kNone);
  if (count == 0) return flow;
  cutBlocks(function, flow);
  const std::vector<uint32_t> dominators = PostDominators(function, flow).compute();
  for (uint32_t i = 0; i < count; ++i) {
    if (!isConditional(function.body[i])) continue;
    const uint32_t block = dominators[flow.blockOf[i]];
    flow.reconvergence[i] = block < flow.blocks.size() ? flow.blocks[block].first : count;
  }
  Graph edges;
  for (const BasicBlock& block : flow.blocks) edges.push_back(block.successors);
  flow.loops = cyclesOf(edges);
  return flow;
}

}  // namespace tilestep::ptx
