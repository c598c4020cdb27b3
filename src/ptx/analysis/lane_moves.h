// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ptx/ir.h"

namespace tilestep::ptx {

/// Which integer registers move in step: whenever an instruction in a loop reads such a register
/// again in the same lanes, all of their values have changed by the same amount. Such a register is
/// the sum of a part that each thread keeps (derived from its index, for example) and a part that
/// is equal in all threads (a loop counter, a parameter), like the addresses of textbook kernels.
///
/// Static and conservative: what it cannot follow does not move in step. It assumes that lanes
/// which execute an instruction of a loop together are in the same iteration, as on the hardware,
/// and that addresses stay within their buffer, so that no 32-bit index wraps around in some lanes
/// only.
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
