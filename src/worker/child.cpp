// SPDX-License-Identifier: Apache-2.0
#include "worker/child.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <thread>

extern char** environ;

namespace tilestep::worker {
namespace {

/// posix_spawn's two sets of wishes, destroyed with it.
class Wishes {
 public:
  Wishes() {
    posix_spawn_file_actions_init(&actions_);
    posix_spawnattr_init(&attributes_);
  }
  ~Wishes() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }
  Wishes(const Wishes&) = delete;
  Wishes& operator=(const Wishes&) = delete;

  void connect(const Descriptor& from, int to) {
    posix_spawn_file_actions_adddup2(&actions_, from.get(), to);
  }
  /// A program expects no signal blocked and SIGPIPE to end it, whatever this one has set. Its own
  /// group lets it be ended with all that it starts.
  void plainSignalsAndOwnGroup() {
    sigset_t none, pipe;
    sigemptyset(&none);
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setsigdefault(&attributes_, &pipe);
    posix_spawnattr_setpgroup(&attributes_, 0);
    posix_spawnattr_setflags(
        &attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  }
  int start(pid_t& process, const std::vector<std::string>& words) {
    std::vector<char*> arguments;
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    return posix_spawnp(&process, arguments[0], &actions_, &attributes_, arguments.data(), environ);
  }

 private:
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

/// Above the standard streams, so that connecting them cannot overwrite one that is still needed.
Descriptor aboveStandard(int number) {
  if (number > STDERR_FILENO) return Descriptor(number);
  Descriptor low(number);
  return Descriptor(::fcntl(low.get(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
}

void doNotBlock(const Descriptor& descriptor) {
  ::fcntl(descriptor.get(), F_SETFL, ::fcntl(descriptor.get(), F_GETFL) | O_NONBLOCK);
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

}  // namespace

Result<Pipe> makePipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    return workError(std::string("cannot make a pipe: ") + std::strerror(errno));
  }
  return Pipe{aboveStandard(ends[0]), aboveStandard(ends[1])};
}

Result<Child> spawn(const std::vector<std::string>& words) {
  auto in = makePipe(), out = makePipe(), err = makePipe();
  for (const auto* pipe : {&in, &out, &err}) {
    if (!*pipe) return pipe->error();
  }
  Wishes wishes;
  wishes.connect(in->read, STDIN_FILENO);
  wishes.connect(out->write, STDOUT_FILENO);
  wishes.connect(err->write, STDERR_FILENO);
  wishes.plainSignalsAndOwnGroup();
  Child child;
  if (const int failure = wishes.start(child.process, words); failure != 0) {
    return requestError("cannot start the worker " + words[0] + ": " + std::strerror(failure));
  }
  child.input = std::move(in->write);
  child.output = std::move(out->read);
  child.errors = std::move(err->read);
  for (const Descriptor* d : {&child.input, &child.output, &child.errors}) doNotBlock(*d);
  return child;
}

std::string describeEnd(int waitStatus) {
  if (WIFSIGNALED(waitStatus)) return "signal " + nameOf(WTERMSIG(waitStatus));
  return "exit status " + std::to_string(WEXITSTATUS(waitStatus));
}

bool endsWithin(pid_t process, std::chrono::milliseconds patience) {
  const auto until = std::chrono::steady_clock::now() + patience;
  while (true) {
    siginfo_t info = {};
    const int asked =
        ::waitid(P_PID, static_cast<id_t>(process), &info, WEXITED | WNOHANG | WNOWAIT);
    // Somebody else has waited for it (a program that ignores SIGCHLD): it is gone.
    if (asked < 0 && errno == ECHILD) return true;
    if (asked == 0 && info.si_pid == process) return true;
    if (std::chrono::steady_clock::now() >= until) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

int killAndReap(pid_t process) {
  constexpr std::chrono::seconds kTeardown{2};
  ::kill(-process, SIGKILL);
  // A driver that tears a GPU context down may hold the dying process in the kernel for long.
  if (!endsWithin(process, kTeardown)) return SIGKILL;
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

}  // namespace tilestep::worker
