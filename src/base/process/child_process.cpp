// SPDX-License-Identifier: Apache-2.0
#include "base/process/child_process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <thread>

extern char** environ;

namespace tilestep {
namespace {

using Words = std::vector<std::string>;

/// Owns the settings of posix_spawn.
class SpawnSettings {
 public:
  SpawnSettings() {
    posix_spawn_file_actions_init(&actions_);
    posix_spawnattr_init(&attributes_);
  }
  ~SpawnSettings() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;

  void connect(int from, int to) { posix_spawn_file_actions_adddup2(&actions_, from, to); }
  void runIn(const std::string& folder) {
    posix_spawn_file_actions_addchdir_np(&actions_, folder.c_str());
  }
  void emptyInput() {
    posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  }
  /// Programs expect that no signal is blocked and that SIGPIPE ends them. A new process group lets
  /// us kill a program together with its children.
  void plainSignalsAndOwnGroup(bool ownSession) {
    sigset_t none, pipe;
    sigemptyset(&none);
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setsigdefault(&attributes_, &pipe);
    posix_spawnattr_setpgroup(&attributes_, 0);
    // The first process of a session also leads a group.
    const int group = ownSession ? POSIX_SPAWN_SETSID : POSIX_SPAWN_SETPGROUP;
    posix_spawnattr_setflags(
        &attributes_, static_cast<short>(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | group));
  }
  int start(pid_t& process, char* const* words, char* const* environment) const {
    return posix_spawnp(&process, words[0], &actions_, &attributes_, words, environment);
  }

 private:
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

/// The words as a C array with a final null pointer.
std::vector<char*> pointersTo(const Words& words) {
  std::vector<char*> pointers;
  for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

Words ourEnvironmentWith(const Words& added) {
  Words merged;
  for (char** entry = environ; *entry; ++entry) merged.emplace_back(*entry);
  for (const std::string& entry : added) {
    const std::string name = entry.substr(0, entry.find('=') + 1);
    std::erase_if(merged, [&](const std::string& old) { return old.starts_with(name); });
    merged.push_back(entry);
  }
  return merged;
}

Error cannotStart(const std::string& program, int failure) {
  std::string message = "cannot start " + program + ": " + std::strerror(failure);
  if (failure == ENOENT) message += "; install it, or add its folder to PATH";
  return workError(std::move(message));
}

std::string nameOf(int signal) {
  struct Entry {
    int number;
    const char* name;
  };
  constexpr std::array<Entry, 10> kNames{{{SIGSEGV, "SIGSEGV"},
                                          {SIGABRT, "SIGABRT"},
                                          {SIGKILL, "SIGKILL"},
                                          {SIGBUS, "SIGBUS"},
                                          {SIGFPE, "SIGFPE"},
                                          {SIGILL, "SIGILL"},
                                          {SIGTERM, "SIGTERM"},
                                          {SIGINT, "SIGINT"},
                                          {SIGPIPE, "SIGPIPE"},
                                          {SIGHUP, "SIGHUP"}}};
  for (const Entry& entry : kNames) {
    if (entry.number == signal) return entry.name;
  }
  return std::to_string(signal);
}

/// Gives the process the lowest priority, and its session a priority at which another busy session
/// gets nine times as much processor time. With a lower session priority, the process could reach
/// its time limits on a busy machine. Failures are ignored.
void lowerPriority(pid_t session) {
  constexpr int kLowest = 19, kSessions = 10, kTries = 5;
  ::setpriority(PRIO_PROCESS, static_cast<id_t>(session), kLowest);
  const std::string path = "/proc/" + std::to_string(session) + "/autogroup";
  const std::string text = std::to_string(kSessions);
  for (int i = 0; i < kTries; ++i) {
    const Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (!file.isOpen() || ::write(file.get(), text.data(), text.size()) >= 0) return;
    // Linux allows only one such change per tenth of a second on the whole machine.
    if (errno != EAGAIN) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(60));
  }
}

}  // namespace

Result<ChildProcess> ChildProcess::start(const Words& words, const ChildOptions& options) {
  auto in = makePipe(), out = makePipe(), err = makePipe();
  for (const auto* pipe : {&in, &out, &err}) {
    if (!*pipe) return pipe->error();
  }
  SpawnSettings settings;
  if (options.takesInput) {
    settings.connect(in->read.get(), STDIN_FILENO);
  } else {
    settings.emptyInput();
  }
  settings.connect(out->write.get(), STDOUT_FILENO);
  settings.connect((options.joinsOutputs ? out : err)->write.get(), STDERR_FILENO);
  settings.plainSignalsAndOwnGroup(options.givesWay);
  if (!options.folder.empty()) settings.runIn(options.folder);
  const Words environment =
      options.hasOnlyThat ? options.environment : ourEnvironmentWith(options.environment);
  ChildProcess child;
  if (const int failure =
          settings.start(child.id_, pointersTo(words).data(), pointersTo(environment).data())) {
    child.id_ = -1;
    return cannotStart(words.front(), failure);
  }
  if (options.givesWay) lowerPriority(child.id_);
  if (options.takesInput) child.input = std::move(in->write);
  child.output = std::move(out->read);
  if (!options.joinsOutputs) child.errors = std::move(err->read);
  for (const Descriptor* ours : {&child.input, &child.output, &child.errors}) {
    if (ours->isOpen()) doNotBlock(*ours);
  }
  return child;
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : input(std::move(other.input)),
      output(std::move(other.output)),
      errors(std::move(other.errors)),
      id_(std::exchange(other.id_, -1)) {}

ChildProcess::~ChildProcess() {
  if (id_ > 0) kill();
}

void ChildProcess::signalGroup(int number) const {
  if (id_ > 0) ::kill(-id_, number);
}

bool ChildProcess::endsWithin(std::chrono::milliseconds patience) const {
  const auto until = std::chrono::steady_clock::now() + patience;
  while (true) {
    siginfo_t info = {};
    const int asked = ::waitid(P_PID, static_cast<id_t>(id_), &info, WEXITED | WNOHANG | WNOWAIT);
    // If this program ignores SIGCHLD, the kernel has already reaped the process.
    if (asked < 0 && errno == ECHILD) return true;
    if (asked == 0 && info.si_pid == id_) return true;
    if (std::chrono::steady_clock::now() >= until) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

int ChildProcess::reap() {
  siginfo_t info = {};
  while (::waitid(P_PID, static_cast<id_t>(id_), &info, WEXITED | WNOWAIT) < 0 && errno == EINTR) {
  }
  return kill();
}

int ChildProcess::kill() {
  constexpr std::chrono::seconds kTeardown{2};
  signalGroup(SIGKILL);
  // A driver that destroys a GPU context can keep a killed process in the kernel for a long time.
  const bool ended = endsWithin(kTeardown);
  const pid_t process = std::exchange(id_, -1);
  if (!ended) return SIGKILL;
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

std::string describeEnd(int waitStatus) {
  if (WIFSIGNALED(waitStatus)) return "signal " + nameOf(WTERMSIG(waitStatus));
  return "exit status " + std::to_string(WEXITSTATUS(waitStatus));
}

int exitStatusOf(int waitStatus) {
  return WIFEXITED(waitStatus) ? WEXITSTATUS(waitStatus) : 128 + WTERMSIG(waitStatus);
}

}  // namespace tilestep
