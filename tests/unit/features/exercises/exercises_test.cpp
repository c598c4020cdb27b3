// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <fstream>

#include "base/files.h"
#include "features/exercises/view.h"
#include "model/files/saved.h"
#include "support/results.h"
#include "support/service.h"
#include "unit/model/session_fixture.h"

namespace tilestep::features::exercises_test {

class ExercisesSession : public SessionFixture {
 protected:
  void SetUp() override { start(); }
  void start(std::optional<Saved> saved = {}) {
    SessionOptions options;
    options.ownKernels = folder.path("kernels");
    options.saved = std::move(saved);
    open(options);
    session->apply(command("exercises.watch", true));
    settle();
  }
  const ExercisesView& exercises() { return next().view<ExercisesView>(); }
  void apply(const Command& command) { EXPECT_TRUE(session->apply(command)) << toText(command); }
  void openFirst() {
    apply(command("exercises.open", "bug_vector_sum"));
    settleHidden();
  }
  [[nodiscard]] std::string file() const { return folder.path("exercises/bug_vector_sum.cu"); }
  void save(const std::string& text) {
    // The session compares file times, so each version has a different time.
    std::ofstream(file()) << text;
    std::filesystem::last_write_time(
        file(), std::filesystem::file_time_type::clock::now() + std::chrono::seconds(++saves_));
    now += 2;
  }
  /// Answers requests. Hidden launches pass if `passes`.
  void settleHidden(bool passes = true) {
    for (int i = 0; i < 30; ++i) {
      session->poll(now += 0.1);
      std::vector<FakeClient::Asked> others;
      for (const FakeClient::Asked& asked : std::exchange(log->runs, {})) {
        if (asked.experiment.seed == 1 || log->isCancelled(asked.id)) {
          others.push_back(asked);
          continue;
        }
        hidden.push_back(asked.experiment);
        lab::RunResult result;
        result.check = lab::Check{"float64", passes ? 0.0 : 3.0, 1, 0, passes, 0};
        result.hazards.emplace();
        log->answers.push_back({asked.id, lab::shared(std::move(result))});
      }
      log->runs = others;
      log->answerRuns();
      waitForScene();
    }
    session->poll(now += 0.1);
  }

