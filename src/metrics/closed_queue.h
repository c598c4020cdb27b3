// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

namespace tilestep::metrics {

/// Customers cycle endlessly. In each cycle, a customer waits for the time `alone` without
/// affecting others, then visits the stations in order. Station i serves one customer at a time, in
/// a mean time of `demands[i]`. Returns the mean time from one end of a cycle to the next, of any
/// customer, in the unit of `alone`; infinite if there are no customers.
///
/// The method is exact mean value analysis of a closed network with one class and exponential
/// service times (Reiser and Lavenberg, "Mean-Value Analysis of Closed Multichain Queuing
/// Networks", 1980). An arriving customer finds, on average, the queue of a network with one
/// customer fewer.
[[nodiscard]] double timeBetweenEnds(uint32_t customers, double alone,
                                     std::span<const double> demands);

}  // namespace tilestep::metrics
