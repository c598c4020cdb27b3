// SPDX-License-Identifier: Apache-2.0
#include "program/launcher.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <map>
#include <string_view>

#include "program/errors.h"
#include "program/followed.h"
#include "simt/grid.h"
#include "simt/parameter_block.h"

namespace tilestep::program {
namespace {

/// All existing memory. The module's variables are named by their symbols.
std::vector<simt::Buffer> buffersOf(Memory& memory, uint32_t module, const LaunchRules& rules) {
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
    buffer.isLinked = allocation.isLinked;
    buffer.address = address;
    if (rules.check) buffer.use = allocation.marks.of(allocation.bytes);
    if (const auto matrix = rules.rows.find(address); matrix != rules.rows.end()) {
      buffer.columns = matrix->second.columns;
      buffer.elementBytes = matrix->second.elementBytes;
    }
    buffers.push_back(std::move(buffer));
  }
  return buffers;
}

/// Takes the marks of all memory that the launch used.
Uses takeUses(Memory& memory) {
  Uses uses;
  for (auto& [address, allocation] : memory.all())
    if (!allocation.freed)
      allocation.marks.take(address, allocation.bytes, allocation.kind != guest::MemoryKind::device,
                            uses);
  return uses;
}

/// Whether some fence of the module also orders accesses for the host.
bool fencesForTheHost(const ptx::Module& module) {
  return std::ranges::any_of(module.functions, [](const ptx::Function& function) {
    return std::ranges::any_of(function.body, [](const ptx::Instruction& i) {
      return (i.opcode == ptx::Opcode::membar || i.opcode == ptx::Opcode::fence) && i.has("sys");
    });
  });
}

/// Assigns the requests to the memory that they access.
std::vector<LineCost> costsOf(const std::vector<simt::LineRequests>& requests,
                              const std::vector<simt::Buffer>& buffers) {
  std::vector<LineCost> costs;
  for (const simt::LineRequests& each : requests) {
    LineCost& cost = costs.emplace_back();
    cost.line = each.line;
    cost.isStore = each.isStore;
    cost.elementBytes = each.elementBytes;
    cost.use = each.use;
    if (!each.use.isShared && each.use.region < buffers.size())
      cost.memory = buffers[each.use.region].address;
  }
  return costs;
}

std::vector<Argument> argumentsOf(const ptx::Function& entry, const simt::GridRequest& request) {
  std::vector<Argument> arguments;
  for (size_t i = 0; i < entry.parameters.size(); ++i) {
    const ptx::Parameter& parameter = entry.parameters[i];
    arguments.push_back({request.parameters[i], parameter.bytes(), ptx::isFloat(parameter.type)});
  }
  return arguments;
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

/// Replaces the part of a fault's message between the access and its location.
void sayWhatItMeets(simt::Fault& fault, const std::string& meets) {
  size_t begin = fault.message.npos;
  for (const char* word : {" at 0x", " begins ", " ends ", " lies "})
    begin = std::min(begin, fault.message.find(word));
  const size_t end = fault.message.rfind(" (thread ");
  if (begin != std::string::npos && end != std::string::npos && begin < end)
    fault.message.replace(begin, end - begin, meets);
}

/// Replaces the advice about grid.sync(), which is for kernel files, by advice for programs.
void nameCooperativeLaunch(std::vector<simt::Fault>& faults) {
  constexpr std::string_view kAdvice = "write cooperative = true under [launch]";
  for (simt::Fault& fault : faults) {
    const size_t at = fault.message.find(kAdvice);
    if (at != std::string::npos)
      fault.message.replace(at, kAdvice.size(), "launch it with cudaLaunchCooperativeKernel");
  }
}

/// Names the memory of an access outside all memory: freed memory, or the host's.
void nameWhatWasMet(Memory& memory, std::vector<simt::Fault>& faults) {
  for (simt::Fault& fault : faults) {
    if (fault.kind != "out-of-bounds") continue;
    const Allocation* const near = memory.at(fault.address);
    constexpr uint64_t kNoObject = 1 << 16;
    if (near != nullptr && near->freed && near->holds(fault.address, 1)) {
      fault.kind = "use-after-free";
      sayWhatItMeets(fault,
                     " lies in " + near->name + ", which was freed" +
                         (near->freedLine == 0 ? std::string()
                                               : " in line " + std::to_string(near->freedLine)) +
                         " before the launch");
    } else if (fault.message.find("lies outside every buffer") == std::string::npos) {
      continue;
    } else if (fault.address < kNoObject) {
      sayWhatItMeets(fault, " is through a null pointer");
    } else {
      fault.kind = "device-touches-host-memory";
      sayWhatItMeets(fault,
                     " lies in the host's memory; a kernel can use only memory from cudaMalloc or "
                     "cudaMallocManaged");
    }
  }
}

}  // namespace

uint64_t residentBlocks(const Kernel& kernel, const Launch& launch,
                        const guest::DeviceFacts& device) {
  metrics::BlockNeeds needs;
  needs.threads = static_cast<uint32_t>(launch.block.count());
  needs.registersPerThread = kernel.registers;
  needs.sharedBytes = static_cast<uint32_t>(
      std::min<uint64_t>(kernel.sharedBytes + launch.dynamicSharedBytes, UINT32_MAX));
  const metrics::Occupancy found = metrics::occupancy(multiprocessorOf(device), needs);
  return uint64_t{found.refusal.empty() ? found.blocks : 0} *
         static_cast<uint64_t>(device.multiprocessors);
}

metrics::Multiprocessor multiprocessorOf(const guest::DeviceFacts& device) {
  metrics::Multiprocessor multiprocessor;
  multiprocessor.major = device.major;
  multiprocessor.minor = device.minor;
  multiprocessor.threads = static_cast<uint32_t>(device.threadsPerMultiprocessor);
  multiprocessor.blocks = static_cast<uint32_t>(device.blocksPerMultiprocessor);
  multiprocessor.registers = static_cast<uint32_t>(device.registersPerMultiprocessor);
  multiprocessor.registersPerBlock = static_cast<uint32_t>(device.registersPerBlock);
  multiprocessor.sharedBytes = static_cast<uint32_t>(device.sharedPerMultiprocessor);
  multiprocessor.sharedBytesReservedPerBlock = static_cast<uint32_t>(device.sharedReserved);
  multiprocessor.threadsPerBlock = static_cast<uint32_t>(device.threadsPerBlock);
  multiprocessor.sharedBytesPerBlock = static_cast<uint32_t>(device.sharedPerBlockOptin);
  return multiprocessor;
}

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
  if (kernel.sharedBytes > device.sharedPerBlock && dynamic == 0 &&
      kernel.sharedBytes <= device.sharedPerBlockOptin)
    return {kInvalidValue, "its shared arrays have " + std::to_string(kernel.sharedBytes) +
                               " bytes, but nvcc allows only " +
                               std::to_string(device.sharedPerBlock) +
                               " for arrays of fixed size; make them smaller"};
  if (all > allowed || all > device.sharedPerBlockOptin)
    return {kInvalidValue,
            "it requests " + std::to_string(all) + " bytes of shared memory per block; " +
                (all > device.sharedPerBlockOptin
                     ? "the device has " + std::to_string(device.sharedPerBlockOptin)
                     : "more than " + std::to_string(allowed) + " needs cudaFuncSetAttribute(" +
                           kernel.name + ", cudaFuncAttributeMaxDynamicSharedMemorySize, " +
                           std::to_string(dynamic) + ") before the launch")};
  if (launch.cooperative) {
    const uint64_t atOnce = residentBlocks(kernel, launch, device);
    if (grid.count() > atOnce)
      return {kCooperativeTooLarge, "its grid of " + text(grid) + " has " +
                                        std::to_string(grid.count()) +
                                        " blocks; a cooperative launch needs all of them on the "
                                        "device at once, but only " +
                                        std::to_string(atOnce) + " fit"};
  }
  if (kernel.registers != 0 && block.count() > ptx::mostThreadsPerBlock(kernel.registers))
    return {kOutOfResources, "its block has " + std::to_string(block.count()) + " threads of " +
                                 std::to_string(kernel.registers) +
                                 " registers each (by ptxas), but a multiprocessor has registers "
                                 "for " +
                                 std::to_string(ptx::mostThreadsPerBlock(kernel.registers)) +
                                 "; make the block smaller, or give the kernel "
                                 "__launch_bounds__(" +
                                 std::to_string(block.count()) + ")"};
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
    request.buffers = buffersOf(memory, kernel.moduleNumber, rules);
  }
  simt::takeParameters(*kernel.entry, parameters, request);
  record.arguments = argumentsOf(*kernel.entry, request);
  request.check = rules.check;
  request.counters = rules.counters;
  request.order = rules.order;
  request.othersMayWrite = rules.hostMayWrite;
  request.progress = rules.progress;
  request.threads = rules.threads;
  request.timeoutSeconds = rules.timeoutSeconds;
  const auto start = std::chrono::steady_clock::now();
  Result<simt::GridResult> ran = simt::runGrid(request, cancelled);
  record.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  LaunchOutcome outcome;
  outcome.uses.isKnown = rules.check;
  if (rules.check) {
    const std::lock_guard lock(mutex);
    outcome.uses = takeUses(memory);
    outcome.uses.speaks = outcome.uses.speaks || fencesForTheHost(*kernel.module);
  }
  if (!ran) {
    outcome.error = kLaunchFailure;
    record.trouble = ran.error().message;
    record.result = outcome.error;
    return outcome;
  }
  record.ran = true;
  const auto leaves = std::ranges::stable_partition(
      ran->faults, [](const simt::Fault& fault) { return fault.kind != "outside-row"; });
  outcome.outsideRows.assign(leaves.begin(), leaves.end());
  ran->faults.erase(leaves.begin(), leaves.end());
  record.costs = costsOf(ran->requests, request.buffers);
  record.sharedUse = ran->sharedUse;
  {
    const std::lock_guard lock(mutex);
    nameWhatWasMet(memory, ran->faults);
    nameCooperativeLaunch(ran->faults);
    for (const simt::Fault& fault : ran->faults) {
      if (fault.kind == "device-touches-host-memory" && !record.hostPointer)
        record.hostPointer = hostPointerTo(fault.address, parameters, memory);
    }
    if (ran->faults.empty() && outcome.uses.isKnown)
      record.floatAtomicLine = floatAtomicLine(*kernel.entry, outcome.uses, memory);
  }
  record.faults = std::move(ran->faults);
  record.hazards = std::move(ran->hazards);
  record.equalWriteLines = std::move(ran->equalWriteLines);
  record.counters = std::move(ran->counters);
  for (const simt::Printed& each : ran->printed) outcome.printed += each.text;
  outcome.error = errorOf(record.faults);
  record.result = outcome.error;
  return outcome;
}

}  // namespace tilestep::program
