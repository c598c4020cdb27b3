// SPDX-License-Identifier: Apache-2.0
#include "program/request.h"

#include <algorithm>
#include <thread>

#include "base/files.h"
#include "base/process/memory_limit.h"

namespace tilestep::program {
namespace {

namespace fs = std::filesystem;

/// How many single-precision operations a multiprocessor does per double-precision operation; 0 for
/// older devices. Source: CUDA C++ Programming Guide, "Throughput of Native Arithmetic
/// Instructions".
int32_t singleToDouble(int major, int minor) {
  if (major < 6) return 0;
  if (major == 7 && minor == 5) return 32;
  if (major == 6 && minor > 0) return 32;
  return major >= 8 && minor > 0 ? 64 : 2;
}

/// A known device's facts in the form that programs query. The device's memory is the program's
/// memory limit. Facts that are not published are 0.
guest::DeviceFacts factsOf(const lab::DeviceFile& file, uint64_t memoryBytes) {
  guest::DeviceFacts facts{};
  file.name.copy(facts.name, sizeof facts.name - 1);
  const metrics::Multiprocessor& one = file.multiprocessor;
  facts.globalBytes = memoryBytes;
  facts.sharedPerBlock = std::min<uint64_t>(49152, one.sharedBytesPerBlock);
  facts.sharedPerBlockOptin = one.sharedBytesPerBlock;
  facts.sharedPerMultiprocessor = one.sharedBytes;
  facts.sharedReserved = one.sharedBytesReservedPerBlock;
  facts.constantBytes = 65536;
  facts.l2Bytes = file.l2Bytes;
  facts.major = one.major;
  facts.minor = one.minor;
  facts.multiprocessors = static_cast<int32_t>(file.multiprocessors);
  facts.clockKhz = static_cast<int32_t>(file.clockMhz * 1000);
  facts.registersPerMultiprocessor = static_cast<int32_t>(one.registers);
  facts.registersPerBlock =
      static_cast<int32_t>(one.registersPerBlock != 0 ? one.registersPerBlock : one.registers);
  facts.threadsPerBlock = static_cast<int32_t>(one.threadsPerBlock);
  facts.threadsPerMultiprocessor = static_cast<int32_t>(one.threads);
  facts.blocksPerMultiprocessor = static_cast<int32_t>(one.blocks);
  facts.singleToDouble = singleToDouble(one.major, one.minor);
  return facts;
}

fs::path libraryPath() {
  const fs::path folder = programPath().parent_path();
  const fs::path beside = folder / "libtilestep_guest.a";
  std::error_code ignored;
  return fs::exists(beside, ignored)
             ? beside
             : folder.parent_path() / "lib" / "tilestep" / "libtilestep_guest.a";
}

}  // namespace

Tools toolsIn(const fs::path& home) {
  return {home / "assets" / "runtime", libraryPath(), cacheFolder(), {}};
}

RunRequest requestOf(const compile::ProgramSource& program, const Tools& tools,
                     const lab::DeviceFile& device, unsigned threads) {
  RunRequest request;
  request.sources = {{program.path}, program.includes, program.defines, program.standard};
  request.tools = tools;
  request.folder = program.folder;
  request.input = program.input;
  request.arguments = program.arguments;
  request.memoryBytes = memoryLimit().bytes / 2;
  request.device = factsOf(device, request.memoryBytes);
  request.launches.threads =
      threads != 0 ? threads : std::max(1u, std::thread::hardware_concurrency());
  request.launches.timeoutSeconds =
      2 * program.timeoutSeconds;  // The program's limit is reached first.
  request.timeoutSeconds = program.timeoutSeconds;
  return request;
}

}  // namespace tilestep::program
