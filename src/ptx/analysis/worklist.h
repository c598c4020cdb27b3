// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

/// Fixed-point iteration for analyses: nodes are visited until no fact changes. Nodes are indices
/// of basic blocks, instructions or registers.
namespace tilestep::ptx {

/// A first-in, first-out queue of nodes to visit. Contains each node at most once.
class Worklist {
 public:
  explicit Worklist(size_t nodes) : waits_(nodes, false) {}

  void add(uint32_t node) {
    if (waits_[node]) return;
    waits_[node] = true;
    queue_.push_back(node);
  }
  /// Calls visit(node) until the queue is empty. A visit may add nodes, including the visited node.
  template <class Visit>
  void run(Visit visit) {
    while (!queue_.empty()) {
      const uint32_t node = queue_.front();
      queue_.pop_front();
      waits_[node] = false;
      visit(node);
    }
  }

 private:
  std::vector<bool> waits_;
  std::deque<uint32_t> queue_;
};

enum class Direction : uint8_t { forward, backward };

/// Calls update(node) for every node, in ascending or descending order. update() must return
/// whether the node's fact changed; if so, the nodes in the range dependentsOf(node) are updated
/// again. Facts must change in one direction only, and finitely often; the result then does not
/// depend on the order. Source: Kildall, A Unified Approach to Global Program Optimization.
template <class Update, class Dependents>
void solve(size_t nodes, Direction order, Update update, Dependents dependentsOf) {
  Worklist work(nodes);
  const auto count = static_cast<uint32_t>(nodes);
  for (uint32_t i = 0; i < count; ++i) work.add(order == Direction::forward ? i : count - 1 - i);
  work.run([&](uint32_t node) {
    if (!update(node)) return;
    for (const uint32_t other : dependentsOf(node)) work.add(other);
  });
}

/// For each node, whether it is in `from` or reachable from there through successorsOf(node) (a
/// range of nodes). Calls successorsOf() once for each such node.
template <class Successors>
std::vector<bool> reach(size_t nodes, const std::vector<uint32_t>& from, Successors successorsOf) {
  std::vector<bool> reached(nodes, false);
  Worklist work(nodes);
  const auto enter = [&](uint32_t node) {
    if (reached[node]) return;
    reached[node] = true;
    work.add(node);
  };
  for (const uint32_t node : from) enter(node);
  work.run([&](uint32_t node) {
    for (const uint32_t next : successorsOf(node)) enter(next);
  });
  return reached;
}

/// Calls update(node) for all nodes in ascending order, and repeats this until no update in a round
/// returns true. Use it instead of solve() if any change may affect any fact, or if the result
/// depends on the order of updates.
template <class Update>
void sweep(size_t nodes, Update update) {
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t node = 0; node < nodes; ++node) changed = update(node) || changed;
  }
}

/// Replaces all facts by round(facts) until nothing changes. Use it for facts that may also be
/// revoked. False if `most` rounds were not enough.
template <class Facts, class Round>
bool settle(Facts& facts, int most, Round round) {
  for (; most > 0; --most) {
    Facts next = round(facts);
    if (next == facts) return true;
    facts = std::move(next);
  }
  return false;
}

}  // namespace tilestep::ptx
