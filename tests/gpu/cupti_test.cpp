// SPDX-License-Identifier: Apache-2.0
// The order of CUPTI's calls, refusals and their messages. Needs no GPU. Fake functions replace
// CUPTI; if the real library is installed, its metrics are queried by chip.
#include "device/cuda/driver/cupti.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "device/cuda/measure/hardware.h"
#include "device/hardware_metrics.h"
#include "support/environment.h"
#include "support/own_process.h"
#include "support/results.h"
#include "support/skips.h"
#include "support/toolkit.h"

namespace tilestep::cuda::cupti_test {

const support::OwnProcess ownProcess{"Cupti"};

using namespace cupti;

/// The fake's behaviour, and the calls that it received. Global, because functions of a C interface
/// have no object.
struct Script {
  std::string log;
  std::string failsAt;
  CuptiResult failure = kUnknownError;
  std::set<std::string> unknownMetrics, refusedMetrics;
  std::set<std::string> valueless;
  DeviceSupported support;
  int passes = 3, submitted = 0;
  bool hostRefused = false;
  std::vector<std::string> planned;
};
Script script;

CuptiResult step(const std::string& name) {
  script.log += name + " ";
  return script.failsAt == name ? script.failure : kOk;
}

template <class T>
CuptiResult sizedStep(const std::string& name, const T* parameters) {
  EXPECT_EQ(parameters->structSize, kSizeOf<T>) << name;
  EXPECT_EQ(parameters->reserved, nullptr) << name;
  return step(name);
}

const auto kProfiler = reinterpret_cast<RangeObject>(0x20);

CuptiResult fakeSupported(DeviceSupported* p) {
  const CuptiResult result = sizedStep("supported", p);
  const size_t size = p->structSize;
  *p = script.support;
  p->structSize = size;
  return result;
}
CuptiResult fakeAvailability(GetCounterAvailability* p) {
  if (p->image == nullptr) p->imageSize = 16;
  return sizedStep("availability", p);
}
CuptiResult fakeChip(GetChipName* p) {
  p->chip = "GX100";
  return sizedStep("chip", p);
}
CuptiResult fakeHost(HostInitialize* p) {
  EXPECT_STREQ(p->chip, "GX100");
  p->host = reinterpret_cast<HostObject>(0x10);
  script.hostRefused = false;
  script.planned.clear();
  return sizedStep("host", p);
}
CuptiResult fakeProperties(GetMetricProperties* p) {
  EXPECT_EQ(p->structSize, kSizeOf<GetMetricProperties>);
  return script.unknownMetrics.contains(p->metric) ? kInvalidMetricName : kOk;
}
// Like the real library, a host object rejects everything after one rejection.
CuptiResult fakeAdd(ConfigAddMetrics* p) {
  for (size_t i = 0; i < p->metricCount; ++i) {
    if (script.refusedMetrics.contains(p->metrics[i])) script.hostRefused = true;
    script.planned.emplace_back(p->metrics[i]);
  }
  return script.hostRefused ? kUnknownError : kOk;
}
CuptiResult fakeConfigSize(GetConfigImageSize* p) {
  p->bytes = 8;
  return sizedStep("size", p);
}
CuptiResult fakePasses(GetPassCount* p) {
  p->passes = static_cast<size_t>(script.passes);
  return sizedStep("plan", p);
}
CuptiResult fakeEnable(RangeEnable* p) {
  p->profiler = kProfiler;
  return sizedStep("enable", p);
}
CuptiResult fakeStop(RangeStop* p) {
  EXPECT_EQ(p->profiler, kProfiler);
  p->allPassesSubmitted = ++script.submitted >= script.passes;
  return sizedStep("stop", p);
}
CuptiResult fakeDataSize(GetCounterDataSize* p) {
  p->bytes = 64;
  return sizedStep("data", p);
}
/// Each metric's value is its index among the planned metrics, times 100.
CuptiResult fakeValues(EvaluateToGpuValues* p) {
  for (size_t i = 0; i < p->metricCount; ++i) {
    EXPECT_EQ(script.planned[i], p->metrics[i]);
    p->values[i] = script.valueless.contains(p->metrics[i]) ? std::nan("")
                                                            : 100.0 * static_cast<double>(i + 1);
  }
  return sizedStep("values", p);
}

Library fakeLibrary() {
  Library library{};
  library.getResultString = [](CuptiResult, const char** text) {
    *text = "CUPTI_ERROR_SOME";
    return kOk;
  };
  library.profilerInitialize = [](Plain* p) { return sizedStep("initialise", p); };
  library.profilerDeInitialize = [](Plain* p) { return sizedStep("deinitialise", p); };
  library.profilerDeviceSupported = fakeSupported;
  library.profilerGetCounterAvailability = fakeAvailability;
  library.deviceGetChipName = fakeChip;
  library.hostInitialize = fakeHost;
  library.hostDeinitialize = [](HostDeinitialize* p) { return sizedStep("unhost", p); };
  library.hostGetMetricProperties = fakeProperties;
  library.hostConfigAddMetrics = fakeAdd;
  library.hostGetConfigImageSize = fakeConfigSize;
  library.hostGetConfigImage = [](GetConfigImage* p) { return sizedStep("image", p); };
  library.hostGetNumOfPasses = fakePasses;
  library.hostEvaluateToGpuValues = fakeValues;
  library.rangeEnable = fakeEnable;
  library.rangeDisable = [](RangeCall* p) { return sizedStep("disable", p); };
  library.rangeStart = [](RangeCall* p) { return sizedStep("start", p); };
  library.rangeStop = fakeStop;
  library.rangePush = [](RangePush* p) { return sizedStep("push", p); };
  library.rangePop = [](RangeCall* p) { return sizedStep("pop", p); };
  library.rangeDecodeData = [](RangeDecode* p) { return sizedStep("decode", p); };
  library.rangeGetCounterDataSize = fakeDataSize;
  library.rangeCounterDataInitialize = [](CounterDataInitialize* p) {
    return sizedStep("clear", p);
  };
  library.rangeSetConfig = [](RangeConfig* p) { return sizedStep("config", p); };
  return library;
}

class Hardware : public ::testing::Test {
 protected:
  Hardware() {
    script = {};
    script.support.all = SupportLevel::supported;
    device_.name = "Some GPU";
    replay_.prepare = [] { return Status(step("prepare") == kOk ? Status() : workError("stop")); };
    replay_.run = [] { return Status(step("run") == kOk ? Status() : workError("fault")); };
  }
  Result<device::HardwareCounters> read() { return readHardware(library_, device_, replay_); }
  /// The expected refusal.
  std::string refusal() {
    const auto counters = read();
    if (!counters) return "Error: " + counters.error().message;
    EXPECT_TRUE(counters->figures.empty());
    return counters->refused;
  }

