// SPDX-License-Identifier: Apache-2.0
#include "support/tool.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "support/source_root.h"

extern char** environ;

namespace tilestep::support {
namespace {

namespace fs = std::filesystem;

std::vector<char*> pointersTo(Words& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// Names given later win.
Words mergedEnvironment(const Words& added) {
  Words merged;
  for (char** entry = environ; *entry; ++entry) merged.emplace_back(*entry);
  for (const std::string& entry : added) {
    const std::string name = entry.substr(0, entry.find('=') + 1);
    std::erase_if(merged, [&](const std::string& old) { return old.starts_with(name); });
    merged.push_back(entry);
  }
  return merged;
}

/// Reads what is there; false at the end.
bool readSome(int descriptor, std::string& text) {
  std::array<char, 65536> buffer{};
  const ssize_t got = ::read(descriptor, buffer.data(), buffer.size());
  if (got > 0) text.append(buffer.data(), static_cast<size_t>(got));
  return got > 0 || (got < 0 && errno == EINTR);
}

}  // namespace

Running::Running(const Words& words, const Words& environment) {
  std::array<int, 2> out{}, err{};
  if (::pipe2(out.data(), O_CLOEXEC) != 0 || ::pipe2(err.data(), O_CLOEXEC) != 0) return;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err[1], STDERR_FILENO);
  Words arguments = words, merged = mergedEnvironment(environment);
  if (::posix_spawnp(&pid_, words.front().c_str(), &actions, nullptr, pointersTo(arguments).data(),
                     pointersTo(merged).data()) != 0) {
    pid_ = -1;
  }
  posix_spawn_file_actions_destroy(&actions);
  ::close(out[1]);
  ::close(err[1]);
  out_ = out[0];
  err_ = err[0];
}

Running::~Running() {
  if (pid_ > 0) {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  if (out_ >= 0) ::close(out_);
  if (err_ >= 0) ::close(err_);
}

void Running::signal(int number) const {
  if (pid_ > 0) ::kill(pid_, number);
}

Finished Running::wait() {
  Finished finished;
  std::array<pollfd, 2> waits{{{out_, POLLIN, 0}, {err_, POLLIN, 0}}};
  while (waits[0].fd >= 0 || waits[1].fd >= 0) {
    if (::poll(waits.data(), waits.size(), -1) < 0) continue;
    if (waits[0].revents != 0 && !readSome(out_, finished.out)) waits[0].fd = -1;
    if (waits[1].revents != 0 && !readSome(err_, finished.err)) waits[1].fd = -1;
  }
  int status = 0;
  if (pid_ > 0 && ::waitpid(pid_, &status, 0) == pid_) {
    finished.status = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }
  pid_ = -1;
  return finished;
}

Words tilestepWords(const Words& arguments) {
  Words words{TILESTEP_BINARY_DIR "/tilestep"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return words;
}

Words tilestepEnvironment(const Words& more) {
  Words environment{"XDG_CACHE_HOME=" TILESTEP_BINARY_DIR "/test-cache",
                    "TILESTEP_HOME=" + support::sourceRoot()};
  // A worker on another machine inherits nothing, and is to compile as the tests here do.
  for (const char* name : {"TILESTEP_COMPILER", "TILESTEP_TOOLKIT"}) {
    if (const char* value = std::getenv(name))
      environment.push_back(std::string(name) + "=" + value);
  }
  environment.insert(environment.end(), more.begin(), more.end());
  return environment;
}

Finished tilestep(const Words& arguments, const Words& environment) {
  return Running(tilestepWords(arguments), tilestepEnvironment(environment)).wait();
}

HomeCopy::HomeCopy() {
  std::string pattern = (fs::temp_directory_path() / "tilestep-home-XXXXXX").string();
  folder_ = ::mkdtemp(pattern.data());
  for (const char* part : {"kernels", "shaders", "assets"}) {
    fs::copy(fs::path(support::sourceRoot()) / part, folder_ / part, fs::copy_options::recursive);
  }
}

HomeCopy::~HomeCopy() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

std::string HomeCopy::read(const std::string& path) const {
  std::ostringstream text;
  text << std::ifstream(folder_ / path).rdbuf();
  return text.str();
}

void HomeCopy::write(const std::string& path, const std::string& text) const {
  std::ofstream(folder_ / path) << text;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << "no '" << from << "' in the text";
  for (; at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

}  // namespace tilestep::support
