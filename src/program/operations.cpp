// SPDX-License-Identifier: Apache-2.0
#include "program/operations.h"

#include <chrono>
#include <optional>

#include "lab/launch/operands.h"
#include "lab/launch/operation.h"
#include "lab/launch/recognise.h"
#include "lab/launch/values.h"

namespace tilestep::program {
namespace {

/// Limits for all launches together: bytes of memory, and the number of examined launches.
constexpr uint64_t kMostBytes = uint64_t{1} << 30, kMostLaunches = 64;
/// The limit for one buffer, in bytes.
constexpr uint64_t kMostOfOne = uint64_t{64} << 20;
/// The limit for comparisons in all launches together.
constexpr double kMostSeconds = 5;

Finding findingOf(std::string kind, Severity severity, const LaunchRecord& record,
                  std::string message) {
  return {std::move(kind), severity, record.place, std::move(message)};
}

}  // namespace

bool Operations::wants(const Memory& memory) const {
  return launches_ < kMostLaunches && memory.used() <= kMostBytes - bytes_ &&
         comparedSeconds_ < kMostSeconds;
}

std::shared_ptr<device::CapturedLaunch> Operations::begin(const Kernel& kernel,
                                                          std::span<const uint8_t> parameters,
                                                          Memory& memory,
                                                          const LaunchRecord& record,
                                                          uint64_t number) {
  ++launches_;
  bytes_ += memory.used();
  return capture_.take(kernel, parameters, memory, record, number);
}

std::map<uint64_t, Rows> Operations::rowsOf(const device::CapturedLaunch& launch) {
  std::map<uint64_t, Rows> rows;
  const lab::InferredLaunch inferred = lab::inferLaunch(launch);
  for (size_t i = 0; i < inferred.views.size(); ++i) {
    const lab::View& view = inferred.views[i];
    const compile::ResolvedOperand& operand = inferred.plan.operands[i];
    if (view.range < 0 || view.offset != 0 || operand.columns < 2 || operand.rows < 2) continue;
    const device::MemoryRange& range = launch.ranges[static_cast<size_t>(view.range)];
    const auto bytes = static_cast<uint32_t>(bytesOf(operand.spec.type));
    if (operand.elements * bytes == range.bytes) rows[range.address] = {operand.columns, bytes};
  }
  return rows;
}

Operations::Looked Operations::look(const device::CapturedLaunch& launch, Memory& memory) {
  Looked looked{lab::inferLaunch(launch), {}};
  const auto after = [&](uint32_t operand) -> std::span<const std::byte> {
    const lab::View& view = looked.inferred.views[operand];
    const device::MemoryRange& range = launch.ranges[static_cast<size_t>(view.range)];
    const compile::ResolvedOperand& is = looked.inferred.plan.operands[operand];
    const uint64_t bytes = is.elements * bytesOf(is.spec.type);
    const Allocation* const held = memory.holder(range.address + view.offset, bytes);
    if (held == nullptr) return {};
    const uint8_t* const first = held->host + (range.address + view.offset - held->address);
    return std::as_bytes(std::span(first, bytes));
  };
  looked.values = lab::valuesOf(launch, looked.inferred, after, kMostOfOne);
  return looked;
}

void Operations::tryOrders(const device::CapturedLaunch& launch, Memory& memory,
                           const LaunchRules& rules, const std::function<bool()>& cancelled,
                           LaunchRecord& record) {
  lab::OrderLimits limits;
  if (!launch.hasContents || triedSeconds_ >= limits.seconds) return;
  if (!tried_.insert(launch.kernel).second) return;
  limits.seconds -= triedSeconds_;
  limits.threads = rules.threads;
  const auto [inferred, values] = look(launch, memory);
  const auto start = std::chrono::steady_clock::now();
  record.orders = lab::findOtherOrder(launch, inferred, values, rules.order, limits, cancelled);
  triedSeconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::vector<Finding> Operations::end(const device::CapturedLaunch& launch, Memory& memory,
                                     LaunchRecord& record) {
  if (!launch.hasContents) return {};
  const auto start = std::chrono::steady_clock::now();
  std::vector<Finding> findings = compare(launch, memory, record);
  comparedSeconds_ +=
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return findings;
}

std::vector<Finding> Operations::compare(const device::CapturedLaunch& launch, Memory& memory,
                                         LaunchRecord& record) {
  const auto [inferred, values] = look(launch, memory);
  if (meant_.empty()) {
    const auto [known, isFirst] = known_.try_emplace(launch.kernel);
    auto found = lab::recogniseLaunch(launch, inferred, values, isFirst);
    if (!found && known->second) found = lab::recogniseLike(*known->second, values);
    if (!found) return {};
    if (!known->second) known->second = found->operation;
    record.operation = found->operation;
    if (found->question.empty() || !asked_.insert(launch.kernel).second) return {};
    return {findingOf("differs", Severity::remark, record,
                      "in " + record.kernel + ": " + found->question + " --operation " +
                          found->operation.name + " confirms it")};
  }
  const std::optional<lab::Operation> asked = lab::compareWith(meant_, values);
  if (!asked) return {};
  record.operation = asked;
  record.isMeant = true;
  if (asked->wrong == 0) return {};
  std::string message = lab::questionOf(*asked, values);
  message.resize(message.find("; is it"));
  return {
      findingOf("wrong-result", Severity::fault, record, "in " + record.kernel + ": " + message)};
}

}  // namespace tilestep::program
