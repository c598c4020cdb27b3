// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lab/experiment.h"
#include "metrics/occupancy.h"

/// What a Result says in figures and names; the one place where they are worked out.
namespace tilestep::lab {

/// Floating-point operations over the median, in 1e9 a second; nothing where not timed, or where
/// the kernel names no operations.
[[nodiscard]] std::optional<double> gflopsOf(const RunResult& result);
/// Bytes that lanes ask global memory for (loads and stores) over the median, in 1e9 a second;
/// needs counters and a time.
[[nodiscard]] std::optional<double> askedBandwidthGbsOf(const RunResult& result);

/// Bytes of every buffer once: the least that DRAM must move.
[[nodiscard]] uint64_t compulsoryBytesOf(const compile::Plan& plan);

/// Bytes of every buffer that is read, once: the least that DRAM must give to cold caches.
[[nodiscard]] uint64_t compulsoryReadBytesOf(const compile::Plan& plan);

/// How many blocks of the first launch fit on one multiprocessor of `device`; nothing where its
/// limits are not known. Registers count where the result knows them.
[[nodiscard]] std::optional<metrics::Occupancy> occupancyOf(const device::DeviceInfo& device,
                                                            const RunResult& result);

/// Shared memory of a block as front matter tells it: its named arrays, or what the host asks for
/// at launch. What a compiled kernel takes may differ; where it does not for some tunables, this
/// holds for others, too.
[[nodiscard]] uint32_t plannedSharedBytes(const compile::Plan& plan);

/// One multiprocessor of `device`; nothing where its limits are not known.
[[nodiscard]] std::optional<metrics::Multiprocessor> multiprocessorOf(
    const device::DeviceInfo& device);

/// Of the first launch's block. `registers` 0: unknown. Bytes of the kernel's parameters count
/// where they are known.
[[nodiscard]] metrics::BlockNeeds needsOf(const compile::Plan& plan, uint32_t sharedBytes,
                                          uint32_t registers);

struct NamedCount {
  std::string name;  ///< "global_load_requests"
  uint64_t value = 0;
};
/// In a fixed order; those that the device cannot give are left out.
[[nodiscard]] std::vector<NamedCount> namedCounts(const trace::Counters& counters);

/// m, n, k first, then the others by name.
[[nodiscard]] std::vector<std::pair<std::string, int64_t>> orderedSizes(
    const compile::Bindings& sizes);

}  // namespace tilestep::lab
