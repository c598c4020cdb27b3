// SPDX-License-Identifier: Apache-2.0
#include "base/process/confine.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/descriptor.h"
#include "base/process/child_process.h"

#if __has_include(<linux/landlock.h>)
#include <linux/landlock.h>
#endif

namespace tilestep {
namespace {

namespace fs = std::filesystem;

constexpr const char* kCommand = "--confined";

/// Lowers a resource limit to `most`; 0 changes nothing. Never raises the limit.
bool limit(int resource, uint64_t most) {
  const auto which = static_cast<__rlimit_resource_t>(resource);
  rlimit now{};
  if (most == 0) return true;
  if (::getrlimit(which, &now) == 0 && now.rlim_max < most) return true;
  const rlimit both{most, most};
  return ::setrlimit(which, &both) == 0;
}

#if defined(LANDLOCK_ACCESS_FS_MAKE_SYM) && defined(SYS_landlock_create_ruleset)

/// The version of Landlock; 0 or less if it is unavailable.
long landlockVersion() {
  return ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
}

constexpr uint64_t kReading =
    LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
/// The rights of the first version: all bits up to MAKE_SYM.
constexpr uint64_t kAll = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1;
/// The rights that a rule for a file (rather than a folder) may grant.
constexpr uint64_t kOfFiles =
    LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_READ_FILE;

/// Adds a rule for the path. A missing file needs no rule.
bool allow(const Descriptor& rules, const fs::path& path, uint64_t access) {
  const Descriptor place(::open(path.c_str(), O_PATH | O_CLOEXEC));
  if (!place.isOpen()) return errno == ENOENT || errno == EACCES;
  std::error_code ignored;
  landlock_path_beneath_attr rule{};
  rule.allowed_access = fs::is_directory(path, ignored) ? access : access & kOfFiles;
  rule.parent_fd = place.get();
  return ::syscall(SYS_landlock_add_rule, rules.get(), LANDLOCK_RULE_PATH_BENEATH, &rule, 0) == 0;
}

bool keepFiles(const Confinement& limits) {
  if (landlockVersion() < 1) return false;
  landlock_ruleset_attr handled{};
  handled.handled_access_fs = kAll;
  const Descriptor rules(
      static_cast<int>(::syscall(SYS_landlock_create_ruleset, &handled, sizeof handled, 0)));
  if (!rules.isOpen()) return false;
  for (const fs::path& path : limits.readable)
    if (!allow(rules, path, kReading)) return false;
  for (const fs::path& path : limits.writable)
    if (!allow(rules, path, kAll)) return false;
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         ::syscall(SYS_landlock_restrict_self, rules.get(), 0) == 0;
}

#else

long landlockVersion() {
  return 0;
}
bool keepFiles(const Confinement& /*limits*/) {
  return false;
}

#endif

int become(char** words) {
  ::execv(words[0], words);
  std::fprintf(stderr, "cannot start %s: %s\n", words[0], std::strerror(errno));
  return kCannotRun;
}

/// Runs the program in a child process and returns its exit status.
int runInChild(char** words) {
  ::signal(SIGCHLD, SIG_DFL);  // If it were ignored, the child's status would be lost.
  const pid_t self = ::getpid();
  const pid_t child = ::fork();
  if (child == 0) {
    ::signal(SIGTERM, SIG_DFL);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != self) ::raise(SIGKILL);
    ::_exit(become(words));
  }
  int status = 0;
  pid_t ended = -1;
  while (child > 0 && (ended = ::waitpid(child, &status, 0)) < 0 && errno == EINTR) {
  }
  if (child > 0 && ended == child) return exitStatusOf(status);
  std::fprintf(stderr, "cannot start %s: %s\n", words[0], std::strerror(errno));
  return kCannotRun;
}

/// Makes this process the leader of a process group, and makes SIGTERM to this process kill the
/// whole group. False on failure.
bool endsGroupOnTermination() {
  ::setpgid(0, 0);  // Fails if this process leads a session and therefore already a group.
  return ::getpgrp() == ::getpid() && ::signal(SIGTERM, [](int) { ::kill(0, SIGKILL); }) != SIG_ERR;
}

/// Like confine(); the kernel sends `signalOfEnd` to this process when its parent ends.
bool confineWith(const Confinement& limits, int signalOfEnd) {
  bool isWhole = limit(RLIMIT_AS, limits.memoryBytes) && limit(RLIMIT_FSIZE, limits.fileBytes) &&
                 limit(RLIMIT_CPU, limits.cpuSeconds);
  const rlimit noCore{0, 0};
  isWhole = ::setrlimit(RLIMIT_CORE, &noCore) == 0 && isWhole;
  if (limits.parent != 0) {
    isWhole = ::prctl(PR_SET_PDEATHSIG, signalOfEnd) == 0 && isWhole;
    // The parent may have ended already.
    if (::getppid() != limits.parent) ::raise(SIGKILL);
  }
  if (limits.keepsFiles) isWhole = keepFiles(limits) && isWhole;
  return isWhole;
}

/// Reads the arguments of a confined command in order.
class Arguments {
 public:
  Arguments(int argc, char** argv) : argc_(argc), argv_(argv) {}
  uint64_t number() { return at_ < argc_ ? std::strtoull(argv_[at_++], nullptr, 10) : 0; }
  std::vector<fs::path> paths() {
    std::vector<fs::path> paths;
    for (uint64_t left = number(); left > 0 && at_ < argc_; --left)
      paths.emplace_back(argv_[at_++]);
    return paths;
  }
  [[nodiscard]] char** rest() const { return at_ < argc_ ? argv_ + at_ : nullptr; }

