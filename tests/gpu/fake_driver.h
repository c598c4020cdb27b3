// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "device/cuda/driver/driver.h"

namespace tilestep::test {

/// A driver with one GPU that runs nothing and fails as configured. Only one may exist at a time;
/// for one thread.
class FakeDriver {
 public:
  FakeDriver();
  ~FakeDriver();
  FakeDriver(const FakeDriver&) = delete;
  FakeDriver& operator=(const FakeDriver&) = delete;

  [[nodiscard]] std::shared_ptr<const cuda::Driver> driver() const;

  // Results of the next calls.
  cuda::ApiResult onQuery = cuda::kSuccess;  ///< eventQuery: the end of the work, or kNotReady.
  int queriesThatWork = -1;  ///< The number of queries before onQuery is returned; -1 for none.
  cuda::ApiResult onLaunch = cuda::kSuccess;
  int launchesThatWork = -1;  ///< The number of launches before onLaunch is returned; -1 for none.
  cuda::ApiResult onAllocate = cuda::kSuccess;
  /// The number of allocations before onAllocate is returned; -1 for none.
  int allocationsThatWork = -1;
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
  /// The start signal of a measurement, if there is one.
  const volatile uint32_t* signal = nullptr;
};

}  // namespace tilestep::test
