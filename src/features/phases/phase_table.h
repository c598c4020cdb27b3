// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "features/names.h"
#include "model/scene/thread_work.h"

namespace tilestep::features {

/// The textbook's table of execution phases, threads against phases: the element that each thread
/// loads, the slot that it stores it to, and the terms added to its sum. Derived from the trace
/// alone. Immutable.
struct PhaseTable {
  struct Load {
    std::string from;  ///< "M[0][2]"; empty: the thread loads nothing of this operand.
    std::string to;    ///< "Mds[0][0]"; empty if it is not stored to shared memory.
  };
  struct Cell {
    std::vector<Load> loads;        ///< Indexed like `operands`.
    std::vector<std::string> gain;  ///< Lines: "Mds[0][0]·Nds[0][0]", "+ Mds[0][1]·Nds[1][0]".
    std::string sum;                ///< The sum after the phase: "0.53"; empty without one.
  };
  struct Row {
    uint32_t thread = 0;
    uint32_t warp = 0;
    Dim3 at{0, 0, 0};
    std::string name;  ///< "(1, 0)"
    std::vector<Cell> phases;
  };
  std::string title;                  ///< "tiled, block (0, 0)"
  std::vector<std::string> operands;  ///< Operands that are loaded in some phase: "M", "N".
  bool sums = false;                  ///< Some thread has a sum.
  std::vector<uint32_t> phases;
  std::vector<Row> rows;  ///< By thread number; idle threads are omitted.
};

/// Null if there are no phases, or if there are too many threads and phases for a table.
[[nodiscard]] std::shared_ptr<const PhaseTable> phaseTableOf(const BlockWork& work);

}  // namespace tilestep::features
