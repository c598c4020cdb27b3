// SPDX-License-Identifier: Apache-2.0
// `tilestep sweep --best` lists the candidates (lab/tune/tune_candidates.h), drops some
// (lab/tune/tune_prune.h), times the others in the order of lab/tune/tune_search.h, and checks the
// winner.
#include <algorithm>
#include <chrono>
#include <set>

#include "app/best/best_search.h"
#include "app/environment.h"
#include "base/figure.h"
#include "base/files.h"
#include "base/nearest_name.h"
#include "lab/recording/recorded.h"
#include "lab/recording/recording_file.h"

namespace tilestep::app {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::string_view kRecordedDevice = "recorded:";

Error needsGpu(const std::string& device) {
  return requestError("--best needs a device that measures, but " +
                      (device == "auto" ? "no GPU answers here" : device + " does not") +
                      "; name a recording with --device recorded:nvidia-h200, or a GPU elsewhere "
                      "with --worker \"ssh gpu-host tilestep worker\"");
}

/// The device to search for, according to the first worker that answers.
Result<device::DeviceInfo> deviceOf(SweepWorkers& workers, const std::string& wanted) {
  if (wanted == "simt") return needsGpu(wanted);
  Error last = needsGpu(wanted);
  for (const auto& client : workers.clients) {
    const Result<worker::DevicesReply> reply =
        bodyOf<worker::DevicesReply>(await(*client, client->devices(), interrupted));
    if (!reply) last = reply.error();
    if (!reply) continue;
    for (const device::DeviceInfo& info : reply->devices) {
      const bool live = info.measures && info.recordedOn.empty();
      if (live && (wanted == "auto" || wanted == info.id)) return info;
    }
    return needsGpu(wanted);
  }
  return last;
}

std::vector<compile::Bindings> sizesOf(const compile::KernelSpec& spec,
                                       const std::vector<lab::Point>& points) {
  std::vector<compile::Bindings> all;
  for (const lab::Point& point : points) {
    all.push_back(spec.sizes);
    for (const auto& [name, value] : point) all.back()[name] = value;
  }
  return all;
}

/// A request that has been checked.
struct Request {
  Kernel kernel;
  Axes axes;
  std::vector<compile::Bindings> sizes;
};

Result<Request> requestOf(const SweepOptions& options) {
  if (options.experiment.counters) {
    return requestError(
        "--best measures times only; count the best choice with tilestep run --tuned --counters");
  }
  Result<Kernel> kernel = loadKernel(options.kernel, options.choice.entry);
  if (!kernel) return kernel.error();
  sayNotes(*kernel);
  if (kernel->spec.tunables.empty())
    return requestError(kernel->spec.name + " has no tunables, so there is nothing to search");
  Result<Axes> axes = axesOf(options.choice, kernel->spec);
  if (!axes) return axes.error();
  const Result<std::vector<lab::Point>> points = lab::combinations(axes->sizes);
  if (!points) return points.error();
  Request request{std::move(*kernel), std::move(*axes), {}};
  request.sizes = sizesOf(request.kernel.spec, *points);
  return request;
}

/// The fastest of a recording's points for one kernel at these sizes.
struct RecordedBest {
  compile::Bindings tunables;
  device::DeviceInfo device;  ///< The machine that measured it, and when.
  double medianMs = 0;
  size_t points = 0;  ///< Number of points that it was chosen from.
};

bool isChosen(const compile::Bindings& tunables, const std::vector<lab::Axis>& chosen) {
  return std::ranges::all_of(chosen, [&](const lab::Axis& axis) {
    const auto at = tunables.find(axis.names.front());
    return at == tunables.end() || std::ranges::find(axis.values, at->second) != axis.values.end();
  });
}

/// `chosen` restricts tunables. Errors: no point is recorded at these sizes; the error names the
/// sizes that are recorded.
Result<RecordedBest> bestRecorded(const lab::DeviceRecording& recording,
                                  const compile::KernelSpec& spec, uint64_t code,
                                  const compile::Bindings& sizes,
                                  const std::vector<lab::Axis>& chosen) {
  RecordedBest best;
  std::set<std::string> elsewhere;
  for (const lab::RecordedPoint& point : recording.points) {
    if (!point.measurement || !isChosen(point.tunables, chosen)) continue;
    if (!lab::isPointOf(recording, point, spec, code)) continue;
    if (point.sizes != sizes) {
      elsewhere.insert(lab::pointText(point.sizes, {}));
      continue;
    }
    const double ms = point.measurement->medianMs;
    if (++best.points > 1 && ms >= best.medianMs) continue;
    best.medianMs = ms;
    best.tunables = point.tunables;
    best.device = lab::deviceOf(recording, &point);
  }
  if (best.points > 0) return best;
  constexpr size_t kMost = 8;
  std::vector<std::string> some(elsewhere.begin(), elsewhere.end());
  const bool more = some.size() > kMost;
  some.resize(std::min(some.size(), kMost));
  return requestError("the recording of " + recording.device.name + " has no times of " +
                      spec.name + " at " + lab::pointText(sizes, {}) +
                      (some.empty()
                           ? " or any other size with this code, launch and tunables"
                           : "; it has some at " + listed(some) + (more ? " and more" : "")));
}

/// Chooses the best among a recording's points; nothing is run to find it.
int chooseRecorded(const SweepOptions& options, Request request) {
  if (options.csv.resume) {
    return fail(requestError(
        "the best of a recording is chosen at once, so there is nothing to continue; omit "
        "--resume"));
  }
  const Result<std::filesystem::path> home = findHome();
  if (!home) return fail(home.error());
  const std::string name = options.experiment.device.substr(kRecordedDevice.size());
  const auto recording = lab::readRecording(lab::recordingFile(home->string(), name));
  if (!recording) return fail(recording.error());
  SweepPlan plan{std::move(request.kernel), {}, {}};
  plan.columns = lab::sweepColumns(plan.kernel.spec, false);
  const uint64_t code = lab::codeHashOf(plan.kernel.source);
  for (const compile::Bindings& sizes : request.sizes) {
    const auto best =
        bestRecorded(*recording, plan.kernel.spec, code, sizes, request.axes.tunables);
    if (!best) return fail(best.error());
    lab::Experiment& experiment = plan.experiments.emplace_back(options.experiment);
    experiment.source = plan.kernel.source;
    experiment.sizes = sizes;
    experiment.tunables = best->tunables;
    experiment.onlyRecorded = true;
    say("tilestep: " + lab::pointText(sizes, best->tunables) + " is the best of " +
        grouped(best->points) + " recorded on " + machineText(best->device) + ", " +
        best->device.recordedOn + "; others may be better");
  }
  return runSweep(options, plan);
}

/// The legal choices at each of the sizes.
Result<std::vector<lab::Candidates>> allCandidates(const Request& request, const Limits& limits) {
  std::vector<lab::Candidates> all;
  for (const compile::Bindings& sizes : request.sizes) {
    Result<lab::Candidates> found =
        lab::candidatesOf(request.kernel.spec, sizes, request.axes.tunables, limits);
    if (!found) return found.error();
    all.push_back(std::move(*found));
  }
  return all;
}

int searchAll(BestSearch& search, const std::vector<compile::Bindings>& sizes,
              std::vector<lab::Candidates> candidates) {
  const Clock::time_point started = Clock::now();
  std::vector<lab::SweepLine> lines;
  for (size_t i = 0; i < sizes.size() && !search.stopped(); ++i) {
    const std::chrono::duration<double> passed = Clock::now() - started;
    const double left = search.options.budget.value_or(0) - passed.count();
    const double share =
        search.options.budget ? std::max(left / static_cast<double>(sizes.size() - i), 0.1) : 0;
    auto line = searchAt(search, sizes[i], std::move(candidates[i]), share);
    if (line) lines.push_back(std::move(*line));
  }
  if (search.devices.size() > 1) {
    say("tilestep: " + mixedSentence(search.devices));
    search.wrong = true;
  }
  const std::set<std::string> hidden{"stage", "device_name", "code", "p10_ms", "p90_ms", "min_ms"};
  if (!lines.empty() && print(tableOf(search.book.columns(), lines, hidden), kDone) != kDone)
    return kWrong;
  if (!search.ended) return fail(search.ended.error());
  if (!search.book.file().written()) return failIncomplete(search.book.file());
  if (interrupted()) {
    say(search.options.csv.path.empty()
            ? "tilestep: with --csv FILE a search can be continued later"
            : "tilestep: what was tried is kept: continue with the same command and --resume (" +
                  search.options.csv.path + ")");
  }
  return interrupted() || search.wrong ? kWrong : kDone;
}

}  // namespace

