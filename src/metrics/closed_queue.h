// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

namespace tilestep::metrics {

/// Customers cycle endlessly: each first waits on its own for `alone`, then visits the stations in
/// order; a station serves one customer at a time, in `demands[i]` on average. Returns the time
/// from the end of one customer's cycle to that of the next customer's, in the unit of `alone`;
/// infinite without customers.
///
/// Exact mean value analysis of a closed network with one class and exponential service times
/// (Reiser and Lavenberg, "Mean-Value Analysis of Closed Multichain Queuing Networks", 1980): an
/// arriving customer finds, on average, the queue of a network with one customer fewer.
[[nodiscard]] double timeBetweenEnds(uint32_t customers, double alone,
                                     std::span<const double> demands);

}  // namespace tilestep::metrics
