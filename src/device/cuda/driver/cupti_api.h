// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "device/cuda/driver/cuda_api.h"

/// The part of CUPTI's profilers that Tilestep calls, as our own prototypes, so that a build needs
/// no toolkit. Every call has one struct that contains its own size; a newer library ignores its
/// own fields beyond that size. tests/gpu/cupti_api_test.cpp checks every layout and signature
/// against the toolkit's headers if they are installed.
namespace tilestep::cuda::cupti {

using CuptiResult = int;

constexpr CuptiResult kOk = 0;
constexpr CuptiResult kNotCompatible = 14;
constexpr CuptiResult kInvalidMetricName = 17;
constexpr CuptiResult kHardwareBusy = 26;
constexpr CuptiResult kNotSupported = 27;
constexpr CuptiResult kVirtualDevice = 33;
constexpr CuptiResult kInsufficientPrivileges = 35;
constexpr CuptiResult kOldProfilerInitialised = 36;
constexpr CuptiResult kLegacyProfiler = 38;
constexpr CuptiResult kMultipleSubscribers = 39;
constexpr CuptiResult kVirtualDevicePrivileges = 40;
constexpr CuptiResult kConfidentialComputing = 41;
constexpr CuptiResult kMiningProcessor = 42;
constexpr CuptiResult kMigDevice = 43;
constexpr CuptiResult kSliDevice = 44;
constexpr CuptiResult kWslDevice = 45;
constexpr CuptiResult kInvalidChipName = 46;
constexpr CuptiResult kUnknownError = 999;

enum class ProfilerKind : int { range = 0 };
/// How ranges are defined; Tilestep always uses a push and a pop.
enum class RangeMode : int { user = 2 };
/// Who repeats the work for each pass; in Tilestep always the caller.
enum class ReplayMode : int { user = 3 };
enum class SupportLevel : int { unknown = 0, unsupported = 1, disabled = 2, supported = 3 };
enum class ProfilerApi : int { rangeProfiling = 0 };

using HostObject = struct HostObjectTag*;
using RangeObject = struct RangeObjectTag*;

/// The struct of calls without further parameters.
struct Plain {
  size_t structSize = 0;
  void* reserved = nullptr;
};

struct DeviceSupported {
  size_t structSize = 0;
  void* reserved = nullptr;
  DeviceOrdinal device = 0;
  SupportLevel all = SupportLevel::unknown;
  SupportLevel architecture = SupportLevel::unknown;
  SupportLevel sli = SupportLevel::unknown;
  SupportLevel vGpu = SupportLevel::unknown;
  SupportLevel confidentialCompute = SupportLevel::unknown;
  SupportLevel mining = SupportLevel::unknown;
  SupportLevel wsl = SupportLevel::unknown;
  ProfilerApi api = ProfilerApi::rangeProfiling;
};

struct GetChipName {
  size_t structSize = 0;
  void* reserved = nullptr;
  size_t deviceIndex = 0;
  const char* chip = nullptr;  ///< Out.
};

struct GetCounterAvailability {
  size_t structSize = 0;
  void* reserved = nullptr;
  ContextHandle context = nullptr;
  size_t imageSize = 0;  ///< In and out.
  uint8_t* image = nullptr;
};

struct HostInitialize {
  size_t structSize = 0;
  void* reserved = nullptr;
  ProfilerKind kind = ProfilerKind::range;
  const char* chip = nullptr;
  const uint8_t* counterAvailability = nullptr;
  HostObject host = nullptr;  ///< Out.
};

struct HostDeinitialize {
  size_t structSize = 0;
  void* reserved = nullptr;
  HostObject host = nullptr;
};

struct GetMetricProperties {
  size_t structSize = 0;
  void* reserved = nullptr;
  HostObject host = nullptr;
  const char* metric = nullptr;
  const char* description = nullptr;  ///< Out, like the fields below.
  const char* hardwareUnit = nullptr;
  const char* dimension = nullptr;
  int metricType = 0;
};

struct ConfigAddMetrics {
  size_t structSize = 0;
  void* reserved = nullptr;
  HostObject host = nullptr;
  const char** metrics = nullptr;
  size_t metricCount = 0;
};

struct GetConfigImageSize {
  size_t structSize = 0;
  void* reserved = nullptr;
  HostObject host = nullptr;
  size_t bytes = 0;  ///< Out.
};

struct GetConfigImage {
  size_t structSize = 0;
  void* reserved = nullptr;
  HostObject host = nullptr;
  size_t bytes = 0;
  uint8_t* image = nullptr;
};

struct GetPassCount {
  size_t structSize = 0;
  void* reserved = nullptr;
  size_t configBytes = 0;
  uint8_t* config = nullptr;
  size_t passes = 0;  ///< Out.
};

struct EvaluateToGpuValues {
  size_t structSize = 0;
  void* reserved = nullptr;
  HostObject host = nullptr;
  const uint8_t* counterData = nullptr;
  size_t counterDataBytes = 0;
  size_t rangeIndex = 0;
  const char** metrics = nullptr;
  size_t metricCount = 0;
  double* values = nullptr;  ///< One per metric.
};

struct RangeEnable {
  size_t structSize = 0;
  void* reserved = nullptr;
  ContextHandle context = nullptr;
  RangeObject profiler = nullptr;  ///< Out.
};

/// Parameters of disable, start and pop.
struct RangeCall {
  size_t structSize = 0;
  void* reserved = nullptr;
  RangeObject profiler = nullptr;
};

struct RangePush {
  size_t structSize = 0;
  void* reserved = nullptr;
  RangeObject profiler = nullptr;
  const char* name = nullptr;
};

struct RangeStop {
  size_t structSize = 0;
  void* reserved = nullptr;
  RangeObject profiler = nullptr;
  size_t passIndex = 0;  ///< Out, like the fields below.
  size_t targetNestingLevel = 0;
  uint8_t allPassesSubmitted = 0;
};

struct RangeDecode {
  size_t structSize = 0;
  void* reserved = nullptr;
  RangeObject profiler = nullptr;
  size_t dropped = 0;  ///< Out: ranges that did not fit.
};

struct GetCounterDataSize {
  size_t structSize = 0;
  void* reserved = nullptr;
  RangeObject profiler = nullptr;
  const char** metrics = nullptr;
  size_t metricCount = 0;
  size_t ranges = 0;
  uint32_t treeNodes = 0;
  size_t bytes = 0;  ///< Out.
};

struct CounterDataInitialize {
  size_t structSize = 0;
  void* reserved = nullptr;
  RangeObject profiler = nullptr;
  size_t bytes = 0;
  uint8_t* image = nullptr;
};

struct RangeConfig {
  size_t structSize = 0;
  void* reserved = nullptr;
  RangeObject profiler = nullptr;
  size_t configBytes = 0;
  const uint8_t* config = nullptr;
  size_t counterDataBytes = 0;
  uint8_t* counterData = nullptr;
  RangeMode range = RangeMode::user;
  ReplayMode replay = ReplayMode::user;
  size_t rangesPerPass = 0;
  uint16_t nestingLevels = 0;
  uint16_t firstNestingLevel = 0;
  size_t passIndex = 0;
  uint16_t targetNestingLevel = 0;
};

/// The size to store in a struct: up to the end of its last field, without trailing padding.
template <class T>
constexpr size_t kSizeOf = sizeof(T);
template <>
inline constexpr size_t kSizeOf<RangeStop> = offsetof(RangeStop, allPassesSubmitted) + 1;
template <>
inline constexpr size_t kSizeOf<RangeConfig> = offsetof(RangeConfig, targetNestingLevel) + 2;
template <>
inline constexpr size_t kSizeOf<DeviceSupported> = offsetof(DeviceSupported, api) +
                                                   sizeof(ProfilerApi);
template <>
inline constexpr size_t kSizeOf<GetMetricProperties> = offsetof(GetMetricProperties, metricType) +
                                                       sizeof(int);

/// A struct with its size set.
template <class T>
T sized() {
  T parameters;
  parameters.structSize = kSizeOf<T>;
  return parameters;
}

/// Every entry point. Names are CUPTI's, without "cupti".
struct Library {
  CuptiResult (*getVersion)(uint32_t* version);
  CuptiResult (*getResultString)(CuptiResult result, const char** text);
  CuptiResult (*profilerInitialize)(Plain*);
  CuptiResult (*profilerDeInitialize)(Plain*);
  CuptiResult (*profilerDeviceSupported)(DeviceSupported*);
  CuptiResult (*profilerGetCounterAvailability)(GetCounterAvailability*);
  CuptiResult (*deviceGetChipName)(GetChipName*);
  CuptiResult (*hostInitialize)(HostInitialize*);
  CuptiResult (*hostDeinitialize)(HostDeinitialize*);
  CuptiResult (*hostGetMetricProperties)(GetMetricProperties*);
  CuptiResult (*hostConfigAddMetrics)(ConfigAddMetrics*);
  CuptiResult (*hostGetConfigImageSize)(GetConfigImageSize*);
  CuptiResult (*hostGetConfigImage)(GetConfigImage*);
  CuptiResult (*hostGetNumOfPasses)(GetPassCount*);
  CuptiResult (*hostEvaluateToGpuValues)(EvaluateToGpuValues*);
  CuptiResult (*rangeEnable)(RangeEnable*);
  CuptiResult (*rangeDisable)(RangeCall*);
  CuptiResult (*rangeStart)(RangeCall*);
  CuptiResult (*rangeStop)(RangeStop*);
  CuptiResult (*rangePush)(RangePush*);
  CuptiResult (*rangePop)(RangeCall*);
  CuptiResult (*rangeDecodeData)(RangeDecode*);
  CuptiResult (*rangeGetCounterDataSize)(GetCounterDataSize*);
  CuptiResult (*rangeCounterDataInitialize)(CounterDataInitialize*);
  CuptiResult (*rangeSetConfig)(RangeConfig*);
};

}  // namespace tilestep::cuda::cupti
