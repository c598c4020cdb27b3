// SPDX-License-Identifier: Apache-2.0
#include "features/exercises/panel.h"

#include <cmath>
#include <filesystem>
#include <fstream>

#include "lab/lab.h"
#include "support/results.h"
#include "support/service.h"
#include "ui/shell/keys.h"
#include "unit/ui/null_window.h"

namespace tilestep::features::exercises_panel_test {

/// The window with a worker that runs its requests.
class ExercisesPanel : public NullWindow {
 protected:
  void SetUp() override {
    model::SessionOptions options;
    options.home = support::sourceRoot();
    options.ownKernels = folder.path("kernels");
    session = std::make_unique<model::Session>(options, features::makeFeatures());
    useFonts(1600, 1000, 1);
    connect();
    ui.stage = Stage::exercises;
    draw();
  }
  [[nodiscard]] const ExercisesView& shown() {
    kept = session->snapshot();
    return kept->view<ExercisesView>();
  }
  /// Answers with the interpreter's results.
  void settle() {
    for (int i = 0; i < 40; ++i) {
      session->poll(now += 0.1);
      for (const model::FakeClient::Asked& asked : std::exchange(log->runs, {})) {
        lab::Experiment experiment = asked.experiment;
        experiment.device = "simt";
        auto result = interpreter.run(experiment, {}, {});
        if (result)
          log->answers.push_back({asked.id, lab::shared(std::move(*result))});
        else
          log->answers.push_back({asked.id, result.error()});
      }
    }
    draw();
  }
  [[nodiscard]] bool shows(const std::string& part) const {
    for (const gfx::TextShape& piece : drawnTexts())
      if (piece.text.find(part) != std::string::npos) return true;
    return false;
  }
  void open(const std::string& id) {
    session->apply(model::command("exercises.open", id));
    settle();
  }

  support::TemporaryFolder folder{"exercises_panel"};
  lab::Lab interpreter{{support::sourceRoot(), "", 1}};
  std::shared_ptr<const model::Snapshot> kept;
};

TEST_F(ExercisesPanel, TheListOpensAnExercise) {
  EXPECT_TRUE(shows(" passed"));
  clickText("A product, element by element");
  settle();
  ASSERT_TRUE(shown().openExercise());
  EXPECT_EQ(shown().openExercise()->id, "bug_plain_product");
  EXPECT_TRUE(shows("All exercises"));
  clickText("All exercises");
  EXPECT_FALSE(shown().openExercise());
}

TEST_F(ExercisesPanel, HintsAreShownOneAfterAnother) {
  open("bug_plain_product");
  EXPECT_FALSE(shows("ones?"));
  clickText("Hint 1 of 3");
  EXPECT_EQ(shown().hints, 1U);
  EXPECT_TRUE(shows("ones?"));
  EXPECT_TRUE(boxOfText("Hint 2 of 3"));
}

TEST_F(ExercisesPanel, AClickOnAWrongElementShowsItsReads) {
  open("bug_plain_product");
  ASSERT_TRUE(shown().cells);
  EXPECT_EQ(shown().cells->wrong(), 16U);
  clickText(valueText(shown().cells->cells[6].value));
  draw();
  ASSERT_TRUE(shown().story);
  EXPECT_EQ(shown().story->name, "P[1][2]");
  EXPECT_TRUE(shows("M[1][3]"));
  clickText("N[3][2]");
  EXPECT_EQ(session->snapshot()->position.grain, trace::StepGranularity::event);
}

TEST_F(ExercisesPanel, AFaultThatStopsTheLaunchIsListedWithItsBlock) {
  open("bug_three_neighbours");
  std::filesystem::create_directories(folder.path("exercises"));
  std::ofstream(folder.path("exercises/bug_three_neighbours.cu"))
      << "__global__ void three_neighbours(const int* in, int* out, int n) {\n"
         "  int i = blockIdx.x * BLOCK + threadIdx.x;\n"
         "  if (i < n) out[i] = in[i - 1] + in[i];\n"
         "}\n";
  open("bug_three_neighbours");
  EXPECT_FALSE(shown().listing);
  ASSERT_EQ(shown().problems.size(), 1U);
  EXPECT_TRUE(has(shown().problems[0].text, "before the start of in"));
  EXPECT_TRUE(has(shown().problems[0].text, "The launch was stopped there."));
  EXPECT_TRUE(has(shown().launch, "block (0, 0)"))
      << "block (1, 0), which is chosen, never ran: " << shown().launch;
  EXPECT_TRUE(shows("The launch was stopped there."));
  ASSERT_TRUE(kept->main);
  EXPECT_GT(kept->main->side->replay->recording().size(), 0U);
  for (const model::Notice& notice : kept->notices)
    EXPECT_FALSE(has(notice.text, "(line"))
        << "the message names the line already: " << notice.text;
}

TEST_F(ExercisesPanel, AKeyGoesToTheNextWrongElement) {
  open("bug_three_neighbours");
  ASSERT_TRUE(shown().cells);
  gfx::KeyEvent event;
  event.text = U'!';
  for (const uint64_t element : {8, 15, 8}) {
    (void)handleKeys({event}, *session, ui, false, false);
    draw();
    ASSERT_TRUE(shown().story);
    EXPECT_EQ(shown().story->element, element);
  }
}

TEST_F(ExercisesPanel, TheCopyIsWrittenAndJudged) {
  open("bug_vector_sum");
  clickText("Copy to my folder");
  settle();
  EXPECT_TRUE(std::filesystem::exists(folder.path("exercises/bug_vector_sum.cu")));
  EXPECT_EQ(shown().attempt.state, AttemptView::State::failed);
  EXPECT_TRUE(shows("Not"));
  EXPECT_TRUE(boxOfText("my file"));
  EXPECT_TRUE(boxOfText("Copy path"));
}

}  // namespace tilestep::features::exercises_panel_test
