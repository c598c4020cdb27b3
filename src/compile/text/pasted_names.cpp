// SPDX-License-Identifier: Apache-2.0
#include "compile/text/pasted_names.h"

#include <algorithm>
#include <vector>

namespace tilestep::compile {

void PastedNames::add(std::string_view word) {
  const bool isPart = std::ranges::any_of(names_, [&](std::string_view name) {
    return word.size() < name.size() && name.find(word) != std::string_view::npos;
  });
  if (isPart && !word.empty()) parts_.emplace(word);
}

std::string_view PastedNames::possible() const {
  for (const std::string_view name : names_) {
    std::vector<bool> reached(name.size() + 1);
    reached[0] = true;
    for (size_t at = 0; at < name.size(); ++at) {
      if (!reached[at]) continue;
      for (const std::string& part : parts_)
        if (name.substr(at).starts_with(part)) reached[at + part.size()] = true;
    }
    if (reached[name.size()]) return name;
  }
  return {};
}

}  // namespace tilestep::compile
