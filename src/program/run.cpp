// SPDX-License-Identifier: Apache-2.0
#include "program/run.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <thread>

#include "base/private_folder.h"
#include "program/service.h"

extern char** environ;

namespace tilestep::program {
namespace {

struct Sockets {
  Descriptor ours, theirs;
};

Result<Sockets> makeSockets() {
  int both[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, both) != 0)
    return workError(std::string("no socket for the program: ") + std::strerror(errno));
  return Sockets{Descriptor(both[0]), Descriptor(both[1])};
}

/// Reads what the program prints until all of its ends are closed.
class Output {
 public:
  explicit Output(Descriptor from) : from_(std::move(from)), thread_([this] { read(); }) {}
  void take(ProgramRun& run) {
    thread_.join();
    run.output = std::move(text_);
    run.outputTruncated = truncated_;
  }

 private:
  void read() {
    constexpr size_t kMost = size_t{1} << 20;
    char piece[16384];
    while (true) {
      const ssize_t got = ::read(from_.get(), piece, sizeof piece);
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return;
      const size_t room = std::min(static_cast<size_t>(got), kMost - text_.size());
      text_.append(piece, room);
      truncated_ = truncated_ || room < static_cast<size_t>(got);
    }
  }
  Descriptor from_;
  std::string text_;
  bool truncated_ = false;
  std::thread thread_;
};

/// `output`: where it prints; -1: where we do.
Result<pid_t> start(const RunRequest& request, const std::filesystem::path& program, int socket,
                    int output) {
  std::vector<std::string> words{std::filesystem::path(request.sources.files.front()).stem()};
  words.insert(words.end(), request.arguments.begin(), request.arguments.end());
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  std::string variable = std::string(guest::kSocketVariable) + "=" + std::to_string(socket);
  std::vector<char*> variables;
  for (char** each = environ; *each != nullptr; ++each) variables.push_back(*each);
  variables.push_back(variable.data());
  variables.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  // Onto itself: then it is inherited.
  posix_spawn_file_actions_adddup2(&actions, socket, socket);
  if (output >= 0) {
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
  }
  pid_t process = 0;
  const int failure =
      posix_spawn(&process, program.c_str(), &actions, nullptr, arguments.data(), variables.data());
  posix_spawn_file_actions_destroy(&actions);
  if (failure != 0)
    return workError("the program cannot be started: " + std::string(std::strerror(failure)));
  return process;
}

/// Ends the program at its limit of time, or where the run is cancelled.
class Limit {
 public:
  Limit(pid_t process, double seconds, const std::function<bool()>& cancelled)
      : thread_([this, process, seconds, &cancelled](const std::stop_token& stop) {
          const auto end =
              std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
          while (!stop.stop_requested()) {
            const bool late = std::chrono::steady_clock::now() >= end;
            if (late || (cancelled && cancelled())) {
              reached_ = late;
              ended_ = true;
              kill(process, SIGKILL);
              return;
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
          }
        }) {}
  [[nodiscard]] bool reached() const { return reached_; }
  [[nodiscard]] bool ended() const { return ended_; }

 private:
  std::atomic<bool> reached_ = false, ended_ = false;
  std::jthread thread_;
};

}  // namespace

Result<ProgramRun> run(const RunRequest& request, const std::function<bool()>& cancelled) {
  const PrivateFolder folder;
  if (folder.path().empty()) return workError(folder.trouble());
  const Result<Built> built =
      build(request.sources, request.tools, folder.path(), std::chrono::milliseconds(300'000));
  if (!built) return built.error();
  Result<Sockets> sockets = makeSockets();
  if (!sockets) return sockets.error();
  Result<Pipe> pipe = makePipe();
  if (!pipe) return pipe.error();
  const Result<pid_t> process = start(request, built->path, sockets->theirs.get(),
                                      request.keepsOutput ? pipe->write.get() : -1);
  if (!process) return process.error();
  pipe->write.close();
  Output output(std::move(pipe->read));
  sockets->theirs.close();
  Limit limit(*process, request.timeoutSeconds, cancelled);
  const ServiceRules rules{request.device, request.launches, request.memoryBytes};
  Service service(std::move(sockets->ours), rules, built->path, [&limit] { return limit.ended(); });
  Served served = service.serve();
  int status = 0;
  while (waitpid(*process, &status, 0) < 0 && errno == EINTR) continue;
  ProgramRun result;
  output.take(result);
  result.device = request.device.name;
  result.timedOut = limit.reached();
  if (WIFSIGNALED(status))
    result.signal = WTERMSIG(status);
  else
    result.exitStatus = WEXITSTATUS(status);
  result.calls = std::move(served.calls);
  result.launches = std::move(served.launches);
  result.findings = std::move(served.findings);
  return result;
}

}  // namespace tilestep::program
