// SPDX-License-Identifier: Apache-2.0
#include "support/tool.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "support/source_root.h"

namespace tilestep::support {
namespace {

namespace fs = std::filesystem;

/// Reads the available output, and closes the descriptor at its end.
void readSome(Descriptor& from, std::string& text) {
  std::array<char, 65536> buffer{};
  const ssize_t got = ::read(from.get(), buffer.data(), buffer.size());
  if (got > 0) text.append(buffer.data(), static_cast<size_t>(got));
  if (got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN)) from.close();
}

}  // namespace

Running::Running(const Words& words, const Words& environment) {
  if (auto child = ChildProcess::start(words, {environment})) child_.emplace(std::move(*child));
}

void Running::signal(int number) const {
  if (id() > 0) ::kill(id(), number);
}

Finished Running::wait() {
  Finished finished;
  if (!child_) return finished;
  while (child_->output.isOpen() || child_->errors.isOpen()) {
    std::array<pollfd, 2> waits{
        {{child_->output.get(), POLLIN, 0}, {child_->errors.get(), POLLIN, 0}}};
    if (::poll(waits.data(), waits.size(), -1) < 0) continue;
    if (waits[0].revents != 0) readSome(child_->output, finished.out);
    if (waits[1].revents != 0) readSome(child_->errors, finished.err);
  }
  const int status = child_->reap();
  finished.status = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  child_.reset();
  return finished;
}

Words tilestepWords(const Words& arguments) {
  Words words{TILESTEP_BINARY_DIR "/tilestep"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return words;
}

Words tilestepEnvironment(const Words& more) {
  // Hides the tester's own kernels.
  Words environment{"XDG_CACHE_HOME=" TILESTEP_BINARY_DIR "/test-cache",
                    "XDG_DATA_HOME=" TILESTEP_BINARY_DIR "/test-data",
                    "TILESTEP_HOME=" + support::sourceRoot()};
  // A worker on another machine inherits no environment, but must compile as the tests here do.
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

Finished expectStatus(int status, const Words& arguments, const Words& environment) {
  const Finished finished = tilestep(arguments, environment);
  EXPECT_EQ(finished.status, status) << finished.err << finished.out;
  return finished;
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
