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
constexpr uint64_t kSeed = 1;

std::string sideKey(const lab::Experiment& experiment, int64_t phaseLength) {
  return keyOf(experiment) + "/" + std::to_string(phaseLength);
}

}  // namespace

const compile::CatalogueEntry* Session::findEntry(const std::string& name) const {
  // From the back: a kernel given by its path wins over one of the same name in the folder.
  for (auto entry = catalogue_->rbegin(); entry != catalogue_->rend(); ++entry) {
    const std::string stem = compile::stemOf(entry->source.path);
    if (stem == name) return &*entry;
  }
  return nullptr;
}

const device::DeviceInfo* Session::deviceInUse() const {
  const device::DeviceInfo* automatic = nullptr;
  for (const device::DeviceInfo& device : devices_) {
    if (device.id == choice_.device) return &device;
    if (!device.recordedOn.empty()) continue;  // Only by its name.
    if (automatic == nullptr || (device.measures && !automatic->measures)) automatic = &device;
  }
  return automatic;
}

std::shared_ptr<const TracedKernel> Session::cached(const std::string& key) const {
  if (mainSide_ && mainSideKey_ == key) return mainSide_;
  if (companionSide_ && companionSideKey_ == key) return companionSide_;
  for (const CachedKernel& one : cache_)
    if (one.key == key) return one.side;
  return nullptr;
}

lab::Experiment Session::sceneExperiment(const compile::CatalogueEntry& entry,
                                         compile::Bindings tunables, const Dim3& block) const {
  lab::Experiment experiment;
  experiment.source = entry.source;
  experiment.sizes = sceneSizesOf(choice_, *findEntry(choice_.kernel)->spec, sceneLimits());
  experiment.tunables = std::move(tunables);
  // A GPU records what it does itself; where it cannot, the worker asks the interpreter. Until it
  // is known that there is one, the interpreter shows something at once.
  const device::DeviceInfo* device = deviceInUse();
  // Races are the interpreter's to find.
  const bool live = device != nullptr && device->measures && device->recordedOn.empty();
  const bool onGpu = live && !barriers_.changed;
  experiment.device = onGpu ? device->id : "simt";
  experiment.seed = kSeed;
  experiment.counters = !onGpu;  // The steps are counted from the trace.
  experiment.measure = false;
  experiment.traceBlock = block;
  const bool large = plan_ && isLarge(*plan_);
  experiment.check = !(large && onGpu);  // All of it in float64 would take too long.
  experiment.blockAlone = large && !onGpu;
  if (large) experiment.traceBytes = kLargeTraceBytes;
  if (large && onGpu) experiment.pictureSide = kOutputSide;
  return experiment;
}

lab::Experiment Session::measureExperiment(const compile::CatalogueEntry& entry,
                                           compile::Bindings tunables) const {
  lab::Experiment experiment;
  experiment.source = entry.source;
  experiment.sizes = measureSizesOf(choice_, *findEntry(choice_.kernel)->spec);
  experiment.tunables = std::move(tunables);
  const device::DeviceInfo* device = deviceInUse();
  experiment.device = device != nullptr ? device->id : "simt";
  experiment.seed = kSeed;
  experiment.counters = true;
  experiment.measure = device != nullptr && device->measures;
  // A recording gives at once all that it has, and what it lacks is not waited for.
  experiment.onlyRecorded = device != nullptr && !device->recordedOn.empty();
  experiment.hardware = experiment.onlyRecorded;
  // A GPU that has not answered by then never will; the interpreter takes its time.
  experiment.timeoutSeconds = experiment.measure ? 30 : 3600;
  return experiment;
}

