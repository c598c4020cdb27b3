// SPDX-License-Identifier: Apache-2.0
#include "lab/launch/orders.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "lab/elements.h"
#include "simt/grid.h"
#include "simt/parameter_block.h"

namespace tilestep::lab {
namespace {

using device::CapturedLaunch;
using device::MemoryRange;

/// The launch's memory, reset for each run to its contents before the launch.
class Memory {
 public:
  explicit Memory(const CapturedLaunch& launch) : launch_(launch) {
    for (const MemoryRange& range : launch.ranges) bytes_.emplace_back(range.bytes);
  }

  std::vector<simt::Buffer> filled() {
    std::vector<simt::Buffer> buffers;
    for (size_t i = 0; i < bytes_.size(); ++i) {
      const MemoryRange& range = launch_.ranges[i];
      device::copyContents(range, 0, range.bytes, bytes_[i].data());
      simt::Buffer& buffer = buffers.emplace_back();
      buffer.name = range.name;
      buffer.symbol = range.symbol;
      buffer.isLinked = true;
      buffer.bytes = range.bytes;
      buffer.address = range.address;
      buffer.host = reinterpret_cast<uint8_t*>(bytes_[i].data());
    }
    return buffers;
  }

  [[nodiscard]] std::span<const std::byte> at(const View& view, uint64_t bytes) const {
    return std::span(bytes_[static_cast<size_t>(view.range)]).subspan(view.offset, bytes);
  }

 private:
  const CapturedLaunch& launch_;
  std::vector<std::vector<std::byte>> bytes_;
};

/// False if the order of a sum's terms explains the difference.
bool differs(ElementType type, double got, double expected) {
  if (got == expected || (std::isnan(got) && std::isnan(expected))) return false;
  constexpr double kRounding = 1e-4;
  return !isFloatingPoint(type) ||
         !(std::abs(got - expected) <= kRounding * std::max(std::abs(got), std::abs(expected)));
}

std::optional<OtherOrder> compare(const Memory& memory, const InferredLaunch& inferred,
                                  const LaunchValues& left) {
  for (size_t i = 0; i < left.values.size(); ++i) {
    const std::vector<double>& expected = left.values[i].after;
    if (expected.empty()) continue;
    const compile::ResolvedOperand& operand = left.operands[i];
    const ElementType type = operand.spec.type;
    const std::vector<double> got =
        elementsAsDoubles(type, memory.at(inferred.views[i], operand.elements * bytesOf(type)));
    for (uint64_t k = 0; k < expected.size(); ++k)
      if (differs(type, got[k], expected[k]))
        return OtherOrder{0, elementText(operand, k), {}, got[k], expected[k]};
  }
  return std::nullopt;
}

}  // namespace

OrderSearch findOtherOrder(const CapturedLaunch& launch, const InferredLaunch& inferred,
                           const LaunchValues& left, uint64_t own, const OrderLimits& limits,
                           const std::function<bool()>& cancelled) {
  using Clock = std::chrono::steady_clock;
  const auto seconds = [start = Clock::now()] {
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  OrderSearch search;
  Memory memory(launch);
  for (uint64_t order = 0; search.tried < limits.orders; ++order) {
    if (order == own) continue;
    simt::GridRequest request;
    request.module = launch.module.get();
    request.launch = launch.launch;
    request.buffers = memory.filled();
    simt::takeParameters(*launch.module->find(launch.launch.entry), launch.parameters, request);
    request.order = order;
    request.threads = limits.threads;
    request.timeoutSeconds = limits.seconds - seconds();
    if (request.timeoutSeconds <= 0) break;
    const Result<simt::GridResult> ran = simt::runGrid(request, cancelled);
    if (!ran || seconds() >= limits.seconds) break;
    ++search.tried;
    if (ran->faults.empty())
      search.found = compare(memory, inferred, left);
    else
      search.found = OtherOrder{0, {}, ran->faults.front().kind, 0, 0};
    if (!search.found) continue;
    search.found->order = order;
    break;
  }
  return search;
}

}  // namespace tilestep::lab
