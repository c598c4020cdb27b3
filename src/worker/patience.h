// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tilestep::worker {

/// How long a worker may be silent, in seconds, before it is ended.
struct Patience {
  /// Until its first frame: a login, or a wait in a cluster's queue. Then until it begins one of
  /// the open requests.
  double start = 600;
  /// Without a byte while a request is open. A worker says something every second (kBeat).
  double silence = 5;
  /// Beyond a request's own time limit, since its stage last changed. A worker keeps the limit
  /// itself; this is for one that cannot, such as while a driver does not return.
  double grace = 30;
  /// How many of its own time limits a request may take in all, with the grace, whatever the worker
  /// tells of it.
  double rounds = 5;
  /// What a request may wait for a GPU that others use beside that. A worker waits 30 minutes.
  double queue = 1860;
  /// For a request that was cancelled.
  double cancel = 10;
  /// The time limit of requests that bring none.
  double untimed = 120;
};

}  // namespace tilestep::worker
