// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "device/cuda/driver/cupti.h"

namespace tilestep::cuda {

/// What is counted, and where.
struct ProfiledDevice {
  ContextHandle context = nullptr;  ///< Current on the calling thread.
  DeviceOrdinal ordinal = 0;
  std::string name;            ///< "NVIDIA H200"
  std::function<bool()> lost;  ///< The context can take no more calls; may be empty.
};

/// CUPTI's range profiler around passes that the caller makes: start, choose, enable, then passes
/// (beginPass, beginRange, endRange's work, endPass) until endPass says that all are made, then
/// values. Every Error's message is a refusal: what is wrong and what to do. The end of the object
/// detaches the profiler from the GPU, wherever it stood.
class RangeProfiler {
 public:
  explicit RangeProfiler(const cupti::Library& library) : library_(library) {}
  ~RangeProfiler();
  RangeProfiler(const RangeProfiler&) = delete;
  RangeProfiler& operator=(const RangeProfiler&) = delete;

  Status start(const ProfiledDevice& device);
  /// The chip has it, by name.
  [[nodiscard]] bool knows(const char* metric) const;
  /// Plans for those of `metrics` that this context can count, and gives those back; an Error where
  /// there are none.
  Result<std::vector<const char*>> choose(std::vector<const char*> metrics);
  /// Ready for passes.
  Status enable();
  Status beginPass();
  Status beginRange();
  /// True when there are no more passes to make.
  Result<bool> endPass();
  /// One value a chosen metric, NaN where it has none.
  Result<std::vector<double>> values();
  [[nodiscard]] size_t announcedPasses() const { return passes_; }

 private:
  Status check(cupti::CuptiResult result, const char* step) const;
  Status openHost();
  void closeHost();
  [[nodiscard]] bool add(std::vector<const char*> metrics) const;
  [[nodiscard]] bool schedulable(const char* metric);
  Status makeConfig();
  Status makeCounterData();
  Status call(cupti::CuptiResult (*function)(cupti::RangeCall*), const char* step);
  Result<bool> stop();

  const cupti::Library& library_;
  ProfiledDevice device_;
  bool initialised_ = false, inPass_ = false, inRange_ = false;
  cupti::HostObject host_ = nullptr;
  cupti::RangeObject range_ = nullptr;
  std::string chip_;
  std::vector<uint8_t> availability_, config_, counterData_;
  std::vector<const char*> metrics_;
  size_t passes_ = 0;
};

}  // namespace tilestep::cuda
