// SPDX-License-Identifier: Apache-2.0
#include "program/run.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <memory>
#include <thread>

#include "base/files.h"
#include "base/private_folder.h"
#include "program/findings/findings.h"
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

/// Reads the program's output until all of its pipes are closed, or until the program has ended and
/// no output remains. Child processes may outlive the program and keep a pipe open.
class Output {
 public:
  explicit Output(Descriptor from) : from_(std::move(from)), thread_([this] { read(); }) {}
  /// Call once the program has ended.
  void take(ProgramRun& run) {
    ended_ = true;
    thread_.join();
    run.output = std::move(text_);
    run.outputTruncated = truncated_;
  }

 private:
  void read() {
    constexpr size_t kMost = size_t{1} << 20;
    char piece[16384];
    while (true) {
      pollfd wanted{from_.get(), POLLIN, 0};
      const bool wasEnded = ended_;
      if (poll(&wanted, 1, 50) == 0) {
        if (wasEnded) return;
        continue;
      }
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
  std::atomic<bool> ended_ = false;
  std::thread thread_;
};

/// `input` is the file for the program's stdin; if empty, the program inherits ours. `output`
/// receives its output; if -1, the program writes to ours.
Result<pid_t> start(const RunRequest& request, const std::filesystem::path& program,
                    const std::filesystem::path& input, int socket, int output) {
  std::vector<std::string> words{std::filesystem::path(request.sources.files.front()).stem()};
  words.insert(words.end(), request.arguments.begin(), request.arguments.end());
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  std::string variable = std::string(guest::kSocketVariable) + "=" + std::to_string(socket);
  std::vector<char*> variables;
  for (char** each = environ; *each != nullptr; ++each) variables.push_back(*each);
  variables.push_back(variable.data());
  std::string atOnce = std::string(guest::kAtOnceVariable) + "=1";
  if (request.printsAtOnce) variables.push_back(atOnce.data());
  variables.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  // Duplicating the socket onto itself makes the program inherit it.
  posix_spawn_file_actions_adddup2(&actions, socket, socket);
  if (output >= 0) {
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
  }
  if (!input.empty())
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, input.c_str(), O_RDONLY, 0);
  if (!request.folder.empty())
    posix_spawn_file_actions_addchdir_np(&actions, request.folder.c_str());
  pid_t process = 0;
  const int failure =
      posix_spawn(&process, program.c_str(), &actions, nullptr, arguments.data(), variables.data());
  posix_spawn_file_actions_destroy(&actions);
  if (failure != 0)
    return workError("the program cannot be started: " + std::string(std::strerror(failure)));
  return process;
}

/// Watches the program, and ends it at its time limit or if the run is cancelled. When the program
/// has ended, shuts its socket down, because child processes may still hold the socket. The process
/// must not be waited for while this object exists.
class Watch {
 public:
  Watch(pid_t process, int socket, double seconds, const std::function<bool()>& cancelled,
        std::atomic<bool>& ends)
      : thread_([this, process, socket, seconds, &cancelled, &ends](const std::stop_token& stop) {
          const auto end =
              std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
          while (!stop.stop_requested()) {
            siginfo_t info{};
            constexpr int kAsk = WEXITED | WNOHANG | WNOWAIT;
            if (waitid(P_PID, static_cast<id_t>(process), &info, kAsk) == 0 && info.si_pid != 0) {
              shutdown(socket, SHUT_RDWR);
              return;
            }
            const bool late = std::chrono::steady_clock::now() >= end;
            if (!ends && (late || (cancelled && cancelled()))) {
              reached_ = late;
              ends = true;
              kill(process, SIGKILL);
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
          }
        }) {}
  [[nodiscard]] bool reached() const { return reached_; }
  void join() { thread_.join(); }

 private:
  std::atomic<bool> reached_ = false;
  std::jthread thread_;
};

/// The executable is in `folder` or in the cache.
Result<Built> buildIn(const PrivateFolder& folder, const RunRequest& request) {
  if (folder.path().empty()) return workError(folder.trouble());
  Tools tools = request.tools;
  tools.arch = "sm_" + std::to_string(request.device.major) + std::to_string(request.device.minor);
  return build(request.sources, tools, folder.path(), std::chrono::milliseconds(300'000));
}

}  // namespace

Status compile(const RunRequest& request) {
  const PrivateFolder folder;
  const Result<Built> built = buildIn(folder, request);
  return built ? Status() : Status(built.error());
}

Result<ProgramRun> run(const RunRequest& request, const std::function<bool()>& cancelled) {
  const PrivateFolder folder;
  const Result<Built> built = buildIn(folder, request);
  if (!built) return built.error();
  Result<Sockets> sockets = makeSockets();
  if (!sockets) return sockets.error();
  Result<Pipe> pipe = makePipe();
  if (!pipe) return pipe.error();
  std::filesystem::path input;
  if (!request.input.empty()) {
    input = folder.path() / "kernel.input";
    if (const Status written = writeFileAtomically(input, request.input); !written)
      return written.error();
  }
  const Result<pid_t> process = start(request, built->path, input, sockets->theirs.get(),
                                      request.keepsOutput ? pipe->write.get() : -1);
  if (!process) return process.error();
  pipe->write.close();
  Output output(std::move(pipe->read));
  sockets->theirs.close();
  const int socket = sockets->ours.get();
  ServiceRules rules{
      request.device,      request.gpu, request.timed, request.looked, request.launches,
      request.memoryBytes, {}};
  const auto begin = std::chrono::steady_clock::now();
  rules.progress = [&](LaunchProgress now) {
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
    now.secondsLeft = std::max(0.0, request.timeoutSeconds - passed.count());
    if (request.progress) request.progress(now);
  };
  std::atomic<bool> ends = false;
  Service service(std::move(sockets->ours), rules, built->path, [&ends] { return ends.load(); });
  const std::function<bool()> isOver = [&] {
    return service.hasCaptured() || (cancelled && cancelled());
  };
  auto watch = std::make_unique<Watch>(*process, socket, request.timeoutSeconds, isOver, ends);
  ProgramRun result = service.serve();
  watch->join();
  const bool timedOut = watch->reached();
  watch.reset();
  int status = 0;
  while (waitpid(*process, &status, 0) < 0 && errno == EINTR) continue;
  output.take(result);
  result.gpu = request.gpu;
  result.timedOut = timedOut;
  result.limitSeconds = request.timeoutSeconds;
  if (WIFSIGNALED(status))
    result.signal = WTERMSIG(status);
  else
    result.exitStatus = WEXITSTATUS(status);
  addFindings(result);
  result.compiler = built->compiler;
  return result;
}

}  // namespace tilestep::program
