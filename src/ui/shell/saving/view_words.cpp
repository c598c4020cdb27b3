// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/saving/view_words.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <span>
#include <utility>

#include "base/sentence.h"
#include "model/export/table.h"
#include "model/text/step_summary.h"
#include "model/text/traffic.h"

namespace tilestep::ui {
namespace {

/// The scene and the measurement have separate launches. These views show the scene's.
constexpr std::array<std::string_view, 15> kOfScene{
    "scene",  "lanes",   "sums",   "sectors", "exercise", "cube", "tiles", "steps",
    "phases", "threads", "thread", "warp",    "source",   "ptx",  "story"};
constexpr std::array<std::string_view, 2> kOfMeasured{"roofline", "speed"};
constexpr std::array<std::string_view, 3> kOfMany{"sweep", "runs", "history"};
/// These views contain their own captions.
constexpr std::array<std::string_view, 4> kCaptioned{"scene", "roofline", "sweep", "timeline"};

bool isAmong(std::span<const std::string_view> views, std::string_view view) {
  return std::ranges::find(views, view) != views.end();
}

std::string withSizes(const std::string& launch, const compile::Bindings& sizes) {
  return sizes.empty() ? launch : launch + ", " + model::sizesText(sizes);
}

/// Replaces all characters but letters, digits, hyphens and underscores by hyphens.
std::string slugOf(std::string text) {
  std::ranges::replace_if(
      text, [](unsigned char c) { return std::isalnum(c) == 0 && c != '-' && c != '_'; }, '-');
  return text;
}

/// "naive beside tiled in blocks of 2 × 2, m = n = k = 4"
std::string sceneText(const model::Snapshot& now, bool both) {
  if (!now.main) return {};
  const model::TracedKernel& main = *now.main->side;
  std::string text = model::launchText(*main.result);
  if (both && now.companion) text = now.companion->side->shortName + " beside " + text;
  return withSizes(text, main.result->plan.sizes);
}

}  // namespace

std::string_view viewInFront(const UiState& ui, const model::Snapshot& now) {
  if (ui.stage == Stage::scene && now.shown.phaseTable) return "phases";
  return model::tableOf(ui.stage);
}

std::string titleOfView(std::string_view view, const model::Snapshot& now) {
  if (view == "sweep" && now.shown.sweepLadder) return "The ladder";
  const std::string name = capitalised(model::nameOfTable(view, now));
  std::string of;
  if (isAmong(kOfScene, view))
    of = sceneText(now, view == "scene");
  else if (now.figuresMain && isAmong(kOfMeasured, view))
    of = withSizes(model::launchText(*now.figuresMain), now.figuresMain->plan.sizes);
  else if (now.main && view != "runs")
    of = now.main->side->shortName;
  return of.empty() ? name : name + ": " + of;
}

std::string captionOfView(std::string_view view, const UiState& ui, const model::Snapshot& now) {
  return isAmong(kCaptioned, view) ? ""
                                   : tableOf(view, now, {ui.wholeGrid, ui.companionSource}).title;
}

std::string provenanceOf(const model::Snapshot& now) {
  std::string text = capitalised(now.badge.text);
  if (!now.position.recorder.empty()) text += " · steps traced by " + now.position.recorder;
  return text;
}

std::string fileStemOf(std::string_view view, const model::Snapshot& now) {
  if (view == "steps" && now.shown.lesson) return slugOf(now.shown.lessonTitle);
  std::string stem = model::nameOfTable(view, now);
  if (const compile::CatalogueEntry* entry = now.entry())
    if (!isAmong(kOfMany, view))
      stem += "-" + std::filesystem::path(entry->source.path).stem().string();
  if (view == "scene" && now.main) stem += "-step-" + std::to_string(now.position.index + 1);
  return slugOf(std::move(stem));
}

}  // namespace tilestep::ui
