// SPDX-License-Identifier: Apache-2.0
#include "base/process/processor_time.h"

#include <dirent.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <sstream>
#include <string>

#include "base/process/process_facts.h"

namespace tilestep {
namespace {

/// From /proc/PID/stat.
struct Usage {
  pid_t group = 0;
  int64_t ticks = 0;
};

std::optional<Usage> usageOf(pid_t process) {
  std::istringstream fields(processStat(process));
  std::string skipped;
  Usage usage;
  fields >> skipped >> skipped >> usage.group;  // Fields 3 to 5 (proc(5)).
  constexpr int kBetween = 8;                   // The times are fields 14 to 17.
  for (int i = 0; i < kBetween; ++i) fields >> skipped;
  int64_t user = 0, system = 0, childrenUser = 0, childrenSystem = 0;
  if (!(fields >> user >> system >> childrenUser >> childrenSystem)) return std::nullopt;
  usage.ticks = user + system + childrenUser + childrenSystem;
  return usage;
}

std::chrono::milliseconds timeOf(int64_t ticks) {
  const int64_t perSecond = ::sysconf(_SC_CLK_TCK);
  return std::chrono::milliseconds(perSecond > 0 ? ticks * 1000 / perSecond : 0);
}

}  // namespace

std::chrono::milliseconds processorTimeOf(pid_t process) {
  const auto usage = usageOf(process);
  return timeOf(usage ? usage->ticks : 0);
}

std::chrono::milliseconds processorTimeOfGroup(pid_t group) {
  const std::unique_ptr<DIR, int (*)(DIR*)> processes(::opendir("/proc"), &::closedir);
  int64_t ticks = 0;
  while (const dirent* entry = processes ? ::readdir(processes.get()) : nullptr) {
    if (entry->d_name[0] < '1' || entry->d_name[0] > '9') continue;
    const auto usage = usageOf(std::atoi(entry->d_name));
    if (usage && usage->group == group) ticks += usage->ticks;
  }
  return timeOf(ticks);
}

}  // namespace tilestep