  const Library library_ = fakeLibrary();
  ProfiledDevice device_;
  Replay replay_;
};

TEST_F(Hardware, ReplaysUntilAllPassesAreMadeAndDetaches) {
  const auto counters = valueOrThrow(read());
  EXPECT_EQ(counters.refused, "");
  EXPECT_EQ(counters.passes, 3U);
  EXPECT_EQ(script.log,
            "initialise supported chip availability availability host size image plan enable data "
            "clear config start prepare push run pop stop start prepare push run pop stop start "
            "prepare push run pop stop decode values disable unhost deinitialise ");
}

TEST_F(Hardware, FiguresHaveOurNamesUnitsAndTheChipsMetrics) {
  script.unknownMetrics = {"dram__bytes_read.sum", "lts__t_sector_hit_rate.pct"};
  script.valueless = {"smsp__inst_issued.sum"};
  const auto counters = valueOrThrow(read());
  const device::HardwareFigure* dram = counters.find("dram_bytes_read");
  ASSERT_NE(dram, nullptr);
  EXPECT_EQ(dram->metric, "dram__bytes_op_read.sum");  // Blackwell's name.
  EXPECT_EQ(dram->unit, Unit::bytes);
  EXPECT_EQ(dram->value, 100);
  EXPECT_EQ(counters.find("l2_hit_share"), nullptr);         // The chip has no such metric.
  EXPECT_EQ(counters.find("instructions_issued"), nullptr);  // The chip has it, but gave no value.
  const device::HardwareFigure* occupancy = counters.find("achieved_occupancy");
  ASSERT_NE(occupancy, nullptr);
  EXPECT_EQ(occupancy->unit, Unit::ratio);
  EXPECT_DOUBLE_EQ(occupancy->value, 14);  // The fake's 1400 percent, as a share.
}

TEST_F(Hardware, FiguresThatTheContextCannotCountAreAbsent) {
  script.refusedMetrics = {"dram__bytes_read.sum", "lts__t_sectors_op_read.sum"};
  const auto counters = valueOrThrow(read());
  EXPECT_EQ(counters.refused, "");
  EXPECT_EQ(counters.find("dram_bytes_read"), nullptr);
  EXPECT_EQ(counters.find("l2_read_sectors"), nullptr);
  EXPECT_NE(counters.find("dram_bytes_written"), nullptr);
  EXPECT_NE(counters.find("ffma"), nullptr);
}

TEST_F(Hardware, NothingToCountIsReported) {
  for (const device::MetricChoice& choice : device::metricChoices()) {
    script.refusedMetrics.insert(choice.metrics.begin(), choice.metrics.end());
  }
  EXPECT_TRUE(has(refusal(), "GX100 does not let this process read any"));
}

TEST_F(Hardware, PrivilegesNameTheAdministratorsRemedy) {
  script.failsAt = "enable";
  script.failure = kInsufficientPrivileges;
  const std::string why = refusal();
  EXPECT_TRUE(has(why, "ERR_NVGPUCTRPERM", "NVreg_RestrictProfilingToAdminUsers=0", "CAP_SYS_ADMIN",
                  "(CUPTI_ERROR_SOME, 35)"));
  EXPECT_TRUE(script.log.ends_with("unhost deinitialise ")) << script.log;
}

TEST_F(Hardware, EachRefusalNamesARemedy) {
  const std::pair<CuptiResult, const char*> remedies[] = {
      {kMigDevice, "nvidia-smi -mig 0"},
      {kVirtualDevicePrivileges, "enable_profiling=1"},
      {kHardwareBusy, "another profiler"},
      {kMultipleSubscribers, "another profiler"},
      {kLegacyProfiler, "7.5 or newer"},
      {kInvalidChipName, "released with the driver"},
      {kWslDevice, "NVIDIA Control Panel"},
      {kConfidentialComputing, "confidential-computing"},
      {kMiningProcessor, "use another GPU"},
      {kSliDevice, "turn SLI off"},
      {kUnknownError, "CUPTI failed at enabling the counters"}};
  for (const auto& [code, words] : remedies) {
    script.failsAt = "enable";
    script.failure = code;
    const std::string why = refusal();
    EXPECT_TRUE(has(why, words));
    EXPECT_TRUE(why.ends_with(").")) << why;
  }
}

TEST_F(Hardware, ARefusalInAnyStepIsUndone) {
  for (const char* name :
       {"initialise", "supported", "chip", "availability", "host", "size", "image", "plan",
        "enable", "data", "clear", "config", "start", "push", "pop", "stop", "decode", "values"}) {
    script.log.clear();
    script.submitted = 0;
    script.failsAt = name;
    EXPECT_NE(refusal(), "") << name;
    const bool began = script.log != "initialise ";
    EXPECT_EQ(script.log.ends_with("deinitialise "), began) << script.log;
    const bool enabled = script.log.find("enable data") != std::string::npos;
    EXPECT_EQ(script.log.find("disable") != std::string::npos, enabled) << script.log;
    const size_t started = script.log.find("start prepare");
    if (started != std::string::npos) {
      EXPECT_NE(script.log.find("stop", started), std::string::npos);
    }
  }
}

TEST_F(Hardware, AFailureOfTheWorkIsNotARefusal) {
  script.failsAt = "run";
  const auto counters = read();
  ASSERT_FALSE(counters);
  EXPECT_EQ(counters.error().message, "fault");
  EXPECT_TRUE(script.log.ends_with("run pop stop disable unhost deinitialise ")) << script.log;
}

TEST_F(Hardware, ALostContextIsNotUsedAgain) {
  script.failsAt = "run";
  device_.lost = [] { return true; };
  EXPECT_FALSE(read());
  EXPECT_TRUE(script.log.ends_with("push run ")) << script.log;
}

TEST_F(Hardware, APassThatNeverEndsIsGivenUp) {
  script.passes = 2;
  replay_.run = [] {
    script.passes = 1000;
    return Status();
  };
  EXPECT_TRUE(has(refusal(), "more passes"));
}

TEST_F(Hardware, UnsupportedDevicesReportWhy) {
  script.support = {};
  script.support.all = SupportLevel::unsupported;
  EXPECT_TRUE(has(refusal(), "does not support profiling"));
  script.support.vGpu = SupportLevel::disabled;
  EXPECT_TRUE(has(refusal(), "enable_profiling=1"));
  script.support.architecture = SupportLevel::unsupported;
  EXPECT_TRUE(has(refusal(), "7.5 or newer"));
  device_.name = "NVIDIA A100-SXM4-40GB MIG 1g.5gb";
  EXPECT_TRUE(has(refusal(), "MIG"));
}

TEST(Cupti, AMissingLibraryIsReportedWithItsPackage) {
  const auto opened = open({"/nowhere/libcupti.so"}, 13000);
  ASSERT_FALSE(opened);
  EXPECT_EQ(
      opened.error().message,
      "Hardware counters need NVIDIA's CUPTI library, and libcupti.so was not found: install "
      "the CUDA Toolkit's package cuda-cupti-13-0 (or set CUDA_HOME to a toolkit that has it).");
}

TEST(Cupti, ALibraryWithoutTheRangeProfilerIsTooOld) {
  const auto opened = open({"libc.so.6"}, 12040);
  ASSERT_FALSE(opened);
  EXPECT_TRUE(has(opened.error().message, "came with CUDA 12.6", "cuda-cupti-12-4"));
}

TEST(Cupti, SearchesCudaHomeFirst) {
  const support::Environment home("CUDA_HOME", "/opt/toolkit"), shown("TILESTEP_TOOLKIT", nullptr);
  const Result<std::vector<std::string>> paths = libraryPaths();
  ASSERT_TRUE(paths);
  ASSERT_FALSE(paths->empty());
  EXPECT_EQ(paths->front(), "/opt/toolkit/extras/CUPTI/lib64/libcupti.so");
  EXPECT_NE(std::ranges::find(*paths, "libcupti.so"), paths->end());
  EXPECT_NE(std::ranges::find(*paths, "/usr/local/cuda/extras/CUPTI/lib64/libcupti.so"),
            paths->end());
}

TEST(Cupti, IsHiddenWithTheToolkit) {
  const support::Environment hidden("TILESTEP_TOOLKIT", "none");
  const Result<std::vector<std::string>> paths = libraryPaths();
  ASSERT_FALSE(paths);
  EXPECT_EQ(paths.error().message,
            "Hardware counters need NVIDIA's CUPTI library, and TILESTEP_TOOLKIT=none hides the "
            "CUDA Toolkit.");
}

TEST(Cupti, VersionsAreReadable) {
  EXPECT_EQ(versionText(130001), "CUPTI 13.0");
  EXPECT_EQ(versionText(130200), "CUPTI 13.2");
  EXPECT_EQ(versionText(26), "CUPTI (API version 26)");
}

/// The real library, if it is installed. It knows its chips' metrics without a GPU.
class TrueCupti : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const auto why = support::whyNoToolkitLibrary("libcupti.so")) {
      GTEST_SKIP() << support::because(support::kNoToolkit, *why);
    }
    Result<Opened> opened = open(*libraryPaths(), 99000);
    if (opened) {
      opened_ = std::move(*opened);
      return;
    }
    const std::string& why = opened.error().message;
    ASSERT_TRUE(has(why, "came with CUDA 12.6"));
    GTEST_SKIP() << support::because(support::kOldToolkit, why);
  }
  [[nodiscard]] bool has(const std::string& chip, const char* metric) const {
    auto host = sized<HostInitialize>();
    host.chip = chip.c_str();
    if (opened_->library.hostInitialize(&host) != kOk) return false;
    auto properties = sized<GetMetricProperties>();
    properties.host = host.host;
    properties.metric = metric;
    const bool known = opened_->library.hostGetMetricProperties(&properties) == kOk;
    auto close = sized<HostDeinitialize>();
    close.host = host.host;
    EXPECT_EQ(opened_->library.hostDeinitialize(&close), kOk);
    return known;
  }
  std::optional<Opened> opened_;
};

TEST_F(TrueCupti, KnowsAMetricForEachFigureOnEveryChip) {
  for (const char* chip : {"TU102", "GA100", "GA102", "AD102", "GH100", "GB100", "GB202"}) {
    for (const device::MetricChoice& choice : device::metricChoices()) {
      EXPECT_TRUE(std::ranges::any_of(choice.metrics,
                                      [&](const char* metric) { return has(chip, metric); }))
          << chip << " has nothing for " << choice.name;
    }
  }
  EXPECT_FALSE(has("GH100", "nonsense.sum"));
  EXPECT_FALSE(has("GB202", "dram__bytes_read.sum"));
}

TEST_F(TrueCupti, NewerThanTheDriverIsRefused) {
  if (!opened_->version.starts_with("CUPTI 1")) {
    GTEST_SKIP() << support::because(support::kOldToolkit, opened_->version);
  }
  EXPECT_TRUE(fails(open({opened_->path}, 12060), "newer than the driver, which knows CUDA 12.6"));
}

}  // namespace tilestep::cuda::cupti_test
