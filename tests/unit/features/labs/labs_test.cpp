// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "features/labs/comparison.h"
#include "features/labs/view.h"
#include "features/lessons/view.h"
#include "model/files/saved.h"
#include "support/results.h"
#include "unit/features/labs/lab_home.h"
#include "unit/model/session_fixture.h"

namespace tilestep::features::labs_test {

TEST(LabComparison, StatesThePredictionAndTheAnswer) {
  const Prediction choice{"?", {"as long", "twice as long"}, 2, "Both paths run."};
  EXPECT_EQ(comparisonOf(choice, 1),
            "**You predicted:** as long. **The answer is:** twice as long. Both paths run.");
  EXPECT_EQ(comparisonOf(choice, 2),
            "**You predicted:** twice as long. **That is right.** Both paths run.");
  const Prediction number{"?", {}, 50, "Half are off."};
  EXPECT_EQ(comparisonOf(number, 12.5),
            "**You predicted:** 12.5. **The answer is:** 50. Half are off.");
}

TEST(LabComparison, AcceptsOnlyPossiblePredictions) {
  const Prediction choice{"?", {"a", "b"}, 2, "."}, number{"?", {}, 50, "."};
  for (const double value : {0.0, 1.5, 3.0, std::nan("")}) EXPECT_FALSE(isPossible(choice, value));
  EXPECT_TRUE(isPossible(choice, 2));
  EXPECT_TRUE(isPossible(number, -1.5));
  for (const double value : {2e12, std::nan("")}) EXPECT_FALSE(isPossible(number, value));
}

class LabsSession : public SessionFixture {
 protected:
  void SetUp() override {
    SessionOptions options;
    options.home = home;
    open(options);
    settle();
  }
  const LabsView& labs() { return next().view<LabsView>(); }
  std::string lesson() {
    const auto& view = snapshot().view<LessonsView>();
    return view.lesson ? view.lesson->lesson->title : "";
  }
  /// Opens the lab and answers its prediction.
  void begin(double prediction = 1) {
    session->apply(command("labs.open", "branches"));
    session->apply(command("labs.predict", prediction));
    settle();
  }
  std::string home = makeLabHome("labs_test");
};

TEST_F(LabsSession, AsksForThePredictionFirst) {
  ASSERT_EQ(labs().labs->size(), 1U);
  const Choice before = snapshot().choice;
  session->apply(command("labs.open", "branches"));
  EXPECT_TRUE(labs().predicting);
  EXPECT_EQ(labs().openLab()->title, "Branches");
  EXPECT_EQ(snapshot().choice, before);
  EXPECT_EQ(lesson(), "");
  EXPECT_FALSE(session->apply(command("labs.predict", 3))) << "there are two choices";
  EXPECT_FALSE(session->apply(command("labs.kernel", 0))) << "only after the prediction";
  session->apply(command("labs.predict", 1));
  EXPECT_FALSE(labs().predicting);
  EXPECT_EQ(lesson(), "Branches");
  EXPECT_EQ(labs().comparison,
            "**You predicted:** as long. **The answer is:** twice as long. "
            "The warp runs both paths.");
}

TEST_F(LabsSession, OpeningIsOneUndoStep) {
  const Choice before = snapshot().choice;
  begin();
  EXPECT_EQ(snapshot().choice.kernel, "branch_thread_parity");
  EXPECT_EQ(snapshot().tunables.at("ROUNDS"), 3);
  EXPECT_EQ(snapshot().sceneSizes.at("n"), 64);
  EXPECT_EQ(labs().shown, 0U);
  session->undo();
  EXPECT_EQ(next().choice, before);
  EXPECT_FALSE(snapshot().canUndo);
}

TEST_F(LabsSession, ShowsItsKernelsWithTheLabsValues) {
  begin();
  session->apply(command("labs.kernel", 1));
  settle();
  EXPECT_EQ(snapshot().choice.kernel, "branch_warp_parity");
  EXPECT_EQ(snapshot().tunables.at("ROUNDS"), 4) << "small, as in every scene";
  EXPECT_EQ(snapshot().sceneSizes.at("n"), 128);
  EXPECT_EQ(labs().shown, 1U);
  EXPECT_FALSE(session->apply(command("labs.kernel", 2)));
  session->undo();
  settle();
  EXPECT_EQ(labs().shown, 0U) << "undone as one step";
  session->apply(command("tuning.set", "ROUNDS", 4));
  EXPECT_FALSE(labs().shown) << "the lab has a different value";
}

TEST_F(LabsSession, ContinuesWithoutAPrediction) {
  session->apply(command("labs.open", "branches"));
  session->apply(command("labs.skip"));
  settle();
  EXPECT_EQ(lesson(), "Branches");
  EXPECT_EQ(labs().comparison, "");
}

TEST_F(LabsSession, IsOpenUntilItsLessonIsClosed) {
  begin();
  ASSERT_TRUE(labs().open);
  session->apply(command("lessons.close"));
  next();
  EXPECT_FALSE(labs().open);
  begin();
  session->apply(command("lessons.open", home + "/assets/lessons/2-other.md"));
  next();
  EXPECT_FALSE(labs().open) << "another lesson";
  session->apply(command("labs.open", "branches"));
  ASSERT_TRUE(labs().predicting);
  session->apply(command("labs.leave"));
  EXPECT_FALSE(labs().open);
}

TEST_F(LabsSession, AsksAgainOnlyAtTheLessonsStart) {
  begin();
  session->apply(command("lessons.step", 1));
  session->apply(command("lessons.close"));
  settle();
  session->apply(command("labs.open", "branches"));
  settle();
  EXPECT_FALSE(labs().predicting) << "in the middle of the lesson";
  EXPECT_EQ(snapshot().view<LessonsView>().lesson->index, 1U);
  EXPECT_NE(labs().comparison, "");
  session->apply(command("lessons.step", 2));
  session->apply(command("lessons.close"));
  settle();
  session->apply(command("labs.open", "branches"));
  EXPECT_TRUE(labs().predicting) << "the lesson starts again";
}

TEST_F(LabsSession, PredictionsAreKeptBetweenStarts) {
  begin(2);
  const Saved saved = session->saved();
  EXPECT_EQ(saved.place.predictions.at("branches"), 2);
  SessionOptions options;
  options.home = home;
  options.saved = saved;
  open(options);
  settle();
  EXPECT_EQ(session->saved().place.predictions, saved.place.predictions);
}

TEST_F(LabsSession, LessonsAreOrderedByNumber) {
  for (const char* name : {"10-last", "mine"})
    ASSERT_TRUE(writeFileAtomically(home + "/assets/lessons/" + name + ".md", kSampleLesson));
  SessionOptions options;
  options.home = home;
  open(options);
  settle();
  std::vector<std::string> names;
  for (const LessonEntry& entry : snapshot().view<LessonsView>().lessons)
    names.push_back(std::filesystem::path(entry.file).stem().string());
  EXPECT_EQ(names, (std::vector<std::string>{"1-branches", "2-other", "10-last", "mine"}));
}

TEST_F(LabsSession, UnknownLabOpensNothing) {
  EXPECT_FALSE(session->apply(command("labs.open", "cooking")));
  EXPECT_FALSE(labs().open);
}

TEST_F(LabsSession, DamagedLabIsReportedAndOthersAreListed) {
  ASSERT_TRUE(writeFileAtomically(home + "/assets/labs/bad.toml", "number = 1\nname = 2\n"));
  SessionOptions options;
  options.home = home;
  open(options);
  settle();
  EXPECT_EQ(labs().labs->size(), 1U);
  ASSERT_TRUE(notice("labs"));
  EXPECT_EQ(notice("labs")->text,
            "This lab cannot be used: a lab has no key name; the nearest is number");
  EXPECT_TRUE(has(notice("labs")->source, "bad.toml:2"));
}

}  // namespace tilestep::features::labs_test
