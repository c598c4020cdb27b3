// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ptx/analysis/graph.h"
#include "ptx/analysis/worklist.h"
#include "ptx/ir.h"

namespace tilestep::ptx {

/// The registers that each instruction of a function writes and reads, including guards and
/// registers in addresses. For flow-insensitive analyses, which store one fact per register.
struct RegisterGraph {
  explicit RegisterGraph(const Function& function);

  Graph written, read;     ///< For each instruction, its registers in operand order.
  Graph writers, readers;  ///< For each register, its instructions in program order.

  /// Calls ptx::solve() over the instructions. update(i) must recompute the facts about the
  /// registers that instruction i writes from those that it reads, and return whether any changed.
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

  /// A graph of registers: for each instruction i with through(i), edges lead from the registers
  /// that it reads to those that it writes.
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
