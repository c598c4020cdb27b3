// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "device/device.h"
#include "features/names.h"
#include "features/sweeps/sweep_samples.h"

/// Selects the machine whose ceilings apply to the ladder's points. Pure.
namespace tilestep::features {

struct LadderRoofs {
  const device::Ceilings* ceilings = nullptr;  ///< Null: unknown.
  std::string origin;                          ///< "what NVIDIA H200 can do at most (measured …)"
};

/// Recorded points from one machine are compared with that machine's ceilings. If those are
/// unknown, or the points are from several machines, `usual` is used, and `origin` says so.
/// `recording`: the source of the points; null if `device` is not a recording, or not one that is
/// open here.
[[nodiscard]] LadderRoofs ladderRoofsOf(
    const SweepPlan& plan, const std::function<const SweepSample*(const SweepPoint&)>& find,
    const device::DeviceInfo& device, const device::Ceilings* usual,
    const lab::DeviceRecording* recording);

}  // namespace tilestep::features
