// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "device/cuda/driver/driver.h"

namespace tilestep::test {

/// A driver of one GPU that runs nothing and fails as told. One at a time lives; one thread.
class FakeDriver {
 public:
  FakeDriver();
  ~FakeDriver();
  FakeDriver(const FakeDriver&) = delete;
  FakeDriver& operator=(const FakeDriver&) = delete;

  [[nodiscard]] std::shared_ptr<const cuda::Driver> driver() const;

  // The answers of the next calls.
  cuda::ApiResult onQuery = cuda::kSuccess;  ///< eventQuery: how work ends, or kNotReady.
  int queriesThatWork = -1;                  ///< onQuery is given after so many; -1: at once.
  cuda::ApiResult onLaunch = cuda::kSuccess;
  int launchesThatWork = -1;  ///< onLaunch is given after so many; -1: at once.
  cuda::ApiResult onAllocate = cuda::kSuccess;
  int allocationsThatWork = -1;  ///< onAllocate is given after so many; -1: at once.
  size_t freeBytes = size_t{1} << 33;
  cuda::ApiResult onLoad = cuda::kSuccess;
  int version = 13000;
  int capabilityMajor = 9, capabilityMinor = 0;
  int occupancyWithoutShared = 32, occupancy = 8;
  std::string infoLog;  ///< The log of the driver's compiler.
  std::string errorLog;

  // The calls that were made.
  std::vector<std::string> loaded;  ///< Modules' texts.
  int launches = 0, allocations = 0, queries = 0, freed = 0, contextsDestroyed = 0;
  /// The start signal of a measurement, where one was made.
  const volatile uint32_t* signal = nullptr;
};

}  // namespace tilestep::test
