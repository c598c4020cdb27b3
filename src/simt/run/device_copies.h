// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "simt/machine.h"

/// cp.async and ldmatrix.
namespace tilestep::simt {

/// The pending asynchronous copies of a block. Data arrive only at the wait for them, so that a
/// missing wait gives wrong results.
class AsyncCopies {
 public:
  void reset(uint32_t warps);

  struct Copy {
    uint32_t lane, to, bytes, group;
    const uint8_t* from;  ///< Null if only zeros are written.
    uint32_t given;       ///< Number of bytes that are copied. The rest become zeros.
    uint32_t site;        ///< Instr::memo of the instruction.
    uint32_t source;      ///< Instruction index.
    uint32_t issue =
        /// Set by add(): which of the warp's copying instructions this is, counted from 1.
        0;
  };
  void begin(uint32_t warp);  ///< The copies added from now on belong to the next instruction.
  void add(uint32_t warp, Copy copy);  ///< Sets its group and issue.
  void commit(uint32_t warp, uint32_t lanes);
  /// Completes all groups of these lanes except the latest `left`.
  void wait(uint32_t warp, uint32_t lanes, uint32_t left, uint8_t* shared);
  void waitAll(uint32_t warp, uint32_t lanes, uint8_t* shared);

  std::function<void(const Copy&)> arrived;  ///< Called for each copy that arrives; may be empty.
  /// Called with the copies (perhaps none) that a wait has completed, in the order of their starts.
  std::function<void(uint32_t warp, const std::vector<Copy>&)> arrivedTogether;

 private:
  struct OfWarp {
    std::array<uint32_t, kLanes> groups{};  ///< The number of committed groups, by lane.
    std::vector<Copy> copies;               ///< In the order in which they began.
    uint32_t issues = 0;
  };
  template <class Due>
  void finish(uint32_t warp, uint8_t* shared, Due due);
  std::vector<OfWarp> warps_;
  bool used_ = false;  ///< Something was added since the last reset.
};

/// Begins copies of `bytes` bytes to the shared address in `address` and `offset`, from the global
/// address in row `c`. Row `b` has the number of bytes to copy from the source, and lanes whose
/// predicate in row `a` is true ignore the source; either row may be kNoRow. Counts as a load from
/// global memory by the lanes that copy at least one byte, with the whole width, and as a store to
/// shared memory by all lanes.
void startCopy(Context& context, const Instr& instr);
void commitCopies(Context& context, const Instr& instr);
/// The latest `offset` groups may remain pending.
void waitForCopies(Context& context, const Instr& instr);
void waitForAllCopies(Context& context, const Instr& instr);

/// Fills row `d` by repeating the values of the first `offset` lanes of row `a`.
void repeatLanes(Context& context, const Instr& instr);
/// Loads `elements` matrices of 8 rows of 16 bytes into the rows d, a, b and c.
void loadMatrix(Context& context, const Instr& instr);

}  // namespace tilestep::simt
