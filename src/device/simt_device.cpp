// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <map>
#include <new>
#include <thread>

#include "base/process/memory_limit.h"
#include "device/device.h"
#include "device/parameter.h"
#include "ptx/text/symbols.h"
#include "simt/grid.h"

namespace tilestep::device {
namespace {

using Clock = std::chrono::steady_clock;

/// What operands may take of the memory that this process may use: comparing a product with its
/// reference takes about twice as much again, since that is computed in float64.
uint64_t memoryForOperands() {
  constexpr uint64_t kParts = 3;
  return memoryLimit().bytes / kParts;
}

DeviceInfo describe() {
  DeviceInfo info;
  info.id = "simt";
  info.name = "SIMT interpreter";
  info.limits.device = info.name;
  info.limits.threadsPerBlock = 1024;
  info.limits.sharedBytesPerBlock = 49152;
  info.limits.sharedBytesPerBlockOptIn = 232448;  // An H200's, which it imitates.
  info.limits.memoryBytes = memoryForOperands();
  return info;
}

/// The operands of a job in memory, and their description for the interpreter.
class Operands {
 public:
  explicit Operands(const Job& job) : job_(job) {
    for (uint32_t i = 0; i < job.operands.size(); ++i) add(job.operands[i], i);
  }

  [[nodiscard]] const std::vector<simt::Buffer>& buffers() const { return buffers_; }
  [[nodiscard]] const std::vector<uint64_t>& parameters() const { return parameters_; }
  /// By parameter: those that are structures.
  [[nodiscard]] const std::map<size_t, std::vector<uint8_t>>& structures() const {
    return structures_;
  }

  [[nodiscard]] std::vector<std::vector<std::byte>> takeOutputs() {
    std::vector<std::vector<std::byte>> outputs(memory_.size());
    for (size_t i = 0; i < memory_.size(); ++i) {
      if (isOutput(job_.operands[i])) outputs[i] = std::move(memory_[i]);
    }
    return outputs;
  }

  /// Elements of outputs that have a byte which nothing wrote.
  [[nodiscard]] uint64_t unwritten() const {
    uint64_t count = 0;
    for (size_t i = 0; i < shadows_.size(); ++i) {
      const unsigned bytes = bytesOf(job_.operands[i].type);
      for (size_t at = 0; at < shadows_[i].size(); at += bytes) {
        count += std::count(&shadows_[i][at], &shadows_[i][at] + bytes, 1) != bytes;
      }
    }
    return count;
  }

 private:
  static bool isOutput(const Operand& operand) {
    return operand.kind != OperandKind::scalar && operand.direction != Direction::in;
  }

  void add(const Operand& operand, uint32_t index) {
    std::vector<std::byte>& memory = memory_.emplace_back();
    std::vector<uint8_t>& shadow = shadows_.emplace_back();
    simt::Buffer buffer;
    buffer.name = operand.name;
    if (!operand.fields.empty()) {
      const auto bytes = structureOf(operand, [](size_t i) { return simt::addressOf(i); });
      const auto* first = reinterpret_cast<const uint8_t*>(bytes.data());
      structures_[parameters_.size()] = {first, first + bytes.size()};
      parameters_.push_back(0);
    } else if (operand.kind == OperandKind::scalar) {
      parameters_.push_back(scalarBits(operand.type, operand.scalar));
    } else {
      memory = fillOperand(operand, index, job_.seed, kPoison);
      const bool watched = job_.check && !job_.blockAlone;  // One block leaves most unwritten.
      if (watched && operand.direction == Direction::out) shadow.resize(memory.size());
      buffer.host = reinterpret_cast<uint8_t*>(memory.data());
      buffer.bytes = memory.size();
      buffer.columns = operand.columns;
      buffer.elementBytes = bytesOf(operand.type);
      buffer.shadow = shadow.empty() ? nullptr : shadow.data();
      if (operand.kind == OperandKind::symbol)
        buffer.symbol = operand.name;
      else if (!operand.held)
        parameters_.push_back(simt::addressOf(index));
    }
    buffers_.push_back(std::move(buffer));
  }

