// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/state_file.h"

#include "base/files.h"
#include "compile/front_matter/front_matter.h"
#include "features/comparison/view.h"
#include "features/lessons/view.h"
#include "features/live/live.h"
#include "features/roofline/roofline_view.h"
#include "features/sweeps/view.h"
#include "features/threads/view.h"
#include "features/warps/view.h"
#include "ui/shell/state_json.h"

namespace tilestep::ui {
namespace {

using nlohmann::json;

const char* nameOf(model::Notice::Kind kind) {
  switch (kind) {
    case model::Notice::Kind::info:
      return "info";
    case model::Notice::Kind::warning:
      return "warning";
    case model::Notice::Kind::error:
      return "error";
  }
  return "";
}

json kernelsJson(const model::Catalogue& catalogue) {
  json names = json::array();
  for (const compile::CatalogueEntry& entry : catalogue)
    names.push_back(compile::stemOf(entry.source.path));
  return names;
}

json noticesJson(const model::Snapshot& snapshot) {
  json notices = json::array();
  for (const model::Notice& notice : snapshot.notices) {
    json one = {{"kind", nameOf(notice.kind)}, {"about", notice.about}, {"text", notice.text},
                {"source", notice.source},     {"lines", notice.lines}, {"fix", nullptr}};
    if (notice.fix && notice.fix->tunable.empty()) {
      one["fix"] = {{"device", "simt"}};
    } else if (notice.fix) {
      one["fix"] = {{"tunable", notice.fix->tunable}, {"value", notice.fix->value}};
    }
    if (notice.nearest)
      one["nearest"] = {{"sizes", notice.nearest->sizes}, {"tunables", notice.nearest->tunables}};
    notices.push_back(std::move(one));
  }
  return notices;
}

json besideJson(const model::Snapshot& now) {
  const model::ComparisonView& view = now.view<model::ComparisonView>();
  json tree = {{"chosen", now.choice.beside.kernel}, {"kernel", nullptr},
               {"tunables", view.tunables},          {"follows", view.follows},
               {"own_block", view.ownBlock},         {"trouble", view.trouble},
               {"together", view.together},          {"kernels", view.kernels}};
  if (view.entry) tree["kernel"] = compile::stemOf((*now.catalogue)[*view.entry].source.path);
  return tree;
}

json stateJson(const model::Snapshot& snapshot, const UiState& ui, float width, float height) {
  const model::Busy& busy = snapshot.busy;
  return {{"schema", 1},
          {"kernels", kernelsJson(*snapshot.catalogue)},
          {"kernel", snapshot.choice.kernel},
          {"device", snapshot.choice.device},
          {"device_in_use", snapshot.device},
          {"recorded_on", snapshot.recordedOn},
          {"tunables", snapshot.tunables},
          {"scene_sizes", snapshot.sceneSizes},
          {"measure_sizes", snapshot.measureSizes},
          {"roof_device", snapshot.choice.roofDevice},
          {"badge", snapshot.badge.text},
          {"step", stepJson(snapshot)},
          {"sentence", snapshot.sentence},
          {"scenes",
           {{"main", sceneJson(snapshot.main, snapshot.sceneStale)},
            {"companion", sceneJson(snapshot.companion, snapshot.sceneStale)}}},
          {"warp", warpJson(ui.companionSource && snapshot.companion
                                ? snapshot.view<model::WarpsView>().companion
                                : snapshot.view<model::WarpsView>().main)},
          {"without_barrier", snapshot.choice.withoutBarrier},
          {"barriers", barriersJson(snapshot)},
          {"race", raceJson(snapshot)},
          {"thread", threadJson(ui.companionSource && snapshot.companion
                                    ? snapshot.view<model::ThreadsView>().companion
                                    : snapshot.view<model::ThreadsView>().main)},
          {"thread_view", ui.threadView},
          {"ptx", ptxJson(snapshot, ui)},
          {"broken", snapshot.broken ? json(snapshot.broken->line) : json(nullptr)},
          {"line_chosen", ui.lineChosen},
          {"phase_table", tableJson(snapshot, ui.companionSource && snapshot.companion)},
          {"lesson", lessonJson(snapshot.view<model::LessonsView>().lesson)},
          {"warp_view", ui.warpView},
          {"figures", figuresJson(snapshot)},
          {"countable", snapshot.countable},
          {"hardware_readable", snapshot.hardwareReadable},
          {"whole_grid", ui.wholeGrid},
          {"occupancy", occupancyJson(snapshot)},
          {"stage", nameOf(ui.stage)},
          {"live", liveJson(snapshot.view<model::LiveView>())},
          {"sweep", sweepJson(snapshot.view<model::SweepsView>().picture.get(), ui)},
          {"ladder", ladderJson(snapshot.view<model::SweepsView>().ladder.get())},
          {"sweep_progress", sweepProgressJson(snapshot.view<model::SweepsView>().progress)},
          {"occupancy_alone", ui.occupancyAlone},
          {"occupancy_curve", ui.occupancyCurve},
          {"elsewhere", elsewhereJson(snapshot)},
          {"roofline", rooflineJson(snapshot.view<model::RooflineView>())},
          {"history", snapshot.history.size()},
          {"pins", pinsJson(snapshot)},
          {"notices", noticesJson(snapshot)},
          {"busy",
           {{"scene", busy.scene},
            {"measure", busy.measure},
            {"count", busy.count},
            {"stage", busy.stage}}},
          {"can_undo", snapshot.canUndo},
          {"can_redo", snapshot.canRedo},
          {"theme", nameOf(ui.theme)},
          {"scale", ui.shownScale},
          {"presenting", ui.presenting},
          {"plot", nameOf(ui.plot)},
          {"help", ui.help},
          {"list_open", ui.popupOpen},
          {"typing", ui.typing},
          {"choice_at", orNull(ui.choiceAt)},
          {"motion", ui.motion},
          {"folded",
           {{"controls", !ui.isShown(Panel::controls)},
            {"source", !ui.isShown(Panel::source)},
            {"measures", !ui.isShown(Panel::measures)}}},
          {"window", {width, height}},
          {"beside", besideJson(snapshot)},
          {"gains", gainsJson(snapshot)},
          {"ptx_view", ui.ptxView}};
}

}  // namespace

std::string stateText(const model::Snapshot& snapshot, const UiState& ui, float width,
                      float height) {
  return stateJson(snapshot, ui, width, height).dump(2, ' ', false, json::error_handler_t::replace);
}

Status beginStateFile(const std::string& path) {
  const Status written = writeFileAtomically(path, "{}\n");
  if (written) return {};
  Error error = written.error();
  error.message = "the window's state cannot be kept: " + error.message +
                  "; name a file in a folder that you may write to and that has room";
  return error;
}

void StateFile::update(const model::Snapshot& snapshot, const UiState& ui, float width,
                       float height, const FrameTimes& frames) {
  json state = stateJson(snapshot, ui, width, height);
  std::string text = state.dump(2, ' ', false, json::error_handler_t::replace);
  if (text == last_) return;
  last_ = std::move(text);
  state["frames"] = {{"count", frames.count},
                     {"first_ms", frames.firstMs},
                     {"p99_ms", frames.p99Ms},
                     {"last_ms", frames.lastMs}};
  // A reader that is not there any more is no reason to stop: the next change tries again.
  written_ =
      writeFileAtomically(path_, state.dump(2, ' ', false, json::error_handler_t::replace) + "\n");
  if (!written_) last_.clear();
}

}  // namespace tilestep::ui
