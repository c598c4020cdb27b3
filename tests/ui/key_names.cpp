// SPDX-License-Identifier: Apache-2.0
#include "ui/key_names.h"

#include <gtest/gtest.h>

#include <cctype>
#include <map>

namespace tilestep::tests {
namespace {

using gfx::Key;

const std::map<std::string, Key>& namedKeys() {
  static const std::map<std::string, Key> all{{"space", Key::space},
                                              {"escape", Key::escape},
                                              {"enter", Key::enter},
                                              {"tab", Key::tab},
                                              {"delete", Key::remove},
                                              {"left", Key::left},
                                              {"right", Key::right},
                                              {"up", Key::up},
                                              {"down", Key::down},
                                              {"pageup", Key::pageUp},
                                              {"pagedown", Key::pageDown},
                                              {"home", Key::home},
                                              {"end", Key::end}};
  return all;
}

/// Of "F1" to "F12".
bool takeFunctionKey(const std::string& name, Key& key) {
  if (name.size() < 2 || name.front() != 'F') return false;
  const int number = std::atoi(name.c_str() + 1);
  if (number < 1 || number > 12) return false;
  key = static_cast<Key>(static_cast<int>(Key::f1) + number - 1);
  return true;
}

bool takePrefix(std::string& name, const std::string& prefix) {
  if (!name.starts_with(prefix)) return false;
  name.erase(0, prefix.size());
  return true;
}

}  // namespace

std::vector<gfx::KeyEvent> keyEventsOf(const std::string& name) {
  gfx::KeyEvent event;
  std::string rest = name;
  for (bool more = true; more;) {
    more = false;
    if (takePrefix(rest, "shift+")) more = event.shift = true;
    if (takePrefix(rest, "ctrl+")) more = event.control = true;
    if (takePrefix(rest, "alt+")) more = event.alt = true;
  }
  const auto named = namedKeys().find(rest);
  if (named != namedKeys().end()) event.key = named->second;
  const bool hasNoSign = named != namedKeys().end() || takeFunctionKey(rest, event.key);
  if (hasNoSign && event.key != Key::space) return {event};
  if (!hasNoSign && rest.size() != 1) {
    ADD_FAILURE() << "there is no key " << name;
    return {};
  }
  const char sign = event.key == Key::space ? ' ' : rest.front();
  event.shift |= std::isupper(static_cast<unsigned char>(sign)) != 0;
  event.key = gfx::keyOf(static_cast<char>(std::toupper(static_cast<unsigned char>(sign))));
  if (event.control || event.alt) return {event};
  return {event, {.text = static_cast<char32_t>(sign)}};
}

}  // namespace tilestep::tests
