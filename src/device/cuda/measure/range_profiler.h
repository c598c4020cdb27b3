// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "device/cuda/driver/cupti.h"

namespace tilestep::cuda {

/// The context and GPU to profile.
struct ProfiledDevice {
  ContextHandle context = nullptr;  ///< Current on the calling thread.
  DeviceOrdinal ordinal = 0;
  std::string name;            ///< "NVIDIA H200"
  std::function<bool()> lost;  ///< Whether the context accepts no more calls; may be empty.
};

/// CUPTI's range profiler around passes that the caller makes. Call start, choose and enable. Then
/// repeat beginPass, beginRange, the work and endPass until endPass returns true; then call values.
/// Every Error's message states the problem and the remedy. The destructor detaches the profiler
/// from the GPU in any state.
class RangeProfiler {
 public:
  explicit RangeProfiler(const cupti::Library& library) : library_(library) {}
  ~RangeProfiler();
  RangeProfiler(const RangeProfiler&) = delete;
  RangeProfiler& operator=(const RangeProfiler&) = delete;

  Status start(const ProfiledDevice& device);
  /// Whether the chip has a metric of this name.
  [[nodiscard]] bool knows(const char* metric) const;
  /// Schedules the metrics that this context can count, and returns them. Error if there are none.
  Result<std::vector<const char*>> choose(std::vector<const char*> metrics);
  /// Prepares the passes.
  Status enable();
  Status beginPass();
  Status beginRange();
  /// True if no more passes are needed.
  Result<bool> endPass();
  /// One value per chosen metric; NaN for a metric without a value.
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
