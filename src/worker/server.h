// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "base/result.h"
#include "lab/lab.h"
#include "worker/client.h"

namespace tilestep::worker {

/// What a worker can be asked to do. Called by one thread, one call at a time.
class Work {
 public:
  using Progress = lab::Lab::Progress;
  virtual ~Work() = default;
  virtual Result<lab::RunResult> run(const lab::Experiment& experiment,
                                     const device::Cancelled& cancelled,
                                     const Progress& progress) = 0;
  virtual Result<DevicesReply> devices() = 0;
  virtual Result<device::Ceilings> ceilings(const std::string& device) = 0;
  virtual Result<std::string> ptx(const lab::Experiment& experiment, bool instrumented) = 0;
  /// Produces samples until it is cancelled. Whatever ends it is an Error.
  virtual Status live(const lab::Experiment&, const std::function<void(device::LiveBatch&&)>&,
                      const device::Cancelled&, const Progress&) {
    return workError("this worker has no live mode");
  }
  /// Whether this process can do nothing more after its last answer, while another one could.
  [[nodiscard]] virtual bool spent() const { return false; }
};

/// Serves framed requests from `in` to `out` until `in` ends: reads on the calling thread, works on
/// another, in the order of the requests, and writes on a third, which also beats
/// (docs/architecture/worker.md). At the end it cancels what is left; work that does not notice
/// within 3 s ends the process. Returns early when the work is spent: the client then starts
/// another worker for what waits. Writing to a client that is gone must not raise SIGPIPE: the
/// caller ignores it. Returns 0, or 1 when the stream broke.
int serveWork(int in, int out, Work& work);

}  // namespace tilestep::worker
