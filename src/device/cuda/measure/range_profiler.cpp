// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/measure/range_profiler.h"

#include <cmath>
#include <utility>

namespace tilestep::cuda {

using namespace cupti;

RangeProfiler::~RangeProfiler() {
  // A call on a lost context would block forever.
  if (device_.lost && device_.lost()) return;
  // Releases what is left in reverse order. Failures cannot be reported.
  if (inRange_) static_cast<void>(call(library_.rangePop, "detaching"));
  if (inPass_) static_cast<void>(stop());
  if (range_ != nullptr) static_cast<void>(call(library_.rangeDisable, "detaching"));
  closeHost();
  if (!initialised_) return;
  auto plain = sized<Plain>();
  static_cast<void>(library_.profilerDeInitialize(&plain));
}

Status RangeProfiler::check(CuptiResult result, const char* step) const {
  if (result == kOk) return {};
  return requestError(refusalOf(library_, result, step));
}

Status RangeProfiler::start(const ProfiledDevice& device) {
  auto plain = sized<Plain>();
  if (Status s = check(library_.profilerInitialize(&plain), "starting its profiler"); !s) return s;
  initialised_ = true;
  device_ = device;
  auto support = sized<DeviceSupported>();
  support.device = device.ordinal;
  if (Status s = check(library_.profilerDeviceSupported(&support), "querying the GPU"); !s) {
    return s;
  }
  if (support.all != SupportLevel::supported) return requestError(refusalOf(support, device.name));
  auto chip = sized<GetChipName>();
  chip.deviceIndex = static_cast<size_t>(device.ordinal);
  if (Status s = check(library_.deviceGetChipName(&chip), "reading the chip's name"); !s) return s;
  chip_ = chip.chip;
  auto available = sized<GetCounterAvailability>();
  available.context = device.context;
  const char* step = "querying the available counters";
  if (Status s = check(library_.profilerGetCounterAvailability(&available), step); !s) return s;
  availability_.resize(available.imageSize);
  available.image = availability_.data();
  if (Status s = check(library_.profilerGetCounterAvailability(&available), step); !s) return s;
  return openHost();
}

Status RangeProfiler::openHost() {
  auto open = sized<HostInitialize>();
  open.chip = chip_.c_str();
  open.counterAvailability = availability_.data();
  const Status done = check(library_.hostInitialize(&open), "loading the metrics of the chip");
  if (done) host_ = open.host;
  return done;
}

void RangeProfiler::closeHost() {
  if (host_ == nullptr) return;
  auto close = sized<HostDeinitialize>();
  close.host = std::exchange(host_, nullptr);
  static_cast<void>(library_.hostDeinitialize(&close));
}

bool RangeProfiler::knows(const char* metric) const {
  auto properties = sized<GetMetricProperties>();
  properties.host = host_;
  properties.metric = metric;
  return library_.hostGetMetricProperties(&properties) == kOk;
}

bool RangeProfiler::add(std::vector<const char*> metrics) const {
  if (metrics.empty()) return false;
  auto adding = sized<ConfigAddMetrics>();
  adding.host = host_;
  adding.metrics = metrics.data();
  adding.metricCount = metrics.size();
  return library_.hostConfigAddMetrics(&adding) == kOk;
}

// A host object that rejected one metric rejects all later ones, so each trial has its own.
bool RangeProfiler::schedulable(const char* metric) {
  closeHost();
  return openHost().ok() && add({metric});
}

Result<std::vector<const char*>> RangeProfiler::choose(std::vector<const char*> metrics) {
  metrics_ = std::move(metrics);
  if (add(metrics_)) return metrics_;
  // The context may not support all of the chip's metrics, for example on a slice of a GPU.
  std::erase_if(metrics_, [&](const char* metric) { return !schedulable(metric); });
  closeHost();
  if (Status s = openHost(); !s) return s.error();
  if (add(metrics_)) return metrics_;
  return requestError("No hardware counters: the chip " + chip_ +
                      " does not let this process read any of the metrics that Tilestep uses "
                      "(most are not available on a slice of a GPU): use a whole GPU.");
}

Status RangeProfiler::makeConfig() {
  auto size = sized<GetConfigImageSize>();
  size.host = host_;
  const char* step = "planning the passes";
  if (Status s = check(library_.hostGetConfigImageSize(&size), step); !s) return s;
  config_.resize(size.bytes);
  auto image = sized<GetConfigImage>();
  image.host = host_;
  image.bytes = config_.size();
  image.image = config_.data();
  if (Status s = check(library_.hostGetConfigImage(&image), step); !s) return s;
  auto count = sized<GetPassCount>();
  count.configBytes = config_.size();
  count.config = config_.data();
  if (Status s = check(library_.hostGetNumOfPasses(&count), step); !s) return s;
  passes_ = count.passes;
  return {};
}

Status RangeProfiler::makeCounterData() {
  auto size = sized<GetCounterDataSize>();
  size.profiler = range_;
  size.metrics = metrics_.data();
  size.metricCount = metrics_.size();
  size.ranges = 1;
  size.treeNodes = 1;
  const char* step = "allocating the counters";
  if (Status s = check(library_.rangeGetCounterDataSize(&size), step); !s) return s;
  counterData_.resize(size.bytes);
  auto clear = sized<CounterDataInitialize>();
  clear.profiler = range_;
  clear.bytes = counterData_.size();
  clear.image = counterData_.data();
  return check(library_.rangeCounterDataInitialize(&clear), step);
}

Status RangeProfiler::enable() {
  if (Status s = makeConfig(); !s) return s;
  auto enable = sized<RangeEnable>();
  enable.context = device_.context;
  if (Status s = check(library_.rangeEnable(&enable), "enabling the counters"); !s) return s;
  range_ = enable.profiler;
  if (Status s = makeCounterData(); !s) return s;
  auto config = sized<RangeConfig>();
  config.profiler = range_;
  config.configBytes = config_.size();
  config.config = config_.data();
  config.counterDataBytes = counterData_.size();
  config.counterData = counterData_.data();
  config.rangesPerPass = 1;
  config.nestingLevels = 1;
  config.firstNestingLevel = 1;
  config.targetNestingLevel = 1;
  return check(library_.rangeSetConfig(&config), "configuring the counters");
}

Status RangeProfiler::call(CuptiResult (*function)(RangeCall*), const char* step) {
  auto parameters = sized<RangeCall>();
  parameters.profiler = range_;
  return check(function(&parameters), step);
}

Status RangeProfiler::beginPass() {
  const Status done = call(library_.rangeStart, "starting a pass");
  inPass_ = done.ok();
  return done;
}

Status RangeProfiler::beginRange() {
  auto push = sized<RangePush>();
  push.profiler = range_;
  push.name = "job";
  const Status done = check(library_.rangePush(&push), "starting to count");
  inRange_ = done.ok();
  return done;
}

Result<bool> RangeProfiler::stop() {
  inPass_ = false;
  auto stop = sized<RangeStop>();
  stop.profiler = range_;
  if (Status s = check(library_.rangeStop(&stop), "ending a pass"); !s) return s.error();
  return stop.allPassesSubmitted != 0;
}

Result<bool> RangeProfiler::endPass() {
  inRange_ = false;
  if (Status s = call(library_.rangePop, "ending the counting"); !s) return s.error();
  return stop();
}

Result<std::vector<double>> RangeProfiler::values() {
  auto decode = sized<RangeDecode>();
  decode.profiler = range_;
  const char* step = "reading the counters";
  if (Status s = check(library_.rangeDecodeData(&decode), step); !s) return s.error();
  if (decode.dropped > 0) {
    return requestError("No hardware counters: CUPTI dropped its counts.");
  }
  std::vector<double> values(metrics_.size(), std::nan(""));
  auto evaluate = sized<EvaluateToGpuValues>();
  evaluate.host = host_;
  evaluate.counterData = counterData_.data();
  evaluate.counterDataBytes = counterData_.size();
  evaluate.metrics = metrics_.data();
  evaluate.metricCount = metrics_.size();
  evaluate.values = values.data();
  if (Status s = check(library_.hostEvaluateToGpuValues(&evaluate), step); !s) return s.error();
  return values;
}

}  // namespace tilestep::cuda
