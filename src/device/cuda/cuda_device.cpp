// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/cuda_device.h"

#include <chrono>

#include "device/cuda/clocks.h"
#include "device/cuda/counting.h"
#include "device/cuda/execution.h"
#include "device/cuda/faults.h"
#include "device/cuda/hardware_job.h"
#include "device/cuda/measure.h"
#include "device/cuda/program.h"
#include "device/cuda/tracing.h"

namespace tilestep::cuda {
namespace {

std::string namesOf(const std::vector<Launch>& launches) {
  std::string names;
  for (const Launch& launch : launches) names += (names.empty() ? "" : ", ") + launch.entry;
  return names;
}

/// The steps of one job; each leaves its part in the outcome.
class JobRun {
 public:
  JobRun(const device::Job& job, unsigned ordinal, Execution& execution, Program& program,
         Operands& operands, MeasureTools& tools, uint64_t& tickNs)
      : job_(job),
        ordinal_(ordinal),
        execution_(execution),
        program_(program),
        operands_(operands),
        tools_(tools),
        tickNs_(tickNs) {}

  Status all(const device::DeviceInfo& info, device::Outcome& outcome) {
    outcome.registers = program_.registers();
    outcome.localBytes = program_.localBytes();
    outcome.sharedBytes = program_.sharedBytes();
    outcome.machine = program_.machine();
    if (Status s = plain(outcome); !s) return s;
    if (job_.check) {
      if (Status s = unwritten(outcome); !s) return s;
    }
    if (job_.measure) {
      Result<device::Measurement> measured =
          measure(execution_, program_, operands_, info, tools_, job_.thorough);
      if (!measured) return measured.error();
      outcome.measurement = *measured;
    }
    if (job_.counters) {
      if (Status s = count(info, outcome); !s) return s;
    }
    if (job_.timeline) {
      if (Status s = timeline(info, outcome); !s) return s;
    }
    if (job_.trace) {
      if (Status s = trace(info, outcome); !s) return s;
    }
    if (job_.hardware) {
      auto counters = profileJob(execution_, program_, operands_, info, ordinal_);
      if (!counters) return counters.error();
      outcome.hardware = std::move(*counters);
    }
    if (!job_.outputs) outcome.outputs.clear();
    return {};
  }

 private:
  Result<std::vector<std::vector<std::byte>>> runOnce(std::byte poison) {
    std::vector<void*> parameters = operands_.parameters();
    if (Status s = operands_.prepare(execution_.stream(), poison); !s) return s.error();
    if (Status s = program_.launch(execution_.stream(), parameters); !s) return s.error();
    if (Status s = execution_.finish(); !s) return s.error();
    return operands_.outputs();
  }

  Status plain(device::Outcome& outcome) {
    if (Status s = operands_.bind(program_.module()); !s) return s;
    auto outputs = runOnce(kFirstPoison);
    if (!outputs) return outputs.error();
    outcome.outputs = std::move(*outputs);
    return {};
  }

  Status unwritten(device::Outcome& outcome) {
    auto second = runOnce(kSecondPoison);
    if (!second) return second.error();
    outcome.unwritten = countUnwritten(job_, outcome.outputs, *second);
    return {};
  }

  Status count(const device::DeviceInfo& info, device::Outcome& outcome) {
    Result<bool> isCounted = countOnce(info, outcome, true);
    if (isCounted && !*isCounted) isCounted = countOnce(info, outcome, false);
    return isCounted ? Status() : Status(isCounted.error());
  }

  // False where the loops' laps were unfit.
  Result<bool> countOnce(const device::DeviceInfo& info, device::Outcome& outcome, bool withLaps) {
    Result<CountingProgram> counting =
        CountingProgram::load(execution_.context(), job_, info, program_.registers(), withLaps);
    if (!counting) return counting.error();
    if (Status s = operands_.bind(counting->module()); !s) return s.error();
    if (Status s = operands_.prepare(execution_.stream(), kFirstPoison); !s) return s.error();
    auto counters = counting->run(execution_, operands_);
    if (!counters) return counters.error();
    if (!*counters) return false;
    outcome.counters = std::move(**counters);
    if (job_.check) {
      if (Status s = compare("counting", outcome); !s) return s.error();
    }
    // Launching itself takes some microseconds: of a shorter kernel it would be the price.
    constexpr double kTooShortMs = 0.01;
    const double plainMs = outcome.measurement ? outcome.measurement->medianMs : 0;
    if (plainMs < kTooShortMs) return true;
    const Result<double> ms = timeBriefly(execution_, counting->program(), operands_, 2 * plainMs);
    if (!ms) return ms.error();
    outcome.countingPrice = *ms / plainMs;
    return true;
  }

