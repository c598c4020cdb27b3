// SPDX-License-Identifier: Apache-2.0
#include "lab/lab.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <new>
#include <optional>
#include <thread>
#include <utility>

#include "base/files.h"
#include "base/text_lines.h"
#include "compile/text/parameters.h"
#include "lab/devices/device_file.h"
#include "lab/devices/device_pool.h"
#include "lab/devices/gpu_turn.h"
#include "lab/job.h"
#include "lab/launch/given_data.h"
#include "lab/launch/prepare.h"
#include "lab/library.h"
#include "lab/recording/recorded.h"
#include "lab/run/as_written.h"
#include "lab/run/finish.h"
#include "lab/run/interpreter_trace.h"
#include "lab/run/kernel_builds.h"
#include "lab/run/run_memory.h"
#include "ptx/rewrite/instrument_counting.h"

namespace tilestep::lab {
namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Turns off every request that needs a run.
Experiment withoutRuns(Experiment experiment) {
  experiment.counters = experiment.measure = experiment.check = false;
  experiment.timeline = experiment.hardware = experiment.thorough = false;
  experiment.timings = false;
  experiment.pictureSide = 0;
  experiment.traceBlock.reset();
  return experiment;
}

/// The thread count of the largest block, at least 256. A block of up to 256 threads always has
/// enough registers, so all launches of such blocks share one compilation.
uint32_t largestBlock(const std::vector<Launch>& launches) {
  constexpr uint64_t kSmallest = 256;
  uint64_t most = kSmallest;
  for (const Launch& launch : launches) most = std::max(most, launch.block.count());
  return static_cast<uint32_t>(std::min<uint64_t>(most, UINT32_MAX));
}

/// Adds the location of the kernel's function to the error, if known.
Error atEntry(Error error, const compile::KernelSource& source, const compile::KernelSpec& spec) {
  if (spec.entryLine == 0) return error;
  error.where = TextLocation{source.path, spec.entryLine, 0};
  error.sourceLine = lineOf(source.text, spec.entryLine);
  return error;
}

}  // namespace

struct Lab::State {
  explicit State(Options given)
      : options(std::move(given)),
        pool(options.interpreterThreads, options.home),
        builds({options.home, options.cacheFolder, {}, options.program}) {}

  /// Opening a device, which is done once, does not count towards the run's time.
  Result<Prepared> prepare(const Experiment& experiment, device::Stop& stop,
                           const Progress& progress);
  Result<device::Job> jobFor(const Experiment& experiment, const Prepared& prepared,
                             const device::Stop& stop);
  /// Runs on a recording. The interpreter computes the results that the recording does not hold.
  Result<RunResult> runRecorded(const Experiment& experiment, Prepared prepared, device::Job job,
                                const device::Stop& stop, const std::function<void(Stage)>& say);
  /// Only loads the machine code. Other processes can measure on the GPU meanwhile.
  static Result<device::Outcome> load(const Prepared& prepared, const device::Job& job,
                                      const device::Cancelled& cancelled);
  /// The memory limit for a run of this experiment; 0 for no limit.
  [[nodiscard]] uint64_t memoryFor(const Experiment& experiment) const;
  [[nodiscard]] RunMemory limitsOf(const Experiment& experiment) const {
    return {memoryFor(experiment), options.interpreterThreads};
  }
  Result<device::Ceilings> measuredCeilings(const std::string& device);
  /// Waits for exclusive use of the GPU; the interpreter needs no lock. If a GPU cannot be locked,
  /// reports that on standard error, once.
  Result<GpuTurn> turnOn(const device::DeviceInfo& info, const device::Cancelled& cancelled,
                         const std::function<void(Stage)>& say);

  Options options;
  DevicePool pool;
  KernelBuilds builds;
  std::string reportedNote;  ///< The last GpuTurn::note() that was reported.
};

Result<GpuTurn> Lab::State::turnOn(const device::DeviceInfo& info,
                                   const device::Cancelled& cancelled,
                                   const std::function<void(Stage)>& say) {
  if (info.place.empty()) return GpuTurn();
  const auto tell = [&](int seconds, const std::string& holder) {
    say(waitingText(info.name, seconds, holder));
  };
  Result<GpuTurn> turn = GpuTurn::take(kGpuLockFolder, info.place, cancelled, tell);
  if (!turn || turn->note().empty() || turn->note() == reportedNote) return turn;
  reportedNote = turn->note();
  std::fprintf(stderr, "tilestep: %s\n", reportedNote.c_str());
  return turn;
}

