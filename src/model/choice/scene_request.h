// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "model/choice/resolved.h"
#include "trace/replay.h"

namespace tilestep::model {

/// What a lesson's step wants to be seen. What it does not name stays as it is.
struct SceneRequest {
  std::string kernel;
  compile::Bindings tunables;
  bool othersByDefault = false;  ///< All other kernels take their default tunables.
  compile::Bindings sizes;       ///< Of the scene; empty: it follows the tile.
  Dim3 block{0, 0, 0};
  trace::StepGranularity grain = trace::StepGranularity::epoch;
  size_t step = 0;              ///< At that grain, from 0; one too many means the last.
  std::optional<Dim3> thread;   ///< To be followed; nothing: none is.
  uint32_t withoutBarrier = 0;  ///< Which is taken away, from 1; 0: none.
  bool ofThread = false;        ///< Steps are that thread's events.
  std::string beside =
      Comparison::kUsual;            ///< What stands beside the kernel, as Comparison::kernel.
  compile::Bindings besideTunables;  ///< Its own; the others follow.
  std::optional<Dim3> besideBlock;
  /// kMeasured: a GPU that is here, else a recording; kInterpreter; empty: as it is.
  std::string device;
  int64_t measured = 0;  ///< m, n and k of what is measured; 0: as it is.
  /// A known device whose roofs and limits are shown; kOwnRoof: the device's own; empty: as it is.
  std::string roof;
  static constexpr const char* kMeasured = "measured";
  static constexpr const char* kInterpreter = "interpreter";
  static constexpr const char* kOwnRoof = "own";
};

/// Makes of `choice` what is requested. `devices`: those that are there.
void choose(const SceneRequest& request, const Devices& devices, Choice& choice);
/// `now` where it measures; else a GPU that is here, else a recording, else `now`.
[[nodiscard]] std::string measuringDevice(const Devices& devices, const std::string& now);

}  // namespace tilestep::model
