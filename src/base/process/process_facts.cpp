// SPDX-License-Identifier: Apache-2.0
#include "base/process/process_facts.h"

#include <pwd.h>
#include <sys/stat.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

namespace tilestep {
namespace {

/// Empty where the process ends meanwhile: it is read through a stream, since a buffer throws then.
std::string textOf(pid_t process, const char* file) {
  std::ostringstream text;
  text << std::ifstream("/proc/" + std::to_string(process) + "/" + file).rdbuf();
  return text.str();
}

}  // namespace

std::string processStat(pid_t process) {
  // The program's name comes first, in parentheses, and may itself contain any character.
  const std::string stat = textOf(process, "stat");
  const size_t name = stat.rfind(')');
  return name == std::string::npos ? std::string() : stat.substr(name + 1);
}

std::optional<ProcessFacts> processFacts(pid_t process) {
  std::istringstream fields(processStat(process));
  std::string state, skipped;
  fields >> state;
  if (state.empty() || state == "Z" || state == "X" || state == "x") return std::nullopt;
  constexpr int kBetween = 18;  // proc(5): the state is field 3, and the start is field 22.
  for (int i = 0; i < kBetween; ++i) fields >> skipped;
  ProcessFacts facts;
  if (!(fields >> facts.start)) return std::nullopt;
  // The owner of /proc/PID would be root for some processes, so the user is read from the text.
  const std::string status = textOf(process, "status");
  constexpr std::string_view kUsers = "\nUid:";
  const size_t users = status.find(kUsers);
  if (users == std::string::npos) return std::nullopt;
  std::istringstream numbers(status.substr(users + kUsers.size()));
  uid_t real = 0;
  if (!(numbers >> real >> facts.user)) return std::nullopt;
  return facts;
}

std::string processNamespace() {
  std::error_code failure;
  std::string name = std::filesystem::read_symlink("/proc/self/ns/pid", failure);  // "pid:[4026…]"
  std::erase_if(name, [](char c) { return c < '0' || c > '9'; });
  return name;
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
    const auto facts = processFacts(process);
    return "process " + std::to_string(process) + (facts ? " of " + userName(facts->user) : "");
  }
  return {};
}

}  // namespace tilestep
