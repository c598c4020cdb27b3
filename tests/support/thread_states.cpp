// SPDX-License-Identifier: Apache-2.0
#include "support/thread_states.h"

#include <sys/types.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace tilestep::support {
namespace {

/// The letter in the third field of /proc/self/task/*/stat (proc(5)). The second field, the name in
/// brackets, may contain anything.
char stateIn(const std::string& stat) {
  const size_t end = stat.rfind(')');
  return end == std::string::npos || end + 2 >= stat.size() ? 'X' : stat[end + 2];
}

}  // namespace

bool otherThreadsSleep() {
  const std::string self = std::to_string(::gettid());
  std::error_code failure;
  std::filesystem::directory_iterator thread("/proc/self/task", failure);
  for (; !failure && thread != end(thread); thread.increment(failure)) {
    if (thread->path().filename() == self) continue;
    std::ifstream file(thread->path() / "stat");
    std::string stat;
    // A thread that has just ended has no such file.
    if (std::getline(file, stat) && stateIn(stat) != 'S') return false;
  }
  return true;
}

}  // namespace tilestep::support
