// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lab/experiment.h"
#include "metrics/occupancy.h"
#include "trace/counters.h"

/// Values and names derived from a RunResult; they are computed only here.
namespace tilestep::lab {

/// Floating-point operations / median time, in 1e9 per second. Nothing if there is no time or the
/// kernel does not specify its operations.
[[nodiscard]] std::optional<double> gflopsOf(const RunResult& result);
/// Bytes requested by the lanes in global memory (loads and stores) / median time, in 1e9 per
/// second. Needs counters and a time.
[[nodiscard]] std::optional<double> askedBandwidthGbsOf(const RunResult& result);

/// The size of all buffers in bytes: the compulsory DRAM traffic.
[[nodiscard]] uint64_t compulsoryBytesOf(const compile::Plan& plan);

/// The size in bytes of all buffers that are read: the least that cold caches must load from DRAM.
[[nodiscard]] uint64_t compulsoryReadBytesOf(const compile::Plan& plan);

/// The number of blocks of the first launch that fit on one multiprocessor of `device`; nothing if
/// its limits are unknown. Registers limit it only if the result has them.
[[nodiscard]] std::optional<metrics::Occupancy> occupancyOf(const device::DeviceInfo& device,
                                                            const RunResult& result);

/// The bytes of shared memory of a block: the arrays named in front matter plus the launch's
/// dynamic bytes. A compiled kernel may use a different amount.
[[nodiscard]] uint32_t plannedSharedBytes(const compile::Plan& plan);

/// One multiprocessor of `device`; nothing if its limits are unknown.
[[nodiscard]] std::optional<metrics::Multiprocessor> multiprocessorOf(
    const device::DeviceInfo& device);

/// The resources of a block of the first launch. `registers` is 0 if unknown. The bytes of the
/// kernel's parameters are included if known.
[[nodiscard]] metrics::BlockNeeds needsOf(const compile::Plan& plan, uint32_t sharedBytes,
                                          uint32_t registers);

using trace::NamedCount;
using trace::namedCounts;

/// m, n, k first, then the others by name.
[[nodiscard]] std::vector<std::pair<std::string, int64_t>> orderedSizes(
    const compile::Bindings& sizes);

}  // namespace tilestep::lab
