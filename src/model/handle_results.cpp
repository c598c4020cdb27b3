// SPDX-License-Identifier: Apache-2.0
// From the worker's answers to what is shown.
#include <algorithm>
#include <utility>

#include "base/figure.h"
#include "features/roofline/roofline_view.h"
#include "lab/recording/recording.h"
#include "model/planning.h"
#include "model/session.h"
#include "model/text/step_summary.h"
#include "model/traced_kernel.h"

namespace tilestep::model {
namespace {

constexpr size_t kCachedSides = 24;
constexpr size_t kCachedBytes = size_t{48} << 20;  ///< Of their recordings, but for the newest.
/// Events of a trace that is cut into steps beside the frames.
constexpr size_t kLongTrace = 8192;
constexpr size_t kHistory = 200;
constexpr uint64_t kSeed = 1;

std::string aboutOf(const std::optional<Slot>& slot) {
  if (!slot) return "worker";
  switch (*slot) {
    case Slot::sceneMain:
      return "scene";
    case Slot::sceneCompanion:
      return "companion";
    case Slot::measureMain:
      return "measure";
    case Slot::measureCompanion:
      return "measure companion";
    case Slot::reference:
      return "reference";
    case Slot::timeline:
      return "timeline";
    case Slot::library:
      return "library";
    case Slot::lesson:
      return "lesson";
    case Slot::count:
      return "count";
    case Slot::sweep:
      return "sweep";
    case Slot::live:
      return "live";
  }
  return "worker";
}

std::string labelOf(const lab::RunResult& result) {
  std::string label = shortNameOf(result.kernel);
  for (const auto& [name, value] : result.plan.tunables)
    label += " · " + name + " " + std::to_string(value);
  return label;
}

}  // namespace

/// A recording that is a file of its own is listed once it has been opened, which asking for its
/// ceilings does. True where that question was this one's.
bool Session::openedRecording(const Arrival& arrival) {
  if (arrival.slot || opening_.empty() || arrival.key != opening_) return false;
  const Error* error = std::get_if<Error>(&arrival.reply.body);
  openingFailed_ = error != nullptr ? error->message : "";
  opening_.clear();
  requests_.askDevices();
  return true;
}

void Session::accept(Arrival arrival) {
  dirty_ = true;
  if (openedRecording(arrival)) return;
  if (arrival.slot == Slot::lesson) return acceptLesson(arrival);
  if (arrival.slot == Slot::sweep) return acceptSweep(arrival);
  if (const Error* error = std::get_if<Error>(&arrival.reply.body))
    return acceptError(arrival, *error);
  if (const auto* text = std::get_if<std::string>(&arrival.reply.body))
    return acceptPtx(arrival.key, *text);
  if (const auto* devices = std::get_if<worker::DevicesReply>(&arrival.reply.body))
    return acceptDevices(*devices);
  if (auto* ceilings = std::get_if<device::Ceilings>(&arrival.reply.body)) {
    if (arrival.key == ceilingsOf_) ceilings_ = std::move(*ceilings);
    return clearNotice("roofline");
  }
  auto* result = std::get_if<lab::RunResult>(&arrival.reply.body);
  if (result == nullptr || !arrival.slot) return;
  switch (*arrival.slot) {
    case Slot::sceneMain:
    case Slot::sceneCompanion:
      return acceptScene(*arrival.slot, arrival.key, std::move(*result));
    case Slot::measureMain:
    case Slot::measureCompanion:
    case Slot::reference:
      return acceptFigures(*arrival.slot, arrival.key, std::move(*result));
    case Slot::timeline:
      return acceptTimeline(arrival.key, std::move(*result));
    case Slot::library:
      return acceptLibrary(arrival.key, *result);
    case Slot::count:
      return acceptCount(arrival.key, std::move(*result));
    case Slot::lesson:
    case Slot::sweep:
      return;  // Taken above.
    case Slot::live:
      return;  // It is answered by an Error always.
  }
}

void Session::acceptScene(Slot slot, const std::string& key, lab::RunResult result) {
  const bool main = slot == Slot::sceneMain;
  const compile::CatalogueEntry* entry =
      main && resolved_->changed ? &resolved_->changed->entry : resolved_->find(result.kernel);
  if (entry == nullptr) return;
  if (main) broken_.reset();
  if (main || !resolved_->changed) reportProblems(main ? "scene" : "companion", result);
  const std::string cacheKey = key + "/" + std::to_string(resolved_->phaseLength);
  const bool isLong = result.trace && result.trace->size() > kLongTrace;
  auto kept = std::make_shared<lab::RunResult>(std::move(result));
  const auto make = [entry = *entry, kept, phaseLength = resolved_->phaseLength,
                     line = main && resolved_->changed ? resolved_->changed->line : 0] {
    return traceKernel(entry, std::move(*kept), kSeed, phaseLength, line);
  };
  if (isLong) return maker_.start(slot, cacheKey, make);
  maker_.drop(slot);
  acceptSide(slot, cacheKey, make());
}

void Session::acceptSide(Slot slot, const std::string& key,
                         const std::shared_ptr<const TracedKernel>& side) {
  const bool main = slot == Slot::sceneMain;
  dirty_ = true;
  if (!side) return sayThatNoneFits(main, key);
  keep(key, side);
  sayIfCut(main ? "cut" : "companion cut", *side);
  (main ? mainSideKey_ : companionSideKey_) = key;
  (main ? mainSide_ : companionSide_) = side;
  placeSides();
  const lab::RunResult& result = *side->result;
  const device::DeviceInfo* device = resolved_->device;
  const bool counts = !result.blockAlone && (device == nullptr || !device->measures);
  if (main && counts && !resolved_->changed) appendHistory(result);
}

/// A trace that was cut before anything of it was whole shows nothing: the rest would mislead.
void Session::sayThatNoneFits(bool main, const std::string& key) {
  if (!main) {
    companionSide_.reset();
    companionSideKey_ = key;  // It is not asked for again.
    placeSides();
  }
  say({Notice::Kind::warning,
       main ? "cut" : "companion cut",
       std::string(main ? "This block cannot be shown" : "Nothing is shown beside it") +
           ": its steps need more than the " + std::to_string(kLargeTraceBytes >> 20) +
           " MiB that a recording may take, and it has no barrier before which all of its warps "
           "could be shown. Take a smaller k or block.",
       {},
       {}});
}

/// A trace that had no room for all says where it ends.
void Session::sayIfCut(const std::string& about, const TracedKernel& side) {
  clearNotice(about);
  const trace::Recording& recording = side.replay->recording();
  if (!recording.truncated()) return;
  std::string text = side.shortName + ": the steps of this block need more than the " +
                     std::to_string(kLargeTraceBytes >> 20) + " MiB that a recording may take; ";
  if (side.tallies.phases.empty())
    text += "it is cut after " + grouped(recording.size()) + " events";
  else
    text += "it is shown up to phase ph " + std::to_string(side.tallies.phases.back().phase) +
            ", " + ordinal(side.tallies.phases.back().phase + 1) + " of " +
            std::to_string(side.phases());
  say({Notice::Kind::info, about, text + ". A smaller k or block shows all of it.", {}, {}});
}

void Session::keep(const std::string& key, std::shared_ptr<const TracedKernel> side) {
  cache_.push_back({key, std::move(side)});
  const auto bytesOf = [](const CachedKernel& one) {
    return one.side->replay->recording().bytes();
  };
  size_t bytes = 0;
  for (const CachedKernel& one : cache_) bytes += bytesOf(one);
  while (cache_.size() > 1 && (cache_.size() > kCachedSides || bytes > kCachedBytes)) {
    bytes -= bytesOf(cache_.front());
    cache_.erase(cache_.begin());
  }
}

/// A recording that has no such point says which is nearest; its figures are not this one's.
void Session::sayNearest(const lab::RunResult& result) {
  if (!result.nearest) return clearNotice("recording");
  Notice notice{Notice::Kind::warning,
                "recording",
                "No recorded time: " + lab::nearestText(*result.nearest) + ".",
                {},
                {}};
  if (result.nearest->known)
    notice.nearest = RecordedPlace{result.nearest->sizes, result.nearest->tunables};
  say(std::move(notice));
}

void Session::acceptFigures(Slot slot, const std::string& key, lab::RunResult result) {
  // Why a recording holds none is said where they are looked for.
  if (result.hardware && !result.hardware->refused.empty()) result.hardware.reset();
  auto shared = std::make_shared<const lab::RunResult>(std::move(result));
  best_.take(*shared);
  if (slot == Slot::measureMain) {
    reportProblems("measure", *shared);
    sayNearest(*shared);
    measured_.main = shared;
    measured_.mainKey = key;
    if (!shared->nearest) appendHistory(*shared);
    addRecordedLive(*shared);
    wantTimeline();
    if (const compile::CatalogueEntry* entry = resolved_->entry; entry && entry->spec)
      wantLibrary(*entry);
  } else if (slot == Slot::reference) {
    clearNotice("reference");
    reference_ = shared;
    referenceKey_ = key;
  } else {
    clearNotice("measure companion");
    measured_.companion = shared;
    measured_.companionKey = key;
  }
}

void Session::acceptHardware(const std::string& key, const lab::RunResult& result) {
  if (key != wanted_.hardware) return;
  clearNotice("hardware");
  if (!result.hardware->refused.empty()) {
    hardwareFor_.clear();
    return say({Notice::Kind::warning, "hardware", result.hardware->refused, {}, {}});
  }
  const auto all = measuredFigures();
  const auto first = std::ranges::find_if(
      all, [](const auto* figures) { return *figures && !(*figures)->hardware; });
  if (first == all.end()) return;
  std::shared_ptr<const lab::RunResult>& figures = **first;
  auto with = std::make_shared<lab::RunResult>(*figures);
  with->hardware = result.hardware;
  if (with->measurement && result.measurement)
    with->measurement->coldMedianMs = result.measurement->coldMedianMs;
  figures = std::move(with);
  if (&figures == &measured_.main && !former_.empty() &&
      former_.back().work.seconds == rooflineWorkOf(*figures, false).seconds)
    former_.back().work = rooflineWorkOf(*figures, false);
  refresh();  // Goes on with the companion.
}

void Session::acceptCount(const std::string& key, lab::RunResult result) {
  if (result.hardware) return acceptHardware(key, result);
  auto shared = std::make_shared<const lab::RunResult>(std::move(result));
  reportProblems("count", *shared);
  if (key == wanted_.measureMain) {
    counted_.main = shared;
    counted_.mainKey = key;
    refresh();  // Goes on with the companion.
  } else if (key == wanted_.measureCompanion) {
    counted_.companion = shared;
    counted_.companionKey = key;
  }
  if (requests_.waitsOrRuns(Slot::count)) return;
  countWanted_ = false;
  refresh();  // Goes on with what tiling is compared with.
}

void Session::acceptDevices(const worker::DevicesReply& reply) {
  devices_ = std::make_shared<const Devices>(reply.devices);
  compiler_ = reply.compiler;
  devicesKnown_ = true;
  // A lesson that was opened before anybody knew which devices there are.
  if (lesson_.isOpen() && lesson_.view().step().scene.device == SceneRequest::kMeasured)
    choice_.device = measuringDevice(choice_.device);
  resolveChoice();
  const auto same = [&](const device::DeviceInfo& device) { return device.id == choice_.device; };
  const bool missing = choice_.device != "auto" && std::ranges::none_of(*devices_, same);
  if (missing && choice_.device.starts_with("recorded:") && opened_ != choice_.device) {
    opened_ = opening_ = choice_.device;
    requests_.askCeilings(opening_);
    return refresh();
  }
  if (!missing) clearNotice("device");
  if (missing) {
    const device::DeviceInfo* instead = resolved_->device;
    say({Notice::Kind::warning,
         "device",
         (openingFailed_.empty() ? "There is no device " + choice_.device + " here"
                                 : openingFailed_) +
             "; " + (instead != nullptr ? instead->name + " is used instead." : "none answers."),
         {},
         {}});
  }
  refresh();
}

void Session::acceptError(const Arrival& arrival, const Error& error) {
  if (arrival.slot == Slot::live) return liveEnded(error);
  if (arrival.slot == Slot::library) return libraryFailed();
  if (arrival.slot == Slot::timeline) timelineFailed(arrival.key, error);
  if (arrival.slot == Slot::count) {
    countWanted_ = false;
    hardwareFor_.clear();
  }
  const bool ptx = !arrival.slot && arrival.key.starts_with("ptx ");
  if (ptx) {
    ptx_.failure = error.message;
    return say({Notice::Kind::warning, "ptx", "The PTX cannot be shown: " + error.message, {}, {}});
  }
  const bool ceilings = !arrival.slot && arrival.key != "devices";
  if (!arrival.slot && !ceilings) workerFailed_ = true;
  const std::string about = ceilings ? "roofline" : aboutOf(arrival.slot);
  Notice notice{Notice::Kind::error, about, error.message, placeOf(error), {}};
  if (error.where && error.where->line > 0 && arrival.slot == Slot::sceneMain) {
    const compile::CatalogueEntry* entry = resolved_->entry;
    const auto line = static_cast<uint32_t>(error.where->line);
    notice.lines = {line};
    if (entry != nullptr) {
      const compile::KernelSource& source =
          (resolved_->changed ? resolved_->changed->entry : *entry).source;
      broken_ = {source.path, source.text, line, error.message, "does not compile"};
    }
  }
  say(std::move(notice));
}

/// A result that came but is wrong says so; one that is right takes the notice away.
void Session::reportProblems(const std::string& about, const lab::RunResult& result) {
  clearNotice(about);
  std::string text;
  std::optional<Fix> fix;
  std::vector<uint32_t> lines;
  if (!result.faults.empty()) {
    const device::Fault& fault = result.faults.front();
    if (result.device.measures && fault.kind != "time-limit") fix = Fix{};
    text = fault.message.empty() ? fault.kind : fault.message;
    if (fault.at.line > 0) text += " (line " + std::to_string(fault.at.line) + ")";
    if (fault.at.line > 0) lines = {fault.at.line};
  } else if (result.hazards && !result.hazards->empty()) {
    const device::Hazard& hazard = result.hazards->front();
    text = "A " + hazard.kind + " hazard in " + hazard.space + " memory: " + hazard.message;
    lines = {hazard.first.line, hazard.second.line};
    if (lines[0] == lines[1]) lines.pop_back();
    const size_t more = result.hazards->size() - 1;
    if (more > 0) text += " " + std::to_string(more) + " more of other lines.";
  } else if (result.check && !result.check->ok) {
    // A GPU does not say which line it was; the interpreter's checkers may.
    if (result.device.measures) fix = Fix{};
    text =
        result.check->unwritten > 0
            ? std::to_string(result.check->unwritten) +
                  " elements of the output were never written."
            : "The result differs from the float64 reference: check indices, guards and barriers.";
  }
  if (!text.empty())
    say({Notice::Kind::warning, about, shortNameOf(result.kernel) + ": " + text, {}, fix, lines});
}

void Session::appendHistory(const lab::RunResult& result) {
  HistoryPoint point;
  point.number = ++historyCount_;
  point.label = labelOf(result);
  point.device = deviceText(result.device);
  if (result.counters) {
    const trace::Counters& total = result.counters->total;
    point.perFlop = result.plan.operations > 0;
    const double base =
        point.perFlop ? result.plan.operations : static_cast<double>(total.globalStore.threads);
    if (base > 0 && loadsAreCounted(result)) {
      point.askedBytes = static_cast<double>(total.globalLoad.bytes) / base;
      point.sectorBytes = 32 * static_cast<double>(total.globalLoad.sectors) / base;
    }
  }
  if (result.measurement) {
    point.medianMs = result.measurement->medianMs;
    point.p10Ms = result.measurement->p10Ms;
    point.p90Ms = result.measurement->p90Ms;
    point.method = result.measurement->method;
    if (result.measurement->medianMs > 0 && result.plan.operations > 0)
      point.gflops = result.plan.operations / (result.measurement->medianMs * 1e6);
  }
  // The same counts again are no change; the same time measured again is one.
  if (!history_.empty() && !point.medianMs && history_.back().label == point.label &&
      history_.back().askedBytes == point.askedBytes &&
      history_.back().sectorBytes == point.sectorBytes) {
    --historyCount_;
    return;
  }
  former_.push_back({point.number, point.label, machineOf(result.device),
                     rooflineWorkOf(result, false), result.kernel});
  if (former_.size() > kHistory) former_.erase(former_.begin());
  history_.push_back(std::move(point));
  if (history_.size() > kHistory) history_.erase(history_.begin());
}

}  // namespace tilestep::model