int sweepForBest(const SweepOptions& options) {
  if (const Status may = checkCsv(options.csv); !may) return fail(may.error());
  Result<Request> request = requestOf(options);
  if (!request) return fail(request.error());
  if (options.experiment.device.starts_with(kRecordedDevice))
    return chooseRecorded(options, std::move(*request));
  catchInterrupts();
  Result<SweepWorkers> workers = startWorkers(options);
  if (!workers) return fail(workers.error());
  Result<device::DeviceInfo> device = deviceOf(*workers, options.experiment.device);
  if (!device) return fail(device.error());
  Result<std::vector<lab::Candidates>> candidates = allCandidates(*request, device->limits);
  if (!candidates) return fail(candidates.error());
  const uint64_t code = lab::programHashOf(request->kernel.source, request->kernel.spec);
  const Result<FileLock> lock = claimCsv(options.csv);
  if (!lock) return fail(lock.error());
  Result<BestBook> book = BestBook::open(options.csv, {request->kernel.spec, code, device->name});
  if (!book) return fail(book.error());
  const std::vector<compile::Bindings> sizes = std::move(request->sizes);
  BestSearch search{.options = options,
                    .kernel = std::move(request->kernel),
                    .axes = std::move(request->axes),
                    .device = std::move(*device),
                    .code = code,
                    .crew = worker::Crew(std::move(workers->clients), std::move(workers->shares)),
                    .book = std::move(*book)};
  return searchAll(search, sizes, std::move(*candidates));
}

}  // namespace tilestep::app