Result<Prepared> Lab::State::prepare(const Experiment& experiment, device::Stop& stop,
                                     const Progress& progress) {
  Prepared prepared;
  if (experiment.captured != nullptr) {
    const Result<device::Device*> device = pool.open(experiment.device);
    if (!device) return device.error();
    return prepareLaunch(experiment, **device);
  }
  Result<compile::KernelSpec> spec = compile::parseKernel(experiment.source);
  if (!spec) return spec.error();
  prepared.spec = std::move(spec).value();
  const Clock::time_point opening = Clock::now();
  Result<device::Device*> device = pool.open(experiment.device);
  if (!device) return device.error();
  stop.allow(secondsSince(opening));
  prepared.device = *device;
  if (const auto recorded = pool.recorded(experiment.device)) prepared.recorded = *recorded;
  const device::DeviceInfo& info = prepared.device->info();
  Result<compile::Plan> plan =
      compile::plan(prepared.spec, experiment.sizes, experiment.tunables, info.limits);
  if (!plan) return plan.error();
  prepared.plan = std::move(plan).value();
  if (const Status fits = takeData(experiment, prepared.plan); !fits) return fits.error();
  if (isLibraryExperiment(experiment)) {
    if (const Status fits = checkLibrary(experiment, info); !fits) return fits.error();
    auto library = libraryAsCompiled(prepared.recorded != nullptr);
    if (!library) return library.error();
    prepared.compiled = std::move(*library);
    return prepared;
  }
  const Result<std::string> arch = archFor(prepared.spec, info);
  if (!arch) return arch.error();
  if (progress) progress("compiling " + prepared.spec.name);
  compile::CompileRequest request =
      KernelBuilds::requestFor(experiment, prepared.plan, *arch, memoryFor(experiment));
  // A GPU's driver makes its own machine code, and reports whether that can be launched.
  if (experiment.check && !info.computeCapability)
    request.blockThreads = largestBlock(prepared.plan.launches);
  auto made = builds.make(std::move(request), stop);
  if (!made) return made.error();
  prepared.compiled = *made;
  Status fits = compile::checkParameters(prepared.spec, *prepared.compiled->module);
  if (!fits) return atEntry(fits.error(), experiment.source, prepared.spec);
  return prepared;
}

Result<device::Job> Lab::State::jobFor(const Experiment& experiment, const Prepared& prepared,
                                       const device::Stop& stop) {
  Result<device::Job> job = makeJob(experiment, prepared.plan, *prepared.compiled);
  if (!job) return job;
  if (experiment.captured != nullptr) placeOperands(experiment, prepared, *job);
  const device::DeviceInfo& info = prepared.device->info();
  job->measure = job->measure && info.measures;
  // Only a GPU measures times, and it always runs all blocks.
  job->blockAlone = job->blockAlone && !info.measures;
  if (job->blockAlone) job->outputs = false;
  if (prepared.recorded != nullptr) return job;
  // The interpreter counts by itself. On a GPU, the rewritten kernel calls the probe's functions.
  if (job->counters && info.computeCapability) {
    auto probes = builds.probe("count", prepared.compiled->arch, true, stop);
    if (!probes) return probes.error();
    job->probes = (*probes)->module;
  }
  if (job->timeline && info.computeCapability) {
    auto clocks = builds.probe("clocks", prepared.compiled->arch, false, stop);
    if (!clocks) return clocks.error();
    job->clockProbe = (*clocks)->ptx;
  }
  return job;
}

Result<device::Outcome> Lab::State::load(const Prepared& prepared, const device::Job& job,
                                         const device::Cancelled& cancelled) {
  if (prepared.device->info().computeCapability) return prepared.device->run(job, cancelled);
  device::Outcome outcome;
  outcome.sharedBytes = sharedBytesOf(prepared.plan, *prepared.compiled->module);
  return outcome;
}

Result<device::Ceilings> Lab::State::measuredCeilings(const std::string& device) {
  const Result<DeviceName> name = DevicePool::resolve(device);
  if (!name) return name.error();
  if (name->kind == DeviceName::Kind::simt) {
    return requestError(
        "the interpreter has no ceilings, because it gives no times; name a known device instead");
  }
  Result<device::Device*> opened = pool.open("cuda:" + std::to_string(name->ordinal));
  if (!opened) return opened.error();
  const Result<std::string> arch = archFor({}, (*opened)->info());
  if (!arch) return arch.error();
  auto compiled = builds.probe("ceilings", *arch, false, {});
  if (!compiled) return compiled.error();
  const auto turn = turnOn((*opened)->info(), {}, [](const Stage&) {});
  if (!turn) return turn.error();
  return device::cudaCeilings(name->ordinal, (*compiled)->ptx, options.cacheFolder);
}

uint64_t Lab::State::memoryFor(const Experiment& experiment) const {
  if (experiment.memoryBytes == 0 || options.memoryBytes == 0)
    return std::max(experiment.memoryBytes, options.memoryBytes);
  return std::min(experiment.memoryBytes, options.memoryBytes);
}

