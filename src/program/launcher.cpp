// SPDX-License-Identifier: Apache-2.0
#include "program/launcher.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <map>

#include "program/errors.h"
#include "simt/grid.h"

namespace tilestep::program {
namespace {

/// All that is there, with its names: the module's variables by their symbols.
std::vector<simt::Buffer> buffersOf(Memory& memory, uint32_t module) {
  std::vector<simt::Buffer> buffers;
  for (auto& [address, allocation] : memory.all()) {
    if (allocation.freed) continue;
    simt::Buffer buffer;
    buffer.name = allocation.name;
    if (!allocation.symbol.empty() && allocation.module == module)
      buffer.symbol = allocation.symbol;
    buffer.host = allocation.host;
    buffer.bytes = allocation.bytes;
    buffer.shadow = allocation.written.data();
    buffer.address = address;
    buffers.push_back(std::move(buffer));
  }
  return buffers;
}

/// While a launch is watched, what was written before it.
constexpr uint8_t kBefore = 2;

/// Before a launch: what is written already is told from what the launch will write.
void markAsBefore(const std::vector<simt::Buffer>& buffers) {
  for (const simt::Buffer& each : buffers)
    for (uint64_t i = 0; i < each.bytes; ++i) each.shadow[i] = each.shadow[i] != 0 ? kBefore : 0;
}

/// After it: the bytes that it wrote, in the order of their addresses.
std::vector<ByteRange> writtenSince(const std::vector<simt::Buffer>& buffers) {
  std::vector<ByteRange> ranges;
  for (const simt::Buffer& each : buffers) {
    for (uint64_t i = 0; i < each.bytes; ++i) {
      if (each.shadow[i] != 1) continue;
      const uint64_t at = each.address + i;
      if (!ranges.empty() && ranges.back().end == at)
        ++ranges.back().end;
      else
        ranges.push_back({at, at + 1});
    }
  }
  return ranges;
}

/// The parameters as the interpreter takes them: numbers by their bits, structures by their bytes.
void takeParameters(const ptx::Function& entry, std::span<const uint8_t> block,
                    simt::GridRequest& request) {
  for (size_t i = 0; i < entry.parameters.size(); ++i) {
    const ptx::Parameter& parameter = entry.parameters[i];
    const auto bytes = block.subspan(parameter.offset, parameter.bytes());
    uint64_t bits = 0;
    std::memcpy(&bits, bytes.data(), std::min<size_t>(bytes.size(), sizeof bits));
    request.parameters.push_back(bits);
    if (parameter.elements > 1) request.structures[i] = {bytes.begin(), bytes.end()};
  }
}

int errorOf(const std::vector<simt::Fault>& faults) {
  static const std::map<std::string, int> kErrors{{"out-of-bounds", kIllegalAddress},
                                                  {"use-after-free", kIllegalAddress},
                                                  {"device-touches-host-memory", kIllegalAddress},
                                                  {"misaligned", kMisalignedAddress},
                                                  {"assert", kAssert},
                                                  {"deadlock", kLaunchTimeout},
                                                  {"timeout", kLaunchTimeout},
                                                  {"waits-too-long", kLaunchTimeout},
                                                  {"trap", kLaunchFailure},
                                                  {"launch-refused", kOutOfResources},
                                                  {"unsupported-instruction", kNotSupported},
                                                  {"instruction-limit", kLaunchTimeout}};
  for (const simt::Fault& fault : faults) {
    const auto found = kErrors.find(fault.kind);
    if (found != kErrors.end()) return found->second;
  }
  return kSuccess;
}

/// Replaces what stands between the access and the place in a fault's message.
void sayWhatItMeets(simt::Fault& fault, const std::string& meets) {
  const size_t begin = fault.message.find(" at 0x"), end = fault.message.rfind(" (thread ");
  if (begin != std::string::npos && end != std::string::npos && begin < end)
    fault.message.replace(begin, end - begin, meets);
}

/// An access that leaves all memory may meet what was freed, or the host's.
void nameWhatWasMet(Memory& memory, std::vector<simt::Fault>& faults) {
  for (simt::Fault& fault : faults) {
    if (fault.kind != "out-of-bounds") continue;
    const Allocation* const near = memory.at(fault.address);
    constexpr uint64_t kNoObject = 1 << 16;
    if (near != nullptr && near->freed && near->holds(fault.address, 1)) {
      fault.kind = "use-after-free";
      sayWhatItMeets(fault, " meets " + near->name + ", which was freed before the launch");
    } else if (fault.address < kNoObject) {
      sayWhatItMeets(fault, " is through a null pointer");
    } else if (fault.message.find("meets no buffer") != std::string::npos) {
      fault.kind = "device-touches-host-memory";
      sayWhatItMeets(fault,
                     " meets an address of the host; a kernel can use memory of cudaMalloc "
                     "or cudaMallocManaged alone");
    }
  }
}

}  // namespace

Refusal refusalOf(const Kernel& kernel, const Launch& launch, const guest::DeviceFacts& device) {
  const Dim3 &grid = launch.grid, &block = launch.block;
  const auto text = [](const Dim3& size) {
    return std::to_string(size.x) + " x " + std::to_string(size.y) + " x " + std::to_string(size.z);
  };
  if (grid.x == 0 || grid.y == 0 || grid.z == 0)
    return {kInvalidConfiguration, "its grid of " + text(grid) + " has no blocks"};
  if (block.x == 0 || block.y == 0 || block.z == 0)
    return {kInvalidConfiguration, "its block of " + text(block) + " has no threads"};
  constexpr uint32_t kMostWide = 1024, kMostDeep = 64, kMostGrid = 65535;
  const auto most = static_cast<uint64_t>(device.threadsPerBlock);
  if (block.count() > most)
    return {kInvalidConfiguration, "its block of " + text(block) + " has " +
                                       std::to_string(block.count()) + " threads; at most " +
                                       std::to_string(most) + " are possible"};
  if (block.x > kMostWide || block.y > kMostWide || block.z > kMostDeep)
    return {kInvalidConfiguration, "its block of " + text(block) +
                                       " is too long in one direction; at most 1024 x 1024 x 64 "
                                       "are possible"};
  if (grid.x > 0x7fffffff || grid.y > kMostGrid || grid.z > kMostGrid)
    return {kInvalidConfiguration, "its grid of " + text(grid) +
                                       " is too long in one direction; at most 2147483647 x 65535 "
                                       "x 65535 are possible"};
  const uint64_t dynamic = launch.dynamicSharedBytes;
  const uint64_t all = kernel.sharedBytes + dynamic;
  const uint64_t allowed =
      kernel.mostDynamicBytes > 0
          ? std::max(device.sharedPerBlock, kernel.sharedBytes + kernel.mostDynamicBytes)
          : device.sharedPerBlock;
  if (all > allowed || all > device.sharedPerBlockOptin)
    return {kInvalidValue,
            "it asks for " + std::to_string(all) + " bytes of shared memory a block; " +
                (all > device.sharedPerBlockOptin
                     ? "the device has " + std::to_string(device.sharedPerBlockOptin)
                     : "more than " + std::to_string(allowed) + " needs cudaFuncSetAttribute(" +
                           kernel.name + ", cudaFuncAttributeMaxDynamicSharedMemorySize, " +
                           std::to_string(dynamic) + ") before the launch")};
  if (block.count() > kernel.mostThreads)
    return {kInvalidValue, "its block has " + std::to_string(block.count()) +
                               " threads; __launch_bounds__ of " + kernel.name + " allows " +
                               std::to_string(kernel.mostThreads)};
  return {};
}

LaunchOutcome runLaunch(const Kernel& kernel, std::span<const uint8_t> parameters, Memory& memory,
                        std::mutex& mutex, const LaunchRules& rules,
                        const std::function<bool()>& cancelled, LaunchRecord& record) {
  simt::GridRequest request;
  request.module = kernel.module.get();
  request.launch = record.launch;
  request.launch.entry = kernel.entry->name;
  {
    const std::lock_guard lock(mutex);
    request.buffers = buffersOf(memory, kernel.moduleNumber);
  }
  if (rules.ranges) markAsBefore(request.buffers);
  takeParameters(*kernel.entry, parameters, request);
  request.check = rules.check;
  request.counters = rules.counters;
  request.order = rules.order;
  request.othersMayWrite = rules.hostMayWrite;
  request.threads = rules.threads;
  request.timeoutSeconds = rules.timeoutSeconds;
  const auto start = std::chrono::steady_clock::now();
  Result<simt::GridResult> ran = simt::runGrid(request, cancelled);
  record.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  LaunchOutcome outcome;
  if (!ran) {
    outcome.error = kLaunchFailure;
    outcome.trouble = ran.error().message;
    return outcome;
  }
  record.ran = true;
  if (rules.ranges) outcome.writes = writtenSince(request.buffers);
  {
    const std::lock_guard lock(mutex);
    nameWhatWasMet(memory, ran->faults);
  }
  record.faults = std::move(ran->faults);
  record.hazards = std::move(ran->hazards);
  record.counters = std::move(ran->counters);
  for (const simt::Printed& each : ran->printed) outcome.printed += each.text;
  outcome.error = errorOf(record.faults);
  record.result = outcome.error;
  return outcome;
}

}  // namespace tilestep::program
