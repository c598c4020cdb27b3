// SPDX-License-Identifier: Apache-2.0
#include "gpu/interpreted_machine.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <span>

#include "gpu/same_counts.h"
#include "ptx/rewrite/instrument_probes.h"
#include "ptx/text/parser.h"
#include "ptx/text/printer.h"

namespace tilestep::test {
namespace {

constexpr uint64_t kLanes = ptx::TraceLog::kLanes;

ptx::Module parsed(const std::string& text) {
  Result<ptx::Module> module = ptx::parse(text);
  EXPECT_TRUE(module) << (module ? "" : toString(module.error()));
  return module ? *module : ptx::Module();
}

template <class T>
Bytes bytesOf(const std::vector<T>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  return {bytes.begin(), bytes.end()};
}

Bytes randomNumbers(size_t count, uint64_t seed) {
  std::mt19937_64 generator(seed);
  std::vector<uint64_t> numbers(count);
  for (uint64_t& number : numbers) number = generator() >> 4;  // Below the prime.
  return bytesOf(numbers);
}

}  // namespace

InterpretedMachine::InterpretedMachine(const device::Job& job, const ptx::Counting& counting,
                                       InterpretedOperands operands, const Room& room)
    : job_(job),
      counting_(counting),
      program_(parsed(counting.ptx)),
      classifier_(parsed(ptx::print(*job.probes))),
      initial_(std::move(operands)),
      room_(room),
      operands_(initial_),
      multipliers_(randomNumbers(4, 7)),
      factors_(randomNumbers(2 * kLanes, 8)) {}

Status InterpretedMachine::restart() {
  operands_ = initial_;
  return {};
}

Status InterpretedMachine::sign(size_t launch, uint32_t first, uint32_t blocks) {
  const Launch& one = job_.launches[launch];
  const uint64_t warps = (one.block.count() + kLanes - 1) / kLanes;
  signatures_.assign((uint64_t{blocks} + 1) * warps * layoutOf(launch).bytesPerWarp(), {});
  simt::GridRequest signing = request(one.entry, launch);
  addPointer(signing, signatures_);
  signing.parameters.insert(signing.parameters.end(), {first, blocks});
  return run(signing);
}

Result<std::vector<uint64_t>> InterpretedMachine::keys(size_t launch, uint64_t warps) {
  const ptx::SignatureLayout& layout = layoutOf(launch);
  Bytes kinds = bytesOf(layout.kinds), keys(warps * 16);
  constexpr uint32_t kThreads = 256;
  const auto blocks = static_cast<uint32_t>((warps * kLanes + kThreads - 1) / kThreads);
  simt::GridRequest request;
  request.module = &classifier_;
  request.launch = {std::string(ptx::Probes::kClassify), {blocks, 1, 1}, {kThreads, 1, 1}};
  addPointer(request, signatures_);
  request.parameters.insert(request.parameters.end(), {warps, layout.kinds.size(), layout.lanes});
  for (Bytes* memory : {&kinds, &factors_, &keys}) addPointer(request, *memory);
  addMemory(request, multipliers_, ptx::Probes::kMultipliers);
  if (const auto ran = runWell(request); !ran) return ran.error();
  std::vector<uint64_t> words(warps * 2);
  std::memcpy(words.data(), keys.data(), keys.size());
  return words;
}

Status InterpretedMachine::log(size_t launch, const std::vector<uint32_t>& places,
                               const std::vector<uint64_t>& rooms) {
  rooms_ = rooms;
  uint64_t words = 0;
  for (const uint64_t room : rooms) words += room;
  log_.assign(words * ptx::TraceLog::kStride + 1, {});
  ends_.assign((rooms.size() + 1) * kLanes * 8, {});
  simt::GridRequest logging = request(ptx::loggingName(job_.launches[launch].entry), launch);
  logAt_ = addMemory(logging, log_);
  std::vector<ptx::ExemplarLog> logs(1);  // One more, for warps without exemplars.
  uint64_t at = logAt_;
  for (size_t e = 0; e < rooms.size(); ++e) {
    logs.insert(logs.end() - 1, {at, rooms[e]});
    at += rooms[e] * ptx::TraceLog::kStride;
  }
  Bytes placeBytes = bytesOf(places), logBytes = bytesOf(logs);
  for (Bytes* memory : {&placeBytes, &logBytes, &ends_}) addPointer(logging, *memory);
  return run(logging);
}

Result<std::vector<cuda::WarpLog>> InterpretedMachine::logs() {
  std::vector<cuda::WarpLog> logs(rooms_.size());
  uint64_t at = 0;
  for (size_t e = 0; e < logs.size(); ++e) {
    logs[e].room = rooms_[e];
    for (uint64_t lane = 0; lane < kLanes; ++lane) {
      uint64_t end = 0;
      std::memcpy(&end, ends_.data() + ((e + 1) * kLanes + lane) * 8, 8);
      const uint64_t start = logAt_ + at + lane * 4;
      if (end != 0) logs[e].wanted[lane] = (end - start) / ptx::TraceLog::kStride;
    }
    logs[e].words.resize(rooms_[e] * kLanes);
    std::memcpy(logs[e].words.data(), log_.data() + at, logs[e].words.size() * 4);
    at += rooms_[e] * ptx::TraceLog::kStride;
  }
  return logs;
}

const ptx::SignatureLayout& InterpretedMachine::layoutOf(size_t launch) const {
  return counting_.entries.at(job_.launches[launch].entry).layout;
}

simt::GridRequest InterpretedMachine::request(const std::string& entry, size_t launch) {
  simt::GridRequest request = operands_.request(program_, job_.launches[launch]);
  request.launch.entry = entry;
  return request;
}

Status InterpretedMachine::run(simt::GridRequest& request) {
  if (counting_.calls) addMemory(request, multipliers_, ptx::Probes::kMultipliers);
  const auto ran = runWell(request);
  return ran ? Status() : ran.error();
}

Result<cuda::GridCount> countInterpreted(const device::Job& job,
                                         const InterpretedOperands& operands, bool mayLeaveOut,
                                         const InterpretedMachine::Room& room) {
  const Result<ptx::Counting> counting =
      ptx::instrumentCounting(*job.module, *job.probes, job.launches);
  if (!counting) return counting.error();
  std::vector<cuda::CountedLaunch> launches;
  for (const Launch& launch : job.launches) {
    launches.push_back({launch, &counting->entries.at(launch.entry), false});
  }
  launches.back().mayLeaveOut = mayLeaveOut;
  InterpretedMachine machine(job, *counting, operands, room);
  return cuda::countGrid(machine, launches);
}

void expectInterpretersCounts(const device::Job& job, InterpretedOperands operands,
                              uint64_t mostClasses) {
  const auto counted = [&](bool mayLeaveOut, const InterpretedMachine::Room& room) {
    Result<cuda::GridCount> count = countInterpreted(job, operands, mayLeaveOut, room);
    EXPECT_TRUE(count) << (count ? "" : toString(count.error()));
    return count ? std::move(*count) : cuda::GridCount();
  };
  std::vector<cuda::GridCount> counts;
  for (const bool mayLeaveOut : {true, false}) {
    const cuda::GridCount& count = counts.emplace_back(counted(mayLeaveOut, {}));
    EXPECT_LE(count.classes, mostClasses) << "of " << count.warps << " warps";
    EXPECT_LT(count.mistakeLog2, cuda::kMostMistake);
  }
  // With little memory, which needs many runs.
  counts.push_back(counted(true, {.signatureBytes = 1, .logBytes = 1 << 18}));
  simt::GridRequest plain = operands.request(*job.module, job.launches.front());
  plain.counters = true;
  const auto expected = runWell(plain);
  ASSERT_TRUE(expected) << toString(expected.error());
  for (const cuda::GridCount& count : counts) {
    compareCounts(count.counters, *expected->counters);
    EXPECT_EQ(count.branches, expected->branches);
  }
}

}  // namespace tilestep::test
