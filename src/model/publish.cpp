// SPDX-License-Identifier: Apache-2.0
// From the session's state to an immutable snapshot.
#include <algorithm>
#include <cstdio>
#include <utility>

#include "base/figure.h"
#include "lab/figures.h"
#include "model/planning.h"
#include "model/session.h"
#include "model/text/step_summary.h"
#include "model/traced_kernel.h"

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

std::shared_ptr<const std::vector<ThreadLine>> linesOf(
    const std::shared_ptr<const TracedStep>& step) {
  constexpr size_t kMost = 1024;  // Threads of a block.
  return step ? std::make_shared<const std::vector<ThreadLine>>(threadLines(*step, kMost))
              : nullptr;
}

std::string blockText(const Dim3& block) {
  return "block (" + std::to_string(block.x) + ", " + std::to_string(block.y) + ")";
}

/// "block (3, 1) alone, of 65,536"
std::string aloneText(const TracedKernel& side) {
  const Dim3& grid = side.result->plan.launches.front().grid;
  return blockText(side.replay->recording().block) + " alone, of " + grouped(grid.count());
}

std::string originText(const lab::RunResult& result) {
  const bool interpreted = result.device.id == "simt" || result.countersFrom == "simt";
  return "counted by " + (interpreted ? std::string("the interpreter, on the same PTX")
                                      : "the device itself: " + deviceText(result.device));
}

/// Recorded points by what the main one's machine can do at most, where that is known.
void judgeByOwnMachine(RooflineInputs& roofs) {
  const bool recorded = roofs.main != nullptr && roofs.main->measurement &&
                        !roofs.main->device.recordedOn.empty() && !roofs.elsewhere;
  if (!recorded) return;
  const bool together = roofs.companion == nullptr || !roofs.companion->measurement ||
                        roofs.companion->device.machine == roofs.main->device.machine;
  if (roofs.main->machineCeilings) roofs.ceilings = &*roofs.main->machineCeilings;
  roofs.otherMachine = !roofs.main->machineCeilings || !together;
}

/// "NVIDIA H200 no. 2, 2026-11-21" of the shown point; of the whole recording where it has none.
std::string recordedText(const device::DeviceInfo& device, const lab::RunResult* shown) {
  const bool point = shown != nullptr && shown->measurement && shown->device.id == device.id;
  const device::DeviceInfo& of = point ? shown->device : device;
  return device::machineText(of) + ", " + of.recordedOn;
}

/// What is known of the machine behind it, in a sentence; nothing of a recording of one machine.
std::string machineSentence(const lab::RunResult* shown) {
  if (shown == nullptr || !shown->measurement || shown->device.machines < 2) return {};
  const std::string all = std::to_string(shown->device.machines);
  if (shown->device.machine == 0)
    return "The recording names " + all + " machines, and not which of them took this point.\n";
  return "No. " + std::to_string(shown->device.machine) + " of the " + all +
         " machines that the recording names took this point.\n";
}

/// Who recorded the steps, in few words.
std::string recorderText(const lab::RunResult& result) {
  return result.traceFrom == "simt" || result.traceFrom.empty()
             ? "interpreter, same PTX"
             : "recorded on the GPU, " + result.traceFrom;
}

std::string stepsSentence(const lab::RunResult* result) {
  if (result == nullptr) return "Steps: none yet.";
  std::string text = "Steps: " + recorderText(*result);
  if (result->tracePrice) {
    char price[32];
    std::snprintf(price, sizeof price, "%.2f", *result->tracePrice);
    text += ", at " + std::string(price) + " times the plain launch's time";
  }
  text += ".";
  if (!result->traceNote.empty()) text += "\n" + result->traceNote;
  return text;
}

/// Why the counts of this step stand alone.
std::string besideTitle(const TracedStep& main, const TracedStep& companion) {
  if (elementsMade(*main.side) != elementsMade(*companion.side))
    return "; what stands beside it makes another number of elements";
  const bool k = phaseLengthOf(*main.side) > 0 && phaseLengthOf(*companion.side) > 0;
  return k ? "; what stands beside it goes another way along k"
           : "; what stands beside it has other epochs: whole grids compare";
}

CountedLoads loadsOf(const std::shared_ptr<const lab::RunResult>& result) {
  if (!result || !result->counters) return {};
  return {&result->counters->total, loadedElementBytes(result->plan)};
}

}  // namespace

