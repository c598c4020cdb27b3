// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

namespace tilestep::metrics {

/// Customers go round for ever: each first waits by itself for `alone`, then for one station after
/// the other, which serves one customer at a time and takes `demands[i]` on average. Returns the
/// time from one customer's end of a round to the next customer's, in the unit of `alone`. With no
/// customer it is infinite.
///
/// Exact mean value analysis of a closed network with one class and exponential service times
/// (Reiser and Lavenberg, "Mean-Value Analysis of Closed Multichain Queuing Networks", 1980): a
/// customer finds at a station, on average, the queue of a network with one customer fewer.
[[nodiscard]] double timeBetweenEnds(uint32_t customers, double alone,
                                     std::span<const double> demands);

}  // namespace tilestep::metrics
