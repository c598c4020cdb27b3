// SPDX-License-Identifier: Apache-2.0
#include "model/scene/wrong_outputs.h"

#include <gtest/gtest.h>

#include "unit/model/session_fixture.h"

namespace tilestep::model::wrong_outputs_test {

class WrongOutputs : public SessionFixture {
 protected:
  /// The traced kernel with this check, after applying `change` to the outputs of its block.
  template <class Change>
  TracedKernel traced(bool ok, Change change) {
    open();
    settle();
    TracedKernel side = *kept->mainKernel;
    lab::RunResult result = *side.result;
    result.check = lab::Check{"float64", ok ? 0.0 : 1.0, 1e-5, 0, ok, 0};
    side.result = lab::shared(std::move(result));
    // The values of the toy worker's operands.
    for (size_t i = 0; i < side.inputs.size(); ++i) {
      if (!side.inputs[i]) continue;
      std::vector<float> values(side.inputs[i]->size());
      for (size_t at = 0; at < values.size(); ++at)
        values[at] = static_cast<float>(at + 1 + i * values.size());
      side.inputs[i] = std::make_shared<const std::vector<float>>(std::move(values));
    }
    change(side.end.outputs);
    side.wrong = wrongOutputsOf(side);
    return side;
  }
};

TEST_F(WrongOutputs, NothingIsMarkedIfTheCheckPassed) {
  const TracedKernel side = traced(true, [](auto& outputs) { outputs[3].bits = 0; });
  EXPECT_TRUE(side.wrong.empty());
  EXPECT_EQ(problemText(side), "");
}

TEST_F(WrongOutputs, OnlyTheElementsThatDifferFromFloat64AreMarked) {
  const TracedKernel side = traced(false, [](auto& outputs) {
    outputs[3].bits = 0;
    outputs[7].written = false;
  });
  ASSERT_EQ(side.wrong.size(), 2U);
  EXPECT_EQ(side.wrong[0], side.end.outputs[3].place);
  EXPECT_EQ(side.wrong[1], side.end.outputs[7].place);
  EXPECT_EQ(problemText(side), "wrong result: 2 of 16 elements");
}

TEST_F(WrongOutputs, AResultThatIsWrongInADifferentBlockIsStillWrong) {
  const TracedKernel side = traced(false, [](auto&) {});
  EXPECT_TRUE(side.wrong.empty());
  EXPECT_EQ(problemText(side), "wrong result");
}

}  // namespace tilestep::model::wrong_outputs_test
