// SPDX-License-Identifier: Apache-2.0
#include "ptx/text/register_text.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>

namespace tilestep::ptx {
namespace {

struct Numbered {
  std::string_view prefix;
  uint32_t number = 0;
};

/// Splits "%f12" into "%f" and 12. Only names with '%' are combined to ranges, because other ranges
/// could declare the name of a variable or a label.
std::optional<Numbered> split(std::string_view name) {
  const size_t end = name.find_last_not_of("0123456789");
  if (name[0] != '%' || end == std::string_view::npos || end + 1 == name.size()) return {};
  const std::string_view digits = name.substr(end + 1);
  if (digits.size() > 1 && digits[0] == '0') return {};
  Numbered numbered{name.substr(0, end + 1)};
  const auto result =
      std::from_chars(digits.data(), digits.data() + digits.size(), numbered.number);
  constexpr uint32_t kMostInRange = 1 << 20;
  if (result.ec != std::errc() || numbered.number >= kMostInRange) return {};
  return numbered;
}

struct Group {
  Type type = Type::none;
  uint32_t count = 0;
  bool isMixed = false;
};

class Declarations {
 public:
  explicit Declarations(const Function& function) {
    for (const Parameter& p : function.results) addParameter(p);
    for (const Parameter& p : function.parameters) addParameter(p);
    for (const Register& reg : function.registers) gather(reg);
    for (const Register& reg : function.registers) declare(reg);
  }

  std::vector<std::string> take() { return std::move(lines_); }

 private:
  void addParameter(const Parameter& parameter) {
    if (parameter.isRegister) parameters_.insert(parameter.name);
  }

  void gather(const Register& reg) {
    const auto numbered = split(reg.name);
    if (!numbered) return;
    const auto [found, isNew] = groups_.try_emplace(numbered->prefix, Group{reg.type, 0, false});
    Group& group = found->second;
    group.isMixed |= group.type != reg.type || parameters_.contains(reg.name);
    group.count = std::max(group.count, numbered->number + 1);
  }

  void declare(const Register& reg) {
    if (parameters_.contains(reg.name)) return;
    const auto numbered = split(reg.name);
    const auto group = numbered ? groups_.find(numbered->prefix) : groups_.end();
    if (group == groups_.end() || group->second.isMixed) {
      lines_.push_back(".reg ." + std::string(toText(reg.type)) + " " + reg.name + ";");
    } else if (group->second.count > 0) {
      lines_.push_back(".reg ." + std::string(toText(reg.type)) + " " +
                       std::string(numbered->prefix) + "<" + std::to_string(group->second.count) +
                       ">;");
      group->second.count = 0;  // Declared only once.
    }
  }

  std::set<std::string_view> parameters_;
  std::map<std::string_view, Group> groups_;
  std::vector<std::string> lines_;
};

}  // namespace

std::vector<std::string> registerDeclarations(const Function& function) {
  return Declarations(function).take();
}

}  // namespace tilestep::ptx