Result<RunResult> Lab::State::runRecorded(const Experiment& experiment, Prepared prepared,
                                          device::Job job, const device::Stop& stop,
                                          const std::function<void(Stage)>& say) {
  const DeviceRecording& recording = prepared.recorded->recording();
  const Lookup found = lookUp(recording, prepared.spec, codeHashOf(experiment.source),
                              prepared.plan, experiment.seed);
  const std::shared_ptr<const compile::Compiled> compiled = prepared.compiled;
  const std::string running = "running in the interpreter, in addition to the recording";
  device::Outcome outcome;
  RunMemory memory = limitsOf(experiment);
  if (leaveToInterpreter(experiment, found, job)) {
    if (Status fits = memory.limit(prepared, job); !fits) return fits.error();
    job.progress = [&](double fraction) { say({running, fraction}); };
    say(running);
    job.spentSeconds = stop.spentSeconds();
    Result<device::Outcome> ran = prepared.recorded->run(job, stop.cancelled());
    if (!ran) return ran.error();
    outcome = std::move(ran).value();
    if (Status looked = lookAsWritten(builds, experiment, prepared, job, stop, memory, outcome);
        !looked)
      return looked.error();
  }
  if (job.traceBlock && !outcome.trace) {
    if (const Status traced = addTrace(pool, job, stop, memory.bytes(), outcome); !traced)
      return traced.error();
  }
  if (Status traced = traceWhatFailed(pool, job, stop, memory.bytes(), outcome); !traced)
    return traced.error();
  const compile::KernelSpec spec = prepared.spec;
  Experiment rest = experiment;  // Without requests that the interpreter does not support.
  rest.hardware = false;
  Result<RunResult> result = finish(rest, std::move(prepared), job, std::move(outcome), stop);
  if (!result) return result;
  addRecorded(experiment, recording, found, *compiled->module, *result);
  namePhases(spec, *result);
  return result;
}

Lab::Lab(Options options) : state_(std::make_unique<State>(std::move(options))) {}
Lab::~Lab() = default;

Result<RunResult> Lab::run(const Experiment& asked, const device::Cancelled& cancelled,
                           const Progress& progress) {
  if (!isLibraryExperiment(asked)) return runGuarded(asked, cancelled, progress);
  Result<RunResult> result = runGuarded(withoutInstructions(asked), cancelled, progress);
  if (result && asked.timeline) result->timelineNote = kLibraryHasNoClocks;
  if (result && asked.timings) result->timingsNote = kLibraryIsNotLoadedAnew;
  return result;
}

Result<RunResult> Lab::runGuarded(const Experiment& asked, const device::Cancelled& cancelled,
                                  const Progress& progress) {
  try {
    return runOne(asked, cancelled, progress);
  } catch (const std::bad_alloc&) {
    return workError(
        "the run needs more memory than is allowed; make the sizes smaller" +
        std::string(state_->memoryFor(asked) == 0 ? "" : ", or allow more with --memory"));
  }
}

Result<RunResult> Lab::runOne(const Experiment& asked, const device::Cancelled& cancelled,
                              const Progress& progress) {
  const Clock::time_point start = Clock::now();
  const Experiment experiment = asked.loadOnly ? withoutRuns(asked) : asked;
  const auto say = [&](Stage stage) {
    if (progress) progress(stage);
  };
  if (const Status timeout = checkTimeout(experiment.timeoutSeconds); !timeout)
    return timeout.error();
  device::Stop stop(cancelled, experiment.timeoutSeconds);
  Result<Prepared> prepared = state_->prepare(experiment, stop, progress);
  if (!prepared) return prepared.error();
  Result<device::Job> job = state_->jobFor(experiment, *prepared, stop);
  if (!job) return job.error();
  if (prepared->recorded != nullptr) {
    Result<RunResult> recorded = state_->runRecorded(experiment, std::move(prepared).value(),
                                                     std::move(job).value(), stop, say);
    if (recorded) recorded->wallSeconds = secondsSince(start);
    return recorded;
  }
  RunMemory memory = state_->limitsOf(experiment);
  if (!experiment.loadOnly) {
    if (const Status fits = memory.limit(*prepared, *job); !fits) return fits.error();
  }
  std::string running = "running on " + prepared->device->info().name;
  job->progress = [&](double fraction) { say({running, fraction}); };
  Result<device::Outcome> outcome = workError("no outcome");
  if (experiment.loadOnly) {
    job->spentSeconds = stop.spentSeconds();
    outcome = state_->load(*prepared, *job, cancelled);
  } else {
    const Clock::time_point waiting = Clock::now();
    const auto turn = state_->turnOn(prepared->device->info(), cancelled, say);
    if (!turn) return turn.error();
    stop.allow(secondsSince(waiting));
    if (!turn->note().empty()) running += "; " + turn->note();
    say(running);
    job->spentSeconds = stop.spentSeconds();
    outcome = prepared->device->run(*job, cancelled);
  }
  if (!outcome) return outcome.error();
  if (Status looked =
          lookAsWritten(state_->builds, experiment, *prepared, *job, stop, memory, *outcome);
      !looked)
    return looked.error();
  if (job->traceBlock && !outcome->trace) {
    say("tracing block " + std::to_string(job->traceBlock->x) + "," +
        std::to_string(job->traceBlock->y) + " in the interpreter");
    if (Status traced = addTrace(state_->pool, *job, stop, memory.bytes(), *outcome); !traced)
      return traced.error();
  }
  if (Status traced = traceWhatFailed(state_->pool, *job, stop, memory.bytes(), *outcome); !traced)
    return traced.error();
  if (experiment.check && !job->blockAlone) say(Stage("checking against float64"));
  Result<RunResult> result =
      finish(experiment, std::move(prepared).value(), *job, std::move(outcome).value(), stop);
  if (result && experiment.loadOnly) result->outputHash = 0;  // There are no outputs.
  if (result) result->wallSeconds = secondsSince(start);
  return result;
}

