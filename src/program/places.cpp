// SPDX-License-Identifier: Apache-2.0
#include "program/places.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <string_view>

#include "base/process/run_command.h"

extern char** environ;

namespace tilestep::program {
namespace {

/// "file:12" or "file:12 (discriminator 3)"; "??:0" where nothing is known.
Place placeIn(const std::string& line) {
  const size_t colon = line.rfind(':', line.find(" (discriminator"));
  if (colon == std::string::npos || line.starts_with("??")) return {};
  return {line.substr(0, colon), static_cast<uint32_t>(std::atoi(line.c_str() + colon + 1))};
}

std::string hexText(uint64_t value) {
  std::string text;
  for (; value != 0 || text.empty(); value >>= 4)
    text.insert(text.begin(), "0123456789abcdef"[value & 15]);
  return "0x" + text;
}

}  // namespace

Places::Places(const std::filesystem::path& program) {
  const std::string tool = findOnPath("addr2line");
  Result<Pipe> to = makePipe(), from = makePipe();
  if (tool.empty() || !to || !from) return;
  std::string words[] = {tool, "-e", program.string()};
  char* const arguments[] = {words[0].data(), words[1].data(), words[2].data(), nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, to->read.get(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, from->write.get(), STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  const int failure = posix_spawn(&process_, tool.c_str(), &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failure != 0) {
    process_ = 0;
    return;
  }
  questions_ = std::move(to->write);
  answers_ = std::move(from->read);
}

Places::~Places() {
  if (process_ == 0) return;
  questions_.close();
  kill(process_, SIGKILL);
  while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) continue;
}

std::string Places::ask(uint64_t address) {
  if (!questions_.isOpen() || !writeAll(questions_.get(), hexText(address) + "\n")) return {};
  while (unread_.find('\n') == std::string::npos) {
    char piece[4096];
    const ssize_t got = read(answers_.get(), piece, sizeof piece);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return {};
    unread_.append(piece, static_cast<size_t>(got));
  }
  const size_t end = unread_.find('\n');
  const std::string line = unread_.substr(0, end);
  unread_.erase(0, end + 1);
  return line;
}

Place Places::of(uint64_t where) {
  if (where == 0) return {};
  const auto found = known_.find(where);
  if (found != known_.end()) return found->second;
  // A return address lies behind the call.
  return known_[where] = placeIn(ask(where - 1));
}

size_t Places::numberInLine(uint64_t where) {
  const Place place = of(where);
  std::vector<uint64_t>& calls = inLine_[{place.file, place.line}];
  const auto known = std::ranges::find(calls, where);
  if (known != calls.end()) return static_cast<size_t>(known - calls.begin());
  calls.push_back(where);
  return calls.size() - 1;
}

std::string firstArgument(const Place& place, const std::string& function, size_t number) {
  constexpr uint32_t kMostLines = 4;
  std::ifstream file(place.file);
  std::string text, line;
  for (uint32_t number = 1; number < place.line + kMostLines && std::getline(file, line); ++number)
    if (number >= place.line) text += line + ' ';
  size_t at = text.find(function);
  for (size_t i = 0; i < number && at != std::string::npos; ++i) at = text.find(function, at + 1);
  if (at == std::string::npos || (at = text.find('(', at)) == std::string::npos) return {};
  size_t end = ++at;
  for (int depth = 0; end < text.size(); ++end) {
    const char c = text[end];
    if (c == '(' || c == '[' || c == '{') ++depth;
    if ((c == ',' || c == ')') && depth == 0) break;
    if (c == ')' || c == ']' || c == '}') --depth;
  }
  std::string_view argument = std::string_view(text).substr(at, end - at);
  const auto trim = [&] {
    while (!argument.empty() && std::isspace(static_cast<unsigned char>(argument.front())))
      argument.remove_prefix(1);
    while (!argument.empty() && std::isspace(static_cast<unsigned char>(argument.back())))
      argument.remove_suffix(1);
  };
  trim();
  // Casts: "(void**)&d_A", "reinterpret_cast<void**>(&d_A)".
  while (argument.starts_with('(') || argument.starts_with('&')) {
    const size_t cast = argument.find(')');
    if (argument.starts_with('(') && cast == argument.npos) break;
    if (argument.starts_with('(') && cast + 1 == argument.size()) {
      argument = argument.substr(1, cast - 1);
    } else {
      argument.remove_prefix(argument.starts_with('&') ? 1 : cast + 1);
    }
    trim();
  }
  if (argument.starts_with("reinterpret_cast") && argument.ends_with(')')) {
    argument.remove_suffix(1);
    argument.remove_prefix(argument.find('(') + 1);
    trim();
    if (argument.starts_with('&')) argument.remove_prefix(1);
  }
  return std::string(argument);
}

}  // namespace tilestep::program
