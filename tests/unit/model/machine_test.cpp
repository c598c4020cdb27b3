// SPDX-License-Identifier: Apache-2.0
#include "model/machine.h"

#include <gtest/gtest.h>

namespace tilestep::model::machine_test {

/// One of the three machines of a recording.
Machine recorded(uint32_t number, const std::string& identity = {}) {
  return {"recorded:nvidia-h200", "NVIDIA H200", identity, 3, number};
}

Machine here(const std::string& identity) {
  return {"cuda:0", "NVIDIA H200", identity, 0, 0};
}

TEST(Machine, AreDistinguishedByIndexInOneRecording) {
  EXPECT_EQ(sameMachine(recorded(2), recorded(2)), SameMachine::yes);
  EXPECT_EQ(sameMachine(recorded(2), recorded(3)), SameMachine::no);
  EXPECT_EQ(sameMachine(recorded(2), recorded(0)), SameMachine::unknown);
  EXPECT_EQ(sameMachine(recorded(0), recorded(0)), SameMachine::unknown);
}

TEST(Machine, AFigureOfADifferentMachineNamesTheMachine) {
  EXPECT_EQ(whoseText(recorded(2), recorded(2)), "");
  EXPECT_EQ(whoseText(recorded(3), recorded(2)), "another NVIDIA H200 (no. 3)");
  EXPECT_EQ(whoseText(here("b2"), recorded(3, "a1")), "another NVIDIA H200");
  EXPECT_EQ(whoseText(recorded(0), recorded(2)), "an NVIDIA H200, possibly a different one");
  Machine other = here("b2");
  other.name = "Tesla T4";
  EXPECT_EQ(whoseText(other, recorded(2)), "a Tesla T4");
}

}  // namespace tilestep::model::machine_test
