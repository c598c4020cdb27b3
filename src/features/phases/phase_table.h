// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "features/names.h"
#include "model/scene/thread_work.h"

namespace tilestep::features {

/// The textbook's table of execution phases, threads by phases: the element that each thread loads,
/// the slot that receives it, and the terms added to the thread's sum. From the trace. Immutable.
struct PhaseTable {
  struct Load {
    std::string from;  ///< "M[0][2]"; empty if the thread loads no element of this operand.
    std::string to;    ///< "Mds[0][0]"; empty if the element is not stored to shared memory.
  };
  struct Cell {
    std::vector<Load> loads;        ///< Indexed like `operands`.
    std::vector<std::string> gain;  ///< Lines: "Mds[0][0]·Nds[0][0]", "+ Mds[0][1]·Nds[1][0]".
    std::string sum;                ///< The sum after the phase: "0.53"; empty if there is no sum.
  };
  struct Row {
    uint32_t thread = 0;
    uint32_t warp = 0;
    Dim3 at{0, 0, 0};
    std::string name;  ///< "(1, 0)"
    std::vector<Cell> phases;
  };
  std::string title;                  ///< "tiled, block (0, 0)"
  std::vector<std::string> operands;  ///< Operands loaded in at least one phase: "M", "N".
  bool sums = false;                  ///< At least one thread has a sum.
  std::vector<uint32_t> phases;
  std::vector<Row> rows;  ///< By thread index. Idle threads are omitted.
};

/// Null if there are no phases, or too many threads and phases for a table.
[[nodiscard]] std::shared_ptr<const PhaseTable> phaseTableOf(const BlockWork& work);

}  // namespace tilestep::features
