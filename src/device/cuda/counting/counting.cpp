// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/counting/counting.h"

#include <algorithm>
#include <random>
#include <string>

#include "device/cuda/measure/registers_like.h"
#include "ptx/rewrite/instrument_probes.h"
#include "ptx/text/printer.h"

namespace tilestep::cuda {
namespace {

using ptx::TraceLog;

constexpr uint64_t kMostSignatureBytes = uint64_t{4} << 30, kMostLogBytes = uint64_t{2} << 30;
constexpr uint64_t kLeastLogBytes = uint64_t{1} << 20;
constexpr uint32_t kClassifyThreads = 256;
constexpr uint64_t kPrime = (uint64_t{1} << 61) - 1;
constexpr size_t kMultipliers = 4, kFactors = 2 * TraceLog::kLanes;

}  // namespace

Result<std::unique_ptr<CountingProgram>> CountingProgram::load(
    Execution& execution, Operands& operands, const device::Job& job,
    const device::DeviceInfo& info, const Program& plain, Classifier& classifier) {
  if (!job.probes || !job.module) {
    return workError("Counting on a GPU needs kernels/probes/count.cu compiled.");
  }
  std::unique_ptr<CountingProgram> made(new CountingProgram(execution, operands, classifier));
  const uint32_t registers = registersLike(plain.registers());
  Result<ptx::Counting> counting =
      ptx::instrumentCounting(*job.module, *job.probes, job.launches, registers);
  if (!counting) return counting.error();
  made->counting_ = std::move(*counting);
  for (size_t i = 0; i < job.launches.size(); ++i) {
    const Launch& launch = job.launches[i];
    const ptx::CountedEntry& entry = made->counting_.entries.at(launch.entry);
    const bool isLast = i + 1 == job.launches.size();
    made->launches_.push_back(
        {launch, &entry, isLast && !launch.cooperative && entry.isIndependent});
  }
  if (Status s = made->loadProgram(job, info); !s) return s.error();
  if (Status s = made->loadClassifier(job); !s) return s.error();
  if (Status s = made->limitMemory(); !s) return s.error();
  if (Status s = made->drawFactors(); !s) return s.error();
  return made;
}

Status CountingProgram::loadProgram(const device::Job& job, const device::DeviceInfo& info) {
  std::vector<Launch> launches = job.launches;
  for (const Launch& launch : job.launches) {
    launches.push_back(launch);
    launches.back().entry = ptx::loggingName(launch.entry);
  }
  Result<Program> loaded = Program::load(context_, counting_.ptx, launches, info);
  if (!loaded) {
    return workError("The counting version of the kernel did not load. " + loaded.error().message);
  }
  program_ = std::move(*loaded);
  return {};
}

Status CountingProgram::loadClassifier(const device::Job& job) {
  if (classifier_.probes == job.probes) return {};
  classifier_ = {};
  Result<LoadedModule> module = loadModule(context_, ptx::print(*job.probes));
  if (!module) return module.error();
  Result<FunctionHandle> function =
      findFunction(*context_, *module, std::string(ptx::Probes::kClassify));
  if (!function) return function.error();
  classifier_ = {job.probes, std::move(*module), *function};
  return {};
}

// Uses only part of the free memory, because others use this GPU too.
Status CountingProgram::limitMemory() {
  size_t free = 0, all = 0;
  if (Status s = context_->check(context_->api().memGetInfo(&free, &all), "Asking for free memory");
      !s) {
    return s;
  }
  signatureBytes_ = std::min<uint64_t>(kMostSignatureBytes, free / 4);
  logBytes_ = std::clamp<uint64_t>(free / 4, kLeastLogBytes, kMostLogBytes);
  return {};
}

/// Numbers below the prime, different in each run, so that nobody can craft a program whose
/// signatures collide.
Status CountingProgram::drawFactors() {
  std::random_device device;
  std::uniform_int_distribution<uint64_t> draw(1, kPrime - 1);
  std::array<uint64_t, kMultipliers> multipliers{};
  std::array<uint64_t, kFactors> factors{};
  for (uint64_t& one : multipliers) one = draw(device);
  for (uint64_t& one : factors) one = draw(device);
  std::vector<ModuleHandle> modules{classifier_.module.get()};
  if (counting_.calls) modules.push_back(program_.module().get());
  for (const ModuleHandle module : modules) {
    DevicePointer at = 0;
    size_t bytes = 0;
    if (Status s = context_->check(
            context_->api().moduleGetGlobal(&at, &bytes, module, ptx::Probes::kMultipliers),
            "Looking for the multipliers of signatures");
        !s) {
      return s;
    }
    if (bytes != sizeof multipliers) {
      return workError("kernels/probes/count.cu and this program disagree about its multipliers.");
    }
    if (Status s = copyToGpu(*context_, at, multipliers.data(), sizeof multipliers,
                             "Setting the multipliers of signatures");
        !s) {
      return s;
    }
  }
  return fill(factors_, factors.data(), sizeof factors, "the factors of signatures");
}

Result<GridCount> CountingProgram::run() {
  return countGrid(*this, launches_);
}

Result<std::vector<std::vector<std::byte>>> CountingProgram::outputs() {
  if (Status s = restart(); !s) return s.error();
  for (size_t i = 0; i < launches_.size(); ++i) {
    if (Status s = sign(i, 0, 0); !s) return s.error();
  }
  if (Status s = execution_.finish(); !s) return s.error();
  return operands_.outputs();
}

// ---- CountingMachine ----

Status CountingProgram::reserve(Area& area, uint64_t bytes, const std::string& what) {
  if (area.bytes >= bytes && area.bytes > 0) return {};
  area = {};
  Result<Memory> made = allocate(context_, bytes, what);
  if (!made) return made.error();
  area = {std::move(*made), bytes};
  return {};
}

Status CountingProgram::fill(Area& area, const void* from, uint64_t bytes,
                             const std::string& what) {
  if (Status s = reserve(area, bytes, what); !s) return s;
  return copyToGpu(*context_, area.get(), from, bytes, "Setting " + what);
}

Status CountingProgram::clear(const Area& area, uint64_t bytes, const std::string& what) {
  return context_->check(context_->api().memsetD8Async(area.get(), 0, bytes, execution_.stream()),
                         "Clearing " + what);
}

Status CountingProgram::restart() {
  if (Status s = operands_.bind(program_.module()); !s) return s;
  return operands_.prepare(execution_.stream(), kFirstPoison);
}

Status CountingProgram::sign(size_t launch, uint32_t first, uint32_t blocks) {
  const CountedLaunch& counted = launches_[launch];
  const uint64_t warps = (counted.launch.block.count() + TraceLog::kLanes - 1) / TraceLog::kLanes;
  const uint64_t bytes = (uint64_t{blocks} + 1) * warps * counted.entry->layout.bytesPerWarp();
  if (Status s = reserve(signatures_, bytes, "the signatures of warps"); !s) return s;
  if (Status s = clear(signatures_, bytes, "the signatures of warps"); !s) return s;
  DevicePointer signatures = signatures_.get();
  std::vector<void*> parameters = operands_.parameters();
  for (void* own :
       {static_cast<void*>(&signatures), static_cast<void*>(&first), static_cast<void*>(&blocks)}) {
    parameters.push_back(own);
  }
  return timed([&] { return program_.launchOne(launch, execution_.stream(), parameters); });
}

Result<std::vector<uint64_t>> CountingProgram::keys(size_t launch, uint64_t warps) {
  const std::vector<uint8_t>& kinds = launches_[launch].entry->layout.kinds;
  if (Status s = fill(kinds_, kinds.data(), kinds.size(), "the kinds of words"); !s) {
    return s.error();
  }
  if (Status s = reserve(keys_, warps * 16, "the keys of warps"); !s) return s.error();
  DevicePointer signatures = signatures_.get(), kindsAt = kinds_.get(), factors = factors_.get(),
                keysAt = keys_.get();
  auto count = static_cast<uint32_t>(warps), words = static_cast<uint32_t>(kinds.size());
  uint32_t lanes = launches_[launch].entry->layout.lanes;
  std::array<void*, 7> parameters{&signatures, &count, &words, &lanes, &kindsAt, &factors, &keysAt};
  const auto blocks =
      static_cast<uint32_t>((warps * TraceLog::kLanes + kClassifyThreads - 1) / kClassifyThreads);
  if (Status s = context_->check(
          context_->api().launchKernel(classifier_.function, blocks, 1, 1, kClassifyThreads, 1, 1,
                                       0, execution_.stream(), parameters.data(), nullptr),
          "Launching " + std::string(ptx::Probes::kClassify));
      !s) {
    return s.error();
  }
  if (Status s = execution_.finish(); !s) return s.error();
  std::vector<uint64_t> keys(warps * 2);
  if (Status s =
          context_->check(context_->api().memcpyDtoH(keys.data(), keys_.get(), keys.size() * 8),
                          "Reading the keys of warps");
      !s) {
    return s.error();
  }
  return keys;
}

Status CountingProgram::log(size_t launch, const std::vector<uint32_t>& places,
                            const std::vector<uint64_t>& rooms) {
  rooms_ = rooms;
  uint64_t words = 0;
  for (const uint64_t room : rooms) words += room;
  const uint64_t logBytes = words * TraceLog::kStride;
  const uint64_t endBytes = (rooms.size() + 1) * TraceLog::kLanes * 8;
  if (Status s = reserve(log_, logBytes, "the logs of warps"); !s) return s;
  if (Status s = reserve(ends_, endBytes, "the ends of logs"); !s) return s;
  // A thread that never reaches its end marker leaves a 0. The logs are cleared as well, because a
  // warp's log is copied back in one piece, including words that its shorter lanes did not write.
  if (Status s = clear(log_, logBytes, "the logs of warps"); !s) return s;
  if (Status s = clear(ends_, endBytes, "the ends of logs"); !s) return s;
  std::vector<ptx::ExemplarLog> logs;
  uint64_t at = log_.get();
  for (const uint64_t room : rooms) {
    logs.push_back({at, room});
    at += room * TraceLog::kStride;
  }
  if (Status s = fill(places_, places.data(), places.size() * 4, "the exemplars' places"); !s) {
    return s;
  }
  if (Status s = fill(exemplars_, logs.data(), logs.size() * sizeof(ptx::ExemplarLog),
                      "the exemplars' logs");
      !s) {
    return s;
  }
  DevicePointer placesAt = places_.get(), logsAt = exemplars_.get(), endsAt = ends_.get();
  std::vector<void*> parameters = operands_.parameters();
  for (DevicePointer* own : {&placesAt, &logsAt, &endsAt}) parameters.push_back(own);
  return timed([&] {
    return program_.launchOne(launches_.size() + launch, execution_.stream(), parameters);
  });
}

Result<std::vector<WarpLog>> CountingProgram::logs() {
  if (Status s = execution_.finish(); !s) return s.error();
  const auto copy = [&](void* to, DevicePointer from, uint64_t bytes) {
    if (bytes == 0) return Status();
    return context_->check(context_->api().memcpyDtoH(to, from, bytes),
                           "Reading the logs of warps");
  };
  std::vector<uint64_t> ends((rooms_.size() + 1) * TraceLog::kLanes);
  if (Status s = copy(ends.data(), ends_.get(), ends.size() * 8); !s) return s.error();
  std::vector<WarpLog> logs(rooms_.size());
  uint64_t at = log_.get();
  for (size_t e = 0; e < logs.size(); ++e) {
    logs[e].room = rooms_[e];
    uint64_t longest = 0;
    for (uint32_t lane = 0; lane < TraceLog::kLanes; ++lane) {
      const uint64_t end = ends[(e + 1) * TraceLog::kLanes + lane];
      if (end == 0) continue;
      const uint64_t bytes = end - (at + lane * 4);
      if (bytes % TraceLog::kStride != 0 || bytes >> 48 != 0) {
        return workError("The log of a thread that was to be counted is incomplete.");
      }
      logs[e].wanted[lane] = bytes / TraceLog::kStride;
      longest = std::max(longest, logs[e].wanted[lane]);
    }
    // A log that does not fit is written again, with more space.
    if (longest <= rooms_[e]) {
      logs[e].words.resize(longest * TraceLog::kLanes);
      if (Status s = copy(logs[e].words.data(), at, logs[e].words.size() * 4); !s) return s.error();
    }
    at += rooms_[e] * TraceLog::kStride;
  }
  return logs;
}

/// Records an event before and after a launch.
Status CountingProgram::timed(const std::function<Status()>& launch) {
  const Api& api = context_->api();
  std::array<Event, 2> events;
  for (Event& event : events) {
    Result<Event> made = makeEvent(context_);
    if (!made) return made.error();
    event = std::move(*made);
  }
  Status s =
      execution_.note(api.eventRecord(events[0].get(), execution_.stream()), "cuEventRecord");
  if (s) s = launch();
  if (s)
    s = execution_.note(api.eventRecord(events[1].get(), execution_.stream()), "cuEventRecord");
  if (s) timed_.push_back(std::move(events));
  return s;
}

Result<std::vector<double>> CountingProgram::launchMs() const {
  std::vector<double> times;
  for (const std::array<Event, 2>& events : timed_) {
    float ms = 0;
    if (Status s =
            execution_.note(context_->api().eventElapsedTime(&ms, events[0].get(), events[1].get()),
                            "Reading the GPU's clock");
        !s) {
      return s.error();
    }
    times.push_back(static_cast<double>(ms));
  }
  return times;
}

}  // namespace tilestep::cuda
