// SPDX-License-Identifier: Apache-2.0
#include "base/process/process_facts.h"

#include <pwd.h>
#include <sys/stat.h>

#include <array>
#include <fstream>
#include <optional>
#include <sstream>
#include <string_view>

namespace tilestep {
namespace {

/// Empty if the process has ended. Reads through a stream, because reading the buffer directly
/// would throw in that case.
std::string textOf(pid_t process, const char* file) {
  std::ostringstream text;
  text << std::ifstream("/proc/" + std::to_string(process) + "/" + file).rdbuf();
  return text.str();
}

/// The effective user. The owner of /proc/PID would not do, because it is root for some processes.
std::optional<uid_t> userOf(pid_t process) {
  const std::string status = textOf(process, "status");
  constexpr std::string_view kUsers = "\nUid:";
  const size_t users = status.find(kUsers);
  if (users == std::string::npos) return std::nullopt;
  std::istringstream numbers(status.substr(users + kUsers.size()));
  uid_t real = 0, effective = 0;
  if (!(numbers >> real >> effective)) return std::nullopt;
  return effective;
}

}  // namespace

std::string processStat(pid_t process) {
  // The program's name, in parentheses, precedes the third field and may contain parentheses.
  const std::string stat = textOf(process, "stat");
  const size_t name = stat.rfind(')');
  return name == std::string::npos ? std::string() : stat.substr(name + 1);
}

std::string userName(uid_t user) {
  std::array<char, 4096> room{};
  passwd entry{};
  passwd* found = nullptr;
  const bool isKnown =
      ::getpwuid_r(user, &entry, room.data(), room.size(), &found) == 0 && found != nullptr;
  return isKnown ? std::string(found->pw_name) : std::to_string(user);
}

std::string lockHolder(int file) {
  struct stat about {};
  if (::fstat(file, &about) != 0) return {};
  const std::string inode = ":" + std::to_string(about.st_ino);
  std::ifstream locks("/proc/locks");
  for (std::string line; std::getline(locks, line);) {
    std::istringstream words(line);
    std::string number, kind, mode, access, place;
    pid_t process = 0;
    if (!(words >> number >> kind >> mode >> access >> process >> place)) continue;
    if (kind != "FLOCK" || !place.ends_with(inode) || process <= 0) continue;
    const std::optional<uid_t> user = userOf(process);
    return "process " + std::to_string(process) + (user ? " of " + userName(*user) : "");
  }
  return {};
}

}  // namespace tilestep