Status Lab::live(const Experiment& experiment, const std::function<void(device::LiveBatch&&)>& sink,
                 const device::Cancelled& cancelled, const Progress& progress) {
  const auto say = [&](const Stage& stage) {
    if (progress) progress(stage);
  };
  const auto recorded = state_->pool.recorded(experiment.device);
  if (recorded && *recorded != nullptr)
    return requestError(
        "live mode needs a GPU: a recording holds only the medians of many launches");
  const Result<device::Device*> device = state_->pool.open(experiment.device);
  if (!device) return device.error();
  if (!(*device)->info().measures) return (*device)->live({}, {}, cancelled);
  device::Stop stop(cancelled);
  const Result<Prepared> prepared = state_->prepare(experiment, stop, progress);
  if (!prepared) return prepared.error();
  Result<device::Job> job = makeJob(experiment, prepared->plan, *prepared->compiled);
  if (!job) return job.error();
  const device::DeviceInfo& info = prepared->device->info();
  Result<GpuTurn> turn = state_->turnOn(info, cancelled, say);
  if (!turn) return turn.error();
  say("running repeatedly on " + info.name);
  const auto breathe = [&]() -> Status {
    turn = GpuTurn();
    std::this_thread::sleep_for(kHandOver);
    turn = state_->turnOn(info, cancelled, say);
    return turn ? Status() : Status(turn.error());
  };
  return prepared->device->live(*job, {sink, breathe}, cancelled);
}

bool Lab::spent() const {
  return state_->pool.anyLost();
}

std::vector<device::DeviceInfo> Lab::devices() {
  return state_->pool.list();
}

Result<device::Ceilings> Lab::ceilings(const std::string& device) {
  const auto recorded = state_->pool.recorded(device);
  if (!recorded) return recorded.error();
  if (*recorded != nullptr) {
    if ((*recorded)->recording().ceilings) return *(*recorded)->recording().ceilings;
    return requestError("the recording '" + device + "' holds no ceilings");
  }
  std::string known = "cuda:N, recorded:NAME";
  for (const DeviceFile& file : readDeviceFiles(state_->options.home + "/assets/devices")) {
    if (file.id == device || file.name == device) return file.ceilings();
    known += ", " + file.id;
  }
  const bool live = device == "auto" || device == "simt" || device.starts_with("cuda:");
  if (live) return state_->measuredCeilings(device);
  return requestError("there is no device '" + device + "'; the known devices are " + known);
}

Result<std::string> Lab::ptx(const Experiment& experiment, bool instrumented) {
  device::Stop never;
  Result<Prepared> prepared = state_->prepare(experiment, never, nullptr);
  if (!prepared) return prepared.error();
  if (isLibraryExperiment(experiment)) {
    return requestError(experiment.source.path +
                        " has no PTX, because cuBLAS is machine code; choose another kernel");
  }
  if (!instrumented) return prepared->compiled->ptx;
  auto probes = state_->builds.probe("count", prepared->compiled->arch, true, {});
  if (!probes) return probes.error();
  Result<ptx::Counting> counting = ptx::instrumentCounting(
      *prepared->compiled->module, *(*probes)->module, prepared->plan.launches);
  if (!counting) return counting.error();
  return std::move(counting->ptx);
}

Result<std::string> Lab::compiler() {
  return state_->builds.description();
}

}  // namespace tilestep::lab
