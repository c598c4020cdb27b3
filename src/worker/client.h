// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/result.h"
#include "device/device.h"
#include "device/live.h"
#include "lab/experiment.h"
#include "worker/patience.h"

namespace tilestep::lab {
struct Options;
}

namespace tilestep::worker {

struct DevicesReply {
  std::vector<device::DeviceInfo> devices;
  std::string compiler;  ///< The compiler in use, or why there is none.
};

/// The answer to a request. `id` is the value that the call of the request returned.
struct Reply {
  uint64_t id = 0;
  std::variant<lab::ResultPointer, DevicesReply, device::Ceilings, std::string, Error> body;
  /// The worker ended, for the reason in the Error, or the command started no worker (the Error is
  /// then of kind request). Another worker may answer the same request.
  bool lost = false;
};

/// The reply's result; null if the body is something else.
[[nodiscard]] inline const lab::RunResult* resultOf(const Reply& reply) {
  const auto* result = std::get_if<lab::ResultPointer>(&reply.body);
  return result == nullptr ? nullptr : result->get();
}

struct Progress {
  uint64_t id = 0;
  std::string stage;               ///< A short sentence.
  std::optional<double> fraction;  ///< Finished share of the stage, if known.
};

/// Talks to one worker process in framed messages over its standard input and output. Every call
/// except `wait` returns at once. Only one thread may call at a time. The destructor ends the
/// process. To replace a request, `cancel` it: a request that has not begun is answered at once, so
/// that the new request does not wait for it.
class Client {
 public:
  struct Options {
    /// Split into words as by a shell, but without one. If empty, this program with `worker`.
    std::string command;
    unsigned interpreterThreads = 0;  ///< For the local worker; 0 for all cores.
    Patience patience;
    std::vector<std::string> environment;  ///< NAME=VALUE, for the worker process.
    /// Whether the local worker runs at low priority.
    bool givesWay = false;
  };
  static Result<std::unique_ptr<Client>> start(Options options);
  virtual ~Client() = default;

  virtual uint64_t run(const lab::Experiment& experiment) = 0;
  virtual uint64_t devices() = 0;
  virtual uint64_t ceilings(const std::string& device) = 0;
  virtual uint64_t ptx(const lab::Experiment& experiment, bool instrumented) = 0;

  /// Streams samples of the experiment's launches until the request is cancelled or fails. The
  /// answer is then an Error.
  virtual uint64_t live(const lab::Experiment& experiment) = 0;
  /// The next samples of the stream `id`, which must be the newest stream. If samples are not
  /// fetched in time, the oldest are dropped and counted.
  virtual std::optional<device::LiveBatch> samples(uint64_t id) = 0;

  /// Whether a request would begin now, or fail now because no worker can be started. False while a
  /// worker is starting (a login, a cluster's queue). Restarts a worker that has ended, but only
  /// once.
  [[nodiscard]] virtual bool ready() { return true; }

  /// Asks request `id` to end early. The request is still answered, with an Error or its result.
  virtual void cancel(uint64_t id) = 0;

  /// The next answer, if there is one. Each request gets exactly one answer. If a worker dies or is
  /// ended (`Patience`), the request that it had begun is answered with an Error that gives the
  /// reason. Requests that it had not begun are sent to a new worker. If that worker ends before it
  /// begins any of them, they are sent to one more worker. If the command starts no worker, all
  /// requests are answered with an Error.
  virtual std::optional<Reply> poll() = 0;
  /// The newest progress, if it has changed since the last call.
  virtual std::optional<Progress> progress() = 0;
  /// Blocks until request `id` is answered. Other answers remain for poll().
  virtual Reply wait(uint64_t id) = 0;
};

/// Serves requests from `in` to `out` (file descriptors) until `in` ends. Returns the exit status.
int serve(int in, int out, const lab::Options& options);

}  // namespace tilestep::worker
