// SPDX-License-Identifier: Apache-2.0
#include "features/program/sliders.h"

#include <gtest/gtest.h>

#include "support/results.h"

namespace tilestep::features::sliders_test {

/// A text with one number, for which the values 16, 32 and 64 can be tried.
class Sliders : public testing::Test {
 protected:
  Sliders() {
    tile.name = "TILE";
    tile.value = 16;
    tile.places = {{13, 15}};
    tile.values = {16, 32, 64};
  }
  void ran(const std::string& text, bool works) {
    Outcome outcome;
    outcome.text = text;
    if (works)
      outcome.summary = std::make_shared<const lab::ProgramSummary>();
    else
      outcome.refusal = requestError("too many threads");
    outcomes.add(outcome);
  }
  /// The reason why each value fails, by value.
  std::vector<std::string> reasons(const std::string& text) {
    ProgramView view;
    addSliders(std::make_shared<const std::string>(text), {tile}, outcomes, "", view);
    std::vector<std::string> why;
    for (const model::ValueLegality& each : view.tried.front().values) why.push_back(each.why);
    return why;
  }
  static std::string with(int value) { return "#define TILE " + std::to_string(value) + "\n"; }

  compile::TextConstant tile;
  Outcomes outcomes;
};

TEST_F(Sliders, FailingValueIsMarkedIfAnotherValueWorks) {
  ran(with(16), true);
  ran(with(64), false);
  const std::vector<std::string> blamed{"", "", "too many threads"};
  EXPECT_EQ(reasons(with(16)), blamed);
  tile.value = 64;
  EXPECT_EQ(reasons(with(64)), blamed) << "even while the program has this value";
}

TEST_F(Sliders, NoValueIsMarkedIfTheProgramFailsWithEach) {
  ran(with(16), false);
  ran(with(64), false);
  EXPECT_EQ(reasons(with(16)), (std::vector<std::string>{"", "", ""}));
}

TEST_F(Sliders, TitleSummarisesTriedValues) {
  const auto title = [&] {
    ProgramView view;
    addSliders(std::make_shared<const std::string>(with(16)), {tile}, outcomes, "", view);
    return view.sliders.front().title;
  };
  ran(with(16), true);
  EXPECT_FALSE(has(title(), "tried")) << "a single run is not a trial";
  ran(with(64), false);
  EXPECT_TRUE(has(title(), ", 2 of 3 tried, 1 with faults"));
}

}  // namespace tilestep::features::sliders_test
