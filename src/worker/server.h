// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "base/result.h"
#include "lab/lab.h"
#include "worker/client.h"

namespace tilestep::worker {

/// The work of a worker. Only one thread calls it.
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
  /// Produces samples until it is cancelled. Returns an Error if it ends for another reason.
  virtual Status live(const lab::Experiment&, const std::function<void(device::LiveBatch&&)>&,
                      const device::Cancelled&, const Progress&) {
    return workError("this worker has no live mode");
  }
  /// Whether this process can do no further work, although a new process could.
  [[nodiscard]] virtual bool spent() const { return false; }
};

/// Serves framed requests from `in` to `out` until `in` ends (docs/architecture/worker.md). The
/// calling thread reads, a second thread works in the order of the requests, and a third thread
/// writes and sends beats. At the end, the remaining requests are cancelled; work that does not
/// notice within 3 s ends the process. Returns early when the work is spent; the client then starts
/// another worker for the waiting requests. The caller must ignore SIGPIPE, because the client may
/// disconnect. Returns 0, or 1 if the stream is broken.
int serveWork(int in, int out, Work& work);

}  // namespace tilestep::worker