Badge Session::badge() const {
  const device::DeviceInfo* device = resolved_->device;
  if (workerFailed_ && device == nullptr)
    return {Badge::Kind::failed, "no worker", "The worker did not answer; see the notices."};
  if (device == nullptr) return {Badge::Kind::starting, "starting…", "The worker is being asked."};
  const bool current = measured_.mainKey == wanted_.measureMain;
  const lab::RunResult* shown = current ? measured_.main.get() : nullptr;
  if (!device->recordedOn.empty())
    return {Badge::Kind::recorded, "recorded on " + recordedText(*device, shown),
            "Times and counters were measured on that GPU on that day (driver " + device->driver +
                "), and are shown for the points that were recorded alone.\n" +
                machineSentence(shown) +
                stepsSentence(mainSide_ ? mainSide_->result.get() : nullptr)};
  if (device->measures)
    return {Badge::Kind::measured, "measured on " + device->name,
            "Times: the uninstrumented kernel on this GPU. Counters: the device itself.\n" +
                stepsSentence(mainSide_ ? mainSide_->result.get() : nullptr)};
  return {Badge::Kind::interpreter, "interpreter · no GPU",
          "Steps and counters are exact: the interpreter runs the kernel's PTX on the CPU.\n"
          "It never gives a time; roofs and bounds are computed from published figures."};
}

void Session::publishChoice(Snapshot& to) const {
  to.choice = choice_;
  to.catalogue = catalogue_;
  if (const compile::CatalogueEntry* entry = resolved_->entry) {
    to.kernel = static_cast<size_t>(entry - catalogue_->data());
    if (entry->spec) {
      to.tunables = resolved_->tunables;
      to.sceneSizes = resolved_->sceneSizes;
      to.measureSizes = resolved_->measureSizes;
    }
  }
  to.sceneFollowsTile = choice_.scene.values.empty();
  to.plan = resolved_->plan;
  to.devices = *devices_;
  to.compiler = compiler_;
  to.roofDevices = roofDevices_;
  to.resolved = resolved_;
  to.lastTunable = lastTunable_;
  to.tables = tables_;
  if (const device::DeviceInfo* device = resolved_->device) {
    to.device = device->id;
    to.measures = device->measures;
    to.recordedOn = device->recordedOn;
  }
  to.badge = badge();
}

void Session::lookAtWarp() {
  mainWarp_ = mainStep_ ? warpViewOf(*mainStep_, warpChoice_) : nullptr;
  companionWarp_ = companionStep_ ? warpViewOf(*companionStep_, warpChoice_) : nullptr;
}

void Session::publishScene(Snapshot& to) {
  tellStory();
  const bool same = mainStep_ && mainStep_->side == mainSide_ && stepper_.size() > 0 &&
                    mainStep_->grain == stepper_.grain() && mainStep_->index == stepper_.place() &&
                    (companionStep_ ? companionStep_->side : nullptr) == companionSide_;
  if (!same) {
    mainStep_ = stepper_.mainStep();
    companionStep_ = stepper_.companionStep();
    sentence_ = sentenceOf(mainStep_.get(), companionStep_.get());
    const bool both = mainStep_ && companionStep_;
    const Together how = stepper_.together();
    together_ = both ? togetherText(how, *mainStep_, *companionStep_) : "";
    comparable_ = both && how != Together::share && comparable(*mainStep_, *companionStep_);
    if (both && how == Together::share) sentence_ += " Stepped together " + together_ + ".";
    mainLines_ = linesOf(mainStep_);
    companionLines_ = linesOf(companionStep_);
    lookAtWarp();
  }
  to.mainWarp = mainWarp_;
  to.companionWarp = companionWarp_;
  to.mainLines = mainLines_;
  to.companionLines = companionLines_;
  to.mainKernel = mainSide_;
  to.companionKernel = companionSide_;
  to.main = mainStep_;
  to.companion = companionStep_;
  to.sceneStale = mainSideKey_ != wanted_.sceneMain || companionSideKey_ != wanted_.sceneCompanion;
  to.sentence = sentence_;
  publishBeside(to);
  publishSources(to);
  Position& position = to.position;
  position.grain = stepper_.grain();
  position.ofThread = stepper_.ofThread();
  position.index = stepper_.index();
  position.size = stepper_.size();
  position.playing = stepper_.playing();
  position.speed = stepper_.speed();
  publishThread(to);
  if (!mainStep_) return;
  position.text = positionOf(*mainStep_);
  position.recorder = recorderText(*mainStep_->side->result);
  if (timelineOf_ != mainSide_) {
    timelineOf_ = mainSide_;
    timeline_ = timelineOf(*mainSide_->replay);
  }
  if (!same) story_ = storyOf(*mainSide_, companionSide_.get());
  to.story = story_;
  if (story_) to.phasesOver = phasesOver(*story_, *mainStep_);
  position.timeline = timeline_;
  position.epochStep = mainSide_->replay->sameMoment(position.grain, stepper_.place(),
                                                     trace::StepGranularity::epoch);
  position.share = stepper_.share();
  std::string title = mainStep_->step.phase ? "phase ph " + std::to_string(*mainStep_->step.phase)
                                            : std::string("this step");
  title += ", " + blockText(mainSide_->replay->recording().block);
  const bool beside = comparable_;
  if (companionStep_ && !beside) title += besideTitle(*mainStep_, *companionStep_);
  std::string origin = "counted from the trace of this block (" + position.recorder + ")";
  if (mainSide_->whole.copies.requests > 0)
    origin +=
        "; asynchronous copies are among the loads, and what they write to shared memory is among "
        "the wavefronts of the whole grid alone";
  const trace::Tally* other = beside ? &companionStep_->tally : nullptr;
  const trace::Counters mine = withCopies(mainStep_->tally);
  const trace::Counters theirs = other != nullptr ? withCopies(*other) : trace::Counters{};
  to.phaseTraffic = trafficOf(
      std::move(title),
      other != nullptr ? CountedLoads{&theirs, loadedElementBytes(companionSide_->result->plan)}
                       : CountedLoads{},
      {&mine, loadedElementBytes(mainSide_->result->plan)}, origin);
  addReuse(to.phaseTraffic, other, &mainStep_->tally, origin);
}

