// SPDX-License-Identifier: Apache-2.0
#include "compile/symbols.h"

#include <cctype>
#include <map>

namespace tilestep::compile {
namespace {

// Takes "12matmul_tiled" off the front; empty where the text begins with no such name.
std::string_view takeName(std::string_view& text) {
  size_t length = 0, digits = 0;
  while (digits < text.size() && digits < 5 &&
         std::isdigit(static_cast<unsigned char>(text[digits]))) {
    length = length * 10 + static_cast<size_t>(text[digits++] - '0');
  }
  if (digits == 0 || length == 0 || length > text.size() - digits) return {};
  const std::string_view name = text.substr(digits, length);
  text.remove_prefix(digits + length);
  return name;
}

// The last of "N4math3addE", or the one name.
std::string_view lastName(std::string_view text) {
  if (!text.empty() && text[0] == 'L') text.remove_prefix(1);
  if (text.empty() || text[0] != 'N') return takeName(text);
  text.remove_prefix(1);
  std::string_view last;
  for (std::string_view name = takeName(text); !name.empty(); name = takeName(text)) last = name;
  return last;
}

// A local of a function: "Z" function "E" name.
std::string_view localName(std::string_view text) {
  std::string_view best;
  for (size_t at = text.find('E'); at != std::string_view::npos; at = text.find('E', at + 1)) {
    std::string_view rest = text.substr(at + 1);
    const std::string_view name = takeName(rest);
    // A discriminator ("_0") may follow; anything else was part of the function's own name.
    if (!name.empty() && (rest.empty() || rest[0] == '_')) best = name;
  }
  return best;
}

}  // namespace

std::string plainName(std::string_view symbol) {
  if (symbol.substr(0, 2) != "_Z") return std::string(symbol);
  const std::string_view rest = symbol.substr(2);
  const bool local = !rest.empty() && rest[0] == 'Z';
  const std::string_view name = local ? localName(rest.substr(1)) : lastName(rest);
  return std::string(name.empty() ? symbol : name);
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
