// SPDX-License-Identifier: Apache-2.0
#include "ptx/analysis/strong_components.h"

#include <algorithm>

namespace tilestep::ptx {
namespace {

constexpr uint32_t kUnseen = 0xffffffff;

class Tarjan {
 public:
  explicit Tarjan(const std::vector<std::vector<uint32_t>>& edges)
      : edges_(edges),
        index_(edges.size(), kUnseen),
        low_(edges.size()),
        component_(edges.size(), kUnseen) {}

  std::vector<uint32_t> run() {
    for (uint32_t node = 0; node < edges_.size(); ++node) {
      if (index_[node] == kUnseen) visit(node);
    }
    return std::move(component_);
  }

 private:
  struct Frame {
    uint32_t node;
    size_t next;
  };

  void enter(uint32_t node) {
    index_[node] = low_[node] = count_++;
    open_.push_back(node);
    frames_.push_back({node, 0});
  }

  void visit(uint32_t root) {
    enter(root);
    while (!frames_.empty()) {
      Frame& frame = frames_.back();
      if (frame.next == edges_[frame.node].size()) {
        leave();
        continue;
      }
      const uint32_t node = frame.node;
      const uint32_t successor = edges_[node][frame.next++];
      if (index_[successor] == kUnseen) {
        enter(successor);
      } else if (component_[successor] == kUnseen) {
        low_[node] = std::min(low_[node], index_[successor]);
      }
    }
  }

  void leave() {
    const uint32_t node = frames_.back().node;
    frames_.pop_back();
    if (!frames_.empty()) {
      uint32_t& parent = low_[frames_.back().node];
      parent = std::min(parent, low_[node]);
    }
    if (low_[node] != index_[node]) return;
    for (uint32_t member = kUnseen; member != node;) {
      member = open_.back();
      open_.pop_back();
      component_[member] = components_;
    }
    ++components_;
  }

  const std::vector<std::vector<uint32_t>>& edges_;
  std::vector<uint32_t> index_;
  std::vector<uint32_t> low_;
  std::vector<uint32_t> component_;
  std::vector<uint32_t> open_;
  std::vector<Frame> frames_;
  uint32_t count_ = 0;
  uint32_t components_ = 0;
};

}  // namespace

std::vector<uint32_t> strongComponents(const std::vector<std::vector<uint32_t>>& edges) {
  return Tarjan(edges).run();
}

}  // namespace tilestep::ptx