  // A kernel that cannot be timed so keeps its other results; a fault or a failed call does not.
  Status timeline(const device::DeviceInfo& info, device::Outcome& outcome) {
    Result<ClockProgram> clocks = ClockProgram::load(execution_.context(), job_, info, program_);
    if (!clocks) {
      outcome.timelineNote = clocks.error().message;
      return {};
    }
    // Compiling took its time; somebody may wait for another point by now.
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
      return job_.check ? compare("clock-reading", outcome) : Status();
    }
    if (execution_.fault() || execution_.context()->abandoned()) return made.error();
    outcome.timelineNote = made.error().message;
    return execution_.checkCancelled();
  }

  // The price of reading clocks needs the plain kernel's time, measured alike.
  Result<double> plainMedianMs(const device::DeviceInfo& info, const device::Outcome& outcome) {
    if (outcome.measurement) return outcome.measurement->medianMs;
    if (Status s = operands_.bind(program_.module()); !s) return s.error();
    if (Status s = operands_.prepare(execution_.stream(), kFirstPoison); !s) return s.error();
    const Result<device::Measurement> measured =
        measure(execution_, program_, operands_, info, tools_, false);
    if (!measured) return measured.error();
    return measured->medianMs;
  }

  // Where a GPU cannot trace, the outcome says why and the interpreter may.
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
    Result<trace::Recording> recording = tracing->read(operands_);
    if (!recording) {
      outcome.traceNote = recording.error().message;
      return {};
    }
    outcome.trace = std::move(*recording);
    outcome.traceFrom = info.id;
    const Result<double> price = tracing->price(execution_, program_, operands_);
    if (!price) return price.error();
    outcome.tracePrice = *price;
    return {};
  }

  // Looking must not change what is looked at.
  Status compare(const std::string& kind, const device::Outcome& outcome) {
    auto rewritten = operands_.outputs();
    if (!rewritten) return rewritten.error();
    if (*rewritten == outcome.outputs) return {};
    return workError("The " + kind + " run of " + namesOf(job_.launches) +
                     " gave another result than the plain run: the kernel's result depends on " +
                     "the order of its threads (a race), or the rewriting is at fault.");
  }

  const device::Job& job_;
  unsigned ordinal_;
  Execution& execution_;
  Program& program_;
  Operands& operands_;
  MeasureTools& tools_;
  uint64_t& tickNs_;
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

Status CudaDevice::attempt(const device::Job& job, const device::Cancelled& cancelled,
                           const std::string& names, device::Outcome& outcome) {
  Result<Program> program = Program::load(context_, job.ptx, job.launches, info_);
  if (!program) return program.error();
  fills_.startJob();
  Result<Operands> operands = Operands::make(context_, job, fills_);
  if (!operands) {
    Error error = operands.error();
    error.message = names + " does not start. " + error.message;
    return error;
  }
  fills_.keepUsed();
  Result<Execution> execution = Execution::start(context_, job.timeoutSeconds, cancelled, names);
  if (!execution) return execution.error();
  const Status done =
      JobRun(job, ordinal_, *execution, *program, *operands, tools_, tickNs_).all(info_, outcome);
  if (const auto fault = execution->fault()) {
    outcome = {};
    outcome.faults.push_back(*fault);
    return {};
  }
  return done;
}

/// Nothing more can be done here: the next job needs another process.
void CudaDevice::lose() {
  lost_ = context_->fatal() == kSuccess       ? "an earlier launch never ended"
          : isKernelsDoing(context_->fatal()) ? "an earlier kernel faulted"
                                              : "it went away";
  fills_.clear();
  tools_ = {};
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

}  // namespace tilestep::cuda

namespace tilestep::device {

Result<std::unique_ptr<Device>> openCuda(unsigned ordinal) {
  return cuda::CudaDevice::open(ordinal);
}

unsigned cudaCount() {
  const auto driver = cuda::Driver::open();
  return driver ? (*driver)->deviceCount() : 0;
}

}  // namespace tilestep::device
