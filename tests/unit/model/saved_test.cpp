// SPDX-License-Identifier: Apache-2.0
#include "model/files/saved.h"

#include <gtest/gtest.h>

#include "support/results.h"

namespace tilestep::model::saved_test {

Saved everything() {
  Saved saved;
  Choice& choice = saved.choice;
  choice.kernel = "my \"kernel\"";
  choice.tunables = {{"my \"kernel\"", {{"TILE_WIDTH", 16}, {"PAD", 0}}}, {"other", {{"B", 2}}}};
  choice.scene = {{{"m", 5}, {"n", 7}}, false};
  choice.measure = {{{"m", 4096}}, true};
  choice.device = "cuda:1";
  choice.roofDevice = "nvidia-h200";
  choice.whatIf = true;
  choice.assumedRegisters = 40;
  choice.block = {1, 2, 3};
  choice.withoutBarrier = 2;
  choice.thread = Dim3{4, 5, 0};
  choice.looks.desk.theme = Theme::light;
  choice.looks.desk.scale = 0.875F;
  choice.looks.desk.controlsWidth = 333.25F;
  choice.looks.desk.panels[0] = {false, 7};
  choice.looks.presentation.scale = 2.5F;
  choice.looks.switches = {
      Stage::sweeps, Density::lesson,     false, true, true,         true, true, true,
      true,          PlotKind::occupancy, true,  2,    RoofFocus::l2};
  saved.kernelFile = "/home/a b/k\n.cu";
  saved.comparisonFile = "/home/other.cu";
  choice.comparison = {"other", {{"other", {{"TILE_WIDTH", 3}}}}, Dim3{1, 2, 0}};
  saved.place = {{trace::StepGranularity::event, true, 123456}, 2.5, "lessons/why.md", 3, {}, true};
  saved.place.lessons = {{"1-why-tile", {2, false, {{"what-four-threads-read", true}}}},
                         {"2 \"x\"", {0, true, {}}},
                         {"3", {1, true, {{"a", false}}}}};
  saved.place.predictions = {{"divergence", 2}, {"latency", 0.1}};
  saved.place.exercise = "bug_vector_sum";
  saved.place.exercises = {{"bug_vector_sum", false}, {"bug_histogram", true}};
  BeforeLesson& before = saved.place.before.emplace();
  before = {choice, "/home/b.cu", "", {trace::StepGranularity::phase, false, 7}, true};
  before.choice.kernel = "third";
  before.choice.looks = {};
  before.choice.looks.switches.stage = Stage::roofline;
  saved.presenting = true;
  saved.width = 1280;
  saved.height = 720;
  saved.deskCamera = SavedCamera{1.2345678F, -17.5F, 0.1F};
  return saved;
}

/// The first error of a text, which must have a line.
std::string errorOf(const std::string& text) {
  const Result<Saved> read = parseSaved(text, "state.toml");
  if (read) return "read without an error";
  EXPECT_TRUE(read.error().where) << read.error().message;
  if (!read.error().where) return {};
  EXPECT_EQ(read.error().where->file, "state.toml");
  return std::to_string(read.error().where->line) + ": " + read.error().message;
}

TEST(Saved, IsRestoredUnchanged) {
  for (const Saved& saved : {Saved{}, everything()}) {
    const Saved read = valueOrThrow(parseSaved(toToml(saved), "state.toml"));
    EXPECT_EQ(read, saved) << toToml(saved);
  }
}

TEST(Saved, EveryErrorNamesItsLine) {
  EXPECT_EQ(errorOf("version = 2\n"), "1: version must be 1, the only one that this program reads");
  EXPECT_EQ(errorOf("").substr(0, 2), "1:");
  EXPECT_EQ(errorOf("version = 1\n\n[window.desk]\nscale = 9.5\n"),
            "4: scale must be a number from 0 to 3");
  EXPECT_EQ(errorOf("version = 1\n[window.desk]\nscale = 0.5\n"),
            "3: scale must be 0 (chosen by the window's size) or from 0.75 to 3");
  EXPECT_EQ(errorOf("version = 1\n[window.desk]\nscale = nan\n"),
            "3: scale must be a number from 0 to 3");
  EXPECT_EQ(errorOf("version = 1\n[window.desk]\ntheme = \"pink\"\n"),
            "3: theme must be one of: dark, light, high-contrast");
  EXPECT_EQ(errorOf("version = 1\n[window.desk.panels]\nsource = 1\n"),
            "3: source must be true or false");
  EXPECT_EQ(errorOf("version = 1\n[place]\nstep = -1\n"),
            "3: step must be from 0 to 1099511627776");
  EXPECT_EQ(errorOf("version = 1\n[experiment]\nblock = [1, 2]\n"),
            "3: block must be three indices: [x, y, z]");
  EXPECT_EQ(errorOf("version = 1\n[experiment.scene.sizes]\nm = \"8\"\n"),
            "3: each of the sizes must be a name and a whole number");
  EXPECT_EQ(errorOf("version = 1\n[experiment]\nkernels = \"a\"\n"),
            "3: experiment has no key kernels; the nearest is kernel");
  EXPECT_EQ(errorOf("version = 1\nplace = 3\n"), "2: place must be a table");
  EXPECT_EQ(errorOf("version = 1\n[place]\nlessons = { a = 3 }\n"),
            "3: lessons must hold a table for each lesson");
  EXPECT_EQ(errorOf("version = 1\n[place.before]\nstep = 1\n"), "2: before needs a lesson");
  EXPECT_EQ(errorOf("version = 1\n[place.lessons.a.answers]\nb = \"maybe\"\n"),
            "3: b must be one of: shown, right");
  EXPECT_EQ(errorOf("version = 1\n[place\n").substr(0, 2), "2:");
}

}  // namespace tilestep::model::saved_test
