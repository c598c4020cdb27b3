// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/driver/cupti.h"

#include <dlfcn.h>

#include <utility>

#include "base/toolkit.h"

namespace tilestep::cuda::cupti {
namespace {

constexpr const char* kNames[] = {"libcupti.so", "libcupti.so.13", "libcupti.so.12"};
/// From this version on, versions are major × 10000 + minor × 100 + …. Older versions are release
/// counters.
constexpr uint32_t kFirstSpokenVersion = 130000;

/// Fills `library`. Returns the first missing entry point; empty if none is missing.
std::string findAll(void* handle, Library& library) {
  std::string missing;
  const auto find = [&](auto& function, const char* name) {
    function = reinterpret_cast<std::decay_t<decltype(function)>>(dlsym(handle, name));
    if (function == nullptr && missing.empty()) missing = name;
  };
  find(library.getVersion, "cuptiGetVersion");
  find(library.getResultString, "cuptiGetResultString");
  find(library.profilerInitialize, "cuptiProfilerInitialize");
  find(library.profilerDeInitialize, "cuptiProfilerDeInitialize");
  find(library.profilerDeviceSupported, "cuptiProfilerDeviceSupported");
  find(library.profilerGetCounterAvailability, "cuptiProfilerGetCounterAvailability");
  find(library.deviceGetChipName, "cuptiDeviceGetChipName");
  find(library.hostInitialize, "cuptiProfilerHostInitialize");
  find(library.hostDeinitialize, "cuptiProfilerHostDeinitialize");
  find(library.hostGetMetricProperties, "cuptiProfilerHostGetMetricProperties");
  find(library.hostConfigAddMetrics, "cuptiProfilerHostConfigAddMetrics");
  find(library.hostGetConfigImageSize, "cuptiProfilerHostGetConfigImageSize");
  find(library.hostGetConfigImage, "cuptiProfilerHostGetConfigImage");
  find(library.hostGetNumOfPasses, "cuptiProfilerHostGetNumOfPasses");
  find(library.hostEvaluateToGpuValues, "cuptiProfilerHostEvaluateToGpuValues");
  find(library.rangeEnable, "cuptiRangeProfilerEnable");
  find(library.rangeDisable, "cuptiRangeProfilerDisable");
  find(library.rangeStart, "cuptiRangeProfilerStart");
  find(library.rangeStop, "cuptiRangeProfilerStop");
  find(library.rangePush, "cuptiRangeProfilerPushRange");
  find(library.rangePop, "cuptiRangeProfilerPopRange");
  find(library.rangeDecodeData, "cuptiRangeProfilerDecodeData");
  find(library.rangeGetCounterDataSize, "cuptiRangeProfilerGetCounterDataSize");
  find(library.rangeCounterDataInitialize, "cuptiRangeProfilerCounterDataImageInitialize");
  find(library.rangeSetConfig, "cuptiRangeProfilerSetConfig");
  return missing;
}

/// The package for a driver: `driverVersion` 13000 needs cuda-cupti-13-0.
std::string package(int driverVersion) {
  return "install the CUDA Toolkit's package cuda-cupti-" + std::to_string(driverVersion / 1000) +
         "-" + std::to_string(driverVersion % 1000 / 10) +
         " (or set CUDA_HOME to a toolkit that has it)";
}

std::string majorMinor(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

/// Checks one library. The Error says why it is unusable.
Result<Opened> openOne(void* handle, const std::string& path, int driverVersion) {
  Opened opened;
  opened.path = path;
  const std::string missing = findAll(handle, opened.library);
  if (!missing.empty()) {
    return requestError(path + " has no " + missing + ", which came with CUDA 12.6");
  }
  uint32_t version = 0;
  if (opened.library.getVersion(&version) != kOk) return requestError(path + " has no version");
  opened.version = versionText(version);
  const auto newestMajor = static_cast<uint32_t>(driverVersion) / 1000;
  if (version >= kFirstSpokenVersion && version / 10000 > newestMajor) {
    return requestError(path + " is " + opened.version +
                        ", newer than the driver, which knows CUDA " + majorMinor(driverVersion));
  }
  return opened;
}

std::string named(const Library& library, CuptiResult result) {
  const char* name = nullptr;
  if (library.getResultString(result, &name) != kOk || name == nullptr) name = "unknown error";
  return std::string(name) + ", " + std::to_string(result);
}

constexpr const char* kPrivileges =
    "the driver reserves them for administrators (ERR_NVGPUCTRPERM): an administrator can load the "
    "nvidia kernel module with the option NVreg_RestrictProfilingToAdminUsers=0, or "
    "give the worker CAP_SYS_ADMIN";
constexpr const char* kVGpu =
    "this is a virtual GPU whose host does not allow profiling: the host's administrator can set "
    "enable_profiling=1 for it, or pass a whole GPU through";
constexpr const char* kMig =
    "this is a slice of a GPU (MIG), where profiling is not supported: use a GPU without MIG, "
    "which an administrator turns off with nvidia-smi -mig 0";
constexpr const char* kConfidential =
    "the GPU is in confidential-computing mode: an administrator can turn that mode off";
constexpr const char* kMining =
    "NVIDIA's mining processors (CMP) allow no profiling: use another GPU";
constexpr const char* kSli = "the GPU is in an SLI group: an administrator can turn SLI off";
constexpr const char* kWsl =
    "Windows does not allow them in WSL: allow all users access to the GPU performance counters in "
    "the NVIDIA Control Panel, with a current driver";
constexpr const char* kOtherProfiler =
    "another profiler is using them: end it (Nsight Compute, Nsight Systems, DCGM's profiling or "
    "another program that uses CUPTI) and try again";
constexpr const char* kOldChip =
    "CUPTI's range profiler needs a GPU of compute capability 7.5 or newer";

/// The problem and its remedy, if the result alone determines them.
const char* remedyOf(CuptiResult result) {
  switch (result) {
    case kInsufficientPrivileges:
      return kPrivileges;
    case kVirtualDevice:
    case kVirtualDevicePrivileges:
      return kVGpu;
    case kMigDevice:
      return kMig;
    case kConfidentialComputing:
      return kConfidential;
    case kMiningProcessor:
      return kMining;
    case kSliDevice:
      return kSli;
    case kWslDevice:
      return kWsl;
    case kHardwareBusy:
    case kMultipleSubscribers:
    case kOldProfilerInitialised:
      return kOtherProfiler;
    case kNotSupported:
    case kLegacyProfiler:
      return kOldChip;
    case kInvalidChipName:
    case kNotCompatible:
      return "this CUPTI does not match the GPU and its driver: install the CUDA Toolkit that was "
             "released with the driver";
    default:
      return nullptr;
  }
}

}  // namespace

Result<std::vector<std::string>> libraryPaths() {
  constexpr const char* kInside[] = {"extras/CUPTI/lib64", "lib64", "lib"};
  Result<std::vector<std::string>> paths = toolkitPaths(kInside, kNames);
  if (paths) return paths;
  return requestError("Hardware counters need NVIDIA's CUPTI library, and " +
                      paths.error().message + ".");
}

Result<Opened> open(const std::vector<std::string>& paths, int driverVersion) {
  std::string unfit;
  for (const std::string& path : paths) {
    void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) continue;
    Result<Opened> opened = openOne(handle, path, driverVersion);
    if (opened) return opened;
    if (unfit.empty()) unfit = opened.error().message;
    dlclose(handle);
  }
  return requestError("Hardware counters need NVIDIA's CUPTI library, and " +
                      (unfit.empty() ? "libcupti.so was not found" : unfit) + ": " +
                      package(driverVersion) + ".");
}

std::string versionText(uint32_t version) {
  if (version < kFirstSpokenVersion) return "CUPTI (API version " + std::to_string(version) + ")";
  return "CUPTI " + std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100);
}

