// SPDX-License-Identifier: Apache-2.0
// From the choice to what is asked of the worker.
#include <algorithm>
#include <utility>

#include "compile/front_matter/front_matter.h"
#include "compile/nearest_name.h"
#include "lab/recording/recorded.h"
#include "model/planning.h"
#include "model/session.h"

namespace tilestep::model {
namespace {

constexpr double kMeasureDelaySeconds = 0.03;  ///< Lets the scene's traces go first.
constexpr double kTimelineDelaySeconds = 0.4;  ///< A moving slider asks for none.

std::string sideKey(const lab::Experiment& experiment, int64_t phaseLength) {
  return keyOf(experiment) + "/" + std::to_string(phaseLength);
}

}  // namespace

std::shared_ptr<const TracedKernel> Session::cached(const std::string& key) const {
  if (mainSide_ && mainSideKey_ == key) return mainSide_;
  if (companionSide_ && companionSideKey_ == key) return companionSide_;
  for (const CachedKernel& one : cache_)
    if (one.key == key) return one.side;
  return nullptr;
}

void Session::resolveChoice() {
  resolved_ = resolve(choice_, catalogue_, devices_, known_);
}

void Session::refresh() {
  resolveChoice();
  const compile::CatalogueEntry* entry = resolved_->entry;
  clearNotice("kernel");
  if (entry == nullptr) {
    const Result<compile::KernelSource> found = compile::findKernel(
        (std::filesystem::path(options_.home) / "kernels").string(), choice_.kernel);
    say({Notice::Kind::error,
         "kernel",
         found ? "There is no kernel " + choice_.kernel + " in kernels/." : found.error().message,
         {},
         {}});
    return;
  }
  if (!entry->spec) return unusable(*entry);
  sayAssumed(*entry);
  refreshTuning(*entry);
  refreshScene(*entry);
  if (resolved_->plan) {
    refreshCompanion(*entry);
    refreshFigures(*entry);
  }
  refreshCeilings();
  refreshSweep();
}

/// What was assumed of its file: said once for each kernel and what was assumed of it.
void Session::sayAssumed(const compile::CatalogueEntry& entry) {
  std::vector<std::string> assumed;
  std::vector<uint32_t> lines;
  for (const compile::Assumption& one : entry.spec->assumed) {
    const std::string line =
        one.line > 0 ? " (line " + std::to_string(one.line) + ")" : std::string();
    assumed.push_back("the " + one.what + " " + one.value + line);
    if (one.line > 0) lines.push_back(static_cast<uint32_t>(one.line));
  }
  std::string text;
  if (!assumed.empty())
    text = "Of " + entry.source.path + " was assumed " + compile::listed(assumed) +
           "; the file's front matter can say another.";
  if (std::exchange(assumedSaid_, text) == text) return;
  if (text.empty()) return clearNotice("assumed");
  say({Notice::Kind::info, "assumed", text, {}, {}, std::move(lines)});
}

/// Its file is shown with the line at fault; what came of an earlier choice stays, marked as older.
void Session::unusable(const compile::CatalogueEntry& entry) {
  for (const Slot slot :
       {Slot::sceneMain, Slot::sceneCompanion, Slot::measureMain, Slot::measureCompanion,
        Slot::reference, Slot::timeline, Slot::library, Slot::count})
    requests_.drop(slot);
  maker_.drop(Slot::sceneMain);
  maker_.drop(Slot::sceneCompanion);
  refreshLive(nullptr);
  wanted_ = {};
  clearNotice("scene");
  clearNotice("choice");
  dirty_ = true;
  const Error error = entry.error.value_or(requestError("the kernel's file cannot be read"));
  Notice notice{Notice::Kind::error, "kernel", error.message, placeOf(error), {}};
  const auto line = static_cast<uint32_t>(error.where ? std::max(error.where->line, 0) : 0);
  const bool ofFrontMatter = error.where && error.where->file != entry.source.path;
  broken_.reset();
  if (!entry.source.text.empty())
    broken_ = {ofFrontMatter ? error.where->file : entry.source.path,
               ofFrontMatter ? entry.source.frontMatter : entry.source.text, line, error.message,
               "cannot be used"};
  if (line > 0 && broken_) notice.lines = {line};
  say(std::move(notice));
}

void Session::illegal(const compile::CatalogueEntry& entry, const Error& error) {
  const compile::Bindings tunables = resolved_->tunables;
  const compile::Bindings sizes = resolved_->sceneSizes;
  Notice notice{Notice::Kind::warning, "choice", error.message, {}, {}};
  std::vector<std::string> names{lastTunable_};
  for (const compile::TunableSpec& tunable : entry.spec->tunables) names.push_back(tunable.name);
  for (const std::string& name : names) {
    const auto value = nearestLegal(*entry.spec, sizes, tunables, name, resolved_->sceneLimits);
    if (!value || *value == tunables.at(name)) continue;
    notice.fix = Fix{name, *value};
    break;
  }
  say(std::move(notice));
}

void Session::refreshScene(const compile::CatalogueEntry& entry) {
  const compile::Bindings tunables = resolved_->tunables;
  wanted_ = {};
  clearNotice("choice");
  if (!resolved_->plan) {
    requests_.drop(Slot::sceneMain);
    maker_.drop(Slot::sceneMain);
    requests_.drop(Slot::measureMain);
    requests_.drop(Slot::timeline);
    refreshLive(nullptr);
    requests_.drop(Slot::library);
    illegal(entry, *resolved_->illegal);
    return;
  }
  const lab::Experiment experiment = resolved_->sceneExperiment(
      resolved_->changed ? resolved_->changed->entry : entry, tunables, resolved_->block);
  wanted_.sceneMain = sideKey(experiment, resolved_->phaseLength);
  mainExperiment_ = experiment;
  if (broken_ && broken_->text != experiment.source.text) broken_.reset();
  if (const std::shared_ptr<const TracedKernel> side = cached(wanted_.sceneMain)) {
    requests_.drop(Slot::sceneMain);
    maker_.drop(Slot::sceneMain);
    broken_.reset();
    const device::DeviceInfo* device = resolved_->device;
    if (side != mainSide_ && (device == nullptr || !device->measures) && !resolved_->changed)
      appendHistory(*side->result);
    mainSide_ = side;
    dirty_ = true;
    mainSideKey_ = wanted_.sceneMain;
    placeSides();
    reportProblems("scene", *side->result);
    sayIfCut("cut", *side);
  } else {
    wantScene(Slot::sceneMain, wanted_.sceneMain, experiment);
  }
}

/// Asks for a scene, unless its trace is there and is being cut into steps.
void Session::wantScene(Slot slot, const std::string& key, const lab::Experiment& experiment) {
  if (maker_.makes(slot, key)) return requests_.drop(slot);
  maker_.drop(slot);
  requests_.want(slot, experiment, now_);
}

void Session::refreshCompanion(const compile::CatalogueEntry& entry) {
  const std::optional<Companion>& beside = resolved_->companion;
  if (!resolved_->changed && !(beside && beside->plan)) {
    requests_.drop(Slot::sceneCompanion);
    maker_.drop(Slot::sceneCompanion);
    clearNotice("companion");
    companionSide_.reset();
    companionSideKey_.clear();
    placeSides();
    return;
  }
  // A changed kernel stands beside itself as it is.
  const lab::Experiment experiment =
      resolved_->changed
          ? resolved_->sceneExperiment(entry, resolved_->tunables, resolved_->block)
          : resolved_->sceneExperiment(*beside->entry, beside->plan->tunables, beside->block);
  wanted_.sceneCompanion = sideKey(experiment, resolved_->phaseLength);
  const bool fitsNot = !companionSide_ && companionSideKey_ == wanted_.sceneCompanion;
  if (fitsNot) return requests_.drop(Slot::sceneCompanion);
  clearNotice("companion cut");
  if (const std::shared_ptr<const TracedKernel> side = cached(wanted_.sceneCompanion)) {
    requests_.drop(Slot::sceneCompanion);
    maker_.drop(Slot::sceneCompanion);
    companionSide_ = side;
    companionSideKey_ = wanted_.sceneCompanion;
    placeSides();
    if (!resolved_->changed) reportProblems("companion", *side->result);
    sayIfCut("companion cut", *side);
  } else {
    wantScene(Slot::sceneCompanion, wanted_.sceneCompanion, experiment);
  }
}

void Session::refreshFigures(const compile::CatalogueEntry& entry) {
  const device::DeviceInfo* device = resolved_->device;
  if (device == nullptr) return;
  const compile::Bindings tunables = resolved_->tunables;
  clearNotice("measure");
  if (device->recordedOn.empty()) clearNotice("recording");
  constexpr std::string_view kRecorded = "recorded:";
  if (device->id.starts_with(kRecorded))
    best_.read(lab::recordingFile(options_.home, device->id.substr(kRecorded.size())), device->id);
  if (!resolved_->measurePlan) {
    requests_.drop(Slot::measureMain);
    requests_.drop(Slot::timeline);
    requests_.drop(Slot::library);
    requests_.drop(Slot::count);
    refreshLive(nullptr);
    say({Notice::Kind::warning, "measure", resolved_->illegalMeasured->message, {}, {}});
    return;
  }
  const lab::Experiment main = resolved_->measureExperiment(entry, tunables);
  wanted_.measureMain = keyOf(main);
  refreshLive(&main);
  lab::Experiment timed = main;
  timed.timeline = true;
  timed.counters = timed.measure = false;
  wanted_.timeline = device->measures ? keyOf(timed) : "";
  timelineExperiment_ = std::move(timed);
  const compile::CatalogueEntry* companion = resolved_->besideEntry();
  std::optional<lab::Experiment> beside;
  if (companion != nullptr) {
    beside = resolved_->measureExperiment(
        *companion, resolved_->besideTunables(*companion, *resolved_->measurePlan, true));
    wanted_.measureCompanion = keyOf(*beside);
  }
  const bool whole =
      device->measures || (!counted_.mainKey.empty() && counted_.mainKey == wanted_.measureMain);
  const std::optional<lab::Experiment> reference = resolved_->referenceExperiment(whole);
  wanted_.reference = reference ? keyOf(*reference) : "";
  ShownFigures& figures = device->measures ? measured_ : counted_;
  if (!device->measures && !countWanted_) return refreshReference(reference);
  const Slot mainSlot = device->measures ? Slot::measureMain : Slot::count;
  const Slot companionSlot = device->measures ? Slot::measureCompanion : Slot::count;
  if (device->measures) {
    std::vector<lab::Experiment> all{main};
    if (beside) all.push_back(*beside);
    if (reference) all.push_back(*reference);
    refreshHardware(all);
  }
  wantLibrary(entry);
  const bool mainDone = figures.mainKey == wanted_.measureMain;
  if (!mainDone) {
    requests_.drop(Slot::timeline);
    requests_.want(mainSlot, main, now_ + kMeasureDelaySeconds);
  } else {
    wantTimeline();
  }
  const bool besideDone = !beside || figures.companionKey == wanted_.measureCompanion;
  if (device->measures || mainDone) {  // One count at a time.
    if (!besideDone) requests_.want(companionSlot, *beside, now_ + kMeasureDelaySeconds);
    if (device->measures || besideDone) refreshReference(reference);
  }
}

void Session::refreshReference(const std::optional<lab::Experiment>& reference) {
  if (!reference || referenceKey_ == wanted_.reference) return requests_.drop(Slot::reference);
  requests_.want(Slot::reference, *reference, now_ + kMeasureDelaySeconds);
}

void Session::wantTimeline() {
  const bool isWanted = !wanted_.timeline.empty() && measured_.mainKey == wanted_.measureMain;
  if (!isWanted || timed_.key == wanted_.timeline) return;
  requests_.want(Slot::timeline, timelineExperiment_, now_ + kTimelineDelaySeconds);
}

std::vector<std::shared_ptr<const lab::RunResult>*> Session::measuredFigures() {
  std::vector<std::shared_ptr<const lab::RunResult>*> figures{&measured_.main};
  if (!wanted_.measureCompanion.empty()) figures.push_back(&measured_.companion);
  if (!wanted_.reference.empty()) figures.push_back(&reference_);
  return figures;
}

// The counters of the main kernel, then of its companion and the reference, into the figures that
// are measured.
void Session::refreshHardware(const std::vector<lab::Experiment>& all) {
  if (hardwareFor_.empty()) return;
  const bool current = hardwareFor_ == wanted_.measureMain && hardwareFor_ == measured_.mainKey;
  const std::vector<std::string> keys{measured_.mainKey, measured_.companionKey, referenceKey_};
  const auto figures = measuredFigures();
  size_t next = all.size();
  for (size_t i = all.size(); i-- > 0 && current;) {
    const bool isReference = i > 0 && keyOf(all[i]) == wanted_.reference;
    const bool isThere = keys[isReference ? 2 : i] == keyOf(all[i]) && *figures[i];
    if (isThere && !(*figures[i])->hardware) next = i;
  }
  if (next == all.size()) {
    hardwareFor_.clear();
    return requests_.drop(Slot::count);
  }
  lab::Experiment experiment = all[next];
  experiment.counters = false;
  experiment.thorough = true;  // The bytes are those of cold caches: so must their time be.
  experiment.hardware = true;
  wanted_.hardware = keyOf(experiment);
  requests_.want(Slot::count, std::move(experiment), now_);
}

bool Session::hardwareReadable() const {
  const device::DeviceInfo* device = resolved_->device;
  if (device == nullptr || !device->measures || !measured_.main || !resolved_->plan) return false;
  if (!device->recordedOn.empty()) return false;  // They came with it, or there are none.
  const bool current = measured_.mainKey == wanted_.measureMain && !measured_.mainKey.empty();
  const bool besideCurrent =
      wanted_.measureCompanion.empty() || measured_.companionKey == wanted_.measureCompanion;
  const bool referenceCurrent = wanted_.reference.empty() || referenceKey_ == wanted_.reference;
  return current && besideCurrent && referenceCurrent && !measured_.main->hardware &&
         hardwareFor_.empty();
}

void Session::refreshCeilings() {
  const device::DeviceInfo* device = resolved_->device;
  if (device == nullptr) return;
  const lab::DeviceFile* known = resolved_->known;
  const std::string of = known != nullptr ? known->id : device->measures ? device->id : "";
  if (of.empty() || of == ceilingsOf_) return;
  ceilingsOf_ = of;
  ceilings_.reset();  // Another device's roofs would judge this one's points.
  if (known == nullptr) return requests_.askCeilings(of);
  ceilings_ = known->ceilings();
  dirty_ = true;
}

}  // namespace tilestep::model
