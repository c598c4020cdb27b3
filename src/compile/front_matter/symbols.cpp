// SPDX-License-Identifier: Apache-2.0
#include "compile/front_matter/symbols.h"

#include <map>

#include "ptx/text/symbols.h"

namespace tilestep::compile {

std::string plainName(std::string_view symbol) {
  std::string name = ptx::displayName(symbol);
  const size_t arguments = name.find('<');
  return arguments == 0 ? name : name.substr(0, arguments);
}

void usePlainEntryNames(ptx::Module& module) {
  std::map<std::string, int> uses;
  for (const ptx::Function& function : module.functions) {
    ++uses[function.isEntry ? plainName(function.name) : function.name];
  }
  for (ptx::Function& function : module.functions) {
    std::string plain = plainName(function.name);
    if (function.isEntry && uses[plain] == 1) function.name = std::move(plain);
  }
}

}  // namespace tilestep::compile
