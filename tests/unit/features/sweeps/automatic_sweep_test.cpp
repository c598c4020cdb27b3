// SPDX-License-Identifier: Apache-2.0
// Sweeps that begin when they are shown.
#include <gtest/gtest.h>

#include "features/sweeps/view.h"
#include "unit/model/session_fixture.h"

namespace tilestep::features::automatic_sweep_test {

class AutomaticSweep : public SessionFixture {
 protected:
  void begin(bool automatic) {
    open();
    settle();
    session->apply(command("sweeps.automatic", automatic));
    session->apply(command("sweeps.look", SweepChoice{SweepKind::tunable}));
  }
  /// No point has been answered yet.
  bool runs() {
    for (int i = 0; i < 5; ++i) next();
    return snapshot().view<SweepsView>().progress.running;
  }
};

TEST_F(AutomaticSweep, BeginsWhenItIsShown) {
  begin(true);
  EXPECT_TRUE(runs());
}

TEST_F(AutomaticSweep, WaitsForACommandIfItIsNotAutomatic) {
  begin(false);
  EXPECT_FALSE(runs());
}

TEST_F(AutomaticSweep, DoesNotBeginAgainAfterACancel) {
  begin(true);
  ASSERT_TRUE(runs());
  session->apply(command("sweeps.cancel"));
  EXPECT_FALSE(runs());
}

TEST_F(AutomaticSweep, WaitsUntilTheSliderIsReleased) {
  begin(true);
  session->apply(command("choice.kernel", std::string("matmul_naive")));
  ASSERT_TRUE(runs());
  session->apply(command("sweeps.cancel"));
  session->apply(command("tuning.set", std::string("BLOCK_Y"), int64_t{2}));
  EXPECT_FALSE(runs()) << "over BLOCK_X, with a different BLOCK_Y";
  session->endGesture();
  EXPECT_TRUE(runs());
}

}  // namespace tilestep::features::automatic_sweep_test
