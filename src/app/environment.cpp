// SPDX-License-Identifier: Apache-2.0
#include "app/environment.h"

#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <thread>

#include "base/percent.h"
#include "base/printable.h"

namespace tilestep::app {
namespace {

/// A status line that is overwritten; nothing is shown if standard error is not a terminal.
class ProgressLine {
 public:
  ProgressLine() : terminal_(::isatty(STDERR_FILENO) == 1) {}
  ~ProgressLine() {
    if (shown_) std::fputs("\r\033[K", stderr);
  }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(const std::string& stage) {
    if (!terminal_) return;
    std::fprintf(stderr, "\r\033[K%s …", printableLine(stage).c_str());
    std::fflush(stderr);
    shown_ = true;
  }

 private:
  bool terminal_, shown_ = false;
};

}  // namespace

int fail(const Error& error) {
  // With a location, the line begins like a compiler's, so that editors can jump to it.
  say(error.where ? toString(error) : "tilestep: " + error.message);
  return error.kind == ErrorKind::request ? kRefused : kWrong;
}

int print(const std::string& result, int status) {
  const std::string text = printable(result);
  const bool whole = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (whole && std::fflush(stdout) == 0) return status;
  return fail(workError(std::string("standard output cannot be written: ") + std::strerror(errno)));
}

void say(const std::string& line) {
  // Continuation lines are marked, so that quoted output cannot pass for a message of Tilestep's.
  std::fprintf(stderr, "%s\n", printableBlock(line, "  | ").c_str());
}

Result<std::unique_ptr<worker::Client>> startWorker(const WorkerOptions& options) {
  return worker::Client::start(
      {options.command, options.threads, options.patience, options.environment, options.givesWay});
}

std::string progressText(const worker::Progress& progress) {
  if (!progress.fraction) return progress.stage;
  return progress.stage + " " + wholePercent(*progress.fraction);
}

worker::Reply await(worker::Client& client, uint64_t id, const std::function<bool()>& interrupted) {
  ProgressLine line;
  while (true) {
    if (std::optional<worker::Reply> reply = client.poll()) {
      if (reply->id == id) return std::move(*reply);
      continue;
    }
    if (const auto progress = client.progress(); progress && progress->id == id) {
      line.show(progressText(*progress));
    }
    if (interrupted && interrupted()) return {id, workError("interrupted")};
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

}  // namespace tilestep::app
