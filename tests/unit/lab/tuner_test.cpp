// SPDX-License-Identifier: Apache-2.0
#include "lab/tune/tuner.h"

#include <gtest/gtest.h>

#include <functional>

#include "support/results.h"
#include "unit/lab/tune_samples.h"

namespace tilestep::lab::tuner_test {

using Stage = Tuner::Stage;

/// A search in which a candidate is faster the nearer A and B are to 16 and C is to 9.
class TunerTest : public testing::Test {
 protected:
  TunerTest() {
    spec.reference = "matmul";
    spec.tunables[2].maximum = 9;
  }
  void begin(Tuner::Options options = {}) {
    TuneSubject subject{{}, spec, tuningDevice(), spec.sizes};
    auto legal = valueOrThrow(candidatesOf(spec, spec.sizes, {}, subject.device.limits));
    tuner = std::make_unique<Tuner>(std::move(subject), std::move(legal), options);
  }
  [[nodiscard]] double msOf(size_t candidate) const {
    double ms = 1;
    for (const auto& [name, value] : tuner->tunables(candidate))
      ms += std::abs(static_cast<double>(value) - (name == "C" ? 9 : 16));
    return ms;
  }
  /// Answers until the search is over; `change` may change each answer.
  void run(const std::function<void(size_t, TuneAnswer&)>& change = {}) {
    while (!tuner->wanted().empty()) {
      const size_t candidate = tuner->wanted().back();  // In any order.
      TuneAnswer answer;
      answer.code = MachineCode{32, 0, 0};
      if (tuner->experimentOf(candidate, {}).measure) answer.ms = msOf(candidate);
      answer.checked = tuner->stage() == Stage::check;
      if (change) change(candidate, answer);
      ++runs[tuner->stage()];
      tuner->accept(candidate, answer);
    }
  }
  [[nodiscard]] const Tuned& best() const { return **tuner->outcome(); }

  compile::KernelSpec spec = tunableSpec();
  std::unique_ptr<Tuner> tuner;
  std::map<Stage, int> runs;
};

TEST_F(TunerTest, TimesMeasuresAndChecksTheFastest) {
  begin();
  run();
  EXPECT_EQ(best().tunables, (compile::Bindings{{"A", 16}, {"B", 16}, {"C", 9}}));
  EXPECT_EQ(best().medianMs, 1);
  EXPECT_EQ(tuner->gainText(), ", 5 times faster than the defaults");
  EXPECT_EQ(runs[Stage::load], 0);
  EXPECT_EQ(runs[Stage::check], 1);
  EXPECT_EQ(best().timed, tuner->tally().timed);
  EXPECT_EQ(static_cast<uint64_t>(runs[Stage::brief]), best().timed);
}

TEST_F(TunerTest, TheNextFastestReplacesAWrongOrUncheckedOne) {
  for (const bool isWrong : {true, false}) {
    begin();
    run([&](size_t candidate, TuneAnswer& answer) {
      if (tuner->stage() != Stage::check || msOf(candidate) > 1) return;
      answer.checked = isWrong;
      if (isWrong) answer.status = SweepRow::Status::wrong;
    });
    EXPECT_EQ(best().tunables, (compile::Bindings{{"A", 16}, {"B", 16}, {"C", 8}}));
    EXPECT_EQ(best().medianMs, 2);
  }
}

TEST_F(TunerTest, AKernelWithoutAReferenceIsNotChecked) {
  spec.reference.clear();
  begin();
  run();
  EXPECT_EQ(best().medianMs, 1);
  EXPECT_EQ(runs[Stage::check], 0);
}

TEST_F(TunerTest, CompiledCandidatesAreDroppedForTheirMachineCode) {
  begin({.loads = true});
  run([&](size_t candidate, TuneAnswer& answer) {
    if (tuner->stage() != Stage::load) return;
    const int64_t c = tuner->tunables(candidate).at("C");
    if (c == 9) answer.code->localBytes = 400;
    if (c == 8) answer = {SweepRow::Status::skipped, "too much shared memory", {}, {}, false};
  });
  EXPECT_EQ(best().tunables.at("C"), 7);
  bool isSpillNamed = false;
  for (const Tuner::Drop& drop : tuner->takeDrops())
    isSpillNamed |= drop.code && drop.why.find("400 bytes") != std::string::npos;
  EXPECT_TRUE(isSpillNamed);
  EXPECT_TRUE(tuner->takeDrops().empty());
  const TuneTally tally = tuner->tally();
  EXPECT_GT(tally.dropped, tally.notCompiled);
  EXPECT_LT(runs[Stage::brief], runs[Stage::load]);
}

TEST_F(TunerTest, WhenTimingEndsTheFastestSoFarAreMeasured) {
  begin();
  tuner->accept(tuner->wanted().front(), {.ms = 3});
  ASSERT_EQ(tuner->stage(), Stage::brief);
  tuner->endTiming();
  EXPECT_EQ(tuner->stage(), Stage::full);
  run();
  EXPECT_EQ(best().timed, 1U);
}

TEST_F(TunerTest, AFailureReportsTheReasonOfItsStage) {
  begin();
  run([](size_t, TuneAnswer& answer) {
    answer = {SweepRow::Status::failed, "too many registers", {}, {}, false};
  });
  ASSERT_FALSE(*tuner->outcome());
  EXPECT_EQ(tuner->outcome()->error().message, "no choice could be timed: too many registers");
  begin();
  bool isFirst = true;
  run([&](size_t, TuneAnswer& answer) {
    if (std::exchange(isFirst, false)) answer = {SweepRow::Status::failed, "x", {}, {}, false};
    if (tuner->stage() == Stage::check) answer.status = SweepRow::Status::wrong;
  });
  ASSERT_FALSE(*tuner->outcome());
  EXPECT_EQ(tuner->outcome()->error().message, "none of the fastest choices gives a right result");
}

}  // namespace tilestep::lab::tuner_test
