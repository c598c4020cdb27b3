// SPDX-License-Identifier: Apache-2.0
#include "program/places.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <string_view>

#include "base/process/run_command.h"

namespace tilestep::program {
namespace {

/// Parses "file:12" or "file:12 (discriminator 3)". An unknown location is "??:0".
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

/// Whether the event arrives within ten seconds.
bool isReady(int descriptor, short event) {
  pollfd wanted{descriptor, event, 0};
  int ready = 0;
  do {
    ready = poll(&wanted, 1, 10'000);
  } while (ready < 0 && errno == EINTR);
  return ready > 0;
}

/// Writes a short text to a non-blocking pipe. Blocks SIGPIPE, in case the pipe's reader is gone.
bool send(int pipe, const std::string& text) {
  sigset_t signal, before;
  sigemptyset(&signal);
  sigaddset(&signal, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &signal, &before);
  const bool sent = isReady(pipe, POLLOUT) &&
                    write(pipe, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  const timespec now{};
  if (!sent) sigtimedwait(&signal, nullptr, &now);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return sent;
}

}  // namespace

Places::Places(const std::filesystem::path& program) {
  const std::string tool = findOnPath("addr2line");
  if (tool.empty()) return;
  ChildOptions options;
  options.takesInput = true;
  auto child = ChildProcess::start({tool, "-e", program.string()}, options);
  if (child) tool_.emplace(std::move(*child));
}

Places::~Places() = default;

std::string Places::ask(uint64_t address) {
  if (!tool_ || !send(tool_->input.get(), hexText(address) + "\n")) return {};
  while (unread_.find('\n') == std::string::npos) {
    if (!isReady(tool_->output.get(), POLLIN)) return {};
    char piece[4096];
    const ssize_t got = read(tool_->output.get(), piece, sizeof piece);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got <= 0) return {};
    unread_.append(piece, static_cast<size_t>(got));
  }
  const size_t end = unread_.find('\n');
  std::string line = unread_.substr(0, end);
  unread_.erase(0, end + 1);
  return line;
}

Place Places::of(uint64_t where) {
  if (where == 0) return {};
  const auto found = known_.find(where);
  if (found != known_.end()) return found->second;
  // A return address is after its call, so the previous byte is looked up.
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

namespace {

std::string_view trimmed(std::string_view text) {
  const auto isSpace = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
  while (!text.empty() && isSpace(text.front())) text.remove_prefix(1);
  while (!text.empty() && isSpace(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace

std::vector<std::string> argumentsOf(const Place& place, const std::string& function,
                                     size_t number) {
  constexpr uint32_t kMostLines = 4;
  std::ifstream file(place.file);
  std::string text, line;
  for (uint32_t at = 1; at < place.line + kMostLines && std::getline(file, line); ++at)
    if (at >= place.line) text += line + ' ';
  size_t at = text.find(function);
  for (size_t i = 0; i < number && at != std::string::npos; ++i) at = text.find(function, at + 1);
  if (at == std::string::npos || (at = text.find('(', at)) == std::string::npos) return {};
  std::vector<std::string> arguments;
  size_t begin = ++at;
  for (int depth = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '(' || c == '[' || c == '{') ++depth;
    const bool ends = c == ')' && depth == 0;
    if (ends || (c == ',' && depth == 0)) {
      arguments.emplace_back(trimmed(std::string_view(text).substr(begin, at - begin)));
      begin = at + 1;
    }
    if (ends) return arguments;
    if (c == ')' || c == ']' || c == '}') --depth;
  }
  arguments.emplace_back(trimmed(std::string_view(text).substr(begin)));
  return arguments;
}

std::string firstArgument(const Place& place, const std::string& function, size_t number) {
  const std::vector<std::string> arguments = argumentsOf(place, function, number);
  if (arguments.empty()) return {};
  std::string_view argument = arguments.front();
  // Skips casts: "(void**)&d_A", "reinterpret_cast<void**>(&d_A)".
  while (argument.starts_with('(') || argument.starts_with('&')) {
    const size_t cast = argument.find(')');
    if (argument.starts_with('(') && cast == argument.npos) break;
    if (argument.starts_with('(') && cast + 1 == argument.size()) {
      argument = argument.substr(1, cast - 1);
    } else {
      argument.remove_prefix(argument.starts_with('&') ? 1 : cast + 1);
    }
    argument = trimmed(argument);
  }
  if (argument.starts_with("reinterpret_cast") && argument.ends_with(')')) {
    argument.remove_suffix(1);
    argument.remove_prefix(argument.find('(') + 1);
    argument = trimmed(argument);
    if (argument.starts_with('&')) argument.remove_prefix(1);
  }
  return std::string(argument);
}

}  // namespace tilestep::program
