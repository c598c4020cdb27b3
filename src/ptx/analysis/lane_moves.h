// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ptx/ir.h"

namespace tilestep::ptx {

/// Which integer registers move in step: whenever an instruction in a loop reads such a register
/// again in the same lanes, all of their values have changed by one and the same amount. Those are
/// sums of a part that a thread keeps (made from its index, say) and a part that is the same in
/// all threads (a loop's counter, a parameter), as the addresses of textbook kernels are.
///
/// Static and careful: what it cannot follow does not move in step. It takes for granted what the
/// hardware does, that lanes which run an instruction of a loop together are in the same round of
/// it, and that addresses stay inside their buffer (no 32-bit index wraps round in some lanes
/// only).
class LaneMoves {
 public:
  explicit LaneMoves(const Function& function);

  [[nodiscard]] bool inStep(uint32_t reg) const { return inStep_[reg]; }
  /// Whether it is the same in all lanes that run an instruction together.
  [[nodiscard]] bool isShared(uint32_t reg) const { return inStep_[reg] && own_[reg] == 0; }
  /// Names the part that a thread keeps: registers of one name differ by what all threads share.
  [[nodiscard]] uint32_t ownPart(uint32_t reg) const { return own_[reg]; }

 private:
  std::vector<bool> inStep_;
  std::vector<uint32_t> own_;
};

}  // namespace tilestep::ptx
