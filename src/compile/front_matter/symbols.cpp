// SPDX-License-Identifier: Apache-2.0
#include "compile/front_matter/symbols.h"

#include <cctype>
#include <map>
#include <set>

#include "ptx/text/symbols.h"

namespace tilestep::compile {
namespace {

bool isOfName(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$';
}

/// The text with another name in each place where `name` stands as a whole.
std::string renamedIn(std::string text, const std::string& name, const std::string& other) {
  for (size_t at = text.find(name); at != std::string::npos; at = text.find(name, at)) {
    const size_t end = at + name.size();
    const bool isWhole =
        (at == 0 || !isOfName(text[at - 1])) && (end == text.size() || !isOfName(text[end]));
    if (isWhole) text.replace(at, name.size(), other);
    at += isWhole ? other.size() : name.size();
  }
  return text;
}

}  // namespace

void renameFunctions(ptx::Module& module, const std::map<std::string, std::string>& names) {
  for (ptx::Function& function : module.functions) {
    const auto renamed = names.find(function.name);
    if (renamed != names.end()) function.name = renamed->second;
  }
  for (ptx::Variable& variable : module.variables) {
    for (ptx::SymbolReference& reference : variable.references) {
      const auto renamed = names.find(reference.name);
      if (renamed == names.end()) continue;
      reference.name = renamed->second;
      variable.declaration =
          renamedIn(std::move(variable.declaration), renamed->first, renamed->second);
    }
  }
}

std::string plainName(std::string_view symbol) {
  std::string name = ptx::displayName(symbol);
  const size_t arguments = name.find('<');
  return arguments == 0 ? name : name.substr(0, arguments);
}

void usePlainEntryNames(ptx::Module& module) {
  std::map<std::string, std::set<std::string>> symbols;  // By the name that they would get.
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
