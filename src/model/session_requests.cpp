// SPDX-License-Identifier: Apache-2.0
// Derives the worker's requests from the choice.
#include <algorithm>
#include <utility>

#include "base/nearest_name.h"
#include "compile/front_matter/front_matter.h"
#include "model/choice/planning.h"
#include "model/session.h"

namespace tilestep::model {
namespace {

constexpr double kMeasureDelaySeconds = 0.03;  ///< Lets the scene's traces run first.

std::string sideKey(const Request& request, int64_t phaseLength) {
  return request.key + "/" + std::to_string(phaseLength);
}

}  // namespace

void Session::refresh() {
  model_.choiceChanged = false;
  model_.resolveChoice();
  const compile::CatalogueEntry* entry = model_.entry();
  model_.clearNotice("kernel");
  if (entry == nullptr) {
    const Result<compile::KernelSource> found = model_.kernels.find(model_.choice.kernel);
    model_.say({Notice::Kind::error,
                "kernel",
                found ? "There is no kernel " + model_.choice.kernel + " in kernels/."
                      : found.error().message,
                {},
                {}});
  } else if (!entry->spec) {
    unusable(*entry);
  } else {
    sayAssumed(*entry);
    refreshScene(*entry);
    if (model_.resolved->plan) {
      refreshCompanion(*entry);
      refreshFigures(*entry);
    }
    refreshCeilings();
  }
  askFeatures();
}

void Session::askFeatures() {
  for (const std::unique_ptr<Feature>& feature : features_) feature->want(model_);
}

/// Reports assumptions about the file, once for each kernel and each set of assumptions.
void Session::sayAssumed(const compile::CatalogueEntry& entry) {
  // Nearly everything about a program's launch is inferred, and shown among the controls.
  if (entry.source.launch != nullptr) return model_.clearNotice("assumed");
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
    text = "For " + entry.source.path + " Tilestep assumes " + listed(assumed) +
           "; the file's front matter can state another choice.";
  if (std::exchange(assumedSaid_, text) == text) return;
  if (text.empty()) return model_.clearNotice("assumed");
  model_.say({Notice::Kind::info, "assumed", text, {}, {}, std::move(lines)});
}

/// Shows the file with the faulty line. Results of an earlier choice remain and are marked as
/// older.
void Session::unusable(const compile::CatalogueEntry& entry) {
  for (const Job& job :
       {kSceneJob, kCompanionJob, kMeasureJob, kMeasureCompanionJob, kReferenceJob, kCountJob})
    model_.jobs.drop(job);
  maker_.drop(kSceneJob);
  maker_.drop(kCompanionJob);
  model_.wanted = {};
  model_.clearNotice("scene");
  model_.clearNotice("choice");
  model_.changed = true;
  const Error error = entry.error.value_or(requestError("the kernel's file cannot be read"));
  Notice notice{Notice::Kind::error, "kernel", error.message, placeOf(error), {}};
  const auto line = static_cast<uint32_t>(error.where ? std::max(error.where->line, 0) : 0);
  const bool ofFrontMatter = error.where && error.where->file != entry.source.path;
  model_.scene.broken.reset();
  if (!entry.source.text.empty())
    model_.scene.broken = {ofFrontMatter ? error.where->file : entry.source.path,
                           ofFrontMatter ? entry.source.frontMatter : entry.source.text, line,
                           error.message, "cannot be used"};
  if (line > 0 && model_.scene.broken) notice.lines = {line};
  model_.say(std::move(notice));
}

void Session::illegal(const compile::CatalogueEntry& entry, const Error& error) {
  const compile::Bindings tunables = model_.resolved->tunables;
  const compile::Bindings sizes = model_.resolved->sceneSizes;
  Notice notice{Notice::Kind::warning, "choice", error.message, {}, {}};
  std::vector<std::string> names{model_.lastTunable};
  for (const compile::TunableSpec& tunable : entry.spec->tunables) names.push_back(tunable.name);
  if (const auto legal =
          nearestLegal(*entry.spec, sizes, tunables, names, model_.resolved->sceneLimits))
    notice.fix = Fix{legal->tunable, legal->value};
  model_.say(std::move(notice));
}

void Session::refreshScene(const compile::CatalogueEntry& entry) {
  const compile::Bindings tunables = model_.resolved->tunables;
  model_.wanted = {};
  model_.clearNotice("choice");
  if (!model_.resolved->plan) {
    model_.jobs.drop(kSceneJob);
    maker_.drop(kSceneJob);
    model_.jobs.drop(kMeasureJob);
    illegal(entry, *model_.resolved->illegal);
    return;
  }
  const Request request = model_.resolved->sceneExperiment(
      model_.resolved->changed ? model_.resolved->changed->entry : entry, tunables,
      model_.resolved->block);
  model_.wanted.sceneMain = sideKey(request, model_.resolved->phaseLength);
  model_.scene.experiment = request.experiment;
  if (model_.scene.broken && model_.scene.broken->text != request.experiment->source.text)
    model_.scene.broken.reset();
  if (const std::shared_ptr<const TracedKernel> side = cached(model_.wanted.sceneMain)) {
    model_.jobs.drop(kSceneJob);
    maker_.drop(kSceneJob);
    model_.scene.broken.reset();
    const device::DeviceInfo* device = model_.resolved->device;
    if (side != model_.scene.main && (device == nullptr || !device->measures) &&
        !model_.resolved->changed)
      appendHistory(*side->result);
    model_.scene.main = side;
    model_.changed = true;
    model_.scene.mainKey = model_.wanted.sceneMain;
    placeSides();
    reportProblems("scene", *side->result);
    sayIfCut("cut", *side);
  } else {
    wantScene(kSceneJob, model_.wanted.sceneMain, request);
  }
}

/// Requests a scene, unless its trace has arrived and is being divided into steps.
void Session::wantScene(const Job& job, const std::string& key, const Request& request) {
  if (maker_.makes(job, key)) return model_.jobs.drop(job);
  maker_.drop(job);
  model_.jobs.want(job, request, model_.now);
}

void Session::refreshCompanion(const compile::CatalogueEntry& entry) {
  const std::optional<Companion>& comparison = model_.resolved->companion;
  const bool hasCompanion = model_.resolved->changed
                                ? model_.choice.comparison.kernel != Comparison::kNone
                                : comparison && comparison->plan;
  if (!hasCompanion) {
    model_.jobs.drop(kCompanionJob);
    maker_.drop(kCompanionJob);
    model_.clearNotice("companion");
    model_.scene.companion.reset();
    model_.scene.companionKey.clear();
    placeSides();
    return;
  }
  // The companion of a kernel with a removed barrier, if there is one, is the unchanged kernel.
  const Request request =
      model_.resolved->changed
          ? model_.resolved->sceneExperiment(entry, model_.resolved->tunables,
                                             model_.resolved->block)
          : model_.resolved->sceneExperiment(*comparison->entry, comparison->plan->tunables,
                                             comparison->block);
  model_.wanted.sceneCompanion = sideKey(request, model_.resolved->phaseLength);
  const bool tooLong =
      !model_.scene.companion && model_.scene.companionKey == model_.wanted.sceneCompanion;
  if (tooLong) return model_.jobs.drop(kCompanionJob);
  model_.clearNotice("companion cut");
  if (const std::shared_ptr<const TracedKernel> side = cached(model_.wanted.sceneCompanion)) {
    model_.jobs.drop(kCompanionJob);
    maker_.drop(kCompanionJob);
    model_.scene.companion = side;
    model_.scene.companionKey = model_.wanted.sceneCompanion;
    placeSides();
    if (!model_.resolved->changed) reportProblems("companion", *side->result);
    sayIfCut("companion cut", *side);
  } else {
    wantScene(kCompanionJob, model_.wanted.sceneCompanion, request);
  }
}

void Session::refreshFigures(const compile::CatalogueEntry& entry) {
  const device::DeviceInfo* device = model_.resolved->device;
  if (device == nullptr) return;
  const compile::Bindings tunables = model_.resolved->tunables;
  model_.clearNotice("measure");
  if (device->recordedOn.empty()) model_.clearNotice("recording");
  model_.figures.best.read(model_.options.home, device->id);
  if (!model_.resolved->measurePlan) {
    model_.jobs.drop(kMeasureJob);
    model_.jobs.drop(kCountJob);
    model_.say(
        {Notice::Kind::warning, "measure", model_.resolved->illegalMeasured->message, {}, {}});
    return;
  }
  const Request main = model_.resolved->measureExperiment(entry, tunables);
  model_.wanted.measureMain = main.key;
  const compile::CatalogueEntry* companion = model_.resolved->comparisonEntry();
  std::optional<Request> comparison;
  if (companion != nullptr) {
    comparison = Request(model_.resolved->measureExperiment(
        *companion,
        model_.resolved->comparisonTunables(*companion, *model_.resolved->measurePlan, true)));
    model_.wanted.measureCompanion = comparison->key;
  }
  const bool whole =
      device->measures || (!model_.figures.counted.mainKey.empty() &&
                           model_.figures.counted.mainKey == model_.wanted.measureMain);
  std::optional<Request> reference;
  if (std::optional<lab::Experiment> experiment = model_.resolved->referenceExperiment(whole))
    reference = Request(std::move(*experiment));
  model_.wanted.reference = reference ? reference->key : "";
  ShownFigures& figures = device->measures ? model_.figures.measured : model_.figures.counted;
  if (!device->measures && !model_.figures.countWanted) return refreshReference(reference);
  const Job& mainJob = device->measures ? kMeasureJob : kCountJob;
  const Job& companionJob = device->measures ? kMeasureCompanionJob : kCountJob;
  if (device->measures) {
    std::vector<Request> all{main};
    if (comparison) all.push_back(*comparison);
    if (reference) all.push_back(*reference);
    refreshHardware(all);
  }
  const bool mainDone = figures.mainKey == model_.wanted.measureMain;
  if (!mainDone)
    model_.jobs.want(mainJob, main, model_.now + kMeasureDelaySeconds);
  else if (device->measures)
    model_.jobs.drop(mainJob);  // A running request may belong to a choice that was undone.
  const bool comparisonDone = !comparison || figures.companionKey == model_.wanted.measureCompanion;
  if (device->measures || mainDone) {  // Counts only one kernel at a time.
    if (!comparisonDone)
      model_.jobs.want(companionJob, *comparison, model_.now + kMeasureDelaySeconds);
    else if (device->measures)
      model_.jobs.drop(companionJob);
    if (device->measures || comparisonDone) refreshReference(reference);
  }
}

void Session::refreshReference(const std::optional<Request>& reference) {
  if (!reference || model_.figures.referenceKey == model_.wanted.reference)
    return model_.jobs.drop(kReferenceJob);
  model_.jobs.want(kReferenceJob, *reference, model_.now + kMeasureDelaySeconds);
}
std::vector<std::shared_ptr<const lab::RunResult>*> Session::measuredFigures() {
  std::vector<std::shared_ptr<const lab::RunResult>*> figures{&model_.figures.measured.main};
  if (!model_.wanted.measureCompanion.empty())
    figures.push_back(&model_.figures.measured.companion);
  if (!model_.wanted.reference.empty()) figures.push_back(&model_.figures.reference);
  return figures;
}

// Requests hardware counters of the main kernel, its companion and the reference, in this order,
// and adds them to the measured figures.
void Session::refreshHardware(const std::vector<Request>& all) {
  if (model_.figures.hardwareFor.empty()) return;
  const bool current = model_.figures.hardwareFor == model_.wanted.measureMain &&
                       model_.figures.hardwareFor == model_.figures.measured.mainKey;
  const std::vector<std::string> keys{model_.figures.measured.mainKey,
                                      model_.figures.measured.companionKey,
                                      model_.figures.referenceKey};
  const auto figures = measuredFigures();
  size_t next = all.size();
  for (size_t i = all.size(); i-- > 0 && current;) {
    const bool isReference = i > 0 && all[i].key == model_.wanted.reference;
    const bool isThere = keys[isReference ? 2 : i] == all[i].key && *figures[i];
    if (isThere && !(*figures[i])->hardware) next = i;
  }
  if (next == all.size()) {
    model_.figures.hardwareFor.clear();
    return model_.jobs.drop(kCountJob);
  }
  lab::Experiment experiment = *all[next].experiment;
  experiment.counters = false;
  experiment.thorough = true;  // The bytes are measured with cold caches, so the time must be, too.
  experiment.hardware = true;
  const Request request(std::move(experiment));
  model_.wanted.hardware = request.key;
  model_.jobs.want(kCountJob, request, model_.now);
}

bool Session::hardwareReadable() const {
  const device::DeviceInfo* device = model_.resolved->device;
  if (device == nullptr || !device->measures || !model_.figures.measured.main ||
      !model_.resolved->plan)
    return false;
  if (!device->recordedOn.empty())
    return false;  // A recording already contains the counters, or has none.
  const bool current = model_.figures.measured.mainKey == model_.wanted.measureMain &&
                       !model_.figures.measured.mainKey.empty();
  const bool comparisonCurrent =
      model_.wanted.measureCompanion.empty() ||
      model_.figures.measured.companionKey == model_.wanted.measureCompanion;
  const bool referenceCurrent =
      model_.wanted.reference.empty() || model_.figures.referenceKey == model_.wanted.reference;
  return current && comparisonCurrent && referenceCurrent &&
         !model_.figures.measured.main->hardware && model_.figures.hardwareFor.empty();
}

void Session::refreshCeilings() {
  const device::DeviceInfo* device = model_.resolved->device;
  if (device == nullptr) return;
  const lab::DeviceFile* known = model_.resolved->known;
  const std::string of = known != nullptr ? known->id : device->measures ? device->id : "";
  if (of.empty() || of == model_.figures.ceilingsOf) return;
  model_.figures.ceilingsOf = of;
  model_.figures.ceilings.reset();  // Another device's roofs would not apply to these points.
  if (known == nullptr) return model_.jobs.askCeilings(of);
  model_.figures.ceilings = known->ceilings();
  model_.changed = true;
}

}  // namespace tilestep::model
