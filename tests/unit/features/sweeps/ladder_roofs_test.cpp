// SPDX-License-Identifier: Apache-2.0
// The ceilings for the ladder's recorded points.
#include "features/sweeps/ladder.h"
#include "unit/features/sweeps/ladder_fixture.h"

namespace tilestep::features::ladder_roofs_test {

class LadderRoofsOf : public LadderCase {
 protected:
  LadderRoofsOf() {
    usual.origin = "measured first";
    recording.machines.resize(2);
    recording.machines[0].ceilings = usual;
    recording.machines[1].ceilings.emplace().origin = "measured second";
    timed("rung02_coalesced", 6);
    timed("rung03_tiled", 9);
  }
  void taken(const std::string& kernel, uint32_t machine) {
    samples[pointOf(kernel).key].machine = machine;
  }
  LadderRoofs roofs(const lab::DeviceRecording* of) {
    const auto find = [this](const SweepPoint& point) -> const SweepSample* {
      const auto at = samples.find(point.key);
      return at == samples.end() ? nullptr : &at->second;
    };
    return ladderRoofsOf(*plan, find, gpu, &usual, of);
  }

  device::Ceilings usual;
  lab::DeviceRecording recording;
};

TEST_F(LadderRoofsOf, PointsOfOneMachineUseItsCeilings) {
  taken("rung02_coalesced", 2);
  taken("rung03_tiled", 2);
  EXPECT_EQ(roofs(&recording).origin, "what Test GPU no. 2 can do at most (measured second)");
  EXPECT_EQ(roofs(&recording).ceilings, &*recording.machines[1].ceilings);
}

TEST_F(LadderRoofsOf, AnUnknownMachineUsesTheUsualCeilingsAndSaysSo) {
  const std::string others =
      "what Test GPU can do at most (measured first, on a machine of the same kind, which may "
      "not be the one that the points were measured on)";
  taken("rung02_coalesced", 1);
  taken("rung03_tiled", 2);
  EXPECT_EQ(roofs(&recording).origin, others) << "the points are from two machines";
  taken("rung02_coalesced", 2);
  recording.machines[1].ceilings.reset();
  EXPECT_EQ(roofs(&recording).origin, others) << "that machine's ceilings are unknown";
  taken("rung02_coalesced", 0);
  taken("rung03_tiled", 0);
  EXPECT_EQ(roofs(&recording).origin, others) << "the machine is unknown";
  EXPECT_EQ(roofs(&recording).ceilings, &usual);
}

TEST_F(LadderRoofsOf, AGpuUsesItsOwnCeilings) {
  EXPECT_EQ(roofs(nullptr).origin, "what Test GPU can do at most (measured first)");
}

}  // namespace tilestep::features::ladder_roofs_test
