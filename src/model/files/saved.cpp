// SPDX-License-Identifier: Apache-2.0
#include "model/files/saved.h"

#include <array>
#include <map>

#include "model/files/lab_file.h"
#include "model/files/toml_archive.h"

namespace tilestep::model {
namespace {

constexpr size_t kMostNames = 256;   ///< The limit for kernels, tunables and sizes.
constexpr size_t kMostSteps = 1000;  ///< The limit for a lesson.
constexpr int kWidest = 32768;       ///< Pixels.
constexpr int kLeastSide = 200;      ///< The minimum side of the window, in pixels.
constexpr int64_t kLargestNumber = int64_t{1} << 40;
constexpr std::array<const char*, 4> kGrains{"phase", "epoch", "event", "thread"};
constexpr size_t kThreadGrain = 3;
constexpr std::array<const char*, kThemes> kThemeNames{"dark", "light", "high-contrast"};
constexpr std::array<const char*, kPlots> kPlotNames{"speed",   "story",   "roofline", "gains",
                                                     "traffic", "history", "occupancy"};
std::array<const char*, kStages> stageNames() {
  std::array<const char*, kStages> names{};
  for (size_t i = 0; i < kStages; ++i) names[i] = nameOf(static_cast<Stage>(i));
  return names;
}
constexpr std::array<const char*, 2> kDensityNames{"lesson", "lab"};
constexpr std::array<const char*, kOccupancyCurves> kCurveNames{"tunable", "threads", "registers",
                                                                "shared"};
constexpr std::array<const char*, kPanels> kPanelNames{"controls", "measures", "source"};

void describeName(Archive& io, const std::string& key, std::string& value) {
  io(key, value, key + " is too long or contains a zero byte");
}

void describeKernel(Archive& io, std::string& kernel) {
  describeName(io, "kernel", kernel);
  io.check(!kernel.empty(), "kernel", "kernel is empty");
}

/// Only for a kernel that was chosen by its path.
void describeFile(Archive& io, std::string& file) {
  if (io.has("file", !file.empty())) describeName(io, "file", file);
}

void describe(Archive& io, compile::Bindings& values, const std::string& what) {
  const std::string wrong = "each of the " + what + " must be a name and a whole number";
  io.each(values, kMostNames, "too many " + what, [&](const std::string& name, int64_t& value) {
    io.check(!name.empty() && name.size() <= Archive::kLongestText, name, wrong);
    io(name, value, -kLargestNumber, kLargestNumber, wrong);
  });
}

void describe(Archive& io, Sizes& sizes) {
  io("linked", sizes.linked);
  io.table("sizes", [&](Archive& in) { describe(in, sizes.values, "sizes"); });
}

void describe(Archive& io, std::map<std::string, compile::Bindings>& tunables) {
  const Archive::TableWords words{.wrong = "tunables must hold a table for each kernel"};
  io.each(tunables, kMostNames, "too many kernels", [&](const std::string& kernel, auto& values) {
    io.table(
        kernel, [&](Archive& in) { describe(in, values, "tunables"); }, words);
  });
}

void describe(Archive& io, std::map<std::string, std::string>& entries) {
  io.each(entries, kMostNames, "too many kernels",
          [&](const std::string& kernel, auto& entry) { describeName(io, kernel, entry); });
}

void describe(Archive& io, Comparison& comparison, std::string& file) {
  describeKernel(io, comparison.kernel);
  describeFile(io, file);
  io("block", comparison.block, 0, "indices");
  io.table("tunables", [&](Archive& in) { describe(in, comparison.tunables); });
}

void describeExperiment(Archive& io, Choice& choice, std::string& kernelFile,
                        std::string& comparisonFile) {
  describeKernel(io, choice.kernel);
  describeName(io, "device", choice.device);
  describeName(io, "roof_device", choice.roofDevice);
  io("elsewhere", choice.whatIf);
  io("assumed_registers", choice.assumedRegisters, 0, 255);
  describeFile(io, kernelFile);
  io.table("scene", [&](Archive& in) { describe(in, choice.scene); });
  io.table("measure", [&](Archive& in) { describe(in, choice.measure); });
  io("without_barrier", choice.withoutBarrier, 0, 1'000'000);
  if (io.has("block", true)) io("block", choice.block, 0, "indices");
  io("thread", choice.thread, 0, "indices");
  io.table("tunables", [&](Archive& in) { describe(in, choice.tunables); });
  if (io.has("entries", !choice.entries.empty()))
    io.table("entries", [&](Archive& in) { describe(in, choice.entries); });
  io.table("beside", [&](Archive& in) { describe(in, choice.comparison, comparisonFile); });
}

void describe(Archive& io, LessonProgress& progress) {
  constexpr std::array<const char*, 2> kAnswered{"shown", "right"};
  io("step", progress.step, 0, kMostSteps);
  io("finished", progress.finished);
  io.table("answers", [&](Archive& in) {
    in.each(progress.answers, kMostSteps, "too many answers",
            [&](const std::string& step, bool& right) {
              auto how = static_cast<size_t>(right);
              in(step, how, kAnswered);
              right = how == 1;
            });
  });
}

void describe(Archive& io, std::map<std::string, LessonProgress>& lessons) {
  const Archive::TableWords words{.wrong = "lessons must hold a table for each lesson"};
  io.each(lessons, kMostNames, "too many lessons", [&](const std::string& name, auto& progress) {
    io.table(
        name, [&](Archive& in) { describe(in, progress); }, words);
  });
}

void describe(Archive& io, trace::StepGranularity& grain, bool& ofThread) {
  auto word = ofThread ? kThreadGrain : static_cast<size_t>(grain);
  io("grain", word, kGrains);
  ofThread = word == kThreadGrain;
  grain = ofThread ? trace::StepGranularity::event : static_cast<trace::StepGranularity>(word);
}

void describe(Archive& io, ViewOptions& switches);

void describe(Archive& io, BeforeLesson& before) {
  describe(io, before.scene.grain, before.scene.ofThread);
  io("table", before.table);
  io("step", before.scene.step, 0, kLargestNumber);
  io.table("experiment", [&](Archive& in) {
    describeExperiment(in, before.choice, before.kernelFile, before.comparisonFile);
  });
  io.table("switches", [&](Archive& in) { describe(in, before.choice.looks.switches); });
}

void describe(Archive& io, Place& place) {
  describe(io, place.scene.grain, place.scene.ofThread);
  io("table", place.table);
  io("step", place.scene.step, 0, kLargestNumber);
  io("speed", place.speed, 0.01, 1000);
  const bool inLesson = !place.lesson.empty();
  if (io.has("lesson", inLesson)) describeName(io, "lesson", place.lesson);
  if (io.has("lesson_step", inLesson)) io("lesson_step", place.lessonStep, 0, kMostSteps);
  io.check(!place.lesson.empty() || place.lessonStep == 0, "lesson_step",
           "lesson_step needs a lesson");
  if (io.has("before", place.before.has_value()))
    io.table("before", [&](Archive& in) {
      describe(in, place.before ? *place.before : place.before.emplace());
    });
  io.check(!place.lesson.empty() || !place.before, "before", "before needs a lesson");
  if (io.has("lessons", !place.lessons.empty()))
    io.table("lessons", [&](Archive& in) { describe(in, place.lessons); });
  if (io.has("predictions", !place.predictions.empty()))
    io.table("predictions", [&](Archive& in) {
      in.each(place.predictions, kMostNames, "too many predictions",
              [&](const std::string& lab, double& value) {
                in(lab, value, -kLargestPrediction, kLargestPrediction);
              });
    });
  if (io.has("exercise", !place.exercise.empty())) describeName(io, "exercise", place.exercise);
  if (io.has("exercises", !place.exercises.empty()))
    io.table("exercises", [&](Archive& in) {
      constexpr std::array<const char*, 2> kHow{"begun", "passed"};
      in.each(place.exercises, kMostNames, "too many exercises",
              [&](const std::string& exercise, bool& passed) {
                auto how = static_cast<size_t>(passed);
                in(exercise, how, kHow);
                passed = how == 1;
              });
    });
}

void describe(Archive& io, SavedCamera& camera) {
  constexpr float kFarthest = 1e8F;
  io("zoom", camera.zoom, 1e-3F, 1e4F);
  io("x", camera.x, -kFarthest, kFarthest);
  io("y", camera.y, -kFarthest, kFarthest);
}

void describe(Archive& io, Appearance& look, std::optional<SavedCamera>& camera) {
  io("theme", look.theme, kThemeNames);
  io("scale", look.scale, 0, kMostScale);
  io.check(look.scale <= 0 || look.scale >= kLeastScale, "scale",
           "scale must be 0 (chosen by the window's size) or from 0.75 to 3");
  io("controls_width", look.controlsWidth, 0, kWidest);
  io("measures_width", look.measuresWidth, 0, kWidest);
  io("source_height", look.sourceHeight, 0, kWidest);
  io.table("panels", [&](Archive& in) {
    for (size_t i = 0; i < kPanels; ++i) in(kPanelNames[i], look.panels[i].wanted);
  });
  io.table("asked", [&](Archive& in) {
    for (size_t i = 0; i < kPanels; ++i) in(kPanelNames[i], look.panels[i].asked, 0, 1'000'000'000);
  });
  if (io.has("camera", camera.has_value()))
    io.table("camera", [&](Archive& in) { describe(in, camera ? *camera : camera.emplace()); });
}

void describe(Archive& io, ViewOptions& switches) {
  io("stage", switches.stage, stageNames());
  if (io.has("density", switches.density != Density::full))
    io("density", switches.density, kDensityNames);
  io("motion", switches.motion);
  io("companion_source", switches.companionSource);
  io("warp_view", switches.warpView);
  io("front_matter", switches.frontMatter);
  io("whole_grid", switches.wholeGrid);
  io("thread_view", switches.threadView);
  io("ptx_view", switches.ptxView);
  io("occupancy_alone", switches.occupancyAlone);
  io("occupancy_curve", switches.occupancyCurve, kCurveNames);
  io("roof_focus", switches.roofFocus, kRoofFocusNames);
  if (io.has("roof_levels", switches.roofLevels)) io("roof_levels", switches.roofLevels);
  if (io.has("roof_others", switches.roofOthers)) io("roof_others", switches.roofOthers);
  io("sweep_kind", switches.sweep.kind, kSweepKindNames);
  io("sweep_quantity", switches.sweep.quantity, kSweepQuantityNames);
  io("sweep_axes", switches.sweep.axes, 0, 1'000'000);
  io("plot", switches.plot, kPlotNames);
}

/// Describes a side of the window; 0 if it is missing or too small to be usable.
void describeSide(Archive& io, const char* key, int& side) {
  io(key, side, 0, kWidest);
  if (side < kLeastSide) side = 0;
}

void describeWindow(Archive& io, Saved& saved) {
  AppearanceSet& looks = saved.choice.looks;
  const Archive::TableWords words{.where = "the look"};
  io("presenting", saved.presenting);
  describeSide(io, "width", saved.width);
  describeSide(io, "height", saved.height);
  io.table(
      "desk", [&](Archive& in) { describe(in, looks.desk, saved.deskCamera); }, words);
  io.table(
      "presentation",
      [&](Archive& in) { describe(in, looks.presentation, saved.presentationCamera); }, words);
  io.table("switches", [&](Archive& in) { describe(in, looks.switches); });
}

void describe(Archive& io, Saved& saved) {
  describeVersion(io, Saved::kVersion);
  io.table("experiment", [&](Archive& in) {
    describeExperiment(in, saved.choice, saved.kernelFile, saved.comparisonFile);
  });
  io.table("place", [&](Archive& in) { describe(in, saved.place); });
  io.table("window", [&](Archive& in) { describeWindow(in, saved); });
}

}  // namespace

ScenePosition keptPosition(ScenePosition position) {
  if (position.ofThread) position.grain = trace::StepGranularity::event;
  return position;
}

std::string toToml(const Saved& saved) {
  Saved copy = saved;
  return toTomlText(
      "# The last state of Tilestep's window. If this file is damaged, it is renamed and the "
      "window\n"
      "# opens as if there were none. With --fresh the file is ignored.\n",
      [&](Archive& io) { describe(io, copy); });
}

Result<Saved> parseSaved(std::string_view text, const std::string& file) {
  Saved saved;
  const Status read = readToml(text, file, [&](Archive& io) { describe(io, saved); });
  if (!read) return read.error();
  return saved;
}

}  // namespace tilestep::model