std::string refusalOf(const Library& library, CuptiResult result, const std::string& step) {
  const char* remedy = remedyOf(result);
  const std::string name = " (" + named(library, result) + ").";
  if (remedy != nullptr) return "No hardware counters: " + std::string(remedy) + name;
  return "No hardware counters: CUPTI failed at " + step +
         "; check that its version matches the driver and that no other profiler is attached" +
         name;
}

std::string refusalOf(const DeviceSupported& support, const std::string& deviceName) {
  const auto lacks = [](SupportLevel level) {
    return level == SupportLevel::unsupported || level == SupportLevel::disabled;
  };
  const char* why = "CUPTI reports that this GPU does not support profiling: use another GPU";
  if (deviceName.find(" MIG ") != std::string::npos) {
    why = kMig;
  } else if (lacks(support.architecture)) {
    why = kOldChip;
  } else if (lacks(support.vGpu)) {
    why = kVGpu;
  } else if (lacks(support.confidentialCompute)) {
    why = kConfidential;
  } else if (lacks(support.mining)) {
    why = kMining;
  } else if (lacks(support.wsl)) {
    why = kWsl;
  } else if (lacks(support.sli)) {
    why = kSli;
  }
  return "No hardware counters: " + std::string(why) + ".";
}

}  // namespace tilestep::cuda::cupti
