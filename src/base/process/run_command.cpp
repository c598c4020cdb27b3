// SPDX-License-Identifier: Apache-2.0
#include "base/process/run_command.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>

#include "base/process/child_process.h"

namespace tilestep {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

/// Waits at most `patience` for data and appends it to `text`, up to `maxBytes` in total. Returns
/// whether anything was read.
bool readSome(Descriptor& from, milliseconds patience, std::string& text, size_t maxBytes) {
  pollfd stream{from.isOpen() ? from.get() : -1, POLLIN, 0};
  if (::poll(&stream, 1, static_cast<int>(patience.count())) <= 0) return false;
  std::array<char, size_t{64} << 10> piece;
  const ssize_t count = ::read(from.get(), piece.data(), piece.size());
  if (count > 0) {
    text.append(piece.data(), std::min(static_cast<size_t>(count), maxBytes - text.size()));
  } else if (count == 0 || (errno != EAGAIN && errno != EINTR)) {
    from.close();
  }
  return count > 0;
}

}  // namespace

Result<CommandResult> runCommand(const std::vector<std::string>& words, milliseconds processorTime,
                                 size_t maxBytes) {
  return runCommand(words, {processorTime, maxBytes, std::nullopt, {}});
}

Result<CommandResult> runCommand(const std::vector<std::string>& words, const CommandRules& rules) {
  const size_t maxBytes = rules.maxBytes;
  ChildOptions options{.joinsOutputs = true};
  if (rules.environment) {
    options.environment = *rules.environment;
    options.hasOnlyThat = true;
  }
  auto child = ChildProcess::start(words, options);
  if (!child) return child.error();
  CommandResult result;
  TimeWatch watch(child->id(), rules.time);
  while (!child->endsWithin(milliseconds(0)) && !result.timedOut) {
    readSome(child->output, milliseconds(2), result.output, maxBytes);
    result.limit = watch.reached();
    result.timedOut = !result.limit.empty();
    if (rules.cancelled && rules.cancelled()) return workError("cancelled");
  }
  result.processorTime = watch.used();
  result.exitStatus = exitStatusOf(child->kill());
  // Reads the rest of the pipe. The number of reads is limited, because a process that left the
  // group may still write to it.
  for (int i = 0; i < 64; ++i) {
    if (!readSome(child->output, milliseconds(0), result.output, maxBytes)) break;
  }
  return result;
}

std::string findOnPath(const std::string& program) {
  const char* variable = std::getenv("PATH");
  std::string rest = variable ? variable : "/usr/local/bin:/usr/bin:/bin";
  while (!rest.empty()) {
    const size_t end = rest.find(':');
    const fs::path file = fs::path(rest.substr(0, end)) / program;
    std::error_code ignored;
    if (fs::is_regular_file(file, ignored) && ::access(file.c_str(), X_OK) == 0) return file;
    rest = end == std::string::npos ? std::string() : rest.substr(end + 1);
  }
  return {};
}

}  // namespace tilestep