 private:
  int argc_;
  char** argv_;
  int at_ = 2;
};

}  // namespace

bool canKeepFiles() {
  return landlockVersion() >= 1;
}

bool confine(const Confinement& limits) {
  return confineWith(limits, SIGKILL);
}

std::vector<std::string> confinedCommand(const std::string& program, const Confinement& limits,
                                         const std::vector<std::string>& words) {
  std::vector<std::string> command{program,
                                   kCommand,
                                   std::to_string(limits.memoryBytes),
                                   std::to_string(limits.fileBytes),
                                   std::to_string(limits.cpuSeconds),
                                   std::to_string(limits.parent),
                                   std::to_string(limits.endsAll ? 1 : 0),
                                   std::to_string(limits.keepsFiles ? 1 : 0)};
  for (const auto* paths : {&limits.readable, &limits.writable}) {
    command.push_back(std::to_string(paths->size()));
    for (const fs::path& path : *paths) command.push_back(path.string());
  }
  command.insert(command.end(), words.begin(), words.end());
  return command;
}

std::optional<int> runIfConfined(int argc, char** argv) {
  if (argc < 2 || std::strcmp(argv[1], kCommand) != 0) return std::nullopt;
  Arguments arguments(argc, argv);
  Confinement limits;
  limits.memoryBytes = arguments.number();
  limits.fileBytes = arguments.number();
  limits.cpuSeconds = arguments.number();
  limits.parent = static_cast<pid_t>(arguments.number());
  limits.endsAll = arguments.number() != 0;
  limits.keepsFiles = arguments.number() != 0;
  limits.readable = arguments.paths();
  limits.writable = arguments.paths();
  char** words = arguments.rest();
  if (words == nullptr) return kCannotRun;
  const bool canEndAll = !limits.endsAll || (limits.parent != 0 && endsGroupOnTermination());
  if (!canEndAll || !confineWith(limits, limits.endsAll ? SIGTERM : SIGKILL)) {
    std::fprintf(stderr, "%s cannot be confined: %s\n", words[0], std::strerror(errno));
    return kCannotRun;
  }
  return limits.endsAll ? runInChild(words) : become(words);
}

}  // namespace tilestep
