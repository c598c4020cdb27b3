// SPDX-License-Identifier: Apache-2.0
#include "base/process/memory_limit.h"

#include <sys/resource.h>

#include <charconv>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>

namespace tilestep {
namespace {

namespace fs = std::filesystem;

/// Files of /proc and /sys have no size, so they are read to their end.
std::string contents(const fs::path& file) {
  std::ifstream stream(file);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

std::optional<uint64_t> numberAt(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return std::nullopt;
  uint64_t value = 0;
  const auto parsed = std::from_chars(text.data() + begin, text.data() + text.size(), value);
  if (parsed.ec != std::errc{}) return std::nullopt;
  return value;
}

void lower(MemoryLimit& limit, uint64_t bytes, const char* reason) {
  if (bytes >= limit.bytes) return;
  limit.bytes = bytes;
  limit.reason = reason;
}

void addMachine(MemoryLimit& limit, const fs::path& root) {
  std::istringstream lines(contents(root / "proc/meminfo"));
  constexpr std::string_view kTotal = "MemTotal:";
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(kTotal)) continue;
    if (const auto kilobytes = numberAt(std::string_view(line).substr(kTotal.size())))
      lower(limit, *kilobytes * 1024, "the machine has");
  }
}

/// Applies the limits of the group and its ancestors. In a container, the group's path may be the
/// host's path, of which only the root is visible; the root's limit is then the container's limit.
void addGroups(MemoryLimit& limit, const fs::path& top, const std::string& group,
               const char* file) {
  fs::path at = (top / fs::path(group).relative_path()).lexically_normal();
  while (true) {
    if (const auto bytes = numberAt(contents(at / file)))
      lower(limit, *bytes, "its control group may use");
    if (at == top || at == at.parent_path()) return;
    at = at.parent_path();
  }
}

/// `line` is from /proc/self/cgroup: "number:controllers:path".
void addGroupsOf(const std::string& line, MemoryLimit& limit, const fs::path& root) {
  const size_t first = line.find(':');
  const size_t second = first == std::string::npos ? first : line.find(':', first + 1);
  if (second == std::string::npos) return;
  const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
  const std::string group = line.substr(second + 1);
  const fs::path groups = root / "sys/fs/cgroup";
  if (controllers == ",,") addGroups(limit, groups, group, "memory.max");
  if (controllers.find(",memory,") != std::string::npos)
    addGroups(limit, groups / "memory", group, "memory.limit_in_bytes");
}

void addOwn(MemoryLimit& limit, __rlimit_resource_t resource, const char* reason) {
  rlimit own{};
  if (::getrlimit(resource, &own) == 0 && own.rlim_cur != RLIM_INFINITY)
    lower(limit, own.rlim_cur, reason);
}

}  // namespace

MemoryLimit memoryLimit(const fs::path& root) {
  MemoryLimit limit{std::numeric_limits<uint64_t>::max(), ""};
  addMachine(limit, root);
  std::istringstream lines(contents(root / "proc/self/cgroup"));
  for (std::string line; std::getline(lines, line);) addGroupsOf(line, limit, root);
  addOwn(limit, RLIMIT_AS, "ulimit -v allows");
  addOwn(limit, RLIMIT_DATA, "ulimit -d allows");
  return limit;
}

}  // namespace tilestep