void Session::publishFigures(Snapshot& to) {
  const bool countedFits = !counted_.mainKey.empty() && counted_.mainKey == wanted_.measureMain;
  if (to.measures && measured_.main) {
    to.figuresMain = measured_.main;
    to.figuresCompanion = resolved_->besideEntry() != nullptr ? measured_.companion : nullptr;
    to.figuresStale = measured_.mainKey != wanted_.measureMain;
  } else if (!to.measures && countedFits) {
    to.figuresMain = counted_.main;
    if (counted_.companionKey == wanted_.measureCompanion) to.figuresCompanion = counted_.companion;
  } else if (mainSide_) {
    to.figuresMain = mainSide_->result;
    to.figuresCompanion = companionSide_ && !resolved_->changed ? companionSide_->result : nullptr;
    to.figuresStale = to.sceneStale;
    to.figuresOfBlock = mainSide_->result->blockAlone;
  }
  to.countable = !to.device.empty() && !to.measures && !countedFits && resolved_->plan.has_value();
  to.hardwareReadable = hardwareReadable();
  // Counts of one block are no counts of the launch.
  const bool whole = !to.figuresOfBlock;
  RooflineInputs roofs;
  roofs.ceilings = ceilings_ ? &*ceilings_ : nullptr;
  // What the data sheet says of the device whose roofs were measured.
  std::optional<device::Ceilings> published;
  if (ceilings_ && ceilings_->measured)
    if (const auto sheet = std::ranges::find(*known_, ceilings_->device, &lab::DeviceFile::name);
        sheet != known_->end())
      published = sheet->ceilings();
  roofs.published = published ? &*published : nullptr;
  roofs.companion = whole ? to.figuresCompanion.get() : nullptr;
  roofs.main = whole ? to.figuresMain.get() : nullptr;
  roofs.elsewhere = to.measures && resolved_->known != nullptr;
  judgeByOwnMachine(roofs);
  roofs.former = former_;
  roofs.pins = choice_.pins.get();
  addBestKnown(to, roofs.marks);
  if (!roofs.elsewhere) {
    addLibraryMark(roofs.marks);
    roofs.rungs = rungTraces();
  }
  to.roofline = rooflineOf(roofs);
  if (!to.figuresMain) return;
  std::string title = (whole ? std::string("whole grid, ") : aloneText(*mainSide_) + "; ") +
                      sizesText(to.figuresMain->plan.sizes);
  if (to.figuresCompanion) title += "; " + launchText(*to.figuresCompanion);
  to.gridTraffic = trafficOf(std::move(title), loadsOf(to.figuresCompanion),
                             loadsOf(to.figuresMain), originText(*to.figuresMain));
  const auto copies = [](const std::shared_ptr<const lab::RunResult>& result) {
    return result && !loadsAreCounted(*result);
  };
  leaveOutLoads(to.gridTraffic, copies(to.figuresCompanion), copies(to.figuresMain));
  if (whole)
    addOperations(to.gridTraffic, to.figuresCompanion.get(), to.figuresMain.get(),
                  originText(*to.figuresMain));
  publishGains(to);
}

