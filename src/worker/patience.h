// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tilestep::worker {

/// The longest silence of a worker before it is ended, in seconds.
struct Patience {
  /// Before the first frame (during a login, or in a cluster's queue), and then before it begins
  /// one of the open requests.
  double start = 600;
  /// While a request is open. A worker sends something every second (kBeat).
  double silence = 5;
  /// How long a stage may exceed the request's time limit. A worker enforces the limit itself, but
  /// cannot if, for example, a driver call does not return.
  double grace = 30;
  /// The longest total time of a request, in multiples of its own time limit, plus `grace`. Applies
  /// whatever stages the worker reports.
  double rounds = 5;
  /// Additional time for a GPU that others use. A worker itself waits 30 minutes.
  double queue = 1860;
  /// After a request was cancelled.
  double cancel = 10;
  /// The time limit of requests that have no time limit of their own.
  double untimed = 120;
};

}  // namespace tilestep::worker
