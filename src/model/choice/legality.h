// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compile/kernel.h"
#include "lab/experiment.h"
#include "metrics/occupancy.h"

/// Which values of each tunable are legal while the others stay, and why the rest are not. Pure.
namespace tilestep::model {

struct ValueLegality {
  int64_t value = 0;
  std::string why;  ///< The rule's or limit's own sentence; empty: it is legal.
  bool operator==(const ValueLegality&) const = default;
};

/// Ascending. All of the tunable's values where they are at most 128; else about as many of them,
/// each the closer to the next the smaller it is.
struct TunableLegality {
  std::string tunable;
  std::vector<ValueLegality> values;
  bool operator==(const TunableLegality&) const = default;
};

[[nodiscard]] std::vector<TunableLegality> legalityOf(const compile::KernelSpec& spec,
                                                      const compile::Bindings& sizes,
                                                      const compile::Bindings& tunables,
                                                      const Limits& limits);

/// Of the values looked at, the one nearest to `value`; null where there are none.
[[nodiscard]] const ValueLegality* at(const TunableLegality& legality, int64_t value);

/// Where a slider that moves from `from` to `wanted` should stop: there where that is legal, else
/// at the next legal value beyond, else at the last one before; `wanted` where none is legal.
[[nodiscard]] int64_t legalTowards(const TunableLegality& legality, int64_t from, int64_t wanted);

/// The next legal value above (`by` > 0) or below; else the next one, which is not.
[[nodiscard]] int64_t steppedFrom(const TunableLegality& legality, int64_t from, int by);

/// What a block can have of a device.
struct DeviceLimits {
  std::string name;  ///< Where it is a known device and not the one that runs; else empty.
  uint32_t threads = 0, sharedBytes = 0, registersPerThread = 255;
};
[[nodiscard]] DeviceLimits deviceLimitsOf(const Limits& limits);
[[nodiscard]] DeviceLimits deviceLimitsOf(const std::string& name,
                                          const metrics::Multiprocessor& multiprocessor);

/// "A block: 256 of 1024 threads, 36.4 of 227 KiB of shared memory, 40 of 255 registers a thread."
/// `registers` 0: not known, and that is said.
[[nodiscard]] std::string resourcesText(const compile::Plan& plan, const DeviceLimits& device,
                                        uint32_t registers);

}  // namespace tilestep::model
