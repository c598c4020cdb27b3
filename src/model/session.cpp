// SPDX-License-Identifier: Apache-2.0
#include "model/session.h"

#include <algorithm>
#include <utility>

#include "model/shared_commands.h"

namespace tilestep::model {
namespace {

constexpr double kWatchSeconds = 1.0;

/// The H200 if it is known, otherwise the first known device.
std::string firstRoofDevice(const KnownDevices& known) {
  for (const lab::DeviceFile& device : known)
    if (device.id.find("h200") != std::string::npos) return device.id;
  return known.empty() ? std::string() : known.front().id;
}

}  // namespace

Session::Session(SessionOptions options, Features features)
    : model_(std::move(options)), features_(std::move(features)) {
  for (const std::unique_ptr<Feature>& feature : features_) {
    for (const TableKind& kind : feature->tables()) tables_.push_back(kind);
    feature->start(model_);
  }
  start(model_.options);
}

Session::~Session() = default;

void Session::start(const SessionOptions& options) {
  Choice& choice = model_.choice;
  choice.device = options.device;
  choice.measure.values = options.sizes;
  choice.scene.values = options.sizes;
  if (!options.kernel.empty()) choice.kernel = options.kernel;
  choice.comparison = options.comparison;
  for (std::string* kernel : {&choice.kernel, &choice.comparison.kernel})
    *kernel = model_.kernels.add(*kernel);
  if (!options.tunables.empty()) choice.tunables[choice.kernel] = options.tunables;
  if (!options.entry.empty()) choice.entries[choice.kernel] = options.entry;
  if (!options.comparisonEntry.empty())
    choice.entries[choice.comparison.kernel] = options.comparisonEntry;
  const auto linked = [](const compile::Bindings& values) {
    return std::ranges::all_of(values,
                               [&](const auto& v) { return v.second == values.begin()->second; });
  };
  choice.scene.linked = linked(choice.scene.values);
  choice.measure.linked = linked(choice.measure.values);
  choice.roofDevice = firstRoofDevice(*model_.known);
  choice.pins = options.pins;
  if (options.saved) {
    const bool preset = !options.kernel.empty() || !options.sizes.empty() ||
                        !options.tunables.empty() || !options.entry.empty() ||
                        options.comparison != Comparison{};
    preset ? restoreLooks(*options.saved) : restore(*options.saved, options.device);
    model_.undo = {};
  }
  model_.readKernels();
  model_.jobs.askDevices();
  refresh();
  publish();
}

void Session::connect(std::unique_ptr<worker::Client> client) {
  model_.jobs.connect(std::move(client));
  model_.changed = true;
}

void Session::connectFailed(const Error& error) {
  model_.workerFailed = true;
  model_.say({Notice::Kind::error, "worker", error.message, {}, {}});
}

void Session::watchKernels() {
  if (model_.now < nextWatch_) return;
  nextWatch_ = model_.now + kWatchSeconds;
  if (!model_.kernels.haveChanged()) return;
  model_.readKernels();
  refresh();
}

bool Session::poll(double now) {
  model_.now = now;
  watchKernels();
  for (const Arrival& arrival : model_.jobs.poll(now)) accept(arrival);
  for (const TracedKernelMaker::Made& made : maker_.take())
    acceptSide(made.job, made.key, made.side);
  std::optional<ScenePosition> place;
  if (model_.place && model_.sceneIsCurrent()) place = std::exchange(model_.place, std::nullopt);
  if (place) {
    model_.stepper.setGrain(place->grain);
    model_.stepper.wantThread(place->ofThread);
  }
  for (const std::unique_ptr<Feature>& feature : features_) feature->poll(model_);
  // Recordings, points and tunables are read in the background. The kernels that a recording
  // contains determine whether the recording is used.
  const bool times = model_.figures.best.arrived(), points = model_.points->arrived();
  if (times || points) model_.choiceChanged = model_.changed = true;
  settle();
  const size_t steps = model_.stepper.size();
  if (place && steps > 0) model_.stepper.goTo(std::min(place->step, steps - 1));
  const bool played = model_.stepper.tick(now);
  if (place || played) model_.changed = true;
  const bool busy = model_.jobs.busy() || maker_.busy();
  if (std::exchange(wasBusy_, busy) != busy) model_.changed = true;
  if (std::exchange(stage_, model_.jobs.stage()) != stage_) model_.changed = true;
  if (!std::exchange(model_.changed, false)) return false;
  publish();
  return true;
}

std::optional<double> Session::untilNext() const {
  constexpr double kWhileBusy = 0.008, kWhileLive = 0.02;
  const Jobs& jobs = model_.jobs;
  double wait = std::max(0.0, nextWatch_ - model_.now);
  const bool works = std::ranges::any_of(features_, [](const auto& one) { return one->works(); });
  const bool reads = model_.figures.best.reading() || model_.points->reading();
  if ((jobs.busy() && jobs.connected()) || maker_.busy() || works || reads)
    wait = std::min(wait, kWhileBusy);
  if (jobs.streams()) wait = std::min(wait, kWhileLive);
  if (const std::optional<double> due = jobs.nextDue(model_.now))
    wait = std::min(wait, *due - model_.now);
  if (const std::optional<double> tick = model_.stepper.nextTick())
    wait = std::min(wait, *tick - model_.now);
  return model_.changed ? 0 : std::max(0.0, wait);
}

// --- Commands ----------------------------------------------------------------------------------

bool Session::carryOut(const Command& command) {
  for (const std::unique_ptr<Feature>& feature : features_)
    if (feature->id() == command.feature) return feature->apply(command, model_);
  return applyShared(command, model_);
}

bool Session::apply(const Command& command) {
  const bool done = carryOut(command);
  settle();
  return done;
}

void Session::settle() {
  while (!model_.commands.empty())
    for (const Command& next : std::exchange(model_.commands, {})) carryOut(next);
  if (model_.choiceChanged) refresh();
}

// No request depends on appearance settings.
void Session::setLooks(const AppearanceSet& looks) {
  if (looks == model_.choice.looks) return;
  model_.undo.changing(model_.choice, "looks");
  model_.choice.looks = looks;
  model_.changed = true;
}

void Session::goBackTo(std::optional<Choice> choice) {
  if (!choice) return;
  if (choice->pins != model_.choice.pins)
    model_.say({Notice::Kind::info,
                "pins",
                "Restored the earlier pinned runs: " +
                    std::to_string(choice->pins ? choice->pins->pins.size() : 0) +
                    ". Ctrl+Z and Ctrl+Y switch between the two states.",
                {},
                {}});
  model_.take(std::move(*choice));
  settle();
}

void Session::undo() {
  goBackTo(model_.undo.undo(model_.choice));
}

void Session::redo() {
  goBackTo(model_.undo.redo(model_.choice));
}

void Session::goTo(const RecordedPlace& place) {
  model_.change("recorded point", [&](Choice& choice) {
    for (const auto& [name, value] : place.tunables) choice.tunables[choice.kernel][name] = value;
    for (const auto& [name, value] : place.sizes) {
      choice.measure.values[name] = value;
      if (value != place.sizes.begin()->second) choice.measure.linked = false;
    }
  });
  model_.endGesture();
  settle();
}

// --- State that is kept between runs -----------------------------------------------------------

void Session::returnTo(const Bookmark& bookmark) {
  model_.returnTo(bookmark);
  settle();
}

Saved Session::saved() const {
  Saved saved;
  saved.choice = model_.choice;
  saved.choice.pins.reset();  // Saved in a separate file.
  saved.kernelFile = model_.kernels.fileOf(model_.choice.kernel);
  saved.comparisonFile = model_.kernels.fileOf(model_.choice.comparison.kernel);
  Place& place = saved.place;
  place.scene = keptPosition(model_.placeNow());
  place.speed = model_.stepper.speed();
  for (const std::unique_ptr<Feature>& feature : features_) feature->save(place);
  if (place.before) {
    place.before->kernelFile = model_.kernels.fileOf(place.before->choice.kernel);
    place.before->comparisonFile = model_.kernels.fileOf(place.before->choice.comparison.kernel);
  }
  return saved;
}

/// Restores the state that does not depend on the rest of the choice.
void Session::restoreLooks(const Saved& saved) {
  setLooks(saved.choice.looks);
  Place place;
  place.lessons = saved.place.lessons;
  place.predictions = saved.place.predictions;
  place.exercises = saved.place.exercises;
  for (const std::unique_ptr<Feature>& feature : features_) feature->restore(place, model_);
}

void Session::restore(Saved saved, const std::string& device) {
  Place& place = saved.place;
  std::vector<Choice*> choices{&saved.choice};
  if (place.before) choices.push_back(&place.before->choice);
  for (Choice* choice : choices) {
    choice->pins = model_.choice.pins;
    if (device != "auto") choice->device = device;
    if (std::ranges::find(*model_.known, choice->roofDevice, &lab::DeviceFile::id) ==
        model_.known->end())
      choice->roofDevice = model_.choice.roofDevice;
  }
  model_.choice = saved.choice;
  std::vector<std::string> files{saved.kernelFile, saved.comparisonFile};
  if (place.before)
    files.insert(files.end(), {place.before->kernelFile, place.before->comparisonFile});
  for (const std::string& file : files)
    if (!file.empty()) model_.kernels.add(file);
  model_.stepper.setSpeed(place.speed);
  model_.place = place.scene;
  for (const std::unique_ptr<Feature>& feature : features_) feature->restore(place, model_);
}

}  // namespace tilestep::model
