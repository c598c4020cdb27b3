// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/cuda_device.h"

#include <chrono>
#include <numeric>

#include "base/library_product.h"
#include "device/cuda/counting/counting.h"
#include "device/cuda/driver/faults.h"
#include "device/cuda/driver/program.h"
#include "device/cuda/execution.h"
#include "device/cuda/measure/hardware_job.h"
#include "device/cuda/measure/job_progress.h"
#include "device/cuda/measure/launch_timings.h"
#include "device/cuda/measure/live.h"
#include "device/cuda/measure/measure.h"
#include "device/cuda/run_difference.h"
#include "device/cuda/trace/clocks.h"
#include "device/cuda/trace/tracing.h"

namespace tilestep::cuda {
namespace {

std::string namesOf(const std::vector<Launch>& launches) {
  std::string names;
  for (const Launch& launch : launches) names += (names.empty() ? "" : ", ") + launch.entry;
  return names;
}

void tellMachineCode(const Program& program, device::Outcome& outcome) {
  if (program.isLibrary()) return;
  outcome.registers = program.registers();
  outcome.localBytes = program.localBytes();
  outcome.sharedBytes = program.sharedBytes();
  outcome.machine = program.machine();
}

/// Executes the steps of one job; each step stores its part of the outcome.
class JobRun {
 public:
  JobRun(const device::Job& job, unsigned ordinal, Execution& execution, Program& program,
         Operands& operands, MeasureTools& tools, Classifier& classifier, uint64_t& tickNs,
         JobProgress& progress)
      : job_(job),
        ordinal_(ordinal),
        execution_(execution),
        program_(program),
        operands_(operands),
        tools_(tools),
        classifier_(classifier),
        tickNs_(tickNs),
        progress_(progress) {}

  Status all(const device::DeviceInfo& info, device::Outcome& outcome) {
    tellMachineCode(program_, outcome);
    if (Status s = plain(outcome); !s) return s;
    for (const auto& [asked, step, words, run] :
         {Part{job_.check && job_.captured == nullptr, Step::checking, "running it again",
               &JobRun::unwritten},
          Part{job_.measure, Step::measuring, "timing it", &JobRun::measuring},
          Part{job_.timings, Step::timings, "timing its launch", &JobRun::timings},
          Part{job_.counters, Step::counting, "counting", &JobRun::count},
          Part{job_.timeline, Step::timeline, "reading clocks", &JobRun::timeline},
          Part{job_.traceBlock.has_value(), Step::tracing, "recording its block", &JobRun::trace},
          Part{job_.hardware, Step::hardware, "reading hardware counters", &JobRun::hardware}}) {
      if (!asked) continue;
      progress_.begin(step);
      execution_.setStep(plainSeconds_, words);
      if (Status s = (this->*run)(info, outcome); !s) return s;
    }
    if (!job_.outputs) outcome.outputs.clear();
    return {};
  }

 private:
  using Step = JobProgress::Step;
  struct Part {
    bool asked;
    Step step;
    const char* words;
    Status (JobRun::*run)(const device::DeviceInfo& info, device::Outcome& outcome);
  };

  Result<Outputs> runOnce(std::byte poison) {
    std::vector<void*> parameters = operands_.parameters();
    if (Status s = operands_.prepare(execution_.stream(), poison); !s) return s.error();
    if (Status s = program_.launch(execution_.stream(), parameters); !s) return s.error();
    if (Status s = execution_.finish(); !s) return s.error();
    return operands_.outputs();
  }

  Status plain(device::Outcome& outcome) {
    if (Status s = operands_.bind(program_.module()); !s) return s;
    const auto begun = std::chrono::steady_clock::now();
    auto outputs = runOnce(kFirstPoison);
    if (!outputs) return outputs.error();
    outcome.outputs = std::move(*outputs);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
    plainSeconds_ = took.count();
    progress_.firstRunTook(plainSeconds_ * 1e3);
    return {};
  }

  Status unwritten(const device::DeviceInfo&, device::Outcome& outcome) {
    auto second = runOnce(kSecondPoison);
    if (!second) return second.error();
    outcome.unwritten = countUnwritten(job_, outcome.outputs, *second);
    return {};
  }

  Status measuring(const device::DeviceInfo& info, device::Outcome& outcome) {
    Result<device::Measurement> measured =
        measure(execution_, program_, operands_, info, tools_, job_.thorough);
    if (!measured) return measured.error();
    outcome.measurement = *measured;
    return {};
  }

  Status timings(const device::DeviceInfo& info, device::Outcome& outcome) {
    auto timed = timeLaunches(execution_, job_, operands_, info, tools_, outcome.measurement);
    if (!timed) return timed.error();
    outcome.timings = std::move(*timed);
    return operands_.bind(program_.module());
  }

