// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compile/kernel.h"
#include "lab/experiment.h"
#include "metrics/occupancy.h"

/// The legal values of each tunable with the others fixed, and the reasons why other values are
/// illegal. Pure.
namespace tilestep::model {

struct ValueLegality {
  int64_t value = 0;
  std::string why;  ///< The sentence of the violated rule or limit; empty if the value is legal.
  bool operator==(const ValueLegality&) const = default;
};

/// Values in ascending order: all of the tunable's values if there are at most 128. Otherwise there
/// are about 128, and small values are more closely spaced.
struct TunableLegality {
  std::string tunable;
  std::vector<ValueLegality> values;
  bool operator==(const TunableLegality&) const = default;
};

[[nodiscard]] std::vector<TunableLegality> legalityOf(const compile::KernelSpec& spec,
                                                      const compile::Bindings& sizes,
                                                      const compile::Bindings& tunables,
                                                      const Limits& limits);

/// The examined value nearest to `value`; null if there are none.
[[nodiscard]] const ValueLegality* at(const TunableLegality& legality, int64_t value);

/// The value at which a slider that moves from `from` to `wanted` should stop. It is `wanted` if
/// that is legal, otherwise the next legal value beyond `wanted`, otherwise the last legal value
/// before it. If no value is legal, it is `wanted`.
[[nodiscard]] int64_t legalTowards(const TunableLegality& legality, int64_t from, int64_t wanted);

/// The next legal value above (`by` > 0) or below `from`; if there is none, the next illegal value.
[[nodiscard]] int64_t steppedFrom(const TunableLegality& legality, int64_t from, int by);

struct DeviceLimits {
  std::string name;  ///< Set only for a known device that is not the device in use.
  uint32_t threads = 0, sharedBytes = 0, registersPerThread = 255;
};
[[nodiscard]] DeviceLimits deviceLimitsOf(const Limits& limits);
[[nodiscard]] DeviceLimits deviceLimitsOf(const std::string& name,
                                          const metrics::Multiprocessor& multiprocessor);

/// "A block: 256 of 1024 threads, 36.4 of 227 KiB of shared memory, 40 of 255 registers per
/// thread." If `registers` is 0, they are shown as unknown.
[[nodiscard]] std::string resourcesText(const compile::Plan& plan, const DeviceLimits& device,
                                        uint32_t registers);

}  // namespace tilestep::model
