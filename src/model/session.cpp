// SPDX-License-Identifier: Apache-2.0
#include "model/session.h"

#include <algorithm>
#include <utility>

#include "compile/front_matter/entry_choice.h"
#include "compile/front_matter/front_matter.h"
#include "features/registry.h"
#include "model/planning.h"

namespace tilestep::model {
namespace {

constexpr double kWatchSeconds = 1.0;

/// Names, sizes and times of the files in a folder and those inside it: differs when one was added
/// or saved.
std::string signatureOf(const std::filesystem::path& folder) {
  std::string signature;
  std::error_code error;
  for (const auto& file : std::filesystem::recursive_directory_iterator(folder, error)) {
    std::error_code failed;
    const auto time = file.last_write_time(failed).time_since_epoch().count();
    signature += file.path().filename().string() + "@" + std::to_string(time) + ";";
  }
  return signature;
}

/// The spec of its source, or why it has none.
void parse(compile::CatalogueEntry& entry) {
  entry.spec.reset();
  entry.error.reset();
  Result<compile::KernelSpec> spec = compile::parseKernel(entry.source);
  if (spec)
    entry.spec = std::move(*spec);
  else
    entry.error = spec.error();
}

/// The kernel launches that function of its file. One that is no longer there was not chosen.
void useEntry(Catalogue& catalogue, const std::string& kernel, const std::string& function) {
  const auto entry = std::find_if(catalogue.rbegin(), catalogue.rend(), [&](const auto& one) {
    return compile::stemOf(one.source.path) == kernel;
  });
  if (entry == catalogue.rend() || entry->source.text.empty()) return;
  compile::CatalogueEntry chosen = *entry;
  chosen.source = compile::withEntry(std::move(chosen.source), function);
  parse(chosen);
  if (chosen.spec || !entry->spec) *entry = std::move(chosen);
}

}  // namespace

Session::Session(SessionOptions options)
    : options_(std::move(options)),
      features_(features::makeFeatures()),
      sweeps_(options_.sweepFolder) {
  for (const std::unique_ptr<Feature>& feature : features_)
    for (const TableKind& kind : feature->tables()) tables_.push_back(kind);
  findKnownDevices();
  findLessons();
  start(options_);
}

Session::~Session() = default;

void Session::start(const SessionOptions& options) {
  choice_.device = options.device;
  choice_.measure.values = options.sizes;
  choice_.scene.values = options.sizes;
  if (!options.kernel.empty()) choice_.kernel = options.kernel;
  choice_.beside = options.beside;
  for (std::string* kernel : {&choice_.kernel, &choice_.beside.kernel}) {
    const std::filesystem::path path = *kernel;
    if (path.extension() != ".cu") continue;
    extraKernels_.push_back(path);
    *kernel = path.stem().string();
  }
  if (!options.tunables.empty()) choice_.tunables[choice_.kernel] = options.tunables;
  if (!options.entry.empty()) choice_.entries[choice_.kernel] = options.entry;
  if (!options.besideEntry.empty()) choice_.entries[choice_.beside.kernel] = options.besideEntry;
  const auto linked = [](const compile::Bindings& values) {
    return std::ranges::all_of(values,
                               [&](const auto& v) { return v.second == values.begin()->second; });
  };
  choice_.scene.linked = linked(choice_.scene.values);
  choice_.measure.linked = linked(choice_.measure.values);
  const auto h200 = std::ranges::find_if(
      roofDevices_, [](const std::string& name) { return name.find("h200") != std::string::npos; });
  if (h200 != roofDevices_.end())
    choice_.roofDevice = *h200;
  else if (!roofDevices_.empty())
    choice_.roofDevice = roofDevices_.front();
  if (options.saved) {
    const bool preset = !options.kernel.empty() || !options.sizes.empty() ||
                        !options.tunables.empty() || !options.entry.empty() ||
                        options.beside != Comparison{};
    preset ? setLooks(options.saved->choice.looks) : restore(*options.saved, options.device);
    undo_ = {};
  }
  choice_.pins = options.pins;
  reloadCatalogue();
  requests_.askDevices();
  refresh();
  publish();
}

void Session::connect(std::unique_ptr<worker::Client> client) {
  requests_.connect(std::move(client));
  dirty_ = true;
}

void Session::connectFailed(const Error& error) {
  workerFailed_ = true;
  say({Notice::Kind::error, "worker", error.message, {}, {}});
}

void Session::reloadCatalogue() {
  const std::filesystem::path folder = std::filesystem::path(options_.home) / "kernels";
  catalogueSignature_ = signatureOf(folder) + signatureOfExtra();
  auto catalogue = std::make_shared<Catalogue>(compile::readCatalogue(folder.string()));
  for (const std::filesystem::path& path : extraKernels_) {
    compile::CatalogueEntry entry;
    Result<compile::KernelSource> source = compile::findKernel(folder.string(), path.string());
    if (source) {
      entry.source = std::move(*source);
      parse(entry);
    } else {
      entry.source.path = path.string();
      entry.error = source.error();
    }
    catalogue->push_back(std::move(entry));
  }
  for (const auto& [kernel, function] : choice_.entries) useEntry(*catalogue, kernel, function);
  catalogue_ = std::move(catalogue);
  resolveChoice();
  openLessonFigures();
  dirty_ = true;
}

std::string Session::signatureOfExtra() const {
  std::string signature;
  for (const std::filesystem::path& path : extraKernels_) {
    std::error_code failed;
    const auto time = std::filesystem::last_write_time(path, failed);
    signature += failed ? "gone;" : std::to_string(time.time_since_epoch().count()) + ";";
  }
  return signature;
}

void Session::watchCatalogue() {
  if (now_ < nextWatch_) return;
  nextWatch_ = now_ + kWatchSeconds;
  const std::filesystem::path folder = std::filesystem::path(options_.home) / "kernels";
  if (signatureOf(folder) + signatureOfExtra() == catalogueSignature_) return;
  reloadCatalogue();
  refresh();
}

bool Session::poll(double now) {
  now_ = now;
  watchCatalogue();
  for (Arrival& arrival : requests_.poll(now)) accept(std::move(arrival));
  takeLive();
  for (const TracedKernelMaker::Made& made : maker_.take())
    acceptSide(made.slot, made.key, made.side);
  takeTimelines();
  takePlace();
  lookAtPtx();
  if (best_.arrived()) dirty_ = true;
  askLesson();
  askSweep();
  if (stepper_.tick(now)) dirty_ = true;
  const bool busy = requests_.busy() || maker_.busy();
  if (std::exchange(wasBusy_, busy) != busy) dirty_ = true;
  if (std::exchange(stage_, requests_.stage()) != stage_) dirty_ = true;
  if (!std::exchange(dirty_, false)) return false;
  publish();
  return true;
}

std::optional<double> Session::untilNext() const {
  constexpr double kWhileBusy = 0.008, kWhileLive = 0.02;
  double wait = std::max(0.0, nextWatch_ - now_);
  const bool reads =
      !makingTimelines_.empty() || recordingHere_.read.valid() || lessonFigures_.reads();
  if ((requests_.busy() && requests_.connected()) || maker_.busy() || reads)
    wait = std::min(wait, kWhileBusy);
  if (requests_.waitsOrRuns(Slot::live)) wait = std::min(wait, kWhileLive);
  if (const std::optional<double> due = requests_.nextDue()) wait = std::min(wait, *due - now_);
  if (const std::optional<double> tick = stepper_.nextTick()) wait = std::min(wait, *tick - now_);
  return dirty_ ? 0 : std::max(0.0, wait);
}

// --- Commands ----------------------------------------------------------------------------------

void Session::change(const std::string& field, const std::function<void(Choice&)>& apply) {
  Choice next = choice_;
  apply(next);
  if (next == choice_) return;
  undo_.changing(choice_, field);
  choice_ = std::move(next);
  refresh();
  dirty_ = true;
}

std::string Session::takeKernel(const std::string& nameOrPath) {
  const std::filesystem::path path = nameOrPath;
  if (path.extension() != ".cu") return nameOrPath;
  const std::string name = path.stem().string();
  std::erase_if(extraKernels_, [&](const auto& one) { return one.stem() == name; });
  extraKernels_.push_back(path);
  reloadCatalogue();
  return name;
}

void Session::chooseKernel(const std::string& nameOrPath) {
  const std::string name = takeKernel(nameOrPath);
  change("kernel", [&](Choice& choice) {
    choice.kernel = name;
    choice.withoutBarrier = 0;
    choice.beside.block.reset();
  });
  endGesture();
}

void Session::setTunable(const std::string& name, int64_t value) {
  lastTunable_ = name;
  change("tunable " + name, [&](Choice& choice) { choice.tunables[choice.kernel][name] = value; });
}

void Session::togglePadding() {
  const compile::CatalogueEntry* entry = resolved_->entry;
  if (entry == nullptr || !entry->spec) return;
  const compile::Bindings tunables = resolved_->tunables;
  const std::optional<PadSwitch> pad = padSwitchOf(*entry->spec, tunables);
  if (!pad)
    return say({Notice::Kind::info,
                "padding",
                "This kernel has no tiles that could be padded; the warp's view (W) says of each "
                "access whether that would help.",
                {},
                {}});
  clearNotice("padding");
  setTunable(pad->tunable, tunables.at(pad->tunable) == pad->with ? pad->without : pad->with);
  endGesture();
}

void Session::setSceneSize(const std::string& name, int64_t value) {
  change("scene " + name, [&](Choice& choice) {
    compile::Bindings& values = choice.scene.values;
    for (const auto& [size, now] : snapshot_->sceneSizes)
      if (choice.scene.linked || !values.contains(size))
        values[size] = choice.scene.linked ? value : now;
    values[name] = value;
  });
}

void Session::letSceneFollowTile() {
  change("scene", [](Choice& choice) { choice.scene.values.clear(); });
  endGesture();
}

void Session::setMeasureSize(const std::string& name, int64_t value) {
  change("measure " + name, [&](Choice& choice) {
    if (choice.measure.linked)
      for (const auto& [size, now] : snapshot_->measureSizes) choice.measure.values[size] = value;
    choice.measure.values[name] = value;
  });
}

void Session::linkSizes(bool scene, bool linked) {
  change("link", [&](Choice& choice) { (scene ? choice.scene : choice.measure).linked = linked; });
  endGesture();
}

void Session::chooseDevice(const std::string& id) {
  change("device", [&](Choice& choice) { choice.device = id; });
  endGesture();
}

void Session::chooseBlock(const Dim3& block) {
  change("block", [&](Choice& choice) {
    choice.block = block;
    choice.beside.block.reset();  // It follows.
  });
  endGesture();
}

void Session::takeBarrierAway(uint32_t number) {
  change("barrier", [&](Choice& choice) { choice.withoutBarrier = number; });
  endGesture();
}

void Session::takeNextBarrierAway() {
  const compile::CatalogueEntry* entry = resolved_->entry;
  const size_t calls = entry == nullptr ? 0 : barrierCalls(entry->source.text).size();
  if (calls == 0)
    return say({Notice::Kind::info,
                "barrier",
                "This kernel has no __syncthreads() that could be taken away.",
                {},
                {}});
  takeBarrierAway(static_cast<uint32_t>((choice_.withoutBarrier + 1) % (calls + 1)));
}

// Nothing that is asked for depends on looks.
void Session::setLooks(const AppearanceSet& looks) {
  if (looks == choice_.looks) return;
  undo_.changing(choice_, "looks");
  choice_.looks = looks;
  dirty_ = true;
}

void Session::goBackTo(std::optional<Choice> choice) {
  if (!choice) return;
  if (choice->looks != choice_.looks) ++looksTakenBack_;
  if (choice->pins != choice_.pins)
    say({Notice::Kind::info,
         "pins",
         "The pinned runs are as they were before: " +
             std::to_string(choice->pins ? choice->pins->pins.size() : 0) +
             " of them. Ctrl+Z and Ctrl+Y go back and forth.",
         {},
         {}});
  const bool otherEntries = choice->entries != choice_.entries;
  choice_ = std::move(*choice);
  if (otherEntries) reloadCatalogue();
  refresh();
  dirty_ = true;
}

void Session::undo() {
  goBackTo(undo_.undo(choice_));
}

void Session::redo() {
  goBackTo(undo_.redo(choice_));
}

void Session::measureAgain() {
  measured_.mainKey.clear();
  if (!timed_.figures) timed_.key.clear();
  refresh();
  dirty_ = true;
}

void Session::countAtMeasureSize() {
  countWanted_ = true;
  refresh();
  dirty_ = true;
}

void Session::runInInterpreter() {
  chooseDevice("simt");
  countAtMeasureSize();
}

void Session::goTo(const RecordedPlace& place) {
  change("recorded point", [&](Choice& choice) {
    for (const auto& [name, value] : place.tunables) choice.tunables[choice.kernel][name] = value;
    for (const auto& [name, value] : place.sizes) {
      choice.measure.values[name] = value;
      if (value != place.sizes.begin()->second) choice.measure.linked = false;
    }
  });
  endGesture();
}

void Session::readHardware() {
  hardwareFor_ = wanted_.measureMain;
  refresh();
  dirty_ = true;
}

void Session::cancelCount() {
  countWanted_ = false;
  hardwareFor_.clear();
  requests_.drop(Slot::count);
  requests_.drop(Slot::reference);
  dirty_ = true;
}

void Session::dismiss(const std::string& about) {
  clearNotice(about);
  dirty_ = true;
}

void Session::say(Notice notice) {
  clearNotice(notice.about);
  notices_.push_back(std::move(notice));
  dirty_ = true;
}

void Session::clearNotice(const std::string& about) {
  if (std::erase_if(notices_, [&](const Notice& notice) { return notice.about == about; }) > 0)
    dirty_ = true;
}

void Session::move(Move move) {
  stepper_.play(false, now_);
  if (stepper_.move(move)) dirty_ = true;
  dirty_ = true;
}

void Session::goTo(size_t index) {
  if (stepper_.goTo(index)) dirty_ = true;
}

void Session::goToShare(double share) {
  if (stepper_.goToShare(share)) dirty_ = true;
}

void Session::goToPhase(uint32_t phase) {
  if (stepper_.goToPhase(phase)) dirty_ = true;
}

void Session::setGrain(trace::StepGranularity grain) {
  threads_.grain = false;
  stepper_.setGrain(grain);
  dirty_ = true;
}

void Session::play(bool playing) {
  stepper_.play(playing, now_);
  dirty_ = true;
}

void Session::setSpeed(double stepsPerSecond) {
  stepper_.setSpeed(stepsPerSecond);
  dirty_ = true;
}

void Session::chooseAccess(const WarpChoice& choice) {
  warpChoice_ = choice;
  lookAtWarp();
  dirty_ = true;
}

}  // namespace tilestep::model