  const Job& job_;
  std::vector<std::vector<std::byte>> memory_;
  std::vector<std::vector<uint8_t>> shadows_;
  std::vector<simt::Buffer> buffers_;
  std::vector<uint64_t> parameters_;
  std::map<size_t, std::vector<uint8_t>> structures_;
};

void addFaults(const std::vector<simt::Fault>& from, Outcome& outcome) {
  for (const simt::Fault& fault : from) {
    outcome.faults.push_back({fault.kind,
                              {fault.line, fault.thread, fault.block},
                              fault.address,
                              fault.count,
                              fault.message});
  }
}

void addHazards(const std::vector<simt::Hazard>& from, std::vector<Hazard>& to) {
  for (const simt::Hazard& hazard : from) {
    const auto site = [](const simt::HazardSite& at) {
      return AccessSite{at.line, at.thread, at.block};
    };
    to.push_back({hazard.kind, hazard.space, site(hazard.first), site(hazard.second), hazard.epoch,
                  hazard.count, hazard.message, hazard.place});
  }
}

void addPrinted(std::vector<simt::Printed> from, bool all, Outcome& outcome) {
  for (simt::Printed& printed : from) {
    if (outcome.printed.size() == simt::kMostPrinted) all = false;
    if (!all && outcome.printed.size() == simt::kMostPrinted) break;
    outcome.printed.push_back(
        {{printed.line, printed.thread, printed.block}, std::move(printed.text)});
  }
  outcome.printedAll = outcome.printedAll && all;
}

void addCounters(const trace::GridCounters& from, std::optional<trace::GridCounters>& to) {
  if (!to) {
    to = from;
    return;
  }
  to->total += from.total;
  to->epochsTruncated = to->epochsTruncated || from.epochsTruncated;
  if (to->epochs.size() < from.epochs.size()) to->epochs.resize(from.epochs.size());
  for (size_t i = 0; i < from.epochs.size(); ++i) to->epochs[i] += from.epochs[i];
}

class SimtDevice : public Device {
 public:
  explicit SimtDevice(unsigned threads)
      : info_(describe()),
        threads_(threads != 0 ? threads : std::max(1U, std::thread::hardware_concurrency())) {}

  [[nodiscard]] const DeviceInfo& info() const override { return info_; }

  Result<Outcome> run(const Job& job, const Cancelled& cancelled) override {
    const auto start = Clock::now();
    try {
      Result<Outcome> outcome = launchAll(job, cancelled);
      if (outcome) {
        outcome->wallSeconds = std::chrono::duration<double>(Clock::now() - start).count();
      }
      return outcome;
    } catch (const std::bad_alloc&) {
      return workError("The operands do not fit into the host's memory; make the sizes smaller.");
    }
  }

 private:
  Result<Outcome> launchAll(const Job& job, const Cancelled& cancelled) const;
  [[nodiscard]] simt::GridRequest requestOf(const Job& job, const Operands& operands) const;

  DeviceInfo info_;
  unsigned threads_;
};

simt::GridRequest SimtDevice::requestOf(const Job& job, const Operands& operands) const {
  simt::GridRequest request;
  request.module = job.module.get();
  request.buffers = operands.buffers();
  request.parameters = operands.parameters();
  request.structures = operands.structures();
  request.counters = job.counters;
  request.check = job.check;
  request.sharedArrays = job.sharedArrays;
  request.order = job.order;
  request.threads = job.blocksInTurn ? 1 : threads_;
  request.timeoutSeconds = job.timeoutSeconds;
  request.mostInstructions = job.mostInstructions;
  request.progress = job.progress;
  return request;
}

/// Launches run one after the other on the same operands; the trace is the first one's.
Result<Outcome> SimtDevice::launchAll(const Job& job, const Cancelled& cancelled) const {
  Operands operands(job);
  Outcome outcome;
  std::vector<simt::Hazard> hazards;
  simt::GridRequest request = requestOf(job, operands);
  std::vector<std::vector<uint8_t>> variables;  // They live as long as the module.
  request.variables = &variables;
  const size_t launches = job.blockAlone ? 1 : job.launches.size();
  for (size_t i = 0; i < std::min(launches, job.launches.size()) && outcome.faults.empty(); ++i) {
    request.launch = job.launches[i];
    request.trace.reset();
    if (job.trace && i == 0) {
      request.trace = simt::TraceOptions{job.trace->block, job.trace->capBytes,
                                         job.tracedBlockOnly || job.blockAlone, job.blockAlone,
                                         job.sharedArrays};
    }
    Result<simt::GridResult> grid = simt::runGrid(request, cancelled);
    if (!grid) return grid.error();
    addFaults(grid->faults, outcome);
    addPrinted(std::move(grid->printed), grid->printedAll, outcome);
    simt::addHazards(hazards, grid->hazards);
    if (grid->counters) addCounters(*grid->counters, outcome.counters);
    outcome.branches.merge(grid->branches);
    if (grid->trace) {
      outcome.trace = std::move(grid->trace);
      outcome.traceFrom = info_.id;
    }
    outcome.sharedBytes = std::max(outcome.sharedBytes, grid->sharedBytes);
    outcome.localBytes = std::max(outcome.localBytes.value_or(0), grid->localBytes);
  }
  if (job.timeline) {
    outcome.timelineNote =
        "The interpreter gives no times, so there is no timeline; ask a GPU (--device cuda:0).";
  }
  if (job.timings) {
    outcome.timingsNote =
        "The interpreter gives no times, so the launch was not timed; ask a GPU (--device cuda:0).";
  }
  if (job.check) {
    if (!job.blockAlone) outcome.unwritten = operands.unwritten();
    addHazards(hazards, outcome.hazards.emplace());
  }
  if (job.outputs) outcome.outputs = operands.takeOutputs();
  return outcome;
}

}  // namespace

std::unique_ptr<Device> openSimt(unsigned threads) {
  return std::make_unique<SimtDevice>(threads);
}

}  // namespace tilestep::device
