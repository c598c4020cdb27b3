// SPDX-License-Identifier: Apache-2.0
// Makes an immutable snapshot of the session's state.
#include <algorithm>
#include <cstdio>
#include <utility>

#include "base/figure.h"
#include "lab/figures.h"
#include "model/choice/planning.h"
#include "model/scene/traced_kernel.h"
#include "model/session.h"
#include "model/text/step_summary.h"
#include "model/text/stopped_launch.h"

namespace tilestep::model {
namespace {

std::shared_ptr<const std::vector<TimelineEpoch>> timelineOf(const trace::Replay& replay) {
  auto timeline = std::make_shared<std::vector<TimelineEpoch>>();
  for (size_t i = 0; i < replay.size(trace::StepGranularity::epoch); ++i) {
    const trace::Step step = replay.step(trace::StepGranularity::epoch, i);
    timeline->push_back({step.kind, step.phase});
  }
  return timeline;
}

std::shared_ptr<const ThreadLines> linesOf(const std::shared_ptr<const TracedStep>& step) {
  return step ? std::make_shared<const ThreadLines>(step) : nullptr;
}

/// "NVIDIA H200, 4 machines", because views show figures of several machines at once; "NVIDIA H200,
/// 2026-11-21" if there is only one machine. `point` may be null.
std::string recordedText(const device::DeviceInfo& device, const lab::RunResult* point) {
  const bool isOfDevice = point != nullptr && point->measurement && point->device.id == device.id;
  const device::DeviceInfo& of = isOfDevice ? point->device : device;
  return device.name + ", " +
         (of.machines > 1 ? std::to_string(of.machines) + " machines" : of.recordedOn);
}

/// A sentence about the machine of the shown point; empty for a recording from one machine.
std::string machineSentence(const lab::RunResult* shown) {
  if (shown == nullptr || !shown->measurement || shown->device.machines < 2) return {};
  return "Each view names the machine of its figures; those of the chosen launch are from " +
         deviceText(shown->device) + ".\n";
}

/// The main kernel's figures compared with its companion's. Single blocks are compared only if they
/// compute equally many elements.
LaunchRatios ratiosOfFigures(const Snapshot& now) {
  const bool anyBlocks = now.figuresOfBlock || now.resolved->blocksAreChosen;
  LaunchRatios ratios = ratiosOf(*now.figuresCompanion, *now.figuresMain, anyBlocks);
  if (!now.figuresOfBlock || !now.mainKernel || !now.companionKernel) return ratios;
  const uint64_t made = elementsMade(*now.mainKernel), other = elementsMade(*now.companionKernel);
  if (made == other) return ratios;
  ratios = {ratios.subject, ratios.against, ratios.of};
  ratios.missing = "No ratio: a block of " + ratios.subject + " computes " + grouped(made) +
                   " elements, and a block of " + ratios.against + " " + grouped(other) + ".";
  return ratios;
}

std::string recorderText(const lab::RunResult& result) {
  return result.traceFrom == "simt" || result.traceFrom.empty()
             ? "interpreter, same PTX"
             : "recorded on the GPU, " + result.traceFrom;
}

std::string stepsSentence(const lab::RunResult* result) {
  if (result == nullptr) return "Steps: none yet.";
  std::string text = "Steps: " + recorderText(*result);
  if (result->traceOverhead) {
    char overhead[32];
    std::snprintf(overhead, sizeof overhead, "%.2f", *result->traceOverhead);
    text += ", at " + std::string(overhead) + " times the plain launch's time";
  }
  text += ".";
  if (!result->traceNote.empty()) text += "\n" + result->traceNote;
  return text;
}

}  // namespace

Badge Session::badge() const {
  const device::DeviceInfo* device = model_.resolved->device;
  if (model_.workerFailed && device == nullptr)
    return {Badge::Kind::failed, "no worker", "The worker did not answer; see the notices."};
  if (device == nullptr) return {Badge::Kind::starting, "starting…", "Waiting for the worker."};
  const bool current = model_.figures.measured.mainKey == model_.wanted.measureMain;
  const lab::RunResult* shown = current ? model_.figures.measured.main.get() : nullptr;
  if (!device->recordedOn.empty())
    return {Badge::Kind::recorded,
            "recorded on " + recordedText(*device, model_.figures.measured.main.get()),
            "Times and counters were measured there (driver " +
                (shown != nullptr ? shown->device : *device).driver +
                "), and are shown only for points that were recorded.\n" + machineSentence(shown) +
                stepsSentence(model_.scene.main ? model_.scene.main->result.get() : nullptr)};
  if (device->measures)
    return {
        Badge::Kind::measured, "measured on " + device->name,
        "Times are those of the uninstrumented kernel on this GPU. Counters are the GPU's own.\n" +
            stepsSentence(model_.scene.main ? model_.scene.main->result.get() : nullptr)};
  return {Badge::Kind::interpreter, "interpreter · no GPU",
          "Steps and counters are exact: the interpreter runs the kernel's PTX on the CPU.\n"
          "It measures no time; roofs and bounds are computed from published figures."};
}

void Session::publishChoice(Snapshot& to) const {
  to.choice = model_.choice;
  to.catalogue = model_.kernels.catalogue();
  if (const compile::CatalogueEntry* entry = model_.resolved->entry) {
    to.kernel = static_cast<size_t>(entry - model_.kernels.catalogue()->data());
    if (entry->spec) {
      to.tunables = model_.resolved->tunables;
      to.sceneSizes = model_.resolved->sceneSizes;
      to.measureSizes = model_.resolved->measureSizes;
    }
  }
  to.sceneFollowsTile = model_.choice.scene.values.empty();
  to.plan = model_.resolved->plan;
  to.devices = *model_.devices;
  to.compiler = model_.compiler;
  for (const lab::DeviceFile& file : *model_.known) to.roofDevices.push_back(file.id);
  to.resolved = model_.resolved;
  to.lastTunable = model_.lastTunable;
  to.tables = tables_;
  if (const device::DeviceInfo* device = model_.resolved->device) {
    to.device = device->id;
    to.measures = device->measures;
    to.recordedOn = device->recordedOn;
  }
  to.badge = badge();
}
void Session::publishScene(Snapshot& to) {
  const bool same = model_.scene.mainStep && model_.scene.mainStep->side == model_.scene.main &&
                    model_.stepper.size() > 0 &&
                    model_.scene.mainStep->grain == model_.stepper.grain() &&
                    model_.scene.mainStep->index == model_.stepper.place() &&
                    (model_.scene.companionStep ? model_.scene.companionStep->side : nullptr) ==
                        model_.scene.companion;
  if (!same) {
    model_.scene.mainStep = model_.stepper.mainStep();
    model_.scene.companionStep = model_.stepper.companionStep();
    sentence_ = sentenceOf(model_.scene.mainStep.get(), model_.scene.companionStep.get());
    const std::string after = model_.scene.mainStep ? afterFault(*model_.scene.mainStep) : "";
    if (!after.empty()) sentence_ += " " + after;
    const bool both = model_.scene.mainStep && model_.scene.companionStep;
    const Together how = model_.stepper.together();
    together_ = both ? togetherText(how, *model_.scene.mainStep, *model_.scene.companionStep) : "";
    comparable_ = both && how != Together::share &&
                  comparable(*model_.scene.mainStep, *model_.scene.companionStep);
    if (both && how == Together::share) sentence_ += " Stepped together " + together_ + ".";
    mainLines_ = linesOf(model_.scene.mainStep);
    companionLines_ = linesOf(model_.scene.companionStep);
  }
  to.mainWork = model_.scene.mainWork;
  to.companionWork = model_.scene.companionWork;
  to.mainLines = mainLines_;
  to.companionLines = companionLines_;
  to.mainKernel = model_.scene.main;
  to.companionKernel = model_.scene.companion;
  to.main = model_.scene.mainStep;
  to.companion = model_.scene.companionStep;
  to.sceneStale = model_.scene.mainKey != model_.wanted.sceneMain ||
                  model_.scene.companionKey != model_.wanted.sceneCompanion;
  to.sentence = sentence_;
  to.together = together_;
  to.comparable = comparable_;
  to.broken = model_.scene.broken;
  Position& position = to.position;
  position.grain = model_.stepper.grain();
  position.ofThread = model_.stepper.ofThread();
  position.index = model_.stepper.index();
  position.size = model_.stepper.size();
  position.playing = model_.stepper.playing();
  position.speed = model_.stepper.speed();
  if (!model_.scene.mainStep) return;
  position.text = positionOf(*model_.scene.mainStep);
  position.recorder = recorderText(*model_.scene.mainStep->side->result);
  if (timelineOf_ != model_.scene.main) {
    timelineOf_ = model_.scene.main;
    timeline_ = timelineOf(*model_.scene.main->replay);
  }
  position.timeline = timeline_;
  position.epochStep = model_.scene.main->replay->sameMoment(position.grain, model_.stepper.place(),
                                                             trace::StepGranularity::epoch);
  position.share = model_.stepper.shareOf(model_.stepper.index());
}

void Session::publishFigures(Snapshot& to) {
  const bool countedFits = !model_.figures.counted.mainKey.empty() &&
                           model_.figures.counted.mainKey == model_.wanted.measureMain;
  if (to.measures && model_.figures.measured.main) {
    to.figuresMain = model_.figures.measured.main;
    to.figuresStale = model_.figures.measured.mainKey != model_.wanted.measureMain;
    // The main kernel's new figures must not be shown together with those of the companion's
    // earlier launch.
    const bool together =
        to.figuresStale || model_.figures.measured.companionKey == model_.wanted.measureCompanion;
    if (together && model_.resolved->comparisonEntry() != nullptr)
      to.figuresCompanion = model_.figures.measured.companion;
  } else if (!to.measures && countedFits) {
    to.figuresMain = model_.figures.counted.main;
    if (model_.figures.counted.companionKey == model_.wanted.measureCompanion)
      to.figuresCompanion = model_.figures.counted.companion;
  } else if (model_.scene.main) {
    to.figuresMain = model_.scene.main->result;
    to.figuresCompanion = model_.scene.companion && !model_.resolved->changed
                              ? model_.scene.companion->result
                              : nullptr;
    to.figuresStale = to.sceneStale;
    to.figuresOfBlock = model_.scene.main->result->blockAlone;
  }
  if (to.figuresMain && to.figuresCompanion) to.ratios = ratiosOfFigures(to);
  to.countable =
      !to.device.empty() && !to.measures && !countedFits && model_.resolved->plan.has_value();
  to.hardwareReadable = hardwareReadable();
}

/// Publishes the features' views and their contributions to the shared parts.
void Session::publishViews(Snapshot& to) {
  const Figures& figures = model_.figures;
  if (!to.figuresStale && !figures.timedOf.empty() && figures.timedOf == model_.wanted.measureMain)
    to.timelineFigures = figures.timed;
  RooflineMarks marks;
  const Moment moment{model_, *model_.resolved, to, marks};
  for (const std::unique_ptr<Feature>& feature : features_) feature->addMarks(moment, marks);
  Views views;
  for (const std::unique_ptr<Feature>& feature : features_)
    if (ViewPointer view = feature->view(moment)) views.put(feature->id(), std::move(view));
  std::vector<LineNote> notes;
  to.busy.questions |= model_.figures.best.reading();
  for (const auto& [id, view] : views) {
    view->addTo(to.shown);
    to.busy.questions |= view->pending;
    if (!view->headline.empty()) to.sentence = view->headline;
    if (!view->stepText.empty()) to.stepText += (to.stepText.empty() ? "" : "\n") + view->stepText;
    if (view->lineNotes)
      notes.insert(notes.end(), view->lineNotes->begin(), view->lineNotes->end());
  }
  std::ranges::stable_sort(notes, {}, &LineNote::line);
  if (!notes.empty()) to.notes = std::make_shared<const std::vector<LineNote>>(std::move(notes));
  to.views = std::move(views);
}

void Session::publish() {
  auto next = std::make_shared<Snapshot>();
  next->version = model_.shown->version + 1;
  publishChoice(*next);
  publishScene(*next);
  publishFigures(*next);
  next->history = model_.figures.history;
  const Jobs& jobs = model_.jobs;
  next->busy.scene =
      jobs.waitsOrRuns(kSceneJob) || jobs.waitsOrRuns(kCompanionJob) || maker_.busy();
  next->busy.measure = jobs.waitsOrRuns(kMeasureJob) || jobs.waitsOrRuns(kMeasureCompanionJob) ||
                       jobs.waitsOrRuns(kReferenceJob);
  next->busy.count = jobs.waitsOrRuns(kCountJob);
  next->busy.questions = jobs.busy();
  publishViews(*next);
  next->notices = model_.notices;
  next->busy.stage = jobs.stage();
  next->canUndo = model_.undo.canUndo();
  next->canRedo = model_.undo.canRedo();
  model_.shown = std::move(next);
}

}  // namespace tilestep::model
