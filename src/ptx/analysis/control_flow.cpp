// SPDX-License-Identifier: Apache-2.0
#include "ptx/analysis/control_flow.h"

#include <utility>

#include "ptx/analysis/branches.h"
#include "ptx/analysis/uses.h"
#include "ptx/analysis/worklist.h"

namespace tilestep::ptx {
namespace {

/// Whether it is a bra or brx.
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

/// The function's end is an extra node, blocks.size(). ControlFlow does not contain edges to it.
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

  /// The immediate post-dominator of each block; end_ means the function's end.
  std::vector<uint32_t> compute() {
    number();
    dominator_.assign(end_ + 1, kNone);
    dominator_[end_] = end_;
    sweep(order_.size(), [&](uint32_t at) { return improve(order_[at]); });
    return dominator_;
  }

 private:
  /// Adds an edge unless it exists. Add all edges from one node before those from the next.
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

  /// Numbers the nodes backward from the end, starting with the nodes that reach the end. Then, as
  /// long as a block has no number, the last such block gets an edge to the end, so that endless
  /// loops have post-dominators, too. Nodes that really reach the end ignore these edges.
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

  /// Appends the nodes that lead to `root` to order_, in reverse postorder.
  void visitFrom(uint32_t root) {
    std::vector<uint32_t> finished;
    appendPostorder(predecessors_, root, seen_, finished);
    for (auto node = finished.rbegin(); node != finished.rend(); ++node) {
      rank_[*node] = static_cast<uint32_t>(order_.size());
      order_.push_back(*node);
    }
  }

  /// Whether `node` uses this edge. A node that reaches the end ignores successors that do not.
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
  std::vector<uint32_t> latest_;  ///< For each node, the source of the last edge added to it.
  Graph predecessors_, successors_;
  std::vector<uint32_t> order_;
  std::vector<uint32_t> rank_;
  Bits seen_;
  size_t settled_ = 0;  ///< Nodes with a smaller rank reach the end.
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
