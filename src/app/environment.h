// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <variant>

#include "base/result.h"
#include "worker/client.h"

/// Shared by all commands: exit statuses, output, and a worker.
namespace tilestep::app {

constexpr int kDone = 0;
constexpr int kWrong = 1;    ///< The work ran and found a problem.
constexpr int kRefused = 2;  ///< The request was invalid.

/// Prints the error on standard error. Returns the exit status for its kind.
int fail(const Error& error);

/// Prints text on standard output, which carries only results. Returns `status`, or prints an error
/// and returns kWrong if the text could not be written completely.
int print(const std::string& text, int status);
/// Prints one line on standard error.
void say(const std::string& line);

struct WorkerOptions {
  std::string command;   ///< If empty, this program is started with `worker`.
  unsigned threads = 0;  ///< Interpreter threads of a local worker; 0 means all cores.
  std::vector<std::string> environment = {};  ///< As in worker::Client::Options.
  bool givesWay = false;                      ///< As in worker::Client::Options.
  worker::Patience patience = {};             ///< As in worker::Client::Options.
};
Result<std::unique_ptr<worker::Client>> startWorker(const WorkerOptions& options);

/// "running on SIMT interpreter 40 %".
[[nodiscard]] std::string progressText(const worker::Progress& progress);

/// Waits for the reply to `id`, and shows the worker's progress if standard error is a terminal.
/// `interrupted` is called every few milliseconds; if it returns true, the wait ends with an error
/// of kind work.
worker::Reply await(worker::Client& client, uint64_t id,
                    const std::function<bool()>& interrupted = {});

/// The reply's body as a T, or the error that it contains.
template <class T>
Result<T> bodyOf(worker::Reply reply) {
  if (T* value = std::get_if<T>(&reply.body)) return std::move(*value);
  if (Error* error = std::get_if<Error>(&reply.body)) return std::move(*error);
  return workError("the worker sent the wrong kind of reply");
}

}  // namespace tilestep::app
