// SPDX-License-Identifier: Apache-2.0
#include "app/program_command.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <filesystem>
#include <thread>

#include "app/environment.h"
#include "app/launch_status.h"
#include "app/program/launch_command.h"
#include "app/program_json.h"
#include "app/program_report.h"
#include "app/what_if.h"
#include "base/files.h"
#include "base/process/memory_limit.h"
#include "device/device.h"
#include "lab/devices/device_pool.h"
#include "program/run.h"

namespace tilestep::app {
namespace {

namespace fs = std::filesystem;

constexpr char kUsualDevice[] = "nvidia-h200";

/// How many single-precision operations a multiprocessor does for one of double precision. Source:
/// CUDA C++ Programming Guide, "Throughput of Native Arithmetic Instructions". 0: older devices.
int32_t singleToDouble(int major, int minor) {
  if (major < 6) return 0;
  if (major == 7 && minor == 5) return 32;
  if (major == 6 && minor > 0) return 32;
  return major >= 8 && minor > 0 ? 64 : 2;
}

/// A known device's facts as a program asks for them. Its memory is what a program may have here;
/// what the published figures do not say is 0.
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

bool isProgram(const std::string& file) {
  if (!file.ends_with(".cu")) return false;
  const Result<std::string> text = readTextFile(file);
  if (!text) return false;
  std::error_code ignored;
  if (text->find("/*---") != std::string::npos ||
      fs::exists(fs::path(file).replace_extension(".toml"), ignored))
    return false;
  for (size_t at = text->find("main"); at != std::string::npos; at = text->find("main", at + 1)) {
    const auto isName = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
    };
    const bool begins = at == 0 || !isName((*text)[at - 1]);
    const size_t next = text->find_first_not_of(" \t\r\n", at + std::strlen("main"));
    if (begins && next != std::string::npos && (*text)[next] == '(') return true;
  }
  return false;
}

namespace {

/// The GPU that is to run the program; -1: the interpreter is.
Result<int> gpuFor(const ProgramOptions& options) {
  // What the interpreter alone can do is asked of it.
  const bool wantsInterpreter = options.check || options.counters || options.order != 0 ||
                                !options.as.empty() || options.launch != 0;
  if (options.device == "auto" && wantsInterpreter) return -1;
  const Result<lab::DeviceName> device = lab::DevicePool::resolve(options.device);
  if (!device) return device.error();
  if (device->kind == lab::DeviceName::Kind::recorded)
    return requestError("a recording runs no programs; use --device simt or cuda:N");
  if (device->kind == lab::DeviceName::Kind::simt) return -1;
  if (device->ordinal >= device::cudaCount()) {
    const Result<std::unique_ptr<device::Device>> none = device::openCuda(device->ordinal);
    if (!none) return none.error();
  }
  return static_cast<int>(device->ordinal);
}

}  // namespace

void addSourceOptions(Command& command, ProgramOptions& options) {
  command.option("-I", &options.includes, "A program's folder of headers",
                 {.type = "DIR", .oneWordEach = true});
  command.option("-D", &options.defines, "A program's macro",
                 {.type = "NAME[=V]", .oneWordEach = true});
  command.option("--std", &options.standard, "A program's C++ standard (c++17)", {.type = "STD"});
}

Result<program::RunRequest> requestFor(const ProgramOptions& options) {
  if (!options.worker.empty() && options.launch == 0)
    return requestError(
        "a program runs on this machine alone, and --worker is elsewhere; start "
        "tilestep run there, such as: ssh host tilestep run " +
        options.files.front());
  const Result<int> gpu = options.launch != 0 ? Result<int>(-1) : gpuFor(options);
  if (!gpu) return gpu.error();
  const Result<fs::path> home = findHome();
  if (!home) return home.error();
  const Result<std::vector<lab::DeviceFile>> device =
      knownDevices({options.as.empty() ? kUsualDevice : options.as});
  if (!device) return device.error();
  program::RunRequest request;
  request.sources.files = options.files;
  request.sources.includes = options.includes;
  request.sources.defines = options.defines;
  if (!options.standard.empty()) request.sources.standard = options.standard;
  request.tools = {*home / "assets" / "runtime", libraryPath(), cacheFolder()};
  request.arguments = options.arguments;
  request.memoryBytes = memoryLimit().bytes / 2;
  request.device = factsOf(device->front(), request.memoryBytes);
  request.gpu = *gpu;
  request.timed = options.json;
  request.looked = options.check || options.counters;
  request.launches.check = options.check;
  request.launches.counters = options.counters;
  request.launches.order = options.order;
  request.launches.operation = options.operation;
  request.launches.threads =
      options.threads != 0 ? options.threads : std::max(1u, std::thread::hardware_concurrency());
  request.launches.timeoutSeconds = 2 * options.timeoutSeconds;  // The program ends before.
  request.timeoutSeconds = options.timeoutSeconds;
  request.keepsOutput = options.json;
  return request;
}

int runProgram(const ProgramOptions& options) {
  Result<program::RunRequest> request = requestFor(options);
  if (!request) return fail(request.error());
  if (options.launch != 0) return runOneLaunch(options, *request);
  LaunchStatus shown;
  request->progress = [&](const program::LaunchProgress& now) { shown.show(now); };
  const Result<program::ProgramRun> run = program::run(*request, {});
  if (!run) return fail(run.error());
  const int status = hasFault(*run) || run->timedOut ? kWrong : kDone;
  if (options.json) return print(programJson(*run, options.files.front()), status);
  std::string command = options.files.front();
  for (const std::string& word : options.arguments) command += " " + word;
  std::fputs(programReport(*run, command, options.check).c_str(), stderr);
  if (!options.check) return run->signal != 0 ? 128 + run->signal : run->exitStatus;
  return status;
}

}  // namespace tilestep::app
