// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/driver/cupti_api.h"

#include <gtest/gtest.h>

#include "support/skips.h"

#ifdef TILESTEP_HAS_CUPTI_HEADERS
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_target.h>
#include <cupti_version.h>

#include <type_traits>

namespace tilestep::cuda::cupti {
namespace cupti_api_test {

/// Our field has the same offset and width as theirs.
#define SAME_FIELD(Ours, ours, Theirs, theirs)                     \
  static_assert(offsetof(Ours, ours) == offsetof(Theirs, theirs)); \
  static_assert(sizeof(Ours::ours) == sizeof(Theirs::theirs))
/// Our struct has the size that their header states, and its two common fields match.
#define SAME_STRUCT(Ours, Theirs)                       \
  static_assert(kSizeOf<Ours> == Theirs##_STRUCT_SIZE); \
  static_assert(sizeof(Ours) == sizeof(Theirs));        \
  SAME_FIELD(Ours, structSize, Theirs, structSize);     \
  SAME_FIELD(Ours, reserved, Theirs, pPriv)

SAME_STRUCT(Plain, CUpti_Profiler_Initialize_Params);
SAME_STRUCT(Plain, CUpti_Profiler_DeInitialize_Params);

SAME_STRUCT(DeviceSupported, CUpti_Profiler_DeviceSupported_Params);
SAME_FIELD(DeviceSupported, device, CUpti_Profiler_DeviceSupported_Params, cuDevice);
SAME_FIELD(DeviceSupported, all, CUpti_Profiler_DeviceSupported_Params, isSupported);
SAME_FIELD(DeviceSupported, architecture, CUpti_Profiler_DeviceSupported_Params, architecture);
SAME_FIELD(DeviceSupported, sli, CUpti_Profiler_DeviceSupported_Params, sli);
SAME_FIELD(DeviceSupported, vGpu, CUpti_Profiler_DeviceSupported_Params, vGpu);
SAME_FIELD(DeviceSupported, confidentialCompute, CUpti_Profiler_DeviceSupported_Params,
           confidentialCompute);
SAME_FIELD(DeviceSupported, mining, CUpti_Profiler_DeviceSupported_Params, cmp);
SAME_FIELD(DeviceSupported, wsl, CUpti_Profiler_DeviceSupported_Params, wsl);
SAME_FIELD(DeviceSupported, api, CUpti_Profiler_DeviceSupported_Params, api);

SAME_STRUCT(GetChipName, CUpti_Device_GetChipName_Params);
SAME_FIELD(GetChipName, deviceIndex, CUpti_Device_GetChipName_Params, deviceIndex);
SAME_FIELD(GetChipName, chip, CUpti_Device_GetChipName_Params, pChipName);

SAME_STRUCT(GetCounterAvailability, CUpti_Profiler_GetCounterAvailability_Params);
SAME_FIELD(GetCounterAvailability, context, CUpti_Profiler_GetCounterAvailability_Params, ctx);
SAME_FIELD(GetCounterAvailability, imageSize, CUpti_Profiler_GetCounterAvailability_Params,
           counterAvailabilityImageSize);
SAME_FIELD(GetCounterAvailability, image, CUpti_Profiler_GetCounterAvailability_Params,
           pCounterAvailabilityImage);

SAME_STRUCT(HostInitialize, CUpti_Profiler_Host_Initialize_Params);
SAME_FIELD(HostInitialize, kind, CUpti_Profiler_Host_Initialize_Params, profilerType);
SAME_FIELD(HostInitialize, chip, CUpti_Profiler_Host_Initialize_Params, pChipName);
SAME_FIELD(HostInitialize, counterAvailability, CUpti_Profiler_Host_Initialize_Params,
           pCounterAvailabilityImage);
SAME_FIELD(HostInitialize, host, CUpti_Profiler_Host_Initialize_Params, pHostObject);

SAME_STRUCT(HostDeinitialize, CUpti_Profiler_Host_Deinitialize_Params);
SAME_FIELD(HostDeinitialize, host, CUpti_Profiler_Host_Deinitialize_Params, pHostObject);

SAME_STRUCT(GetMetricProperties, CUpti_Profiler_Host_GetMetricProperties_Params);
SAME_FIELD(GetMetricProperties, host, CUpti_Profiler_Host_GetMetricProperties_Params, pHostObject);
SAME_FIELD(GetMetricProperties, metric, CUpti_Profiler_Host_GetMetricProperties_Params,
           pMetricName);
SAME_FIELD(GetMetricProperties, metricType, CUpti_Profiler_Host_GetMetricProperties_Params,
           metricType);

SAME_STRUCT(ConfigAddMetrics, CUpti_Profiler_Host_ConfigAddMetrics_Params);
SAME_FIELD(ConfigAddMetrics, host, CUpti_Profiler_Host_ConfigAddMetrics_Params, pHostObject);
SAME_FIELD(ConfigAddMetrics, metrics, CUpti_Profiler_Host_ConfigAddMetrics_Params, ppMetricNames);
SAME_FIELD(ConfigAddMetrics, metricCount, CUpti_Profiler_Host_ConfigAddMetrics_Params, numMetrics);

SAME_STRUCT(GetConfigImageSize, CUpti_Profiler_Host_GetConfigImageSize_Params);
SAME_FIELD(GetConfigImageSize, host, CUpti_Profiler_Host_GetConfigImageSize_Params, pHostObject);
SAME_FIELD(GetConfigImageSize, bytes, CUpti_Profiler_Host_GetConfigImageSize_Params,
           configImageSize);

SAME_STRUCT(GetConfigImage, CUpti_Profiler_Host_GetConfigImage_Params);
SAME_FIELD(GetConfigImage, host, CUpti_Profiler_Host_GetConfigImage_Params, pHostObject);
SAME_FIELD(GetConfigImage, bytes, CUpti_Profiler_Host_GetConfigImage_Params, configImageSize);
SAME_FIELD(GetConfigImage, image, CUpti_Profiler_Host_GetConfigImage_Params, pConfigImage);

SAME_STRUCT(GetPassCount, CUpti_Profiler_Host_GetNumOfPasses_Params);
SAME_FIELD(GetPassCount, configBytes, CUpti_Profiler_Host_GetNumOfPasses_Params, configImageSize);
SAME_FIELD(GetPassCount, config, CUpti_Profiler_Host_GetNumOfPasses_Params, pConfigImage);
SAME_FIELD(GetPassCount, passes, CUpti_Profiler_Host_GetNumOfPasses_Params, numOfPasses);

SAME_STRUCT(EvaluateToGpuValues, CUpti_Profiler_Host_EvaluateToGpuValues_Params);
SAME_FIELD(EvaluateToGpuValues, host, CUpti_Profiler_Host_EvaluateToGpuValues_Params, pHostObject);
SAME_FIELD(EvaluateToGpuValues, counterData, CUpti_Profiler_Host_EvaluateToGpuValues_Params,
           pCounterDataImage);
SAME_FIELD(EvaluateToGpuValues, counterDataBytes, CUpti_Profiler_Host_EvaluateToGpuValues_Params,
           counterDataImageSize);
SAME_FIELD(EvaluateToGpuValues, rangeIndex, CUpti_Profiler_Host_EvaluateToGpuValues_Params,
           rangeIndex);
SAME_FIELD(EvaluateToGpuValues, metrics, CUpti_Profiler_Host_EvaluateToGpuValues_Params,
           ppMetricNames);
SAME_FIELD(EvaluateToGpuValues, metricCount, CUpti_Profiler_Host_EvaluateToGpuValues_Params,
           numMetrics);
SAME_FIELD(EvaluateToGpuValues, values, CUpti_Profiler_Host_EvaluateToGpuValues_Params,
           pMetricValues);

SAME_STRUCT(RangeEnable, CUpti_RangeProfiler_Enable_Params);
SAME_FIELD(RangeEnable, context, CUpti_RangeProfiler_Enable_Params, ctx);
SAME_FIELD(RangeEnable, profiler, CUpti_RangeProfiler_Enable_Params, pRangeProfilerObject);

SAME_STRUCT(RangeCall, CUpti_RangeProfiler_Disable_Params);
SAME_FIELD(RangeCall, profiler, CUpti_RangeProfiler_Disable_Params, pRangeProfilerObject);
SAME_STRUCT(RangeCall, CUpti_RangeProfiler_Start_Params);
SAME_FIELD(RangeCall, profiler, CUpti_RangeProfiler_Start_Params, pRangeProfilerObject);
SAME_STRUCT(RangeCall, CUpti_RangeProfiler_PopRange_Params);
SAME_FIELD(RangeCall, profiler, CUpti_RangeProfiler_PopRange_Params, pRangeProfilerObject);

SAME_STRUCT(RangePush, CUpti_RangeProfiler_PushRange_Params);
SAME_FIELD(RangePush, profiler, CUpti_RangeProfiler_PushRange_Params, pRangeProfilerObject);
SAME_FIELD(RangePush, name, CUpti_RangeProfiler_PushRange_Params, pRangeName);

SAME_STRUCT(RangeStop, CUpti_RangeProfiler_Stop_Params);
SAME_FIELD(RangeStop, profiler, CUpti_RangeProfiler_Stop_Params, pRangeProfilerObject);
SAME_FIELD(RangeStop, passIndex, CUpti_RangeProfiler_Stop_Params, passIndex);
SAME_FIELD(RangeStop, targetNestingLevel, CUpti_RangeProfiler_Stop_Params, targetNestingLevel);
SAME_FIELD(RangeStop, allPassesSubmitted, CUpti_RangeProfiler_Stop_Params, isAllPassSubmitted);

SAME_STRUCT(RangeDecode, CUpti_RangeProfiler_DecodeData_Params);
SAME_FIELD(RangeDecode, profiler, CUpti_RangeProfiler_DecodeData_Params, pRangeProfilerObject);
SAME_FIELD(RangeDecode, dropped, CUpti_RangeProfiler_DecodeData_Params, numOfRangeDropped);

SAME_STRUCT(GetCounterDataSize, CUpti_RangeProfiler_GetCounterDataSize_Params);
SAME_FIELD(GetCounterDataSize, profiler, CUpti_RangeProfiler_GetCounterDataSize_Params,
           pRangeProfilerObject);
SAME_FIELD(GetCounterDataSize, metrics, CUpti_RangeProfiler_GetCounterDataSize_Params,
           pMetricNames);
SAME_FIELD(GetCounterDataSize, metricCount, CUpti_RangeProfiler_GetCounterDataSize_Params,
           numMetrics);
SAME_FIELD(GetCounterDataSize, ranges, CUpti_RangeProfiler_GetCounterDataSize_Params,
           maxNumOfRanges);
SAME_FIELD(GetCounterDataSize, treeNodes, CUpti_RangeProfiler_GetCounterDataSize_Params,
           maxNumRangeTreeNodes);
SAME_FIELD(GetCounterDataSize, bytes, CUpti_RangeProfiler_GetCounterDataSize_Params,
           counterDataSize);

SAME_STRUCT(CounterDataInitialize, CUpti_RangeProfiler_CounterDataImage_Initialize_Params);
SAME_FIELD(CounterDataInitialize, profiler, CUpti_RangeProfiler_CounterDataImage_Initialize_Params,
           pRangeProfilerObject);
SAME_FIELD(CounterDataInitialize, bytes, CUpti_RangeProfiler_CounterDataImage_Initialize_Params,
           counterDataSize);
SAME_FIELD(CounterDataInitialize, image, CUpti_RangeProfiler_CounterDataImage_Initialize_Params,
           pCounterData);

SAME_STRUCT(RangeConfig, CUpti_RangeProfiler_SetConfig_Params);
SAME_FIELD(RangeConfig, profiler, CUpti_RangeProfiler_SetConfig_Params, pRangeProfilerObject);
SAME_FIELD(RangeConfig, configBytes, CUpti_RangeProfiler_SetConfig_Params, configSize);
SAME_FIELD(RangeConfig, config, CUpti_RangeProfiler_SetConfig_Params, pConfig);
SAME_FIELD(RangeConfig, counterDataBytes, CUpti_RangeProfiler_SetConfig_Params,
           counterDataImageSize);
SAME_FIELD(RangeConfig, counterData, CUpti_RangeProfiler_SetConfig_Params, pCounterDataImage);
SAME_FIELD(RangeConfig, range, CUpti_RangeProfiler_SetConfig_Params, range);
SAME_FIELD(RangeConfig, replay, CUpti_RangeProfiler_SetConfig_Params, replayMode);
SAME_FIELD(RangeConfig, rangesPerPass, CUpti_RangeProfiler_SetConfig_Params, maxRangesPerPass);
SAME_FIELD(RangeConfig, nestingLevels, CUpti_RangeProfiler_SetConfig_Params, numNestingLevels);
SAME_FIELD(RangeConfig, firstNestingLevel, CUpti_RangeProfiler_SetConfig_Params, minNestingLevel);
SAME_FIELD(RangeConfig, passIndex, CUpti_RangeProfiler_SetConfig_Params, passIndex);
SAME_FIELD(RangeConfig, targetNestingLevel, CUpti_RangeProfiler_SetConfig_Params,
           targetNestingLevel);

static_assert(kOk == CUPTI_SUCCESS && kNotCompatible == CUPTI_ERROR_NOT_COMPATIBLE);
static_assert(kInvalidMetricName == CUPTI_ERROR_INVALID_METRIC_NAME);
static_assert(kHardwareBusy == CUPTI_ERROR_HARDWARE_BUSY);
static_assert(kNotSupported == CUPTI_ERROR_NOT_SUPPORTED);
static_assert(kVirtualDevice == CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED);
static_assert(kInsufficientPrivileges == CUPTI_ERROR_INSUFFICIENT_PRIVILEGES);
static_assert(kOldProfilerInitialised == CUPTI_ERROR_OLD_PROFILER_API_INITIALIZED);
static_assert(kLegacyProfiler == CUPTI_ERROR_LEGACY_PROFILER_NOT_SUPPORTED);
static_assert(kMultipleSubscribers == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED);
static_assert(kVirtualDevicePrivileges == CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES);
static_assert(kUnknownError == CUPTI_ERROR_UNKNOWN);
// Newer errors; nothing is checked if the header does not have them.
#if CUPTI_API_VERSION >= 130000
static_assert(kConfidentialComputing == CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED);
static_assert(kMiningProcessor == CUPTI_ERROR_CMP_DEVICE_NOT_SUPPORTED);
static_assert(kMigDevice == CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED);
static_assert(kSliDevice == CUPTI_ERROR_SLI_DEVICE_NOT_SUPPORTED);
static_assert(kWslDevice == CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED);
static_assert(kInvalidChipName == CUPTI_ERROR_INVALID_CHIP_NAME);
#endif

constexpr bool is(auto ours, auto theirs) {
  return static_cast<int>(ours) == static_cast<int>(theirs);
}
static_assert(is(ProfilerKind::range, CUPTI_PROFILER_TYPE_RANGE_PROFILER));
static_assert(is(RangeMode::user, CUPTI_UserRange));
static_assert(is(ReplayMode::user, CUPTI_UserReplay));
static_assert(is(SupportLevel::unsupported, CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED));
static_assert(is(SupportLevel::disabled, CUPTI_PROFILER_CONFIGURATION_DISABLED));
static_assert(is(SupportLevel::supported, CUPTI_PROFILER_CONFIGURATION_SUPPORTED));
static_assert(is(ProfilerApi::rangeProfiling, CUPTI_PROFILER_RANGE_PROFILING));

/// Each call has one pointer to the struct that ours replaces, and returns a result.
template <class Theirs, class Parameters>
constexpr bool kTakes = std::is_same_v<Theirs, CUptiResult (*)(Parameters*)>;
static_assert(sizeof(CuptiResult) == sizeof(CUptiResult));
static_assert(kTakes<decltype(&cuptiProfilerInitialize), CUpti_Profiler_Initialize_Params>);
static_assert(kTakes<decltype(&cuptiProfilerDeInitialize), CUpti_Profiler_DeInitialize_Params>);
static_assert(
    kTakes<decltype(&cuptiProfilerDeviceSupported), CUpti_Profiler_DeviceSupported_Params>);
static_assert(kTakes<decltype(&cuptiProfilerGetCounterAvailability),
                     CUpti_Profiler_GetCounterAvailability_Params>);
static_assert(kTakes<decltype(&cuptiDeviceGetChipName), CUpti_Device_GetChipName_Params>);
static_assert(
    kTakes<decltype(&cuptiProfilerHostInitialize), CUpti_Profiler_Host_Initialize_Params>);
static_assert(
    kTakes<decltype(&cuptiProfilerHostDeinitialize), CUpti_Profiler_Host_Deinitialize_Params>);
static_assert(kTakes<decltype(&cuptiProfilerHostGetMetricProperties),
                     CUpti_Profiler_Host_GetMetricProperties_Params>);
static_assert(kTakes<decltype(&cuptiProfilerHostConfigAddMetrics),
                     CUpti_Profiler_Host_ConfigAddMetrics_Params>);
static_assert(kTakes<decltype(&cuptiProfilerHostGetConfigImageSize),
                     CUpti_Profiler_Host_GetConfigImageSize_Params>);
static_assert(
    kTakes<decltype(&cuptiProfilerHostGetConfigImage), CUpti_Profiler_Host_GetConfigImage_Params>);
static_assert(
    kTakes<decltype(&cuptiProfilerHostGetNumOfPasses), CUpti_Profiler_Host_GetNumOfPasses_Params>);
static_assert(kTakes<decltype(&cuptiProfilerHostEvaluateToGpuValues),
                     CUpti_Profiler_Host_EvaluateToGpuValues_Params>);
static_assert(kTakes<decltype(&cuptiRangeProfilerEnable), CUpti_RangeProfiler_Enable_Params>);
static_assert(kTakes<decltype(&cuptiRangeProfilerDisable), CUpti_RangeProfiler_Disable_Params>);
static_assert(kTakes<decltype(&cuptiRangeProfilerStart), CUpti_RangeProfiler_Start_Params>);
static_assert(kTakes<decltype(&cuptiRangeProfilerStop), CUpti_RangeProfiler_Stop_Params>);
static_assert(kTakes<decltype(&cuptiRangeProfilerPushRange), CUpti_RangeProfiler_PushRange_Params>);
static_assert(kTakes<decltype(&cuptiRangeProfilerPopRange), CUpti_RangeProfiler_PopRange_Params>);
static_assert(
    kTakes<decltype(&cuptiRangeProfilerDecodeData), CUpti_RangeProfiler_DecodeData_Params>);
static_assert(kTakes<decltype(&cuptiRangeProfilerGetCounterDataSize),
                     CUpti_RangeProfiler_GetCounterDataSize_Params>);
static_assert(kTakes<decltype(&cuptiRangeProfilerCounterDataImageInitialize),
                     CUpti_RangeProfiler_CounterDataImage_Initialize_Params>);
static_assert(kTakes<decltype(&cuptiRangeProfilerSetConfig), CUpti_RangeProfiler_SetConfig_Params>);
static_assert(std::is_same_v<decltype(&cuptiGetVersion), CUptiResult (*)(uint32_t*)>);
static_assert(
    std::is_same_v<decltype(&cuptiGetResultString), CUptiResult (*)(CUptiResult, const char**)>);

TEST(CuptiApi, EqualsCuptiHeaders) {
  SUCCEED() << "checked while compiling";
}

}  // namespace cupti_api_test
}  // namespace tilestep::cuda::cupti
#else
TEST(CuptiApi, EqualsCuptiHeaders) {
#ifdef TILESTEP_HAS_CUDA_HEADERS
  constexpr auto kWhy = tilestep::support::kOldToolkit;
#else
  constexpr auto kWhy = tilestep::support::kNoToolkit;
#endif
  GTEST_SKIP() << tilestep::support::because(
      kWhy, "CUPTI's headers of CUDA 12.6 or newer were not found when this was built");
}
#endif
