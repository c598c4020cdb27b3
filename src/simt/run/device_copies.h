// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "simt/machine.h"

/// cp.async and ldmatrix: copies to and from shared memory with their own rules.
namespace tilestep::simt {

/// The pending copies of a block. Data arrive only at the wait for them, so that a missing wait
/// becomes visible.
class AsyncCopies {
 public:
  void reset(uint32_t warps);

  struct Copy {
    uint32_t lane, to, bytes, group;
    const uint8_t* from;  ///< Null: zeros alone.
    uint32_t given;       ///< Bytes that are copied; the rest are zeros.
    uint32_t site;        ///< Instr::memo of the instruction.
    uint32_t source;      ///< Instruction index.
    uint32_t issue =
        0;  ///< The number of instructions that began copies in this warp so far; filled in.
  };
  void begin(uint32_t warp);           ///< The following copies belong to another instruction.
  void add(uint32_t warp, Copy copy);  ///< Its group is filled in.
  void commit(uint32_t warp, uint32_t lanes);
  /// Completes all groups of these lanes except the latest `left`.
  void wait(uint32_t warp, uint32_t lanes, uint32_t left, uint8_t* shared);
  void waitAll(uint32_t warp, uint32_t lanes, uint8_t* shared);

  std::function<void(const Copy&)> arrived;  ///< Called for each that has arrived; may be empty.
  /// Called for the copies that one wait completed, in the order in which they began; may be empty.
  std::function<void(uint32_t warp, const std::vector<Copy>&)> arrivedTogether;

 private:
  struct OfWarp {
    std::array<uint32_t, kLanes> groups{};  ///< Committed ones, by lane.
    std::vector<Copy> copies;               ///< In their order.
    uint32_t issues = 0;
  };
  template <class Due>
  void finish(uint32_t warp, uint8_t* shared, Due due);
  std::vector<OfWarp> warps_;
  bool used_ = false;  ///< Since the reset.
};

/// Counts as a load of global memory by the lanes that are given bytes, with the whole width even
/// if fewer are given, and as a store to shared memory by all lanes. Instr's address and offset:
/// the target; `c`: row of global addresses; `bytes`; `b`: row of the numbers of bytes given, `a`:
/// row of a predicate that ignores the source; kNoRow for none.
void startCopy(Context& context, const Instr& instr);
void commitCopies(Context& context, const Instr& instr);
void waitForCopies(Context& context, const Instr& instr);  ///< `offset` groups may remain.
void waitForAllCopies(Context& context, const Instr& instr);

/// Row d: the values of the first `offset` lanes of row a, repeated.
void repeatLanes(Context& context, const Instr& instr);
/// `elements` matrices of 8 rows of 16 bytes into the rows d, a, b, c.
void loadMatrix(Context& context, const Instr& instr);

}  // namespace tilestep::simt
