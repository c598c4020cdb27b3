// SPDX-License-Identifier: Apache-2.0
#include "compile/compilers/process.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <thread>

extern char** environ;

namespace tilestep::compile {
namespace fs = std::filesystem;
namespace {

// What posix_spawn needs, freed whatever happens.
struct SpawnSetup {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;

  explicit SpawnSetup(const std::string& outputFile) {
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_addopen(&actions, 1, outputFile.c_str(),
                                       O_WRONLY | O_CREAT | O_TRUNC, 0600);
    ::posix_spawn_file_actions_adddup2(&actions, 1, 2);
    ::posix_spawnattr_init(&attributes);
    // A group of its own, so that a timeout reaches the compiler's children too.
    ::posix_spawnattr_setpgroup(&attributes, 0);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  }
  ~SpawnSetup() {
    ::posix_spawn_file_actions_destroy(&actions);
    ::posix_spawnattr_destroy(&attributes);
  }
  SpawnSetup(const SpawnSetup&) = delete;
  SpawnSetup& operator=(const SpawnSetup&) = delete;
};

CommandResult waitFor(pid_t child, std::chrono::milliseconds timeout) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point end = Clock::now() + timeout;
  CommandResult result;
  int status = 0;
  while (true) {
    const pid_t ended = ::waitpid(child, &status, WNOHANG);
    if (ended == child || (ended < 0 && errno != EINTR)) break;
    if (!result.timedOut && Clock::now() >= end) {
      ::kill(-child, SIGKILL);
      result.timedOut = true;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  result.exitStatus = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

}  // namespace

PrivateFolder::PrivateFolder() {
  std::error_code failure;
  const fs::path temporary = fs::temp_directory_path(failure);
  if (failure) return;
  std::string pattern = (temporary / "tilestep-XXXXXX").string();
  if (::mkdtemp(pattern.data())) path_ = pattern;  // mkdtemp makes it with mode 0700.
}

PrivateFolder::~PrivateFolder() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

Result<CommandResult> runCommand(const std::vector<std::string>& command,
                                 const fs::path& outputFile, std::chrono::milliseconds timeout) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const SpawnSetup setup(outputFile.string());
  pid_t child = 0;
  const int failure = ::posix_spawnp(&child, arguments[0], &setup.actions, &setup.attributes,
                                     arguments.data(), environ);
  if (failure) return workError("cannot start " + command[0] + ": " + std::strerror(failure));
  return waitFor(child, timeout);
}

fs::path findOnPath(const std::string& program) {
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

}  // namespace tilestep::compile
