// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ptx/analysis/graph.h"
#include "ptx/analysis/worklist.h"
#include "ptx/ir.h"

namespace tilestep::ptx {

/// The registers that each instruction of a function writes and reads, according to
/// writtenRegisters() and readRegisters(): guards and addresses count as read. For facts about
/// registers that do not depend on the place in the function.
struct RegisterGraph {
  explicit RegisterGraph(const Function& function);

  Graph written, read;     ///< By instruction: registers, in the order of its operands.
  Graph writers, readers;  ///< By register: instructions in text order.

  /// solve() over instructions, forward: update(i) recomputes the facts about the registers that
  /// instruction i writes from those that it reads, and returns whether any changed.
  template <class Update>
  void solve(Update update) const {
    const auto dependentsOf = [this](uint32_t i) {
      std::vector<uint32_t> dependents;
      for (const uint32_t reg : written[i])
        dependents.insert(dependents.end(), readers[reg].begin(), readers[reg].end());
      return dependents;
    };
    ptx::solve(written.size(), Direction::forward, update, dependentsOf);
  }

  /// By register: edges lead from the registers that an instruction reads to those that it writes,
  /// for the instructions with through(i).
  template <class Through>
  [[nodiscard]] Graph edges(Through through) const {
    Graph edges(writers.size());
    for (uint32_t i = 0; i < written.size(); ++i) {
      if (!through(i)) continue;
      for (const uint32_t to : written[i]) {
        for (const uint32_t from : read[i]) edges[from].push_back(to);
      }
    }
    return edges;
  }
};

}  // namespace tilestep::ptx
