// SPDX-License-Identifier: Apache-2.0
#include "compile/front_matter/symbols.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "ptx/text/symbols.h"

namespace tilestep::compile {
namespace {

bool isOfName(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$';
}

/// Replaces whole words of the text according to `names`.
std::string renamedIn(std::string_view text, const std::map<std::string, std::string>& names) {
  std::string result;
  for (size_t at = 0; at < text.size();) {
    size_t end = at;
    while (end < text.size() && isOfName(text[end])) ++end;
    const auto renamed = names.find(std::string(text.substr(at, end - at)));
    if (renamed != names.end())
      result += renamed->second;
    else
      result += text.substr(at, std::max<size_t>(end - at, 1));
    at = std::max(end, at + 1);
  }
  return result;
}

}  // namespace

void renameFunctions(ptx::Module& module, const std::map<std::string, std::string>& names) {
  for (ptx::Function& function : module.functions) {
    const auto renamed = names.find(function.name);
    if (renamed != names.end()) function.name = renamed->second;
  }
  for (ptx::Variable& variable : module.variables) {
    bool isNamed = false;
    for (ptx::SymbolReference& reference : variable.references) {
      const auto renamed = names.find(reference.name);
      if (renamed == names.end()) continue;
      reference.name = renamed->second;
      isNamed = true;
    }
    if (isNamed) variable.declaration = renamedIn(variable.declaration, names);
  }
}

std::string plainName(std::string_view symbol) {
  std::string name = ptx::displayName(symbol);
  const size_t arguments = name.find('<');
  return arguments == 0 ? name : name.substr(0, arguments);
}

void usePlainEntryNames(ptx::Module& module) {
  std::map<std::string, std::set<std::string>> symbols;  // Old names by new name.
  for (const ptx::Function& function : module.functions)
    symbols[function.isEntry ? plainName(function.name) : function.name].insert(function.name);
  std::map<std::string, std::string> renamed;
  for (const ptx::Function& function : module.functions) {
    std::string plain = plainName(function.name);
    if (function.isEntry && symbols[plain].size() == 1) renamed[function.name] = std::move(plain);
  }
  renameFunctions(module, renamed);
}

}  // namespace tilestep::compile
