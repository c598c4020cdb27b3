// SPDX-License-Identifier: Apache-2.0
#include "support/virtual_display.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <thread>

extern char** environ;

namespace tilestep::support {
namespace {

using Clock = std::chrono::steady_clock;

std::vector<char*> pointersTo(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// `extra` (NAME=VALUE) replaces what the environment says.
std::vector<std::string> environmentWith(const std::vector<std::string>& extra) {
  std::vector<std::string> all = extra;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    const std::string name = text.substr(0, text.find('=') + 1);
    bool replaced = false;
    for (const std::string& own : extra) replaced = replaced || own.rfind(name, 0) == 0;
    if (!replaced) all.push_back(text);
  }
  return all;
}

pid_t start(std::vector<std::string> words, const std::vector<std::string>& extra,
            const posix_spawn_file_actions_t* actions) {
  std::vector<std::string> environment = environmentWith(extra);
  std::vector<char*> arguments = pointersTo(words);
  std::vector<char*> variables = pointersTo(environment);
  pid_t pid = -1;
  const int failure =
      ::posix_spawnp(&pid, arguments[0], actions, nullptr, arguments.data(), variables.data());
  return failure == 0 ? pid : -1;
}

std::string readFor(int fd, double seconds, char until) {
  std::string text;
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  while (Clock::now() < end) {
    pollfd wanted{fd, POLLIN, 0};
    if (::poll(&wanted, 1, 100) <= 0) continue;
    std::array<char, 4096> buffer{};
    const ssize_t got = ::read(fd, buffer.data(), buffer.size());
    if (got <= 0) break;
    text.append(buffer.data(), static_cast<size_t>(got));
    if (until != '\0' && text.find(until) != std::string::npos) break;
  }
  return text;
}

/// Starts `words` with its descriptor `childFd` on a pipe; the reading end, or -1.
int startWithPipe(const std::vector<std::string>& words, const std::vector<std::string>& extra,
                  int childFd, pid_t& pid) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return -1;
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, ends[1], childFd);
  ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid = start(words, extra, &actions);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  if (pid > 0) return ends[0];
  ::close(ends[0]);
  return -1;
}

std::string outputWith(const std::vector<std::string>& words,
                       const std::vector<std::string>& extra) {
  pid_t pid = -1;
  const int fd = startWithPipe(words, extra, STDOUT_FILENO, pid);
  if (fd < 0) return {};
  const std::string text = readFor(fd, 60, '\0');
  ::close(fd);
  ::waitpid(pid, nullptr, 0);
  return text;
}

void end(pid_t pid) {
  if (pid <= 0) return;
  ::kill(pid, SIGTERM);
  for (int i = 0; i < 50; ++i) {
    if (::waitpid(pid, nullptr, WNOHANG) != 0) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  ::kill(pid, SIGKILL);
  ::waitpid(pid, nullptr, 0);
}

}  // namespace

std::string outputOf(const std::vector<std::string>& words) { return outputWith(words, {}); }

VirtualDisplay::VirtualDisplay(int width, int height) {
  if (outputOf({"xdotool", "version"}).empty()) {
    why_ = "xdotool is not installed";
    return;
  }
  const std::string screen = std::to_string(width) + "x" + std::to_string(height) + "x24";
  const int fd = startWithPipe(
      {"Xvfb", "-displayfd", "3", "-screen", "0", screen, "-nolisten", "tcp"}, {}, 3, server_);
  if (fd < 0) {
    why_ = "Xvfb is not installed";
    return;
  }
  number_ = readFor(fd, 30, '\n');
  ::close(fd);
  while (!number_.empty() && number_.back() == '\n') number_.pop_back();
  if (number_.empty()) why_ = "Xvfb did not start";
}

VirtualDisplay::~VirtualDisplay() { end(server_); }

Program::Program(const VirtualDisplay& display, std::vector<std::string> words,
                 const std::vector<std::string>& environment) {
  std::vector<std::string> extra = environment;
  extra.push_back("DISPLAY=" + display.name());
  extra.push_back("LIBGL_ALWAYS_SOFTWARE=1");
  pid_ = start(std::move(words), extra, nullptr);
}

Program::~Program() {
  if (running()) end(pid_);
}

bool Program::running() {
  if (pid_ <= 0 || ended_) return false;
  int status = 0;
  if (::waitpid(pid_, &status, WNOHANG) == 0) return true;
  ended_ = true;
  status_ = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return false;
}

int Program::waitForEnd(double seconds) {
  const auto limit = Clock::now() + std::chrono::duration<double>(seconds);
  while (running()) {
    if (Clock::now() >= limit) return -1;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return status_;
}

std::string xdotool(const VirtualDisplay& display, std::vector<std::string> words) {
  words.insert(words.begin(), "xdotool");
  return outputWith(words, {"DISPLAY=" + display.name()});
}

}  // namespace tilestep::support
