// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <vector>

#include "simt/check/late_loads.h"
#include "simt/decode/emitter.h"

namespace tilestep::simt {

/// Has races of a function's late loads looked for where their values are used. For each one a row
/// holds when each lane ran it last.
class LateWatch {
 public:
  LateWatch(const ptx::Function& function, const ptx::ControlFlow& flow, Emitter& emitter);

  /// Emits what belongs before the instruction at `index`.
  void follow(Emitter& emitter, uint32_t index);
  [[nodiscard]] bool isLate(uint32_t index) const { return loads_.contains(index); }
  /// The number of the site of the late load at `index`, which has just been decoded.
  void setSite(uint32_t index, uint32_t site) { loads_.at(index).site = site; }

 private:
  struct Load {
    uint32_t row = kNoRow;
    uint32_t site = 0;
  };
  struct Use {
    uint32_t load;
    LateLoad::Use what;
  };
  std::map<uint32_t, Load> loads_;  ///< By index, as all of these.
  std::map<uint32_t, std::vector<Use>> uses_;
  std::map<uint32_t, std::vector<uint32_t>> others_;  ///< Loads whose value is gone behind it.
};

}  // namespace tilestep::simt