void Session::refresh() {
  const compile::CatalogueEntry* entry = findEntry(choice_.kernel);
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
  changeKernel(*entry);
  refreshTuning(*entry);
  refreshScene(*entry);
  if (plan_) {
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
  plan_.reset();
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
  const compile::Bindings tunables = tunablesOf(choice_, *entry.spec);
  const compile::Bindings sizes = sceneSizesOf(choice_, *entry.spec, sceneLimits());
  Notice notice{Notice::Kind::warning, "choice", error.message, {}, {}};
  std::vector<std::string> names{lastTunable_};
  for (const compile::TunableSpec& tunable : entry.spec->tunables) names.push_back(tunable.name);
  for (const std::string& name : names) {
    const auto value = nearestLegal(*entry.spec, sizes, tunables, name, sceneLimits());
    if (!value || *value == tunables.at(name)) continue;
    notice.fix = Fix{name, *value};
    break;
  }
  say(std::move(notice));
}

void Session::refreshScene(const compile::CatalogueEntry& entry) {
  const compile::Bindings tunables = tunablesOf(choice_, *entry.spec);
  Result<compile::Plan> planned = compile::plan(
      *entry.spec, sceneSizesOf(choice_, *entry.spec, sceneLimits()), tunables, sceneLimits());
  plan_.reset();
  wanted_ = {};
  clearNotice("choice");
  if (!planned) {
    requests_.drop(Slot::sceneMain);
    maker_.drop(Slot::sceneMain);
    requests_.drop(Slot::measureMain);
    requests_.drop(Slot::timeline);
    refreshLive(nullptr);
    requests_.drop(Slot::library);
    illegal(entry, planned.error());
    return;
  }
  plan_ = std::move(*planned);
  // A kernel with no phase loop is cut as the one beside it.
  const std::optional<compile::Plan> beside = besidePlan();
  phaseLength_ = phaseLengthOf(plan_->phaseLength == 0 && beside ? *beside : *plan_);
  const lab::Experiment experiment =
      sceneExperiment(barriers_.changed ? barriers_.changed->entry : entry, tunables,
                      clampToGrid(choice_.block, plan_->launches.front().grid));
  wanted_.sceneMain = sideKey(experiment, phaseLength_);
  mainExperiment_ = experiment;
  if (broken_ && broken_->text != experiment.source.text) broken_.reset();
  if (const std::shared_ptr<const TracedKernel> side = cached(wanted_.sceneMain)) {
    requests_.drop(Slot::sceneMain);
    maker_.drop(Slot::sceneMain);
    broken_.reset();
    const device::DeviceInfo* device = deviceInUse();
    if (side != mainSide_ && (device == nullptr || !device->measures) && !barriers_.changed)
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
  const compile::CatalogueEntry* companion = companionEntry();
  compile::Bindings tunables;
  Dim3 block = clampToGrid(choice_.block, plan_->launches.front().grid);
  bool possible = true;
  if (barriers_.changed) {  // Beside the kernel as it is.
    companion = &entry;
    tunables = tunablesOf(choice_, *entry.spec);
  } else {
    const std::optional<compile::Plan> plan = besidePlan();
    possible = plan.has_value();
    if (plan) {
      tunables = plan->tunables;
      block = besideBlock(*plan);
    }
  }
  if (!possible) {
    requests_.drop(Slot::sceneCompanion);
    maker_.drop(Slot::sceneCompanion);
    clearNotice("companion");
    companionSide_.reset();
    companionSideKey_.clear();
    placeSides();
    return;
  }
  const lab::Experiment experiment = sceneExperiment(*companion, tunables, block);
  wanted_.sceneCompanion = sideKey(experiment, phaseLength_);
  const bool fitsNot = !companionSide_ && companionSideKey_ == wanted_.sceneCompanion;
  if (fitsNot) return requests_.drop(Slot::sceneCompanion);
  clearNotice("companion cut");
  if (const std::shared_ptr<const TracedKernel> side = cached(wanted_.sceneCompanion)) {
    requests_.drop(Slot::sceneCompanion);
    maker_.drop(Slot::sceneCompanion);
    companionSide_ = side;
    companionSideKey_ = wanted_.sceneCompanion;
    placeSides();
    if (!barriers_.changed) reportProblems("companion", *side->result);
    sayIfCut("companion cut", *side);
  } else {
    wantScene(Slot::sceneCompanion, wanted_.sceneCompanion, experiment);
  }
}

void Session::refreshFigures(const compile::CatalogueEntry& entry) {
  const device::DeviceInfo* device = deviceInUse();
  if (device == nullptr) return;
  const compile::Bindings tunables = tunablesOf(choice_, *entry.spec);
  const Result<compile::Plan> planned =
      compile::plan(*entry.spec, measureSizesOf(choice_, *entry.spec), tunables, device->limits);
  clearNotice("measure");
  if (device->recordedOn.empty()) clearNotice("recording");
  constexpr std::string_view kRecorded = "recorded:";
  if (device->id.starts_with(kRecorded))
    best_.read(lab::recordingFile(options_.home, device->id.substr(kRecorded.size())), device->id);
  if (!planned) {
    requests_.drop(Slot::measureMain);
    requests_.drop(Slot::timeline);
    requests_.drop(Slot::library);
    requests_.drop(Slot::count);
    refreshLive(nullptr);
    say({Notice::Kind::warning, "measure", planned.error().message, {}, {}});
    return;
  }
  const lab::Experiment main = measureExperiment(entry, tunables);
  wanted_.measureMain = keyOf(main);
  refreshLive(&main);
  lab::Experiment timed = main;
  timed.timeline = true;
  timed.counters = timed.measure = false;
  wanted_.timeline = device->measures ? keyOf(timed) : "";
  timelineExperiment_ = std::move(timed);
  const compile::CatalogueEntry* companion = companionEntry();
  std::optional<lab::Experiment> beside;
  if (companion != nullptr) {
    beside = measureExperiment(*companion, besideTunables(*companion, *planned, true));
    wanted_.measureCompanion = keyOf(*beside);
  }
  const std::optional<lab::Experiment> reference = referenceExperiment();
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
  const device::DeviceInfo* device = deviceInUse();
  if (device == nullptr || !device->measures || !measured_.main || !plan_) return false;
  if (!device->recordedOn.empty()) return false;  // They came with it, or there are none.
  const bool current = measured_.mainKey == wanted_.measureMain && !measured_.mainKey.empty();
  const bool besideCurrent =
      wanted_.measureCompanion.empty() || measured_.companionKey == wanted_.measureCompanion;
  const bool referenceCurrent = wanted_.reference.empty() || referenceKey_ == wanted_.reference;
  return current && besideCurrent && referenceCurrent && !measured_.main->hardware &&
         hardwareFor_.empty();
}

void Session::refreshCeilings() {
  const device::DeviceInfo* device = deviceInUse();
  if (device == nullptr) return;
  const lab::DeviceFile* known = knownDevice();
  const std::string of = known != nullptr ? known->id : device->measures ? device->id : "";
  if (of.empty() || of == ceilingsOf_) return;
  ceilingsOf_ = of;
  ceilings_.reset();  // Another device's roofs would judge this one's points.
  if (known == nullptr) return requests_.askCeilings(of);
  ceilings_ = known->ceilings();
  dirty_ = true;
}

}  // namespace tilestep::model
