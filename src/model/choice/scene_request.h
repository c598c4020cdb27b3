// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "model/choice/resolved.h"
#include "trace/replay.h"

namespace tilestep::model {

struct ScenePosition {
  trace::StepGranularity grain = trace::StepGranularity::epoch;
  bool ofThread = false;  ///< Steps are the followed thread's events.
  /// The step at that granularity, from 0. An index past the end means the last step.
  size_t step = 0;
  bool operator==(const ScenePosition&) const = default;
};

/// The scene that a lesson's step requests. Settings that it does not contain stay unchanged.
struct SceneRequest : ScenePosition {
  std::string kernel;
  compile::Bindings tunables;
  bool othersByDefault = false;  ///< All other kernels get their default tunables.
  compile::Bindings sizes;       ///< The scene's sizes; empty if they follow the tile.
  Dim3 block{0, 0, 0};
  std::optional<Dim3> thread;   ///< The thread to follow; absent if none.
  uint32_t withoutBarrier = 0;  ///< The barrier to remove, counted from 1; 0 if none.
  /// The companion kernel, with the same values as Comparison::kernel.
  std::string comparison = Comparison::kUsual;
  compile::Bindings comparisonTunables;  ///< The companion's own tunables; its other tunables
                                         ///< follow the main kernel.
  std::optional<Dim3> comparisonBlock;
  /// kMeasured (a GPU that is present, otherwise a recording), kInterpreter, or empty for
  /// unchanged.
  std::string device;
  int64_t measured = 0;  ///< m, n and k of the measured launch; 0 for unchanged.
  /// The known device whose roofs and limits are shown, kOwnRoof for the device's own, or empty for
  /// unchanged.
  std::string roof;
  static constexpr const char* kMeasured = "measured";
  static constexpr const char* kInterpreter = "interpreter";
  static constexpr const char* kOwnRoof = "own";
};

/// Applies the request to `choice`. `devices` are the available devices.
void choose(const SceneRequest& request, const Devices& devices, Choice& choice);
/// The first of these that exists and provides times: `now`, a GPU that is present, a recording.
/// Otherwise `now`.
[[nodiscard]] std::string measuringDevice(const Devices& devices, const std::string& now);

}  // namespace tilestep::model
