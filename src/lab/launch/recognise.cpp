// SPDX-License-Identifier: Apache-2.0
#include "lab/launch/recognise.h"

#include <algorithm>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "device/fill.h"
#include "lab/elements.h"
#include "lab/job.h"
#include "lab/launch/values.h"

namespace tilestep::lab {
namespace {

using device::kMemoryBlockBytes;
using device::MemoryRange;

/// The most instructions of all warps together; they run in less than a second.
constexpr uint64_t kMostInstructions = uint64_t{1} << 26;
constexpr uint64_t kMostBytes = uint64_t{64} << 20;

/// Writes `bytes` into the range's contents at `offset`. Copies the changed blocks, because other
/// launches may share them.
void putBytes(MemoryRange& range, uint64_t offset, std::span<const std::byte> bytes) {
  for (uint64_t at = offset; at < offset + bytes.size();) {
    const uint64_t number = at / kMemoryBlockBytes, first = number * kMemoryBlockBytes;
    const uint64_t length = std::min(kMemoryBlockBytes, range.bytes - first);
    const uint64_t end = std::min(first + length, offset + bytes.size());
    std::vector<std::byte> block(length);
    device::copyContents(range, first, length, block.data());
    const auto from = bytes.subspan(at - offset, end - at);
    std::ranges::copy(from, block.begin() + static_cast<ptrdiff_t>(at - first));
    range.contents[number] = std::make_shared<const std::vector<std::byte>>(std::move(block));
    at = end;
  }
}

/// The job that runs the launch, with its operands as views.
device::Job jobOf(std::shared_ptr<const device::CapturedLaunch> launch,
                  const InferredLaunch& inferred) {
  device::Job job;
  job.module = launch->module;
  job.operands = operandsOf(inferred.plan);
  for (size_t i = 0; i < job.operands.size(); ++i) {
    job.operands[i].range = inferred.views[i].range;
    job.operands[i].rangeOffset = inferred.views[i].offset;
  }
  job.launches = {launch->launch};
  job.captured = std::move(launch);
  job.mostInstructions = kMostInstructions;
  return job;
}

/// The result of the launch for random numbers in the floating-point buffers that it reads. Nothing
/// if there are no such buffers, or if the launch then fails.
std::optional<LaunchValues> withRandomInputs(const device::CapturedLaunch& launch,
                                             const InferredLaunch& inferred) {
  auto changed = std::make_shared<device::CapturedLaunch>(launch);
  device::Job job = jobOf(changed, inferred);
  bool isChanged = false;
  for (uint32_t i = 0; i < job.operands.size(); ++i) {
    const device::Operand& operand = job.operands[i];
    if (operand.range < 0 || operand.direction == Direction::out ||
        !isFloatingPoint(operand.type) || operand.bytes() > kMostBytes)
      continue;
    device::Operand input = operand;
    input.direction = Direction::in;
    const std::vector<std::byte> random = device::fillOperand(input, i, 1, device::kPoison);
    putBytes(changed->ranges[static_cast<size_t>(operand.range)], operand.rangeOffset, random);
    isChanged = true;
  }
  if (!isChanged || launch.memoryBytes() > 4 * kMostBytes) return std::nullopt;
  const Result<device::Outcome> outcome = device::openSimt()->run(job, {});
  if (!outcome || !outcome->faults.empty()) return std::nullopt;
  const auto after = [&](uint32_t operand) {
    return std::span<const std::byte>(outcome->outputs[operand]);
  };
  return valuesOf(*changed, inferred, after, kMostBytes);
}

}  // namespace

std::optional<Recognised> recogniseLaunch(const device::CapturedLaunch& launch,
                                          const InferredLaunch& inferred, const LaunchValues& own,
                                          bool onceMore) {
  if (auto found = recogniseOperation(own)) {
    std::string question = questionOf(*found, own);
    return Recognised{std::move(*found), std::move(question)};
  }
  if (!onceMore) return std::nullopt;
  const std::optional<LaunchValues> random = withRandomInputs(launch, inferred);
  if (!random) return std::nullopt;
  std::optional<Operation> found = recogniseOperation(*random);
  if (!found) return std::nullopt;
  std::string question = questionOf(*found, *random);
  if (!question.empty()) question = "With random numbers as inputs, " + question;
  const std::optional<Operation> mine = compareLike(*found, own);
  if (mine && mine->compared > 0) {
    if (mine->telling > 0 && !agrees(*mine)) return std::nullopt;
    if (mine->wrong > 0) question = questionOf(*mine, own);
    return Recognised{*mine, std::move(question)};
  }
  return Recognised{std::move(*found), std::move(question)};
}

std::optional<Recognised> recogniseLike(const Operation& operation, const LaunchValues& own) {
  std::optional<Operation> found = compareLike(operation, own);
  if (!found || !agrees(*found)) return std::nullopt;
  std::string question = questionOf(*found, own);
  return Recognised{std::move(*found), std::move(question)};
}

}  // namespace tilestep::lab