  support::TemporaryFolder folder{"exercises"};
  std::vector<lab::Experiment> hidden;
  int saves_ = 0;
};

TEST_F(ExercisesSession, AreListedInOrderAndUntouched) {
  const ExercisesView& view = exercises();
  ASSERT_TRUE(view.exercises);
  ASSERT_GE(view.exercises->size(), 5U);
  EXPECT_EQ((*view.exercises)[0].id, "bug_vector_sum");
  EXPECT_EQ(view.passed(), 0U);
  EXPECT_EQ(view.states[0], ExerciseState::untouched);
  EXPECT_FALSE(view.openExercise());
}

TEST_F(ExercisesSession, OpeningShowsTheListingAtItsLaunchAsOneChange) {
  const Choice before = snapshot().choice;
  openFirst();
  const ExercisesView& view = exercises();
  ASSERT_TRUE(view.openExercise());
  EXPECT_TRUE(view.isShown);
  EXPECT_TRUE(view.listing);
  EXPECT_EQ(view.file, "");
  EXPECT_EQ(view.states[0], ExerciseState::begun);
  EXPECT_EQ(snapshot().choice.kernel, "bug_vector_sum");
  EXPECT_EQ(snapshot().sceneSizes.at("n"), 20);
  EXPECT_EQ(snapshot().tunables.at("BLOCK"), 8);
  EXPECT_EQ(snapshot().choice.block, (Dim3{2, 0, 0}));
  ASSERT_TRUE(snapshot().entry());
  EXPECT_EQ(snapshot().entry()->source.text.find("// z = x + y"), 0U) << "only the listing";
  EXPECT_EQ(view.attempt.state, AttemptView::State::none) << "the listing is not judged";
  EXPECT_TRUE(hidden.empty());
  session->undo();
  EXPECT_EQ(next().choice, before);
}

TEST_F(ExercisesSession, HiddenViewsAreNotComputed) {
  openFirst();
  apply(command("exercises.copy"));
  settleHidden(false);
  EXPECT_NE(exercises().launch, "");
  EXPECT_NE(exercises().file, "");
  session->apply(command("exercises.watch", false));
  const ExercisesView& view = exercises();
  ASSERT_TRUE(view.openExercise());
  EXPECT_EQ(view.attempt.state, AttemptView::State::failed) << "each saved version is judged";
  EXPECT_EQ(view.launch, "");
  EXPECT_EQ(view.file, "");
  EXPECT_FALSE(view.isShown);
  EXPECT_FALSE(view.cells);
}

TEST_F(ExercisesSession, HintsAppearOneByOne) {
  openFirst();
  const size_t count = exercises().openExercise()->hints.size();
  for (size_t i = 0; i < count; ++i) {
    EXPECT_EQ(exercises().hints, i);
    apply(command("exercises.hint"));
  }
  EXPECT_EQ(exercises().hints, count);
  EXPECT_FALSE(session->apply(command("exercises.hint")));
  apply(command("exercises.open", "bug_plain_product"));
  EXPECT_EQ(exercises().hints, 0U);
}

TEST_F(ExercisesSession, CopyAndEachSavedVersionAreJudged) {
  openFirst();
  apply(command("exercises.copy"));
  settleHidden(false);
  EXPECT_EQ(exercises().file, file());
  EXPECT_FALSE(exercises().listing);
  EXPECT_EQ(readTextFile(file()).value(), exercises().openExercise()->listing);
  EXPECT_EQ(exercises().attempt.state, AttemptView::State::failed);
  EXPECT_EQ(hidden.size(), exercises().openExercise()->hidden.size());
  for (const lab::Experiment& one : hidden) {
    EXPECT_TRUE(one.check);
    EXPECT_EQ(one.device, "simt");
  }
  hidden.clear();
  save("__global__ void mine(const float* x, const float* y, float* z, int n) {}\n");
  settleHidden(true);
  ASSERT_FALSE(hidden.empty());
  EXPECT_EQ(hidden[0].source.text.find("__global__ void mine"), 0U);
  EXPECT_EQ(exercises().attempt.state, AttemptView::State::passed);
  EXPECT_EQ(exercises().states[0], ExerciseState::passed);
  EXPECT_EQ(exercises().passed(), 1U);
}

TEST_F(ExercisesSession, ExistingFileIsNeverOverwritten) {
  std::filesystem::create_directories(folder.path("exercises"));
  save("// mine\n__global__ void f(const float* x, const float* y, float* z, int n) {}\n");
  openFirst();
  EXPECT_FALSE(exercises().listing) << "the user's file opens immediately";
  apply(command("exercises.copy"));
  EXPECT_EQ(readTextFile(file()).value().find("// mine"), 0U);
  apply(command("exercises.listing", true));
  settleHidden();
  EXPECT_EQ(snapshot().entry()->source.text.find("// z = x + y"), 0U);
  EXPECT_EQ(exercises().attempt.state, AttemptView::State::none);
}

TEST_F(ExercisesSession, FileOfAnotherKernelIsRefusedWithAReason) {
  openFirst();
  apply(command("exercises.copy"));
  settleHidden();
  hidden.clear();
  save("int nothing;\n");
  settleHidden();
  EXPECT_TRUE(hidden.empty());
  EXPECT_EQ(exercises().attempt.state, AttemptView::State::failed);
  EXPECT_TRUE(has(exercises().attempt.text, "no __global__ function"));
}

TEST_F(ExercisesSession, CancelEndsJudgingUntilRequestedAgain) {
  openFirst();
  apply(command("exercises.copy"));
  session->poll(now += 0.1);
  EXPECT_EQ(exercises().attempt.state, AttemptView::State::running);
  apply(command("exercises.cancel"));
  settleHidden();
  EXPECT_EQ(exercises().attempt.state, AttemptView::State::cancelled);
  hidden.clear();
  apply(command("exercises.check"));
  settleHidden();
  EXPECT_FALSE(hidden.empty());
  EXPECT_EQ(exercises().attempt.state, AttemptView::State::passed);
}

TEST_F(ExercisesSession, PassedAndOpenExercisesAreKeptBetweenStarts) {
  openFirst();
  apply(command("exercises.copy"));
  settleHidden();
  const Saved saved = session->saved();
  const Saved read = valueOrThrow(parseSaved(toToml(saved), "state.toml"));
  EXPECT_EQ(read.place.exercises, (std::map<std::string, bool>{{"bug_vector_sum", true}}));
  EXPECT_EQ(read.place.exercise, "bug_vector_sum");
  start(read);
  settleHidden();
  EXPECT_EQ(exercises().states[0], ExerciseState::passed);
  ASSERT_TRUE(exercises().openExercise());
  EXPECT_TRUE(exercises().isShown);
  EXPECT_FALSE(notice("kernel"));
  EXPECT_EQ(snapshot().choice.kernel, "bug_vector_sum");
}

TEST_F(ExercisesSession, UnknownExerciseOpensNothing) {
  EXPECT_FALSE(session->apply(command("exercises.open", "cooking")));
  EXPECT_FALSE(session->apply(command("exercises.hint")));
  EXPECT_FALSE(session->apply(command("exercises.copy")));
  EXPECT_FALSE(session->apply(command("exercises.close")));
}

}  // namespace tilestep::features::exercises_test