  Status hardware(const device::DeviceInfo& info, device::Outcome& outcome) {
    auto counters = profileJob(execution_, program_, operands_, info, ordinal_);
    if (!counters) return counters.error();
    outcome.hardware = std::move(*counters);
    return {};
  }

  Status count(const device::DeviceInfo& info, device::Outcome& outcome) {
    Result<std::unique_ptr<CountingProgram>> counting =
        CountingProgram::load(execution_, operands_, job_, info, program_, classifier_);
    if (!counting) return counting.error();
    Result<GridCount> count = (*counting)->run();
    if (!count) return count.error();
    outcome.counters = std::move(count->counters);
    outcome.branches = std::move(count->branches);
    // Launching takes some microseconds, which would dominate the overhead of a shorter kernel.
    constexpr double kTooShortMs = 0.01;
    const double plainMs = outcome.measurement ? outcome.measurement->medianMs : 0;
    if (plainMs >= kTooShortMs) {
      const Result<std::vector<double>> times = (*counting)->launchMs();
      if (!times) return times.error();
      outcome.countingOverhead = std::reduce(times->begin(), times->end()) / plainMs;
    }
    if (!job_.check) return {};
    // The logging entry may skip blocks, so its outputs may be incomplete. The entry that writes
    // signatures runs all blocks, and runs again for this comparison.
    Result<Outputs> counted = (*counting)->outputs();
    if (!counted) return counted.error();
    return compare("counting", *counted, outcome);
  }

  // A kernel that cannot be timed by clocks keeps its other results. A fault or a failed call ends
  // the job.
  Status timeline(const device::DeviceInfo& info, device::Outcome& outcome) {
    Result<ClockProgram> clocks = ClockProgram::load(execution_.context(), job_, info, program_);
    if (!clocks) {
      outcome.timelineNote = clocks.error().message;
      return {};
    }
    // The job may have been cancelled during the compilation.
    if (Status s = execution_.checkCancelled(); !s) return s;
    const Result<double> plainMs = plainMedianMs(info, outcome);
    if (!plainMs) return plainMs.error();
    if (tickNs_ == 0) {
      const Result<uint64_t> tick = measureTick(execution_, job_.clockProbe);
      if (!tick) return tick.error();
      tickNs_ = *tick;
    }
    if (Status s = operands_.bind(clocks->module()); !s) return s;
    Result<trace::Timeline> made = clocks->run(execution_, operands_, tools_, *plainMs, tickNs_);
    if (made) {
      outcome.timeline = std::move(*made);
      if (!job_.check) return {};
      const Result<Outputs> timed = operands_.outputs();
      if (!timed) return timed.error();
      return compare("clock-reading", *timed, outcome);
    }
    if (execution_.fault() || execution_.context()->abandoned()) return made.error();
    outcome.timelineNote = made.error().message;
    return execution_.checkCancelled();
  }

  // The overhead of reading clocks is relative to the plain kernel's time, measured by the same
  // method.
  Result<double> plainMedianMs(const device::DeviceInfo& info, const device::Outcome& outcome) {
    if (outcome.measurement) return outcome.measurement->medianMs;
    if (Status s = operands_.bind(program_.module()); !s) return s.error();
    if (Status s = operands_.prepare(execution_.stream(), kFirstPoison); !s) return s.error();
    const Result<device::Measurement> measured =
        measure(execution_, program_, operands_, info, tools_, false);
    if (!measured) return measured.error();
    return measured->medianMs;
  }

  // If a GPU cannot trace, the outcome states the reason, and the interpreter may trace instead.
  Status trace(const device::DeviceInfo& info, device::Outcome& outcome) {
    Result<TracingProgram> tracing =
        TracingProgram::load(execution_.context(), job_, info, program_);
    if (!tracing) {
      outcome.traceNote = tracing.error().message;
      return {};
    }
    if (Status s = operands_.bind(tracing->program().module()); !s) return s;
    if (Status s = operands_.prepare(execution_.stream(), kFirstPoison); !s) return s;
    if (Status s = tracing->run(execution_, operands_); !s) return s;
    Result<trace::BlockTrace> recording = tracing->read(operands_);
    if (!recording) {
      outcome.traceNote = recording.error().message;
      return {};
    }
    outcome.trace = std::make_shared<const trace::BlockTrace>(std::move(*recording));
    outcome.traceFrom = info.id;
    const Result<double> price = tracing->price(execution_, program_, operands_);
    if (!price) return price.error();
    outcome.traceOverhead = *price;
    return {};
  }

