// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/state_file.h"

#include <filesystem>
#include <system_error>

#include "base/files.h"
#include "base/hash.h"
#include "compile/front_matter/front_matter.h"
#include "features/panel_registry.h"
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
    names.push_back(compile::nameOf(entry.source));
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

const char* nameOf(trace::StepGranularity grain) {
  switch (grain) {
    case trace::StepGranularity::phase:
      return "phase";
    case trace::StepGranularity::epoch:
      return "epoch";
    case trace::StepGranularity::event:
      return "event";
  }
  return "";
}

json countersJson(const trace::Counters& counters) {
  return {
      {"loads", counters.globalLoad.threads},
      {"requests", counters.globalLoad.requests},
      {"sectors", counters.globalLoad.sectors},
      {"stores", counters.globalStore.threads},
      {"shared_wavefronts", counters.sharedLoad.wavefronts + counters.sharedStore.wavefronts},
      {"bank_conflicts", counters.sharedLoad.bankConflicts + counters.sharedStore.bankConflicts}};
}

json stepJson(const model::Snapshot& snapshot) {
  const model::Position& at = snapshot.position;
  json step = {{"grain", nameOf(at.grain)}, {"index", at.index}, {"count", at.size},
               {"playing", at.playing},     {"text", at.text},   {"phase", nullptr},
               {"epoch", nullptr},          {"kind", nullptr},   {"lines", json::array()}};
  if (!snapshot.main) return step;
  step["phase"] = orNull(snapshot.main->step.phase);
  step["epoch"] = snapshot.main->step.epoch;
  step["kind"] = trace::toText(snapshot.main->step.kind);
  step["lines"] = snapshot.main->step.lines;
  step["of_thread"] = at.ofThread;
  return step;
}

json sceneJson(const std::shared_ptr<const model::TracedStep>& step, bool stale) {
  if (!step) return nullptr;
  const lab::RunResult& result = *step->side->result;
  const Dim3& block = step->side->replay->recording().block;
  return {{"kernel", step->side->kernel},
          {"output_hash", hex64(result.outputHash)},
          {"block", {block.x, block.y, block.z}},
          {"trace_from", result.traceFrom},
          {"stale", stale},
          {"block_alone", result.blockAlone},
          {"truncated", step->side->replay->recording().truncated()},
          {"phases", step->side->phases()},
          {"counters", countersJson(step->tally.counters)}};
}

json figuresJson(const model::Snapshot& snapshot) {
  if (!snapshot.figuresMain) return nullptr;
  const lab::RunResult& result = *snapshot.figuresMain;
  json figures = {{"kernel", result.kernel},
                  {"sizes", result.plan.sizes},
                  {"output_hash", hex64(result.outputHash)},
                  {"median_ms", nullptr},
                  {"stale", snapshot.figuresStale},
                  {"block_alone", snapshot.figuresOfBlock},
                  {"counters", nullptr},
                  {"companion", nullptr}};
  if (result.measurement) figures["median_ms"] = result.measurement->medianMs;
  if (result.counters) figures["counters"] = countersJson(result.counters->total);
  if (snapshot.figuresCompanion && snapshot.figuresCompanion->counters)
    figures["companion"] = countersJson(snapshot.figuresCompanion->counters->total);
  return figures;
}

/// Whether the text is a state, or the empty object that `beginStateFile` writes.
bool isState(const std::string& text) {
  const json there = json::parse(text, nullptr, false);
  return there.is_object() &&
         (there.empty() || (there.contains("schema") && there.contains("device_in_use")));
}

/// An error if the path is another program's file or not a regular file. A pipe is not opened,
/// because that would wait for its writer.
Status checkOwn(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code failure;
  const fs::file_status there = fs::status(path, failure);
  if (!fs::exists(there)) return {};  // If it cannot be created, writing will report why.
  const std::string refused = "the window's state cannot be written to " + path + ", ";
  if (!fs::is_regular_file(there))
    return requestError(refused + "which is not a regular file; name another file");
  if (fs::file_size(path, failure) == 0) return {};
  const Result<std::string> text = readTextFile(path);
  if (text && isState(*text)) return {};
  return requestError(refused + "which contains something else; name another file");
}

json stateJson(const model::Snapshot& snapshot, const UiState& ui, float width, float height) {
  const model::Busy& busy = snapshot.busy;
  json state = {{"schema", 1},
                {"kernels", kernelsJson(*snapshot.catalogue)},
                {"kernel", snapshot.choice.kernel},
                {"device", snapshot.choice.device},
                {"device_in_use", snapshot.device},
                {"recorded_on", snapshot.recordedOn},
                {"tunables", snapshot.tunables},
                {"scene_sizes", snapshot.sceneSizes},
                {"measure_sizes", snapshot.measureSizes},
                {"badge", snapshot.badge.text},
                {"step", stepJson(snapshot)},
                {"sentence", snapshot.sentence},
                {"scenes",
                 {{"main", sceneJson(snapshot.main, snapshot.sceneStale)},
                  {"companion", sceneJson(snapshot.companion, snapshot.sceneStale)}}},
                {"broken", snapshot.broken ? json(snapshot.broken->line) : json(nullptr)},
                {"figures", figuresJson(snapshot)},
                {"countable", snapshot.countable},
                {"hardware_readable", snapshot.hardwareReadable},
                {"stage", nameOf(ui.stage)},
                {"density", ui.density == model::Density::full ? "lab" : "lesson"},
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
                {"plot", nameOf(ui.shownPlot())},
                {"help", ui.help},
                {"list_open", ui.popupOpen},
                {"typing", ui.typing},
                {"walking", ui.walking},
                {"choice_at", orNull(ui.choiceAt)},
                {"motion", ui.motion},
                {"folded",
                 {{"controls", !ui.isShown(Panel::controls)},
                  {"source", !ui.isShown(Panel::source)},
                  {"measures", !ui.isShown(Panel::measures)}}},
                {"window", {width, height}}};
  for (const std::unique_ptr<FeaturePanel>& feature : features::panels())
    feature->addState(snapshot, ui, state);
  return state;
}

}  // namespace

std::string stateText(const model::Snapshot& snapshot, const UiState& ui, float width,
                      float height) {
  return stateJson(snapshot, ui, width, height).dump(2, ' ', false, json::error_handler_t::replace);
}

Status beginStateFile(const std::string& path) {
  if (Status own = checkOwn(path); !own) return own;
  const Status written = writeFileAtomically(path, "{}\n");
  if (written) return {};
  Error error = written.error();
  error.message = "the window's state cannot be kept: " + error.message +
                  "; name a file in a writable folder with enough free space";
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
  // A failure is not final: the next update tries again.
  written_ =
      writeFileAtomically(path_, state.dump(2, ' ', false, json::error_handler_t::replace) + "\n");
  if (!written_) last_.clear();
}

}  // namespace tilestep::ui
