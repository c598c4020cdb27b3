// SPDX-License-Identifier: Apache-2.0
#include "features/program/trials.h"

#include <gtest/gtest.h>

namespace tilestep::features::trials_test {

/// Starts nothing, and records the texts to start.
struct Refusing {
  std::vector<std::string> asked;
  Trials::Start start() {
    return [this](const std::string& text) -> Trials::Started {
      asked.push_back(text);
      return requestError("refused " + text);
    };
  }
};

TEST(Trials, TextsRunOneAfterAnother) {
  Refusing refusing;
  Trials trials;
  trials.add("a");
  trials.add("b");
  EXPECT_EQ(trials.left(), 2U);
  const auto first = trials.poll(false, refusing.start());
  ASSERT_TRUE(first);
  EXPECT_EQ(first->text, "a");
  ASSERT_FALSE(first->run);
  EXPECT_EQ(first->run.error().message, "refused a");
  EXPECT_EQ(trials.poll(false, refusing.start())->text, "b");
  EXPECT_TRUE(trials.isIdle());
  EXPECT_FALSE(trials.poll(false, refusing.start()));
  EXPECT_EQ(refusing.asked, (std::vector<std::string>{"a", "b"}));
}

TEST(Trials, NothingStartsWhileTheProgramRuns) {
  Refusing refusing;
  Trials trials;
  trials.add("a");
  EXPECT_FALSE(trials.poll(true, refusing.start()));
  EXPECT_TRUE(refusing.asked.empty());
  EXPECT_FALSE(trials.isIdle());
}

TEST(Trials, SliderIsReportedUntilItsLastValueWasTried) {
  Refusing refusing;
  Trials trials;
  trials.add("a fix");
  trials.addAll("TILE", {"8", "16"});
  EXPECT_EQ(trials.left(), 2U);
  EXPECT_EQ(trials.poll(false, refusing.start())->text, "8");
  EXPECT_EQ(trials.slider(), "TILE");
  EXPECT_EQ(trials.poll(false, refusing.start())->text, "16");
  EXPECT_EQ(trials.slider(), "");
  trials.addAll("TILE", {});
  EXPECT_EQ(trials.slider(), "");
  trials.addAll("TILE", {"8"});
  trials.end();
  EXPECT_TRUE(trials.isIdle());
}

}  // namespace tilestep::features::trials_test