  // Instrumentation must not change results. If the results differ, the plain kernel runs again; if
  // its own results differ from run to run, it has a race.
  Status compare(const std::string& kind, const Outputs& rewritten, device::Outcome& outcome) {
    constexpr int kMoreRuns = 4;
    if (!outcome.faults.empty() || (job_.module && addsFloatsAtomically(*job_.module))) return {};
    auto difference = differenceOf(job_, outcome.outputs, rewritten);
    if (!difference) return {};
    if (Status s = operands_.bind(program_.module()); !s) return s;
    bool plainDiffer = false;
    for (int i = 0; i < kMoreRuns && !plainDiffer; ++i) {
      const Result<Outputs> again = runOnce(kFirstPoison);
      if (!again) return again.error();
      const auto own = differenceOf(job_, outcome.outputs, *again);
      plainDiffer = own.has_value();
      if (own) difference = own;
    }
    outcome.faults.push_back(
        differingResults(job_, namesOf(job_.launches), kind, plainDiffer, *difference));
    return {};
  }

  const device::Job& job_;
  unsigned ordinal_;
  Execution& execution_;
  Program& program_;
  Operands& operands_;
  MeasureTools& tools_;
  Classifier& classifier_;
  uint64_t& tickNs_;
  JobProgress& progress_;
  double plainSeconds_ = 0;
};

}  // namespace

CudaDevice::CudaDevice(std::shared_ptr<const Driver> driver, unsigned ordinal,
                       device::DeviceInfo info)
    : driver_(std::move(driver)), ordinal_(ordinal), info_(std::move(info)) {}

Result<std::unique_ptr<device::Device>> CudaDevice::open(unsigned ordinal) {
  Result<std::shared_ptr<const Driver>> driver = Driver::open();
  if (!driver) return driver.error();
  return open(*driver, ordinal);
}

Result<std::unique_ptr<device::Device>> CudaDevice::open(std::shared_ptr<const Driver> driver,
                                                         unsigned ordinal) {
  Result<device::DeviceInfo> info = readDeviceInfo(*driver, ordinal);
  if (!info) return info.error();
  std::unique_ptr<CudaDevice> device(new CudaDevice(std::move(driver), ordinal, std::move(*info)));
  Result<ContextPtr> context = Context::open(device->driver_, ordinal);
  if (!context) return context.error();
  device->context_ = std::move(*context);
  return std::unique_ptr<device::Device>(std::move(device));
}

Status CudaDevice::useContext() {
  if (lost_.empty()) {
    Status used = context_->use();
    if (context_->abandoned()) lose();
    return used;
  }
  return workError(info_.id + " is lost to this process: " + lost_ + "; start the worker again.");
}

/// If memory is short, memory kept from earlier jobs is freed.
Result<Operands> CudaDevice::placeOperands(const device::Job& job, const std::string& names,
                                           const device::Stop& stop) {
  const auto make = [&] {
    fills_.startJob();
    Result<Operands> made = Operands::make(context_, job, fills_, stop);
    made ? fills_.keepUsed() : fills_.clear();
    return made;
  };
  const auto isFull = [](const Result<Operands>& made) {
    return !made && made.error().kind == ErrorKind::request;
  };
  Result<Operands> made = make();
  if (!isFull(made)) return made;
  tools_ = {};
  classifier_ = {};
  made = make();
  if (!isFull(made)) return made;
  return noRoom(*context_, "the operands of " + names, Operands::bytesOf(job));
}

/// If the first launch's entry is a library's product, it is the only launch.
Result<Program> CudaDevice::loadProgram(const device::Job& job) {
  if (job.launches.empty() || !isLibraryProduct(job.launches.front().entry))
    return Program::load(context_, job.ptx, job.launches, info_);
  if (job.operands.size() != 3)
    return workError("A library product needs the operands M, N and P.");
  if (!library_) {
    Result<std::shared_ptr<cublas::Handle>> made = cublas::Handle::make(context_);
    if (!made) return made.error();
    library_ = std::move(*made);
  }
  const device::Operand &left = job.operands[0], &right = job.operands[1];
  return Program::ofLibrary(
      library_, {job.launches.front().entry, left.rows, right.columns, left.columns, 0, 1, 2});
}

Status CudaDevice::attempt(const device::Job& job, const device::Cancelled& cancelled,
                           const std::string& names, device::Outcome& outcome) {
  const device::Stop stop(cancelled, job.timeoutSeconds, job.spentSeconds);
  Result<Program> program = loadProgram(job);
  if (!program) return program.error();
  if (job.loadOnly) {
    tellMachineCode(*program, outcome);
    return {};
  }
  Result<Operands> operands = placeOperands(job, names, stop);
  if (!operands) return operands.error();
  Result<Execution> execution = Execution::start(context_, job.timeoutSeconds, cancelled, names);
  if (!execution) return execution.error();
  // Checked before anything is launched, because a launch that never ends costs the context.
  if (stop()) return stop.why("preparing the launch");
  execution->setTimeLeft(stop.secondsLeft());
  JobProgress progress(job);
  execution->setWaiting([&] { progress.tick(); });
  const Status done =
      JobRun(job, ordinal_, *execution, *program, *operands, tools_, classifier_, tickNs_, progress)
          .all(info_, outcome);
  if (const auto fault = execution->fault()) {
    if (!execution->endedLate()) outcome = {};
    outcome.faults.push_back(*fault);
    return {};
  }
  return done;
}

/// Notes that this process can no longer use the GPU. The next job needs another process.
void CudaDevice::lose() {
  lost_ = context_->fatal() == kSuccess       ? "an earlier launch never ended"
          : isKernelsDoing(context_->fatal()) ? "an earlier kernel faulted"
                                              : "the GPU stopped responding";
  fills_.clear();
  library_.reset();
  tools_ = {};
  classifier_ = {};
}

Result<device::Outcome> CudaDevice::run(const device::Job& job,
                                        const device::Cancelled& cancelled) {
  const auto begun = std::chrono::steady_clock::now();
  if (Status s = useContext(); !s) return s.error();
  const std::string names = namesOf(job.launches);
  device::Outcome outcome;
  const Status done = attempt(job, cancelled, names, outcome);
  if (context_->abandoned()) lose();
  if (!done && context_->fatal() != kSuccess) {
    outcome = {};
    outcome.faults.push_back(faultOf(*driver_, context_->fatal(), names));
  } else if (!done) {
    return done.error();
  }
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begun;
  outcome.wallSeconds = wall.count();
  return outcome;
}

/// Inputs are filled piece by piece; outputs of rewritten kernels are kept for comparison.
device::HostMemory CudaDevice::hostMemory(const device::Job& job) const {
  constexpr uint64_t kPieces = uint64_t{64} << 20;
  const uint64_t copies = job.counters || job.check || job.timeline ? 3 : 1;
  device::HostMemory memory;
  memory.operands = kPieces;
  for (const device::Operand& operand : job.operands)
    if (operand.kind != OperandKind::scalar && operand.direction != Direction::in)
      memory.operands += copies * operand.bytes();
  if (job.traceBlock) memory.trace = device::kTraceCopies * job.traceBytes;
  return memory;
}

Status CudaDevice::stream(const device::Job& job, const device::LiveOrder& order,
                          const device::Cancelled& cancelled, const std::string& names) {
  Result<Program> program = loadProgram(job);
  if (!program) return program.error();
  Result<Operands> operands = placeOperands(job, names, device::Stop(cancelled));
  if (!operands) return operands.error();
  Result<Execution> execution = Execution::start(context_, job.timeoutSeconds, cancelled, names);
  if (!execution) return execution.error();
  if (Status s = operands->bind(program->module()); !s) return s;
  if (Status s = operands->prepare(execution->stream(), kFirstPoison); !s) return s;
  Status ended = streamLaunches(*execution, *program, *operands, info_, tools_, order);
  if (const auto fault = execution->fault()) return workError(fault->message);
  return ended;
}

Status CudaDevice::live(const device::Job& job, const device::LiveOrder& order,
                        const device::Cancelled& cancelled) {
  if (Status s = useContext(); !s) return s;
  const std::string names = namesOf(job.launches);
  Status ended = stream(job, order, cancelled, names);
  if (context_->abandoned()) lose();
  if (context_->fatal() != kSuccess)
    return workError(faultOf(*driver_, context_->fatal(), names).message);
  return ended;
}

}  // namespace tilestep::cuda

namespace tilestep::device {

Result<std::unique_ptr<Device>> openCuda(unsigned ordinal) {
  return cuda::CudaDevice::open(ordinal);
}

std::vector<DeviceInfo> cudaDevices() {
  std::vector<DeviceInfo> infos;
  const auto driver = cuda::Driver::open();
  for (unsigned ordinal = 0; driver && ordinal < (*driver)->deviceCount(); ++ordinal) {
    if (auto info = cuda::readDeviceInfo(**driver, ordinal)) infos.push_back(std::move(*info));
  }
  return infos;
}

unsigned cudaCount() {
  const auto driver = cuda::Driver::open();
  return driver ? (*driver)->deviceCount() : 0;
}

}  // namespace tilestep::device
