// SPDX-License-Identifier: Apache-2.0
#include "support/service.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "base/process/process_facts.h"

namespace tilestep::support {
namespace {

namespace fs = std::filesystem;

std::string textOf(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

sockaddr_in localAddress(int port) {
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<uint16_t>(port));
  return address;
}

struct Process {
  char state = 'Z';
  pid_t parent = 0;
};

Process processOf(const std::string& id) {
  Process process;
  std::istringstream fields(processStat(std::stoi(id)));
  fields >> process.state >> process.parent;
  return process;
}

std::vector<std::string> processIds() {
  std::vector<std::string> ids;
  DIR* folder = ::opendir("/proc");
  while (const dirent* entry = ::readdir(folder)) {
    if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9') ids.emplace_back(entry->d_name);
  }
  ::closedir(folder);
  return ids;
}

}  // namespace

TemporaryFolder::TemporaryFolder(const std::string& name) {
  std::string pattern = (fs::temp_directory_path() / ("tilestep-" + name + "-XXXXXX")).string();
  if (!::mkdtemp(pattern.data())) throw std::runtime_error("cannot make the folder " + pattern);
  folder_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

std::string TemporaryFolder::path(const std::string& file) const {
  return file.empty() ? folder_.string() : (folder_ / file).string();
}

std::string TemporaryFolder::write(const std::string& file, const std::string& text) const {
  std::ofstream(folder_ / file) << text;
  return path(file);
}

std::string TemporaryFolder::read(const std::string& file) const {
  return textOf(folder_ / file);
}

std::string findProgram(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(std::string(path ? path : "") + ":/usr/sbin:/sbin");
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::string candidate = folder + "/" + name;
    if (!folder.empty() && ::access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  return {};
}

int freePort() {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = localAddress(0);
  socklen_t length = sizeof address;
  ::bind(socket, reinterpret_cast<const sockaddr*>(&address), length);
  ::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &length);
  ::close(socket);
  return ntohs(address.sin_port);
}

bool accepts(int port) {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const sockaddr_in address = localAddress(port);
  const bool connected =
      ::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  ::close(socket);
  return connected;
}

bool becomesTrue(double seconds, const std::function<bool()>& condition) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return true;
}

std::vector<pid_t> childrenOf(pid_t process) {
  std::vector<pid_t> children;
  for (const std::string& id : processIds()) {
    const Process found = processOf(id);
    if (found.parent == process && found.state != 'Z') children.push_back(std::stoi(id));
  }
  return children;
}

std::vector<pid_t> processesWith(const std::string& variable) {
  std::vector<pid_t> found;
  for (const std::string& id : processIds()) {
    const std::string all = std::string(1, '\0') + textOf("/proc/" + id + "/environ");
    const bool has = all.find('\0' + variable + '\0') != std::string::npos;
    if (has && processOf(id).state != 'Z') found.push_back(std::stoi(id));
  }
  return found;
}

}  // namespace tilestep::support