/// Where the scene steps the reference in other blocks: that the scene's counts are of another
/// launch. Empty where both are the same.
std::string Session::sceneNote(const lab::RunResult& reference, const TracedKernel* beside) const {
  if (beside == nullptr || beside->kernel != reference.kernel || resolved_->changed) return {};
  const lab::RunResult& scene = *beside->result;
  if (scene.plan.launches.empty() || reference.plan.launches.empty()) return {};
  if (scene.plan.launches.front().block == reference.plan.launches.front().block) return {};
  return "The scene steps " + launchText(scene) +
         ", so that both blocks make the same elements: its counts are of that launch.";
}

/// Naive against the main kernel; where that is naive, against the one beside it.
void Session::publishGains(Snapshot& to) const {
  const compile::CatalogueEntry* main = resolved_->entry;
  if (main == nullptr || !main->spec || resolved_->changed) return;
  const compile::CatalogueEntry* naive = resolved_->usualBeside(*main);
  std::shared_ptr<const lab::RunResult> reference = to.figuresCompanion, subject = to.figuresMain;
  if (naive == nullptr)
    std::swap(reference, subject);  // The main kernel is the naive one, or no product.
  else if (!wanted_.reference.empty())
    reference = referenceKey_ == wanted_.reference ? reference_ : nullptr;
  if (!reference || !subject || reference->kernel == subject->kernel) return;
  const compile::CatalogueEntry* other = resolved_->find(subject->kernel);
  if (other == nullptr || resolved_->find(reference->kernel) != resolved_->usualBeside(*other))
    return;
  // One block's counts are set against those of a block that makes the same elements.
  if (reference->blockAlone != subject->blockAlone) return;
  const bool isBeside = reference == to.figuresCompanion || subject == to.figuresCompanion;
  if (to.figuresOfBlock && isBeside && elementsMade(*mainSide_) != elementsMade(*companionSide_))
    return;
  to.gains = gainsOf(*reference, *subject);
  to.gains.note = sceneNote(*reference, companionSide_.get());
  if (!to.gains.timeNote.empty())
    to.gains.note += (to.gains.note.empty() ? "" : " ") + to.gains.timeNote;
  if (to.figuresOfBlock) to.gains.of = aloneText(*mainSide_);
  to.gainsKnown = true;
}

/// The views of the features, and what they add to the parts that all share.
void Session::publishViews(Snapshot& to) {
  if (!to.figuresStale && !wanted_.timeline.empty() && timed_.key == wanted_.timeline)
    to.timelineFigures = timed_.figures;
  const Moment moment{*resolved_, to};
  Views views;
  for (const std::unique_ptr<Feature>& feature : features_)
    if (ViewPointer view = feature->view(moment)) views.put(feature->id(), std::move(view));
  std::vector<LineNote> notes;
  for (const auto& [id, view] : views) {
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
  next->version = snapshot_->version + 1;
  publishChoice(*next);
  publishScene(*next);
  publishFigures(*next);
  publishTuning(*next);
  publishTimeline(*next);
  publishSweep(*next);
  next->history = history_;
  publishLive(*next);
  next->notices = notices_;
  next->busy.scene = requests_.waitsOrRuns(Slot::sceneMain) ||
                     requests_.waitsOrRuns(Slot::sceneCompanion) || maker_.busy();
  next->busy.measure = requests_.waitsOrRuns(Slot::measureMain) ||
                       requests_.waitsOrRuns(Slot::measureCompanion) ||
                       requests_.waitsOrRuns(Slot::reference);
  next->busy.count = requests_.waitsOrRuns(Slot::count);
  next->busy.questions = requests_.busy();
  publishLesson(*next);
  publishViews(*next);
  next->busy.stage = requests_.stage();
  next->canUndo = undo_.canUndo();
  next->canRedo = undo_.canRedo();
  snapshot_ = std::move(next);
}

}  // namespace tilestep::model
