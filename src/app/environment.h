// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <variant>

#include "base/result.h"
#include "worker/client.h"

/// What every command needs: exit statuses, the way errors are printed, a worker.
namespace tilestep::app {

constexpr int kDone = 0;
constexpr int kWrong = 1;    ///< The work ran and something is wrong.
constexpr int kRefused = 2;  ///< The request was wrong.

/// The error on standard error; the exit status of its kind.
int fail(const Error& error);

/// Text on standard output, whole; standard output carries results alone. Gives `status`, or
/// kWrong and a sentence where the text cannot be written.
int print(const std::string& text, int status);
/// One line on standard error.
void say(const std::string& line);

struct WorkerOptions {
  std::string command;   ///< Empty: this program with `worker`.
  unsigned threads = 0;  ///< A local worker's threads for the interpreter; 0: all cores.
};
Result<std::unique_ptr<worker::Client>> startWorker(const WorkerOptions& options);

/// "running on SIMT interpreter 40 %".
[[nodiscard]] std::string progressText(const worker::Progress& progress);

/// Waits for the answer to `id` and shows the worker's progress where standard error is a terminal.
/// `interrupted`, asked every few milliseconds, ends the wait with an Error of the work.
worker::Reply await(worker::Client& client, uint64_t id,
                    const std::function<bool()>& interrupted = {});

/// The answer as a T, or the Error that it holds.
template <class T>
Result<T> bodyOf(worker::Reply reply) {
  if (T* value = std::get_if<T>(&reply.body)) return std::move(*value);
  if (Error* error = std::get_if<Error>(&reply.body)) return std::move(*error);
  return workError("the worker answered another question than was asked");
}

}  // namespace tilestep::app
