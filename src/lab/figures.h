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

/// Figures and names derived from a RunResult; this is the one place where they are computed.
namespace tilestep::lab {

/// Floating-point operations / median time, in 1e9 per second. Nothing if there is no time or if
/// the kernel names no operations.
[[nodiscard]] std::optional<double> gflopsOf(const RunResult& result);
/// Bytes that lanes ask for in global memory (loads and stores) / median time, in 1e9 per second.
/// Needs counters and a time.
[[nodiscard]] std::optional<double> askedBandwidthGbsOf(const RunResult& result);

/// Bytes of every buffer once: the compulsory DRAM traffic.
[[nodiscard]] uint64_t compulsoryBytesOf(const compile::Plan& plan);

/// Bytes of every buffer that is read, once: the least that DRAM must give to cold caches.
[[nodiscard]] uint64_t compulsoryReadBytesOf(const compile::Plan& plan);

/// How many blocks of the first launch fit on one multiprocessor of `device`; nothing if its limits
/// are not known. Registers are included if the result has them.
[[nodiscard]] std::optional<metrics::Occupancy> occupancyOf(const device::DeviceInfo& device,
                                                            const RunResult& result);

/// Shared memory of a block as front matter describes it: its named arrays, or what the launch asks
/// for. A compiled kernel may take another amount. If it does not for some tunables, front matter
/// is trusted for the others, too.
[[nodiscard]] uint32_t plannedSharedBytes(const compile::Plan& plan);

/// One multiprocessor of `device`; nothing where its limits are not known.
[[nodiscard]] std::optional<metrics::Multiprocessor> multiprocessorOf(
    const device::DeviceInfo& device);

/// What the first launch's block needs. `registers` is 0 if unknown. The bytes of the kernel's
/// parameters are included where they are known.
[[nodiscard]] metrics::BlockNeeds needsOf(const compile::Plan& plan, uint32_t sharedBytes,
                                          uint32_t registers);

using trace::NamedCount;
using trace::namedCounts;

/// m, n, k first, then the others by name.
[[nodiscard]] std::vector<std::pair<std::string, int64_t>> orderedSizes(
    const compile::Bindings& sizes);

}  // namespace tilestep::lab
