// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "device/device.h"
#include "features/sweeps/sweep_samples.h"

/// Which machine's ceilings judge the ladder's points. Pure.
namespace tilestep::model {

struct LadderRoofs {
  const device::Ceilings* ceilings = nullptr;  ///< Null: none are known.
  std::string origin;                          ///< "what NVIDIA H200 can do at most (measured …)"
};

/// Recorded points that one machine took are judged by what that machine can do. Where nobody knows
/// that, or the points are of several machines, they are judged by `usual`, and the words say so.
/// `recording`: what the points are of; null where `device` is none, or one that is not open here.
[[nodiscard]] LadderRoofs ladderRoofsOf(
    const SweepPlan& plan, const std::function<const SweepSample*(const SweepPoint&)>& find,
    const device::DeviceInfo& device, const device::Ceilings* usual,
    const lab::DeviceRecording* recording);

}  // namespace tilestep::model
