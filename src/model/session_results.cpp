// SPDX-License-Identifier: Apache-2.0
// Updates the state with the worker's replies.
#include <algorithm>
#include <utility>

#include "base/figure.h"
#include "compile/text/text_constants.h"
#include "lab/launch/launch_spec.h"
#include "lab/recording/recorded.h"
#include "lab/recording/recording.h"
#include "model/choice/planning.h"
#include "model/choice/resolved.h"
#include "model/scene/traced_kernel.h"
#include "model/session.h"
#include "model/text/step_summary.h"
#include "trace/replay.h"

namespace tilestep::model {
namespace {

/// Traces with more events are divided into steps on another thread.
constexpr size_t kLongTrace = 256;
constexpr size_t kHistory = 200;

/// "tiled · TILE_WIDTH 16". For a program's launch, the numbers in its source that have sliders are
/// included.
std::string labelOf(const lab::RunResult& result, const Resolved& resolved) {
  std::string label = shortNameOf(result.kernel);
  const auto add = [&](const std::string& name, int64_t value) {
    label += " · " + name + " " + std::to_string(value);
  };
  for (const auto& [name, value] : result.plan.tunables) add(name, value);
  const compile::CatalogueEntry* entry = resolved.find(result.kernel);
  if (entry != nullptr && entry->source.launch != nullptr)
    for (const compile::TextConstant& each : compile::textConstants(entry->source.text))
      add(each.name, each.value);
  return label;
}

/// The result of a program's launch, with the launch's names in the window.
lab::RunResult withPlan(lab::RunResult result, const Resolved& resolved) {
  const compile::CatalogueEntry* entry = resolved.find(result.kernel);
  if (entry != nullptr && entry->spec) lab::takePlan(*entry->spec, result);
  return result;
}

/// The hazard to report. A hazard between warps of a block comes first, because a barrier within a
/// warp would not fix it.
const device::Hazard& hazardToReport(const lab::RunResult& result) {
  const Dim3& block = result.plan.launches.front().block;
  const auto isBetweenWarps = [&](const device::Hazard& hazard) {
    return hazard.first.block == hazard.second.block &&
           trace::numberOf(hazard.first.thread, block) / 32 !=
               trace::numberOf(hazard.second.thread, block) / 32;
  };
  const auto between = std::ranges::find_if(*result.hazards, isBetweenWarps);
  return between == result.hazards->end() ? result.hazards->front() : *between;
}

}  // namespace

/// A recording in a separate file is listed only after it has been opened, which a request for its
/// ceilings does. Returns true if the reply belongs to that request.
bool Session::openedRecording(const Arrival& arrival) {
  if (!arrival.question || opening_.empty() || arrival.key != opening_) return false;
  const Error* error = std::get_if<Error>(&arrival.reply.body);
  openingFailed_ = error != nullptr ? error->message : "";
  opening_.clear();
  model_.jobs.askDevices();
  return true;
}

void Session::accept(const Arrival& arrival) {
  model_.changed = true;
  const auto feature = std::ranges::find(features_, arrival.job, &Feature::id);
  if (feature != features_.end())
    (*feature)->accept(arrival, model_);
  else if (!openedRecording(arrival))
    acceptAnswer(arrival);
  askFeatures();
}

void Session::acceptAnswer(const Arrival& arrival) {
  if (const Error* error = std::get_if<Error>(&arrival.reply.body))
    return acceptError(arrival, *error);
  if (const auto* devices = std::get_if<worker::DevicesReply>(&arrival.reply.body))
    return acceptDevices(*devices);
  if (const auto* ceilings = std::get_if<device::Ceilings>(&arrival.reply.body)) {
    if (arrival.key == model_.figures.ceilingsOf) model_.figures.ceilings = *ceilings;
    return model_.clearNotice("roofline");
  }
  const auto* result = std::get_if<lab::ResultPointer>(&arrival.reply.body);
  if (result == nullptr || arrival.question) return;
  if ((*result)->isLaunch)
    return acceptResult(arrival, lab::shared(withPlan(**result, *model_.resolved)));
  acceptResult(arrival, *result);
}

void Session::acceptResult(const Arrival& arrival, const lab::ResultPointer& result) {
  if (arrival.job == kSceneJob.name) return acceptScene(kSceneJob, arrival.key, result);
  if (arrival.job == kCompanionJob.name) return acceptScene(kCompanionJob, arrival.key, result);
  if (arrival.job == kCountJob.name) return acceptCount(arrival.key, result);
  acceptFigures(arrival, result);
}

void Session::acceptScene(const Job& job, const std::string& key,
                          const lab::ResultPointer& result) {
  const bool main = job.name == kSceneJob.name;
  const compile::CatalogueEntry* entry = main && model_.resolved->changed
                                             ? &model_.resolved->changed->entry
                                             : model_.resolved->find(result->kernel);
  if (entry == nullptr) return;
  if (main) model_.scene.broken.reset();
  if (main || !model_.resolved->changed) reportProblems(main ? "scene" : "companion", *result);
  const std::string cacheKey = key + "/" + std::to_string(model_.resolved->phaseLength);
  const bool isLong = result->trace && result->trace->size() > kLongTrace;
  const auto make = [entry = *entry, result, phaseLength = model_.resolved->phaseLength,
                     line = main && model_.resolved->changed ? model_.resolved->changed->line : 0] {
    return traceKernel(entry, result, kSeed, phaseLength, line);
  };
  if (isLong) return maker_.start(job, cacheKey, make);
  maker_.drop(job);
  acceptSide(job, cacheKey, make());
}

void Session::acceptSide(const Job& job, const std::string& key,
                         const std::shared_ptr<const TracedKernel>& side) {
  const bool main = job.name == kSceneJob.name;
  model_.changed = true;
  if (!side) return sayThatNoneFits(main, key);
  keep(key, side);
  sayIfCut(main ? "cut" : "companion cut", *side);
  (main ? model_.scene.mainKey : model_.scene.companionKey) = key;
  (main ? model_.scene.main : model_.scene.companion) = side;
  placeSides();
  const lab::RunResult& result = *side->result;
  const device::DeviceInfo* device = model_.resolved->device;
  const bool counts = !result.blockAlone && (device == nullptr || !device->measures);
  if (main && counts && !model_.resolved->changed) appendHistory(result);
}

/// A trace that was truncated before its first epoch was complete is not shown, because it would be
/// misleading.
void Session::sayThatNoneFits(bool main, const std::string& key) {
  if (!main) {
    model_.scene.companion.reset();
    model_.scene.companionKey = key;  // Prevents another request.
    placeSides();
  }
  model_.say(
      {Notice::Kind::warning,
       main ? "cut" : "companion cut",
       std::string(main ? "This block cannot be shown" : "No kernel is shown for comparison") +
           ": its steps need more than the " + std::to_string(kLargeTraceBytes >> 20) +
           " MiB that a recording may use, and it has no barrier before which all of its warps "
           "could be shown. Choose a smaller k or block.",
       {},
       {}});
}

void Session::sayIfCut(const std::string& about, const TracedKernel& side) {
  model_.clearNotice(about);
  const trace::BlockTrace& recording = side.replay->recording();
  if (!recording.truncated()) return;
  std::string text = side.shortName + ": the steps of this block need more than the " +
                     std::to_string(kLargeTraceBytes >> 20) + " MiB that a recording may use; ";
  if (side.tallies.phases.empty())
    text += "it is cut after " + grouped(recording.size()) + " events";
  else
    text += "it is shown up to phase " + std::to_string(side.tallies.phases.back().phase) + ", " +
            ordinal(side.tallies.phases.back().phase + 1) + " of " + std::to_string(side.phases());
  model_.say({Notice::Kind::info, about, text + ". A smaller k or block shows all of it.", {}, {}});
}

/// If a recording does not contain the requested point, suggests the nearest recorded point, whose
/// figures do not apply to the requested point.
void Session::sayNearest(const lab::RunResult& result) {
  if (!result.nearest) return model_.clearNotice("recording");
  Notice notice{Notice::Kind::warning,
                "recording",
                "No recorded time: " + lab::nearestText(*result.nearest) + ".",
                {},
                {}};
  if (result.nearest->known)
    notice.nearest = RecordedPlace{result.nearest->sizes, result.nearest->tunables};
  model_.say(std::move(notice));
}

void Session::acceptFigures(const Arrival& arrival, lab::ResultPointer shared) {
  // The panels themselves report why a recording has no figures.
  if (shared->hardware && !shared->hardware->refused.empty()) {
    auto without = std::make_shared<lab::RunResult>(*shared);
    without->hardware.reset();
    shared = std::move(without);
  }
  model_.figures.best.take(*shared, model_.resolved->find(shared->kernel));
  if (arrival.job == kMeasureJob.name) {
    reportProblems("measure", *shared);
    sayNearest(*shared);
    model_.figures.measured.main = shared;
    model_.figures.measured.mainKey = arrival.key;
    if (!shared->nearest) appendHistory(*shared);
  } else if (arrival.job == kReferenceJob.name) {
    model_.clearNotice("reference");
    model_.figures.reference = shared;
    model_.figures.referenceKey = arrival.key;
  } else {
    model_.clearNotice("measure companion");
    model_.figures.measured.companion = shared;
    model_.figures.measured.companionKey = arrival.key;
  }
}

void Session::acceptHardware(const std::string& key, const lab::RunResult& result) {
  if (key != model_.wanted.hardware) return;
  model_.clearNotice("hardware");
  if (!result.hardware->refused.empty()) {
    model_.figures.hardwareFor.clear();
    return model_.say({Notice::Kind::warning, "hardware", result.hardware->refused, {}, {}});
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
  if (&figures == &model_.figures.measured.main && !model_.figures.former.empty() &&
      model_.figures.former.back().work.seconds == rooflineWorkOf(*figures, false).seconds)
    model_.figures.former.back().work = rooflineWorkOf(*figures, false);
  refresh();  // Continues with the companion.
}

void Session::acceptCount(const std::string& key, const lab::ResultPointer& shared) {
  if (shared->hardware) return acceptHardware(key, *shared);
  reportProblems("count", *shared);
  if (key == model_.wanted.measureMain) {
    model_.figures.counted.main = shared;
    model_.figures.counted.mainKey = key;
    refresh();  // Continues with the companion.
  } else if (key == model_.wanted.measureCompanion) {
    model_.figures.counted.companion = shared;
    model_.figures.counted.companionKey = key;
  }
  if (model_.jobs.waitsOrRuns(kCountJob)) return;
  model_.figures.countWanted = false;
  refresh();  // Continues with the reference.
}

/// Without a GPU, times come from a recording, so the session must know which kernels it contains.
void Session::readRecordings() {
  const auto isLive = [](const device::DeviceInfo& device) {
    return device.measures && device.recordedOn.empty();
  };
  if (std::ranges::any_of(*model_.devices, isLive)) return;
  for (const device::DeviceInfo& device : *model_.devices)
    model_.figures.best.read(model_.options.home, device.id);
}

void Session::acceptDevices(const worker::DevicesReply& reply) {
  model_.devices = std::make_shared<const Devices>(reply.devices);
  model_.compiler = reply.compiler;
  readRecordings();
  // The lesson may have been opened before the devices were known.
  if (model_.measuringWanted)
    model_.choice.device = measuringDevice(*model_.devices, model_.choice.device);
  model_.resolveChoice();
  const auto same = [&](const device::DeviceInfo& device) {
    return device.id == model_.choice.device;
  };
  const bool missing =
      model_.choice.device != "auto" && std::ranges::none_of(*model_.devices, same);
  if (missing && model_.choice.device.starts_with("recorded:") && opened_ != model_.choice.device) {
    opened_ = opening_ = model_.choice.device;
    model_.jobs.askCeilings(opening_);
    return refresh();
  }
  if (!missing) model_.clearNotice("device");
  if (missing) {
    const device::DeviceInfo* instead = model_.resolved->device;
    model_.say(
        {Notice::Kind::warning,
         "device",
         (openingFailed_.empty() ? "There is no device " + model_.choice.device + " here"
                                 : openingFailed_) +
             "; " +
             (instead != nullptr ? instead->name + " is used instead." : "no device is available."),
         {},
         {}});
  }
  refresh();
}

void Session::acceptError(const Arrival& arrival, const Error& error) {
  const bool scene = arrival.job == kSceneJob.name, ceilings = arrival.job == "ceilings";
  if (arrival.job == kCountJob.name) {
    model_.figures.countWanted = false;
    model_.figures.hardwareFor.clear();
  }
  if (arrival.question && !ceilings) model_.workerFailed = true;
  const std::string about = ceilings           ? "roofline"
                            : arrival.question ? "worker"
                            : scene            ? "scene"
                                               : arrival.job;
  Notice notice{Notice::Kind::error, about, error.message, placeOf(error), {}};
  if (error.where && error.where->line > 0 && scene) {
    const compile::CatalogueEntry* entry = model_.entry();
    const auto line = static_cast<uint32_t>(error.where->line);
    notice.lines = {line};
    if (entry != nullptr) {
      const std::optional<ChangedKernel>& changed = model_.resolved->changed;
      const compile::KernelSource& source = (changed ? changed->entry : *entry).source;
      model_.scene.broken = {source.path, source.text, line, error.message, "does not compile"};
    }
  }
  model_.say(std::move(notice));
}

/// Reports problems of a result; a correct one clears the notice.
void Session::reportProblems(const std::string& about, const lab::RunResult& result) {
  model_.clearNotice(about);
  // Problems in a program are listed among its findings.
  if (result.isLaunch) return;
  std::string text;
  std::optional<Fix> fix;
  std::vector<uint32_t> lines;
  if (!result.faults.empty()) {
    const device::Fault& fault = result.faults.front();
    if (result.device.measures && fault.kind != "time-limit") fix = Fix{};
    text = fault.message.empty() ? fault.kind : fault.message;
    const std::string line = "line " + std::to_string(fault.at.line);
    if (fault.at.line > 0 && text.find(line) == std::string::npos) text += " (" + line + ")";
    if (fault.at.line > 0) lines = {fault.at.line};
  } else if (result.hazards && !result.hazards->empty()) {
    const device::Hazard& hazard = hazardToReport(result);
    text = "A " + hazard.kind + " hazard in " + hazard.space + " memory: " + hazard.message;
    lines = {hazard.first.line, hazard.second.line};
    if (lines[0] == lines[1]) lines.pop_back();
    const size_t more = result.hazards->size() - 1;
    if (more > 0) text += " " + std::to_string(more) + " more on other lines.";
  } else if (result.check && !result.check->ok) {
    // A GPU does not report the line, but the interpreter's checkers may.
    if (result.device.measures) fix = Fix{};
    text =
        result.check->unwritten > 0
            ? std::to_string(result.check->unwritten) +
                  (result.check->unwritten == 1 ? " element of the output was never written."
                                                : " elements of the output were never written.")
            : "The result differs from the float64 reference: check indices, guards and barriers.";
  }
  if (text.empty()) return;
  std::string name = shortNameOf(result.kernel);
  if (about == "scene" && model_.resolved->changed)
    name += " without line " + std::to_string(model_.resolved->changed->line);
  model_.say({Notice::Kind::warning, about, name + ": " + text, {}, fix, lines});
}

void Session::appendHistory(const lab::RunResult& result) {
  if (!result.counters && !result.measurement) return;
  HistoryPoint point;
  point.number = ++model_.figures.historyCount;
  point.label = labelOf(result, *model_.resolved);
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
  // If only counts are equal, there is no new point. An equal time is a new measurement.
  if (!model_.figures.history.empty() && !point.medianMs &&
      model_.figures.history.back().label == point.label &&
      model_.figures.history.back().askedBytes == point.askedBytes &&
      model_.figures.history.back().sectorBytes == point.sectorBytes) {
    --model_.figures.historyCount;
    return;
  }
  model_.figures.former.push_back({point.number, point.label, machineOf(result.device),
                                   rooflineWorkOf(result, false), result.kernel});
  if (model_.figures.former.size() > kHistory)
    model_.figures.former.erase(model_.figures.former.begin());
  model_.figures.history.push_back(std::move(point));
  if (model_.figures.history.size() > kHistory)
    model_.figures.history.erase(model_.figures.history.begin());
}

}  // namespace tilestep::model
