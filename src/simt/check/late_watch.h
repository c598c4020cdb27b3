// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <vector>

#include "simt/check/late_loads.h"
#include "simt/decode/emitter.h"

namespace tilestep::simt {

/// Has races of a function's late loads looked for where their values are used. For each register
/// that holds such a value, or what was computed from it, a row tells when each lane ran the load.
class LateWatch {
 public:
  LateWatch(const ptx::Function& function, const ptx::ControlFlow& flow, Meetings meetings,
            Emitter& emitter);

  /// Emits what belongs before the instruction at `index`.
  void follow(Emitter& emitter, uint32_t index);
  [[nodiscard]] bool isEmpty() const { return loads_.empty(); }
  [[nodiscard]] bool isLate(uint32_t index) const { return loads_.contains(index); }
  /// The number of the site of the late load at `index`, which has just been decoded.
  void setSite(uint32_t index, uint32_t site) { loads_.at(index).site = site; }

 private:
  struct Load {
    std::map<uint32_t, uint32_t> rows;  ///< By register.
    uint32_t site = 0;
  };
  void look(Emitter& emitter, const Load& load, const LateLoad::Use& use);

  std::map<uint32_t, Load> loads_;  ///< By index, as all of these. Each other names its load.
  std::multimap<uint32_t, std::pair<uint32_t, LateLoad::Use>> uses_;
  std::multimap<uint32_t, std::pair<uint32_t, LateLoad::Step>> steps_;
  std::multimap<uint32_t, std::pair<uint32_t, LateLoad::End>> ends_;
};

}  // namespace tilestep::simt
