// SPDX-License-Identifier: Apache-2.0
#include "features/sweeps/ladder_roofs.h"

#include <optional>

namespace tilestep::features {
namespace {

/// The number of the machine that took all timed points; absent if there are several, or if it is
/// unknown.
std::optional<uint32_t> machineOf(
    const SweepPlan& plan, const std::function<const SweepSample*(const SweepPoint&)>& find) {
  std::optional<uint32_t> machine;
  for (const SweepPoint& point : plan.points) {
    const SweepSample* sample = point.illegal.empty() ? find(point) : nullptr;
    if (sample == nullptr || !sample->time) continue;
    if (sample->machine == 0 || sample->machine != machine.value_or(sample->machine))
      return std::nullopt;
    machine = sample->machine;
  }
  return machine;
}

}  // namespace

LadderRoofs ladderRoofsOf(const SweepPlan& plan,
                          const std::function<const SweepSample*(const SweepPoint&)>& find,
                          const device::DeviceInfo& device, const device::Ceilings* usual,
                          const lab::DeviceRecording* recording) {
  LadderRoofs roofs{usual, {}};
  std::string name = device.name, note;
  if (recording != nullptr || !device.recordedOn.empty()) {
    const std::optional<uint32_t> machine = machineOf(plan, find);
    const device::Ceilings* own =
        machine && recording != nullptr ? lab::ceilingsOf(*recording, *machine) : nullptr;
    if (own == nullptr)
      note =
          ", on a machine of the same kind, which may not be the one that the points were measured "
          "on";
    if (own != nullptr) roofs.ceilings = own;
    if (own != nullptr && recording->machines.size() > 1)
      name += " no. " + std::to_string(*machine);
  }
  roofs.origin = "what " + name + " can do at most";
  if (roofs.ceilings != nullptr) roofs.origin += " (" + roofs.ceilings->origin + note + ")";
  return roofs;
}

}  // namespace tilestep::features
