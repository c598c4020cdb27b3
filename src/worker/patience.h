// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tilestep::worker {

/// Maximum silence of a worker before it is ended, in seconds.
struct Patience {
  /// Until its first frame (a login, or a wait in a cluster's queue), and then until it begins one
  /// of the open requests.
  double start = 600;
  /// Without a byte while a request is open. A worker sends something every second (kBeat).
  double silence = 5;
  /// Beyond a request's own time limit, since its stage last changed. A worker enforces the limit
  /// itself; this covers a worker that cannot, for example because a driver call does not return.
  double grace = 30;
  /// Total time of a request in multiples of its own time limit, plus the grace, whatever stages
  /// the worker reports.
  double rounds = 5;
  /// Additional waiting time for a GPU that others use. A worker itself waits 30 minutes.
  double queue = 1860;
  /// After a request was cancelled.
  double cancel = 10;
  /// The time limit of requests without one of their own.
  double untimed = 120;
};

}  // namespace tilestep::worker
